import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import startTesseract, { type TessBaseAPI } from "tesseract.js-core/tesseract-core-simd-lstm.js"
import { languageFile } from "./languages.ts"

/** A page to be read: a picture in a format that Tesseract knows. */
export interface PagePicture {
  readonly bytes: Uint8Array
  /** As EXIF has it, 1 for upright. */
  readonly orientation: number
}

interface Box {
  readonly x0: number
  readonly y0: number
  readonly x1: number
  readonly y1: number
}

interface Text {
  readonly bbox: Box
  readonly text: string
  /** Of 100. */
  readonly confidence: number
}

/** A line as Tesseract tells it; lengths are pixels. */
export interface RecognizedLine extends Text {
  readonly baseline: Box
  readonly words: ReadonlyArray<Text & { readonly symbols?: ReadonlyArray<Text> }>
}

/** What Tesseract says of a page, as far as it is used. */
interface Answer {
  readonly blocks: ReadonlyArray<{
    readonly paragraphs?: ReadonlyArray<{ readonly lines?: ReadonlyArray<RecognizedLine> }>
  }>
}

export interface RecognizedPage {
  /** In the order of reading. */
  readonly lines: ReadonlyArray<RecognizedLine>
  /** Of the page, 0 to 100. */
  readonly confidence: number
}

const lstmOnly = 1
/** Columns and blocks are found by Tesseract. */
const automatic = "3"
/** Pages that are turned by less are read as they are. Radians. */
const angleMin = 0.005

/** Radians, tried in turn on a page that shows no line. */
const turnsTried = [-0.05, 0.05]

const ignore = (): void => {}

/**
 * Reads one page. Each page has a Tesseract of its own: what a picture does to it cannot reach the next. Undefined if
 * the bytes are no picture. Nothing but these bytes and the data of the languages is within its reach.
 */
export const recognize = async (
  { bytes, orientation }: PagePicture,
  languages: ReadonlyArray<string>,
): Promise<RecognizedPage | undefined> => {
  const core = fileURLToPath(import.meta.resolve("tesseract.js-core/tesseract-core-simd-lstm.wasm"))
  const module = await startTesseract({
    wasmBinary: readFileSync(core),
    // Its output is of interest only to its developers.
    print: ignore,
    printErr: ignore,
    TesseractProgress: ignore,
  })
  for (const language of languages) {
    module.FS.writeFile(`${language}.traineddata`, gunzipSync(readFileSync(languageFile(language))))
  }
  const tesseract = new module.TessBaseAPI()
  if (tesseract.Init(null, languages.join("+"), lstmOnly) !== 0) {
    throw new Error(`Tesseract cannot use the data of ${languages.join(", ")}`)
  }
  tesseract.SetVariable("tessedit_pageseg_mode", automatic)
  module.FS.writeFile("/input", bytes)
  if (tesseract.SetImageFile(orientation, 0) !== 0) return undefined
  tesseract.FindLines()
  const angle = tesseract.GetGradient()
  // Some inclined pages show it no line before they are turned.
  for (const turn of [angle, ...turnsTried]) {
    if (Math.abs(turn) >= angleMin) tesseract.SetImageFile(orientation, turn)
    const page = readPage(tesseract)
    if (page.lines.length > 0) return page
  }
  return { lines: [], confidence: 0 }
}

/** It is not told the resolution: what it makes of the heights of the letters reads more words right. */
const readPage = (tesseract: TessBaseAPI): RecognizedPage => {
  tesseract.Recognize(null)
  const { blocks }: Answer = JSON.parse(tesseract.GetJSONText())
  return {
    lines: blocks.flatMap(({ paragraphs = [] }) => paragraphs.flatMap(({ lines = [] }) => lines)),
    confidence: tesseract.MeanTextConf(),
  }
}
