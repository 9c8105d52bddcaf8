/** Limits on what a notebook may hold, unit last. */
export const notebookLimits = {
  /** Objects and lists inside one another. */
  json_depth_max: 256,
  /** Objects and lists together: some millions of empty ones fill a process's memory. */
  json_nodes_max: 500_000,
  json_values_max: 4_000_000,
  json_keys_max: 1_000_000,
  notebook_cells_max: 10_000,
}
