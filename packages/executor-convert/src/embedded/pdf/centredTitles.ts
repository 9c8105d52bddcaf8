import { isDate } from "./dates.ts"
import { sentenceEnd } from "./sentences.ts"
import type { Line } from "./TextLine.ts"

export const centredLinesMax = 4
/** Shares of the size: the height between two lines, and how far their middles and their sides are apart. */
const leadingMax = 1.35
const sameMiddle = 0.2
const otherSideMin = 0.5

/** A title goes on behind these words, and with them, where it is written with capitals. */
const link = /^(?:a|an|the|of|for|in|on|to|and|or|with|within|under|by|from|at|over|pursuant|regarding|&)$/i
/** Those of languages that write no title with capitals, where its lines begin in lower case as well. */
const lowerLink =
  /^(?:der|die|das|und|von|vom|für|zur?|zum|im|am|mit|de|du|des|la|le|les|et|pour|sur|y|del|los|las|para|por|con|da|do|dos|das|e|di|della|dei|per|van|voor|en|het)$/u

/**
 * Lines in bold, close together and in one type, in the middle below one another: a title, whose lines end where it looks
 * well. All are in capitals, or each goes on with the one before. A day stands below it by itself.
 */
export const areCentredTitle = (lines: ReadonlyArray<Line>): boolean => {
  const [first] = lines
  if (first === undefined || lines.length < 2 || lines.length > centredLinesMax) return false
  const middle = (first.left + first.right) / 2
  return (
    lines.some(({ left }) => Math.abs(left - first.left) > otherSideMin * first.size) &&
    lines.every((line, index) => {
      const above = lines[index - 1]
      return (
        line.bold &&
        line.size === first.size &&
        line.family === first.family &&
        line.italic === first.italic &&
        line.mark === undefined &&
        line.segments.length < 2 &&
        Math.abs((line.left + line.right) / 2 - middle) < sameMiddle * line.size &&
        !isDate(textOf(line)) &&
        (above === undefined || goesOn(above, line))
      )
    })
  )
}

const textOf = ({ words }: Line): string => words.map(({ text }) => text).join(" ")

const goesOn = (above: Line, line: Line): boolean => {
  if (line.baseline - above.baseline >= leadingMax * line.size) return false
  const areCapitals = [above, line].every(isInCapitals)
  if (/[:;]$/.test(textOf(above)) || (sentenceEnd.test(textOf(above)) && !areCapitals)) return false
  const [last, next] = [above.words.at(-1)?.text ?? "", line.words[0]?.text ?? ""]
  if (areCapitals || lowerLink.test(last)) return true
  return link.test(last) || /^(?:\p{Ll}|\()/u.test(next) || link.test(next)
}

const isInCapitals = (line: Line): boolean => {
  const text = textOf(line)
  return /\p{Lu}{2}/u.test(text) && !/\p{Ll}|\d{3}/u.test(text)
}
