import type { Word } from "./Word.ts"
import type { PageText } from "./Words.ts"

/** Fonts whose shapes are pictures, whatever their codes are called. */
const iconFont =
  /awesome|ionicons|glyphicons|icomoon|octicons|academicons|typicons|(?:material|bootstrap|simple|line|design)-?icons/i

/** Those that say as much as a sign of Unicode, by their codes in Font Awesome. */
const signs: ReadonlyMap<number, string> = new Map([
  [0xf00c, "✓"],
  [0xf00d, "✗"],
  [0xf005, "★"],
  [0xf006, "☆"],
  [0xf046, "☑"],
  [0xf057, "✗"],
  [0xf058, "✓"],
  [0xf071, "⚠"],
  [0xf095, "☎"],
  [0xf0e0, "✉"],
  [0xf0c8, "☐"],
  [0xf096, "☐"],
  [0xf14a, "☑"],
  [0xf2b6, "✉"],
])

const bulletsMin = 3
/** Points. */
const samePlace = 1.5

/**
 * The text of a page without the pictures of icon fonts, but for those that Unicode has, and for bullets: the same one
 * below one another. What stands for an icon, as the document itself says, is text.
 */
export const withoutIcons = (text: PageText): PageText => {
  let lost = text.lost
  const layers = text.layers.map((layer) => {
    const icons = layer.words.filter(isIcon)
    if (icons.length === 0) return layer
    const alike = Map.groupBy(icons, (word) => `${word.text} ${Math.round(word.left / samePlace)}`)
    const words = layer.words.flatMap((word): ReadonlyArray<Word> => {
      if (!isIcon(word)) return [word]
      const sign = [...word.text].map((icon) => signs.get(icon.codePointAt(0) ?? 0) ?? "").join("")
      if (sign !== "") return [{ ...word, text: sign }]
      const same = alike.get(`${word.text} ${Math.round(word.left / samePlace)}`) ?? []
      if (same.length >= bulletsMin) return [{ ...word, text: "•" }]
      lost += [...word.text].length
      return []
    })
    return { ...layer, words: words.map((word, order) => ({ ...word, order })) }
  })
  return lost === text.lost && layers.every((layer, index) => layer === text.layers[index])
    ? text
    : { ...text, layers, lost }
}

/** A single sign, or codes that have no meaning elsewhere: a word is what the document says of an icon. */
const isIcon = ({ text, font }: Word): boolean =>
  iconFont.test(font.family) && (/^.$/u.test(text) || /^[\p{Co}\ufffd]+$/u.test(text))
