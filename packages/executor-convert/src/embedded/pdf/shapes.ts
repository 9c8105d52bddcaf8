import { symbolText } from "@atelier/executor/flow"
import { type Font, isGarbled } from "./Fonts.ts"
import { signsOfDcFonts, signsOfJournalFonts } from "./journalFonts.ts"
import { ideographs } from "./scripts.ts"

/** Stands for a shape of which no character is known. */
export const unknownShape = 0xfffd
const unknown = "\ufffd"

/** Fonts whose name says that they are bold, in the ways of foundries and of TeX. */
export const isBoldName = (name: string): boolean =>
  /bold|black|heavy|demi|medi(?!um)/i.test(name) ||
  /Bd(?:It|Cn|Ex|$|[^a-z])/.test(name) ||
  /^(?:\w{6}\+)?(?:CM|cm|SF|sf|EC|ec|LM|lm)(?:SS|ss)?(?:BX|bx|B\d|b\d)/.test(name) ||
  /^(?:\w{6}\+)?(?:SF|EC)(?:B[ILM]|RB|SX|SO|XC|OC)\d{3}/i.test(name) ||
  /^(?:\w{6}\+)?Adv\w+\.B/.test(name)

/** Fonts whose name says that they are not bold: those of TeX have no such name, whatever weight they give. */
export const isPlainName = (name: string): boolean =>
  /[-,](?:regular|roman|book|light|italic|oblique)/i.test(name) ||
  /^(?:\w{6}\+)?(?:CM|SF|LM)[A-Z]{1,4}\d/i.test(name)

export const isItalicName = (name: string): boolean =>
  /italic|oblique/i.test(name) ||
  /^(?:\w{6}\+)?Adv\w+\.B?I/.test(name) ||
  /^(?:\w{6}\+)?CM(?:(?:BX)?(?:TI|SL)|SSQ?I|ITT|SLTT)\d/i.test(name) ||
  /^(?:\w{6}\+)?(?:SF|EC)(?:TI|SL|B[IL]|S[IO]|CI|IT|ST)\d/i.test(name)

const otherShapes = "others"
const dingbats = "dingbats"
const dingbatsFirst = 0x21
const dingbatsLast = 0x7e
/** Where the signs of ITC Zapf Dingbats do not follow one another in Unicode. */
const dingbatsElsewhere: ReadonlyMap<number, number> = new Map([
  [0x25, 0x260e],
  [0x2a, 0x261b],
  [0x2b, 0x261e],
  [0x48, 0x2605],
  [0x6c, 0x25cf],
  [0x6e, 0x25a0],
  [0x73, 0x25b2],
  [0x74, 0x25bc],
  [0x75, 0x25c6],
  [0x77, 0x25d7],
])

/** What a font of signs is known as: one with a table of its signs, or any other; empty for a font of letters. */
export const shapesOf = (name: string): string => {
  if (/wingdings[ -]?2/i.test(name)) return "wingdings 2"
  if (/wingdings(?![ -]?3)/i.test(name)) return "wingdings"
  if (/webdings/i.test(name)) return "webdings"
  if (/zapf ?dingbats/i.test(name)) return dingbats
  const [, ofTexName = ""] =
    /^(?:\w{6}\+)?(cmsy|cmbsy|lmmathsymbols|tex_cm_maths_symbols|cmmi|cmmib|lmmathitalic|msam|cmex|lmmathextension)\d*/i.exec(
      name,
    ) ?? []
  if (/(?:^|\+)symbol(?:mt)?(?![a-z])/i.test(name)) return symbol
  if (/^(?:\w{6}\+)?(?:line|circle|lcircle)w?10(?!\d)/i.test(name)) return pieceOfPicture
  if (/mathematicalpi-(?:one|four)\b|greekwithmathpi/i.test(name)) return greekKeys
  if (/mathematicalpi-five\b/i.test(name)) return accentKeys
  if (/^(?:\w{6}\+)?dc(?:r|bx|ti|sl|csc|tt|ss|bxti|bxsl)\d/i.test(name)) return dcFonts
  const journal = /^(?:\w{6}\+)?([\w-]+)$/.exec(name.replace("\0", ""))?.[1] ?? ""
  if (signsOfJournalFonts.has(journal)) return journal
  const ofMathTime = mathTimeFonts.get(journal)
  if (ofMathTime !== undefined) return ofMathTime
  if (ofTexName !== "") {
    if (/ex/i.test(ofTexName)) return texLargeSigns
    if (/sy/i.test(ofTexName)) return texSigns
    return /^msam/i.test(ofTexName) ? texMarks : texLetters
  }
  return /dingbat|wingdings/i.test(name) ? otherShapes : ""
}

