/** Every limit on what is recognised, in addition to those of intake and of the reader of PDFs, unit last. */
export interface ScanLimits {
  /** Pages of one document. */
  readonly scan_pages_max: number
  /** Pixels of one page; a page of a PDF that would have more is drawn smaller, a picture is refused. */
  readonly scan_page_pixels_max: number
  /** Pixels of all pages of a document together. */
  readonly scan_pixels_max: number
  /** Time for one page, in a process. */
  readonly scan_page_seconds_max: number
  /** Documents that one server recognises at a time; further ones wait in the queue. */
  readonly scans_concurrent_max: number
  /** Words of one page; what follows is left out. */
  readonly scan_page_words_max: number
  /** What one page may come to on its way between processes. */
  readonly scan_page_bytes_max: number
}

export const scanLimits: ScanLimits = {
  scan_pages_max: 60,
  scan_page_pixels_max: 16_000_000,
  scan_pixels_max: 600_000_000,
  scan_page_seconds_max: 60,
  scans_concurrent_max: 2,
  scan_page_words_max: 20_000,
  scan_page_bytes_max: 4 * 1024 * 1024,
}
