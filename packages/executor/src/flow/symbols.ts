/**
 * What the characters of symbol fonts look like, as Unicode: for each code from `first` on one character, a
 * space where there is none.
 */
interface SymbolFont {
  readonly first: number
  readonly characters: ReadonlyArray<string>
}

const font = (first: number, characters: string): SymbolFont => ({ first, characters: [...characters] })

/** Names of fonts are no longer. */
const fontNameMax = 31

/** By their names in lower case; a document may name any other, such as "constructor". */
const fonts = new Map<string, ReadonlyArray<SymbolFont>>(
  Object.entries({
    symbol: [
      font(0x21, "!∀#∃%&∋()∗+,−./0123456789:;<=>?"),
      font(0x40, "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_"),
      font(0x60, "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"),
      font(0xa0, "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵"),
      font(0xc0, "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓"),
      font(0xe0, "◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"),
    ],
    wingdings: [
      font(0x21, "✏✂✁"),
      font(0x28, "☎✆✉"),
      font(0x41, "✌ 👍👎☜☞☝☟ ☺ ☹"),
      font(0x6c, "●❍■□ ❑❒ ◆❖"),
      font(0x80, "⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿"),
      font(0x9e, "·•"),
      font(0xa7, "▪☐"),
      font(0xaa, "✦★"),
      font(0xdf, "←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩⬄⇳"),
      font(0xfb, "✘✔☒☑"),
    ],
    "wingdings 2": [font(0x4f, "✗✓☒☑☒☒"), font(0x95, "·•●●"), font(0xa3, "☐")],
    webdings: [font(0x61, "✔"), font(0x63, "☐")],
  }),
)

/** The private-use range in which the codes of symbol fonts are found too. */
const privateUse = 0xf000
const privateUseEnd = 0xf0ff

/** The character of `code` (hexadecimal) in a font; undefined if it is not known what it looks like. */
export const symbolText = (fontName: string, code: string): string | undefined => {
  const value = Number.parseInt(code, 16)
  const known = fontName.length > fontNameMax ? undefined : fonts.get(fontName.toLowerCase())
  const isPrivate = value >= privateUse && value <= privateUseEnd
  if (known === undefined) return isPrivate || !isText(value) ? undefined : String.fromCodePoint(value)
  const at = isPrivate ? value - privateUse : value
  for (const { first, characters } of known) {
    const character = characters[at - first]
    if (character !== undefined && character !== " ") return character
  }
  return undefined
}

/**
 * Text whose characters may be codes of a symbol font, in Unicode. What it is not known of how it looks is left out, and
 * `unknown` called. Without a font it stays as it is.
 */
export const textInFont = (text: string, font: string, unknown: () => void): string =>
  font === ""
    ? text
    : text.replace(/[\uf020-\uf0ff]/g, (code) => {
        const known = symbolText(font, code.charCodeAt(0).toString(16))
        if (known === undefined) unknown()
        return known ?? ""
      })

/** No control character, lone surrogate or private-use character. */
const isText = (value: number): boolean =>
  (value >= 0x20 && value < 0xd800 && (value < 0x7f || value > 0x9f)) || (value >= 0xf900 && value < 0xfffe)