/** Its signs may have private characters. */
const symbol = "symbol"
/** Lines and arcs that LaTeX puts its pictures together from, which are no text. */
export const pieceOfPicture = "piece of a picture"

/** Fonts of TeX with signs, of which a file may say no more than the codes. */
const texSigns = "tex signs"
const texLetters = "tex letters"
const texMarks = "tex marks"
const texLargeSigns = "tex large signs"
/** Mathematical Pi: letters where a Greek keyboard has them, and signs on its keys of digits. */
const greekKeys = "greek keys"
const accentKeys = "accent keys"
const dcFonts = "dc fonts"

/**
 * MathTime, in which journals set mathematics: its signs stand where the fonts of TeX have theirs, some of ordinary text
 * elsewhere, and those that have no name in PDF have codes of the file's own.
 */
const mathTimeSigns = "mathtime signs"
const mathTimeLetters = "mathtime letters"
const mathTimeLargeSigns = "mathtime large signs"
const mathTimeAccents = "mathtime accents"
const mathTimeFonts: ReadonlyMap<string, string> = new Map([
  ...[
    "AdvP4C4E74",
    "AdvMathSymb",
    "AdvMacMthSy",
    "AdvMacMthSyN",
    "AdvMT_SY",
    "AdvMTSYan",
    "TeXCMMathsSymbols",
  ].map((name) => [name, mathTimeSigns] as const),
  ...["AdvP4C4E51", "AdvMacMthIt", "AdvMT_MI", "AdvMTMI"].map((name) => [name, mathTimeLetters] as const),
  ...["AdvP4C4E46", "AdvMT_EX", "AdvMTEX"].map((name) => [name, mathTimeLargeSigns] as const),
  ["AdvP4C4E59", mathTimeAccents],
])

const named = (first: string, signs: string): ReadonlyArray<readonly [number, string]> =>
  [...signs].map((each, index) => [first.charCodeAt(0) + index, each] as const)

const texSignNames = new Map([...named("0", "′∞∈∋△▽\u0338↦∀∃"), ...named("a", "⊣⌊⌋⌈⌉{}⟨⟩|∥↕⇕\\≀√⨿∇∫⊔⊓⊑⊒§†‡")])
const texLetterNames = new Map([...named(":", ".,"), ...named("=", "/"), ...named("`", "ℓ")])
const texLargeSignNames = new Map([
  ...named("!", ")[]⌊⌋⌈⌉"),
  ...named("*", "⟨⟩/\\/\\⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪|⎝⎠⎜⎟⟨⟩⊔⊔∮∮⊙⊙⊕⊕⊗⊗∑∏∫⋃⋂⊎⋀⋁∑∏∫"),
  ...named("^", "⋀⋁∐∐ˆˆˆ˜˜˜[]⌊⌋⌈⌉{}√√√√"),
])

/** By the code, in the own encodings of such fonts, those that none of them has as the character itself. */
const ownSigns: ReadonlyMap<string, ReadonlyMap<number, string>> = new Map([
  [
    greekKeys,
    new Map([
      ...named("0", "″+−×÷=±∓°′"),
      ...named("a", "αβψδεφγηιξκλμνοπ"),
      ...named("r", "ρστθωςχυζ"),
      ...named("A", "ΑΒΨΔΕΦΓΗΙΞΚΛΜΝΟΠ"),
      ...named("R", "ΡΣΤΘΩ"),
      ...named("X", "ΧΥΖ"),
      ...named(",", "<"),
      ...named(".", ">"),
      ...named("$", "{}"),
    ]),
  ],
  [accentKeys, new Map(named("z", "∼"))],
  [dcFonts, signsOfDcFonts],
  [texSigns, texSignNames],
  [texLetters, texLetterNames],
  [texLargeSigns, texLargeSignNames],
  ...signsOfJournalFonts,
  [
    mathTimeSigns,
    new Map([
      ...texSignNames,
      ...named("¼", "=[]"),
      ...named("ð", "("),
      ...named("Þ", ")"),
      ...named("þ", "+"),
      ...named("!", "→"),
      ...named("'", "≃"),
      ...named(",", "⇔"),
      ...named("/", "∝"),
      ...named("?", "⊥"),
    ]),
  ],
  [mathTimeLetters, new Map([...texLetterNames, ...named("@", "∂")])],
  [mathTimeLargeSigns, texLargeSignNames],
  [mathTimeAccents, new Map([...named("€", "¨"), ...named("_", "˙"), ...named("}", "˝")])],
  [texMarks, new Map([...named("B", "⊳⊲⊵⊴★≬▼▶◀"), ...named("N", "▲▽"), ...named("X", "✓")])],
])

