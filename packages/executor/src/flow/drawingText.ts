/**
 * Line ends in an `a:t` are white space, and controls are written as `_x000B_` there.
 *
 * @param hasLines the text is set as code, in which line ends break the line
 */
export const drawingText = (text: string, hasLines = false): string => {
  if (!special.test(text)) return text
  return (hasLines ? text : text.replaceAll("\n", " ")).replace(controls, controlText)
}

const special = /\n|_x00/
const controls = /_x00([01][0-9A-Fa-f])_/g

/** A vertical tab and line ends break the line; other controls have no text. */
const controlText = (_: string, digits: string): string => {
  const code = Number.parseInt(digits, 16)
  if (code === 0x09) return "\t"
  return code >= 0x0a && code <= 0x0d ? "\n" : ""
}
