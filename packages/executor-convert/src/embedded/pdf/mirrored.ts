import type { Area, Rule, Ruling, TickArea } from "./Ruling.ts"
import { hasRightToLeft, isRightToLeft } from "./rightToLeft.ts"
import type { Layer, Word } from "./Word.ts"

/** The first letter of the word is of a script that is written from right to left. */
export const beginsAtRight = ({ text }: Pick<Word, "text">): boolean => {
  if (!hasRightToLeft(text)) return false
  const at = text.search(/\p{L}/u)
  return at >= 0 && isRightToLeft(text.codePointAt(at) ?? 0)
}

/** The word has letters, which are written in the other direction than its page. */
export const isBackwards = (word: Word): boolean =>
  beginsAtRight(word) !== (word.isMirrored === true) && /\p{L}/u.test(word.text)

/** Most of what has letters is written from right to left. */
export const isFromTheRight = (words: ReadonlyArray<Word>): boolean => {
  if (!words.some(({ text }) => hasRightToLeft(text))) return false
  const lettered = words.filter(({ text }) => /\p{L}/u.test(text))
  return 2 * lettered.filter(beginsAtRight).length > lettered.length
}

/** The area, or what stands in one, as its mirror image shows it. */
export const mirrored = <A extends { readonly left: number; readonly right: number }>(area: A): A => ({
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
  fills: areas.fills.map(mirrored<Area>),
  marks: areas.marks.map(mirrored<Area>),
  boxes: areas.boxes.map(mirrored<TickArea>),
  pictures: areas.pictures.map(mirrored<Area>),
  dashes: areas.dashes.map(mirrored<Area>),
})