/**
 * The first codes of these fonts, with how wide their signs are, in thousandths of the size: a file may have codes of its
 * own, which it counts from one, so that signs in the middle are uncertain.
 */
const ofTexFirst: ReadonlyMap<string, { readonly signs: string; readonly widths: ReadonlyArray<number> }> =
  new Map([
    [
      texSigns,
      {
        signs: `−·×∗${unknown.repeat(12)}≍≡⊆⊇≤≥≼≽∼≈⊂⊃≪≫≺≻`,
        widths: [
          ...[778, 278, 778, 500],
          ...Array.from({ length: 12 }, () => 0),
          ...[778, 778, 778, 778, 778, 778, 778, 778, 778, 778, 778, 778, 1000, 1000, 778, 778],
        ],
      },
    ],
    [
      texLargeSigns,
      {
        signs: "()[]⌊⌋⌈⌉{}⟨⟩|∥/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\",
        widths: [
          ...[
            458, 458, 417, 417, 472, 472, 472, 472, 583, 583, 472, 472, 333, 556, 578, 578, 597, 597, 736,
            736,
          ],
          ...[528, 528, 583, 583, 583, 583, 750, 750, 750, 750, 1044, 1044],
        ],
      },
    ],
    [texMarks, { signs: "⊡⊞⊠□■·◊⧫", widths: [778, 778, 778, 778, 778, 278, 667, 667] }],
    [
      texLetters,
      {
        signs: "ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυφχ",
        widths: [
          615, 833, 763, 694, 742, 831, 780, 583, 667, 612, 772, 640, 566, 518, 444, 406, 438, 497, 469, 354,
          576, 583, 603, 494, 438, 570, 517, 571, 437, 540, 654, 626,
        ],
      },
    ],
  ])
/** A share of the width: these fonts are a little wider in small sizes. */
const sameWidth = 0.2

/** Large signs of TeX whose codes are those of brackets, which a file may say as well: the width tells which it is. */
const byWidth: ReadonlyMap<string, { readonly sign: string; readonly width: number }> = new Map([
  ["(", { sign: "{", width: 0.805 }],
  [")", { sign: "}", width: 0.805 }],
  ["[", { sign: "⋃", width: 1.111 }],
  ["\\", { sign: "⋂", width: 1.111 }],
  ["]", { sign: "⊎", width: 1.111 }],
  ...[..."z{|}"].map((piece) => [piece, { sign: unknown, width: 0.45 }] as const),
])
/** A share of the size. */
const exactWidth = 0.007
/** The first of the private characters that fonts of signs have. */
const privateUse = 0xf000
/** The minus of Symbol is a bullet of Word, too, as a dash is. */
const symbolMinus = 0xf02d
const dash = 0x2013

/**
 * The character that is seen in such a font where its file says this one; `unknownShape` where it cannot be told. `width`
 * is a share of the size.
 */
export const shownBy = (shapes: string, code: number, width: number): number => {
  const isSign = code < 0x100 || (code >= privateUse && code <= 0xf0ff)
  const signs = ownSigns.get(shapes)
  if (shapes === "" || !(isSign || signs?.has(code))) return code
  if (shapes === symbol) {
    if (code === symbolMinus) return dash
    return code < privateUse ? code : (symbolText(symbol, code.toString(16))?.codePointAt(0) ?? code)
  }
  const wide = shapes === texLargeSigns ? byWidth.get(String.fromCharCode(code)) : undefined
  if (wide !== undefined && Math.abs(width - wide.width) < exactWidth) return wide.sign.codePointAt(0) ?? code
  if (signs !== undefined) return signs.get(code)?.codePointAt(0) ?? code
  if (shapes === dingbats) {
    if (code < dingbatsFirst || code > dingbatsLast) return unknownShape
    return dingbatsElsewhere.get(code) ?? 0x2701 + code - dingbatsFirst
  }
  if (shapes === otherShapes)
    return /[\p{L}\p{N}\p{Co}]/u.test(String.fromCharCode(code)) ? unknownShape : code
  return symbolText(shapes, code.toString(16))?.codePointAt(0) ?? unknownShape
}

