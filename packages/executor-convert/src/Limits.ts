const MiB = 1024 * 1024

/** Every limit on documents for file-md-json and on their converters, in addition to those of intake, unit last. */
export interface ConvertLimits {
  /** Pages of one PDF. */
  readonly pdf_pages_max: number
  /** Characters on one page of a PDF. */
  readonly pdf_page_characters_max: number
  /** Annotations of one page, fields of forms included, for their text to be read. */
  readonly pdf_page_annotations_max: number
  /** Objects and points of lines on one page of a PDF; where there are more, tables are told by their text alone. */
  readonly pdf_page_path_points_max: number
  /** Memory of the reader of PDFs, the file included. */
  readonly pdf_memory_bytes_max: number
  /** Elements of an HTML file inside one another; of deeper ones only the text counts. */
  readonly html_depth_max: number
  /** How far out to look for an element whose end tag was omitted. */
  readonly html_implied_end_depth_max: number
  /** Value of an attribute of an HTML file, in UTF-16 units; a longer one counts as absent. */
  readonly html_attribute_characters_max: number
  /** Quotes of an HTML file inside one another; deeper ones are paragraphs. */
  readonly html_quote_depth_max: number
  /** Tables of an HTML file inside one another; the cells of deeper ones are paragraphs. */
  readonly html_table_depth_max: number
  /** Lists inside one another; deeper ones are written at this level. */
  readonly list_depth_max: number
  /** Changes of style in a paragraph of an HTML file that are looked at together, to mark it well. */
  readonly html_paragraph_changes_max: number
  /** Target of a link in a Word or OpenDocument text; text with a longer one is no link. */
  readonly link_characters_max: number
  /** Length of the text of a list's labels besides their numbers; the rest is cut off. */
  readonly list_label_characters_max: number
  /** Elements inside one another inside of running text in an XML file; what is deeper is structure. */
  readonly xml_prose_height_max: number
  /**
   * From the request to a converter on the network to the end of its answer; the rest of the tool's time is for
   * reading it.
   */
  readonly converter_answer_ms_max: number
}

export const convertLimits: ConvertLimits = {
  pdf_pages_max: 5_000,
  pdf_page_characters_max: 500_000,
  pdf_page_annotations_max: 2_000,
  pdf_page_path_points_max: 100_000,
  pdf_memory_bytes_max: 256 * MiB,
  html_depth_max: 2_000,
  html_implied_end_depth_max: 100,
  html_attribute_characters_max: 4_096,
  html_quote_depth_max: 8,
  html_table_depth_max: 8,
  list_depth_max: 16,
  html_paragraph_changes_max: 1_000,
  link_characters_max: 4_096,
  list_label_characters_max: 200,
  xml_prose_height_max: 3,
  converter_answer_ms_max: 50_000,
}
