/** Text is looked at in pieces of this many UTF-16 units, so that very many matches are not held at once. */
const pieceUnits = 65_536

/** White space other than a single space; a no-break space does not count. */
const whiteSpace = / ?[\t\n\f\r][ \t\n\f\r]*| {2}[ \t\n\f\r]*/g

/** The text with one space for each run of white space. */
export const collapseSpaces = (text: string): string => {
  if (text.length <= pieceUnits) return text.replace(whiteSpace, " ")
  const pieces: Array<string> = []
  for (let at = 0; at < text.length; at += pieceUnits) {
    const piece = text.slice(at, at + pieceUnits).replace(whiteSpace, " ")
    pieces.push(pieces.at(-1)?.endsWith(" ") === true && piece.startsWith(" ") ? piece.slice(1) : piece)
  }
  return pieces.join("")
}