/** How far a sign reaches above the baseline, as shares of the size. */
export interface Heights {
  readonly bottom: number
  readonly top: number
}

/** Signs of MathTime by how they look, as their codes are the file's own. */
const byLook: ReadonlyMap<
  string,
  ReadonlyArray<Heights & { readonly sign: string; readonly width: number }>
> = new Map([
  [
    mathTimeSigns,
    [
      { sign: "−", width: 0.77, bottom: 0.229, top: 0.271 },
      { sign: "·", width: 0.27, bottom: 0.199, top: 0.303 },
      { sign: "×", width: 0.77, bottom: 0.01, top: 0.491 },
      { sign: "±", width: 0.77, bottom: 0, top: 0.666 },
      { sign: "°", width: 0.5, bottom: 0.056, top: 0.444 },
      { sign: "]", width: 0.333, bottom: -0.155, top: 0.662 },
    ],
  ],
  [
    mathTimeAccents,
    [
      { sign: "ˇ", width: 0.5, bottom: 0.516, top: 0.638 },
      { sign: "˘", width: 0.5, bottom: 0.522, top: 0.694 },
    ],
  ],
])
const sameHeight = 0.015
const sameSignWidth = 0.08

/** The same for a code that is no character; `width` is a share of the size. */
export const signOf = (shapes: string, code: number, width: number, heights: () => Heights): number => {
  const looks = byLook.get(shapes)
  if (looks !== undefined) {
    const { bottom, top } = heights()
    const like = looks.find(
      (look) =>
        Math.abs(look.width - width) < sameSignWidth &&
        Math.abs(look.bottom - bottom) < sameHeight &&
        Math.abs(look.top - top) < sameHeight,
    )
    return like?.sign.codePointAt(0) ?? unknownShape
  }
  const { signs, widths } = ofTexFirst.get(shapes) ?? { signs: "", widths: [] }
  const usual = (widths[code] ?? 0) / 1000
  const isUsual = Math.abs(width - usual) < sameWidth * usual
  return isUsual ? ([...signs][code]?.codePointAt(0) ?? unknownShape) : unknownShape
}

/**
 * How far below its place, as a share of the size, the line is that a large sign of TeX stands in: it hangs below its
 * place, with its middle at that of the line.
 */
export const hangingOf = (shapes: string, code: number): number => {
  if (shapes !== texLargeSigns && shapes !== mathTimeLargeSigns) return 0
  return hanging.find(({ last }) => code <= last)?.share ?? 0
}

const hanging: ReadonlyArray<{ readonly last: number; readonly share: number }> = [
  { last: 0x0f, share: 0.8 },
  { last: 0x11, share: 1.1 },
  { last: 0x1f, share: 1.4 },
  { last: 0x2d, share: 1.7 },
  { last: 0x2f, share: 1.1 },
  { last: 0x43, share: 0 },
  { last: 0x45, share: 1.1 },
  { last: 0x57, share: 0.75 },
  { last: 0x59, share: 0.95 },
  { last: 0x5a, share: 1.35 },
  { last: 0x5f, share: 0.95 },
  { last: 0x67, share: 0 },
  { last: 0x6f, share: 1.1 },
  { last: 0x70, share: 0.8 },
  { last: 0x71, share: 1.1 },
  { last: 0x72, share: 1.4 },
  { last: 0x73, share: 1.7 },
]

/** What is known of a word here. */
interface Placed {
  text: string
  readonly left: number
  readonly right: number
  readonly baseline: number
  readonly size: number
  readonly font: Font
  order: number
}

/** A page with more of them has no such marks. */
const unknownMax = 500
/** Points that marks below one another may differ by. */
const sameLeft = 2
/** Shares of the size: room before a mark, at least, and behind it, at most and at least. */
const roomBefore = 2
const roomBehind = 4
const gapBehind = 0.2

