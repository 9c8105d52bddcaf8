const MiB = 1024 * 1024

/** Every limit on documents for file-md-json and on their converters, in addition to those of intake and of what document tools share, unit last. */
export interface ConvertLimits {
  /** Pages of one PDF. */
  readonly pdf_pages_max: number
  /** Characters on one page of a PDF. */
  readonly pdf_page_characters_max: number
  /** Annotations of one page, fields of forms included, for their text to be read. */
  readonly pdf_page_annotations_max: number
  /** Objects and points of lines on one page of a PDF; where there are more, tables are told by their text alone. */
  readonly pdf_page_path_points_max: number
  /** Elements of the tag tree of one page of a PDF; where there are more, the page counts as untagged. */
  readonly pdf_page_tags_max: number
  /** Bookmarks of one PDF; those beyond do not count. */
  readonly pdf_bookmarks_max: number
  /** Memory of the reader of PDFs, the file included. */
  readonly pdf_memory_bytes_max: number
  /** Length of the text of a list's labels besides their numbers; the rest is cut off. */
  readonly list_label_characters_max: number
  /** A part of an OpenDocument text that holds an equation; a larger one is left out as other objects are. */
  readonly equation_bytes_max: number
  /** The archived web pages inside of a Word document, together; those beyond are left out as other documents are. */
  readonly archived_pages_bytes_max: number
  /** The Word documents inside of a Word document, expanded and together; those beyond are left out as others are. */
  readonly embedded_documents_bytes_max: number
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
  pdf_page_tags_max: 50_000,
  pdf_bookmarks_max: 5_000,
  pdf_memory_bytes_max: 256 * MiB,
  list_label_characters_max: 200,
  equation_bytes_max: MiB,
  archived_pages_bytes_max: 8 * MiB,
  embedded_documents_bytes_max: 20 * MiB,
  xml_prose_height_max: 3,
  converter_answer_ms_max: 50_000,
}
