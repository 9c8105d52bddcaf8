/**
 * What the WebAssembly lane of the XML reader gains: the same parts are checked and read with it and without it,
 * in turn, in one process. Time is the processor's, the least of all rounds, so that other processes matter little.
 *
 * `npm run bench -- benchmarks/xml-lane.ts`
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import process from "node:process"
import {
  intakeLimits,
  openZip,
  readXml,
  verifyXml,
  xmlEnd,
  xmlText,
  xmlVocabulary,
} from "@atelier/intake/bytes"
import { filesBelow, root } from "../scripts/workspace.ts"
import { plainSlides, styledSlides } from "./support/deck.ts"
import { type Row, report, rounded } from "./support/report.ts"

const rounds = 8
const corpus = join(root, "..", "shared", "corpus")

/** The lane serves no reader whose names are limited to less than a tag that it remembers. */
const limitsWithoutLane = { ...intakeLimits, xml_name_bytes_max: 255 }

const drawing = "http://schemas.openxmlformats.org/drawingml/2006/main"
const names = ["a:p", "a:r", "a:t", "a:tbl", "a:tr", "a:tc"]
const vocabulary = xmlVocabulary({ a: [drawing] }, names)
const textIn = [vocabulary.number("a:t")]

type Work = (part: Uint8Array, limits: typeof intakeLimits) => void

const check: Work = (part, limits) => verifyXml(part, { limits })

const read: Work = (part, limits) => {
  const xml = readXml(part, { vocabulary, textIn, limits })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) if (token === xmlText) xml.text()
}

const millis = (run: () => void): number => {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const best = (work: Work, parts: ReadonlyArray<Uint8Array>) => {
  const pass = (limits: typeof intakeLimits) => () => {
    for (const part of parts) work(part, limits)
  }
  let [lane, alone] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < rounds; round++) {
    lane = Math.min(lane, millis(pass(intakeLimits)))
    alone = Math.min(alone, millis(pass(limitsWithoutLane)))
  }
  return { lane, alone }
}

/** The XML parts of every readable document of the corpus with this extension. */
const partsOf = (extension: string): ReadonlyArray<Uint8Array> =>
  filesBelow(corpus)
    .filter((file) => file.endsWith(extension))
    .flatMap((file) => {
      try {
        const archive = openZip(readFileSync(file))
        const parts = archive.names
          .filter((name) => name.endsWith(".xml"))
          .flatMap((name) => archive.read(name) ?? [])
        for (const part of parts) verifyXml(part)
        return parts
      } catch {
        // A document that is refused.
        return []
      }
    })

const bytesOf = (slides: ReadonlyArray<string>): ReadonlyArray<Uint8Array> =>
  slides.map((slide) => Buffer.from(slide))

const inputs: Array<readonly [string, ReadonlyArray<Uint8Array>]> = [
  ["300 plain slides", bytesOf(plainSlides(300))],
  ["300 styled slides", bytesOf(styledSlides(300))],
  ["10 styled slides", bytesOf(styledSlides(10))],
]
if (existsSync(corpus)) {
  for (const extension of [".pptx", ".docx", ".xlsx", ".ods", ".odt"]) {
    inputs.push([`corpus, ${extension}`, partsOf(extension)])
  }
}

const row = (name: string, parts: ReadonlyArray<Uint8Array>): Row => {
  const checked = best(check, parts)
  const took = best(read, parts)
  return {
    "XML of": name,
    MB: rounded(parts.reduce((sum, part) => sum + part.length, 0) / 1e6, 1),
    "check ms": rounded(checked.lane, 1),
    "without the lane": rounded(checked.alone, 1),
    "times as fast": rounded(checked.alone / checked.lane, 2),
    "read ms": rounded(took.lane, 1),
    "read without the lane": rounded(took.alone, 1),
    "read, times as fast": rounded(took.alone / took.lane, 2),
  }
}

report({
  name: "xml-lane",
  title: "The XML reader with and without its WebAssembly lane",
  rows: inputs.map(([name, parts]) => row(name, parts)),
  notes: [
    `Processor time of one process, the least of ${rounds} rounds of each, in turn.`,
    "Check: well-formed and within the limits, as at upload. Read: the text of DrawingML is taken, as pptx-md-json does.",
  ],
})