/**
 * Makes shapes without a character that stand before lines into bullets, if there are some at one place, and takes the
 * others away. Answers how many became bullets.
 */
export const withBullets = (words: Array<Placed>): number => {
  const shapes = words.filter(isShape)
  if (shapes.length === 0) return 0
  const marks = shapes.length > unknownMax ? [] : shapes.filter((shape) => standsBefore(shape, words))
  const bullets = new Set(
    marks.filter((mark) =>
      marks.some((other) => other !== mark && Math.abs(other.left - mark.left) <= sameLeft),
    ),
  )
  let count = 0
  const all = [...words]
  for (const [index, word] of all.entries()) {
    if (isShape(word) && !bullets.has(word) && !isWithinLine(all, index)) continue
    if (bullets.has(word)) word.text = "•"
    word.order = count
    words[count++] = word
  }
  words.length = count
  return bullets.size
}

/**
 * Makes letters into bullets that a font of signs has its bullet as: all that the page has of that font is this one
 * letter, each time before a line in another font.
 */
export const nameLetterBullets = (words: ReadonlyArray<Placed>): void => {
  const byFont = new Map<Font, Array<Placed>>()
  for (const word of words) {
    const same = byFont.get(word.font)
    if (same === undefined) byFont.set(word.font, [word])
    else same.push(word)
  }
  let looks = 0
  for (const [font, marks] of byFont) {
    const [first] = marks
    if (first === undefined || marks.length < letterBulletsMin || marks.length > unknownMax) continue
    if (!/^[\p{L}\p{N}]$/u.test(first.text) || marks.some(({ text }) => text !== first.text)) continue
    looks += marks.length * words.length
    if (looks > looksMax) return
    const others = words.filter((word) => word.font !== font)
    if (others.some((other) => other.font.family === font.family)) continue
    const texts = others.filter(({ text }) => text.length > 1)
    const isBelow = ({ left }: Placed): boolean => Math.abs(left - first.left) <= sameLeft
    if (marks.every((mark) => isBelow(mark) && standsBefore(mark, others) && standsBefore(mark, texts))) {
      for (const mark of marks) mark.text = "•"
    }
  }
}

const letterBulletsMin = 3
/** Words that are looked at for all of these: each mark looks at all of a page. */
const looksMax = 5_000_000

const isShape = ({ text, font }: Placed): boolean => text === unknown && !isGarbled(font)

/** A sign that is not known stands in a line of text, whose sense it may change: it is not left out. */
const isWithinLine = (words: ReadonlyArray<Placed>, index: number): boolean => {
  const shape = words[index]
  if (shape === undefined) return false
  const gapTo = (at: number): number => {
    const other = words[at]
    const isBeside =
      other !== undefined &&
      other.text !== unknown &&
      Math.abs(other.baseline - shape.baseline) <= 0.1 * shape.size
    if (!isBeside) return Number.POSITIVE_INFINITY
    return Math.min(Math.abs(other.left - shape.right), Math.abs(shape.left - other.right)) / shape.size
  }
  // Between a single letter and a text it may be a part of the mark of an item.
  const isMark = words[index - 1]?.text.length === 1 && /^\p{Lu}/u.test(words[index + 1]?.text ?? "")
  return (gapTo(index - 1) < besideMax && !isMark) || gapTo(index + 1) < touchingMax
}

/** A share of the size. */
const besideMax = 0.6
const touchingMax = 0.15

const wideMin = 0.8
const isWide = ({ left, right, size }: Placed): boolean => right - left > wideMin * size
const ideographic = new RegExp(`^[${ideographs}]`, "u")

/** Text begins behind it, and nothing stands right before it. */
const standsBefore = (shape: Placed, words: ReadonlyArray<Placed>): boolean => {
  let begins = false
  for (const { text, left, right, baseline } of words) {
    if (text === unknown || Math.abs(baseline - shape.baseline) > 0.5 * shape.size) continue
    const gap = left - shape.right
    // Signs as wide as Chinese characters stand without a gap.
    const gapMin = isWide(shape) && ideographic.test(text) ? -gapBehind : gapBehind
    if (gap >= gapMin * shape.size && gap <= roomBehind * shape.size) begins = true
    if (left < shape.left && shape.left - right < roomBefore * shape.size) return false
  }
  return begins
}
