import type { Area, Rule, Ruling } from "./Ruling.ts"
import { hasRightToLeft, isRightToLeft } from "./rightToLeft.ts"
import type { Layer, Word } from "./Word.ts"

/** The first letter of the word is of a script that is written from right to left. */
export const beginsAtRight = ({ text }: Pick<Word, "text">): boolean => {
  if (!hasRightToLeft(text)) return false
  const at = text.search(/\p{L}/u)
  return at >= 0 && isRightToLeft(text.codePointAt(at) ?? 0)
}

/** The word is written in the other direction than its page. */
export const isBackwards = (word: Word): boolean => beginsAtRight(word) !== (word.isMirrored === true)

/** Most of what has letters is written from right to left. */
export const isFromTheRight = (words: ReadonlyArray<Word>): boolean => {
  if (!words.some(({ text }) => hasRightToLeft(text))) return false
  const lettered = words.filter(({ text }) => /\p{L}/u.test(text))
  return 2 * lettered.filter(beginsAtRight).length > lettered.length
}

const mirrored = <A extends { readonly left: number; readonly right: number }>(area: A): A => ({
  ...area,
  left: -area.right,
  right: -area.left,
})

/** The layer as its mirror image shows it: its lines, columns, lists and tables begin at the left. */
export const mirroredLayer = (layer: Layer): Layer => ({
  ...layer,
  words: layer.words.map((word) => ({ ...mirrored(word), isMirrored: true })),
})

export const mirroredRuling = ({ horizontal, vertical, ...areas }: Ruling): Ruling => ({
  horizontal: horizontal.map(
    (rule): Rule => ({
      ...rule,
      from: -rule.to,
      to: -rule.from,
      ...(rule.joints === undefined ? {} : { joints: rule.joints.map((joint) => -joint).toReversed() }),
    }),
  ),
  vertical: vertical.map((rule) => ({ ...rule, at: -rule.at })).toReversed(),
  fills: areas.fills.map((area): Area => mirrored(area)),
  marks: areas.marks.map((area): Area => mirrored(area)),
  boxes: areas.boxes.map((area) => mirrored(area)),
  pictures: areas.pictures.map((area): Area => mirrored(area)),
  dashes: areas.dashes.map((area): Area => mirrored(area)),
})
