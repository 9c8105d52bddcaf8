/** Limits of this tool in addition to those of intake, unit last. */
export const pptxLimits = {
  /** Of all tables of one slide, with the cells that merged ones cover; PowerPoint makes tables of at most 75 by 75. */
  slide_table_cells_max: 1_000_000,
  /** Objects with text on a slide, or in a group, that are ordered by their places; more stay in the file's order. */
  slide_placed_objects_max: 200,
}
