import type { PlacedWord } from "@atelier/executor-convert/pages"
import { fontSize } from "./fontSize.ts"
import { scanLimits } from "./Limits.ts"
import type { RecognizedPage } from "./Recognizer.ts"

/** A page that was read. Lengths are points. */
export interface ScannedPage {
  readonly height: number
  /** Of 100. */
  readonly confidence: number
  readonly words: ReadonlyArray<PlacedWord>
}

/** Specks are taken for words of such a confidence. */
const confidenceMin = 20

/** @param scale pixels for each point */
export const scannedPage = (
  { lines, confidence }: RecognizedPage,
  height: number,
  scale: number,
): ScannedPage => {
  const words: Array<PlacedWord> = []
  for (const line of lines) {
    const size = Math.round((10 * fontSize(line)) / scale) / 10
    const read = line.words.filter((word) => word.text.trim() !== "" && word.confidence >= confidenceMin)
    for (const [index, { bbox, text }] of read.entries()) {
      if (words.length >= scanLimits.scan_page_words_max) break
      const hyphenated = index === read.length - 1 && /\p{L}-$/u.test(text)
      words.push({
        text: textOf(text, index, hyphenated),
        left: bbox.x0 / scale,
        right: bbox.x1 / scale,
        baseline: baselineAt(line.baseline, (bbox.x0 + bbox.x1) / 2) / scale,
        size,
        hyphenated,
      })
    }
  }
  return { height, confidence, words }
}

/** Round bullets are read as one of these. */
const bullet = /^[*«°¢]$/

const textOf = (text: string, index: number, hyphenated: boolean): string => {
  if (index === 0 && bullet.test(text)) return "•"
  const visible = text.replace(/\s+/gu, "")
  return hyphenated ? visible.slice(0, -1) : visible
}

const baselineAt = ({ x0, y0, x1, y1 }: RecognizedPage["lines"][number]["baseline"], x: number): number =>
  x1 === x0 ? y0 : y0 + ((y1 - y0) * (x - x0)) / (x1 - x0)

const encoder = new TextEncoder()

/** A page on its way from one process to the next: a line of numbers, then one for each word. */
export const encodePage = ({ height, confidence, words }: ScannedPage): Uint8Array => {
  const rows = words.map(({ left, right, baseline, size, hyphenated, text }) =>
    [left.toFixed(1), right.toFixed(1), baseline.toFixed(1), size.toFixed(1), Number(hyphenated), text].join(
      "\t",
    ),
  )
  return encoder.encode([`${height.toFixed(1)}\t${confidence}`, ...rows].join("\n"))
}

export const decodePage = (bytes: Uint8Array): ScannedPage => {
  const [head = "", ...rows] = new TextDecoder().decode(bytes).split("\n")
  const [height, confidence] = head.split("\t").map(Number)
  return { height: height ?? 0, confidence: confidence ?? 0, words: rows.map(wordOf) }
}

const wordOf = (row: string): PlacedWord => {
  const [left, right, baseline, size, hyphenated, text = ""] = row.split("\t")
  return {
    left: Number(left),
    right: Number(right),
    baseline: Number(baseline),
    size: Number(size),
    hyphenated: hyphenated === "1",
    text,
  }
}
