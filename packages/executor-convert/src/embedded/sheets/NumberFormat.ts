import { type ReadableCode, readableCode } from "./formatCode.ts"
import { formatter } from "./library.ts"

/** Excel's own bound; what is longer is no format. */
const formatCharactersMax = 255

/** Spreadsheets calculate with this many decimal digits. */
const exactDigitsMax = 15

/** Lifts what binary holds a little below its decimal value, 1.005 for one, so that it is rounded like that. */
const roundingFactor = 1 + 2 * Number.EPSILON

/**
 * The formats that a file means by a number alone. Where they follow the reader's own country, as dates do,
 * ISO 8601 stands in, which every reader understands in the same way.
 */
const builtIn: ReadonlyMap<number, string> = new Map([
  [1, "0"],
  [2, "0.00"],
  [3, "#,##0"],
  [4, "#,##0.00"],
  [5, '"$"#,##0;\\-"$"#,##0'],
  [6, '"$"#,##0;\\-"$"#,##0'],
  [7, '"$"#,##0.00;\\-"$"#,##0.00'],
  [8, '"$"#,##0.00;\\-"$"#,##0.00'],
  [9, "0%"],
  [10, "0.00%"],
  [11, "0.00E+00"],
  [12, "# ?/?"],
  [13, "# ??/??"],
  [14, "yyyy\\-mm\\-dd"],
  [15, "d\\-mmm\\-yy"],
  [16, "d\\-mmm"],
  [17, "mmm\\-yy"],
  [18, "h:mm AM/PM"],
  [19, "h:mm:ss AM/PM"],
  [20, "h:mm"],
  [21, "h:mm:ss"],
  [22, "yyyy\\-mm\\-dd hh:mm"],
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, "yyyy\\-mm\\-dd"] as const),
  ...[32, 33, 34, 35, 55, 56].map((id) => [id, "h:mm:ss"] as const),
  [37, "#,##0;\\(#,##0\\)"],
  [38, "#,##0;\\(#,##0\\)"],
  [39, "#,##0.00;\\(#,##0.00\\)"],
  [40, "#,##0.00;\\(#,##0.00\\)"],
  [41, "#,##0;\\(#,##0\\);\\-"],
  [42, '"$"#,##0;\\("$"#,##0\\);"$"\\-'],
  [43, "#,##0.00;\\(#,##0.00\\);\\-"],
  [44, '"$"#,##0.00;\\("$"#,##0.00\\);"$"\\-'],
  [45, "mm:ss"],
  [46, "[h]:mm:ss"],
  [47, "mm:ss.0"],
  [48, "##0.0E+0"],
  [49, "@"],
])

/** The format code of a number format's id, as far as it has one without the file. */
export const builtInFormat = (id: number): string => builtIn.get(id) ?? general

export const general = "General"

/** Most sheets show the same numbers again and again; a long code takes many times as long as looking them up. */
const rememberedMax = 100_000

interface KnownFormat {
  readonly readable: ReadableCode
  readonly texts: Map<number, string>
}

/** Writes numbers as their cells show them. */
export class NumberFormat {
  private readonly date1904: boolean
  private readonly known = new Map<string, KnownFormat>()
  private remembered = 0

  /** @param date1904 days count from 1904 on, not from 1900 */
  constructor(date1904: boolean) {
    this.date1904 = date1904
  }

  /** `value` in the format `code`; in the general one where the code cannot be read. */
  text(value: number, code: string): string {
    if (code === "" || code === general || code === "@" || code.length > formatCharactersMax)
      return generalText(value)
    const format = this.formatOf(code)
    const known = format.texts.get(value)
    if (known !== undefined) return known
    const text = this.made(value, code, format.readable)
    if (this.remembered < rememberedMax) {
      this.remembered++
      format.texts.set(value, text)
    }
    return text
  }

  private made(value: number, code: string, readable: ReadableCode): string {
    if (readable.code === general) return generalText(value)
    try {
      const text = this.formatted(value * roundingFactor, readable).trim()
      // A fraction that is rounded to nothing is a zero.
      if (/^-?0?$/.test(text) && fraction.test(readable.code)) return "0"
      // A number that is no date cannot be shown as one.
      return text === "" && formatter.is_date(code) ? generalText(value) : text
    } catch {
      return generalText(value)
    }
  }

  private formatted(value: number, { code, ofNegatives }: ReadableCode): string {
    const options = { date1904: this.date1904 }
    return value < 0 && ofNegatives !== undefined
      ? formatter.format(ofNegatives, -value, options)
      : formatter.format(code, value, options)
  }

  private formatOf(code: string): KnownFormat {
    const known = this.known.get(code)
    if (known !== undefined) return known
    const format = { readable: readableCode(code), texts: new Map<number, string>() }
    this.known.set(code, format)
    return format
  }
}

/** Without sections: one of several may show nothing on purpose. */
const fraction = /^[^;"]*[?#0] *\/ *[?#\d][^;"]*$/

/** A number in the general format, with all digits that are exact: article numbers and accounts are no sizes. */
export const generalText = (value: number): string =>
  Number.isInteger(value) && Math.abs(value) < 10 ** exactDigitsMax
    ? String(value)
    : String(Number(value.toPrecision(exactDigitsMax))).replace("e", "E")
