/** The build without code pages: only the number formatter is used, and it loads in a fifth of the time. */
import library from "@e965/xlsx/dist/xlsx.core.min.js"

/** The number formatter of the spreadsheet library, which ships without types. */
interface NumberFormatter {
  /** Throws for a format that it cannot read. */
  readonly format: (code: string, value: number, options: { readonly date1904: boolean }) => string
  readonly is_date: (code: string) => boolean
}

export const formatter: NumberFormatter = library.SSF
