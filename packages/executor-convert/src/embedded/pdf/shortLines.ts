import type { Line } from "./TextLine.ts"

const linesMin = 3
const wordsMax = 4
/** A share of the size. */
const widthMax = 25

/**
 * Lines of a few words that are short and begin with a capital or a figure each, such as those of an address: they were
 * all ended on purpose, however long the longest is.
 */
export const areShort = (lines: ReadonlyArray<Line>): boolean => {
  const [first] = lines
  if (first === undefined || lines.length < linesMin || first.mark !== undefined) return false
  const left = lines.reduce((least, line) => Math.min(least, line.left), first.left)
  const words = lines.reduce((sum, line) => sum + line.words.length, 0)
  return (
    words <= wordsMax * lines.length &&
    lines.every((line, index) => {
      const [begin, end] = [line.words[0]?.text ?? "", line.words.at(-1)?.text ?? ""]
      const isDivided = index < lines.length - 1 && /[\p{L}\p{N}]-$/u.test(end)
      return (
        !line.bold && !isDivided && /^[\p{Lu}\d]/u.test(begin) && line.right - left < widthMax * line.size
      )
    })
  )
}
