/** Every limit on HTML and on the Markdown that is made of running text, in addition to those of intake, unit last. */
export interface MarkdownLimits {
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
}

export const markdownLimits: MarkdownLimits = {
  html_depth_max: 2_000,
  html_implied_end_depth_max: 100,
  html_attribute_characters_max: 4_096,
  html_quote_depth_max: 8,
  html_table_depth_max: 8,
  list_depth_max: 16,
  html_paragraph_changes_max: 1_000,
  link_characters_max: 4_096,
}
