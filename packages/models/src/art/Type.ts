import { createRequire } from "node:module"
import { escapeXml, n } from "./Canvas.ts"
import { type Font, readFont } from "./FontFile.ts"

const require = createRequire(import.meta.url)

/** A font whose file is read when something is set in it. */
const fontOf = (family: string, file: string): Font => {
  let font: Font | undefined
  const read = (): Font => {
    font ??= readFont(family, require.resolve(file))
    return font
  }
  return {
    family,
    get path() {
      return read().path
    },
    widthOf: (character) => read().widthOf(character),
  }
}

/** Titles. */
export const serif = fontOf(
  "Instrument Serif",
  "@expo-google-fonts/instrument-serif/400Regular/InstrumentSerif_400Regular.ttf",
)
/** Everything beside them; it also stands in for what the serif does not have. */
export const sans = fontOf("Manrope", "@expo-google-fonts/manrope/500Medium/Manrope_500Medium.ttf")

export const fontFiles = (): Array<string> => [serif.path, sans.path]

/** Longest prompt of which anything is set. */
const setCharsMax = 600

/** Width of a line at font size 1, with the fonts standing in for each other as the renderer does it. */
export const widthOf = (font: Font, text: string): number =>
  [...text].reduce((sum, character) => sum + (font.widthOf(character) ?? sans.widthOf(character) ?? 0), 0)

const isSpace = (character: string): boolean => character.trim() === ""
const isSettable = (character: string): boolean =>
  isSpace(character) || serif.widthOf(character) !== undefined || sans.widthOf(character) !== undefined

const lettersIn = (characters: ReadonlyArray<string>): number =>
  characters.filter((character) => /[\p{L}\p{N}]/u.test(character)).length

/** A prompt as it can be set. */
export interface Settable {
  /** White space collapsed. Empty where too little would remain to be read. */
  readonly text: string
  /** How much of its words, in scripts that no font has, is left out. */
  readonly leftOut: "none" | "part" | "all"
}

/** Leaves out what no font has (emoji, scripts that are not shipped) and control characters. */
export const settable = (prompt: string): Settable => {
  const characters = [...prompt.slice(0, setCharsMax).normalize("NFC")].map((character) =>
    /\p{Cc}|\p{Cs}/u.test(character) ? " " : character,
  )
  const kept = characters.filter(isSettable)
  const [whole, some] = [lettersIn(characters), lettersIn(kept)]
  if (some < whole * 0.7 || some === 0) return { text: "", leftOut: whole === 0 ? "none" : "all" }
  const text = kept.join("").replace(/\s+/g, " ").trim()
  return { text: prompt.length > setCharsMax ? `${text}…` : text, leftOut: some < whole ? "part" : "none" }
}

/** Text broken into lines at a font size. */
export interface Setting {
  readonly size: number
  readonly lines: ReadonlyArray<string>
  readonly leading: number
}

const leadingOfSize = 1.08

/**
 * Sets text in a box: the largest size between two at which it fits with its words whole, and cut with an ellipsis where it does
 * not fit at the smallest.
 */
export const fit = (
  text: string,
  box: {
    readonly width: number
    readonly height: number
    readonly largest: number
    readonly smallest: number
  },
): Setting => {
  const longest = Math.max(...text.split(" ").map((word) => widthOf(serif, word)))
  for (let size = box.largest; size > box.smallest; size *= 0.94) {
    if (longest * size > box.width) continue
    const lines = wrap(text, box.width / size)
    if (lines.length * size * leadingOfSize > box.height) continue
    return { size, lines: balanced(text, box.width / size, longest), leading: size * leadingOfSize }
  }
  const size = box.smallest
  const room = Math.max(1, Math.floor(box.height / (size * leadingOfSize)))
  const lines = wrap(text, box.width / size)
  const kept = lines.slice(0, room)
  const last = kept.at(-1) ?? ""
  const cut = lines.length > room ? [...kept.slice(0, -1), shortened(last, box.width / size)] : kept
  return { size, lines: cut, leading: size * leadingOfSize }
}

/** As many lines as the width needs, of about the same length: never less than half the width. */
const balanced = (text: string, width: number, least: number): ReadonlyArray<string> => {
  let lines = wrap(text, width)
  for (let narrower = width * 0.97; narrower > Math.max(least, width / 2); narrower *= 0.97) {
    const tried = wrap(text, narrower)
    if (tried.length > lines.length) break
    lines = tried
  }
  return lines
}

const shortened = (line: string, width: number): string => {
  const characters = [...line.replace(/[\s.,;:–—-]+$/, "")]
  while (characters.length > 1 && widthOf(serif, `${characters.join("")}…`) > width) characters.pop()
  return `${characters.join("").trimEnd()}…`
}

/** Breaks at spaces, and inside a word only where the word alone is too wide. */
const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ").flatMap((each) => pieces(each, width))) {
    const longer = line === "" ? word : `${line} ${word}`
    if (line === "" || widthOf(serif, longer) <= width) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return line === "" ? lines : [...lines, line]
}

const pieces = (word: string, width: number): ReadonlyArray<string> => {
  if (widthOf(serif, word) <= width) return [word]
  const parts: Array<string> = []
  let part = ""
  for (const character of word) {
    if (part !== "" && widthOf(serif, part + character) > width) {
      parts.push(part)
      part = ""
    }
    part += character
  }
  return [...parts, part]
}

/** A line of text with its baseline at `y`. */
export const text = (
  font: Font,
  content: string,
  at: { readonly x: number; readonly y: number; readonly size: number; readonly fill: string },
  more = "",
): string =>
  `<text x="${n(at.x)}" y="${n(at.y)}" font-family="${font.family}" font-size="${n(at.size)}" fill="${at.fill}"${more}>${escapeXml(content)}</text>`
