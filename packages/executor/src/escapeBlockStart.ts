/** Characters with which a line begins that is more than text. */
const suspicious = /^[#>\-+*~_=|:\d]/

const marker =
  /^(?:#{1,6}(?=[ \t]|$)|>|[-+*](?=[ \t]|$)|-+$|(?:-[ \t]*){3,}$|(?:\*[ \t]*){2,}$|(?:_[ \t]*){3,}$)/
const fence = /^~{3,}/
const number = /^(\d{1,9})([.)])(?=[ \t]|$)/

/** Below text: the underline of a heading, or the second line of a table. */
const underline = /^(?:=+|[|:-][|:\- \t]*)$/

/**
 * A line of a paragraph, without white space before it, as Markdown that begins no block: no heading, quote,
 * list, rule, fence, and, below another line (`index` over 0), no underline and no table.
 */
export const escapeBlockStart = (line: string, index: number): string => {
  if (!suspicious.test(line)) return line
  if (marker.test(line) || (index > 0 && underline.test(line))) return `\\${line}`
  return line.replace(number, "$1\\$2").replace(fence, (run) => "\\~".repeat(run.length))
}
