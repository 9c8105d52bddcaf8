/** Limits on what a book may hold, in addition to those of intake and of HTML, unit last. */
export const epubLimits = {
  /** Documents in reading order; more is `archive_limit_exceeded`. */
  epub_documents_max: 10_000,
  /** Fallbacks from one document to the next; a longer chain leads to nothing, as one that ends in itself. */
  epub_fallbacks_max: 10,
  /** Entries of the navigation; those beyond make no headings. */
  epub_navigation_entries_max: 20_000,
  /** Label of one entry of the navigation; the rest is cut off. */
  epub_label_characters_max: 500,
  /** Ids of elements together; those beyond are no places for headings and notes. */
  epub_ids_max: 200_000,
  /** Links within the book; those beyond refer to no notes. */
  epub_links_max: 100_000,
}
