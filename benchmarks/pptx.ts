/**
 * pptx-md-json beside `officeparser` and beside the least that has to be done, the inflation of the slides; and
 * beside decks that were made to be slow and large. Every contestant runs in processes of its own:
 *
 *   npm run bench -- benchmarks/pptx.ts
 */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { filesBelow, root } from "../scripts/workspace.ts"
import { businessSlides, deckOf } from "./support/deck.ts"
import { hostileDecks } from "./support/hostileDecks.ts"
import type { Contestant, Spent } from "./support/parseOnce.ts"
import { median, type Row, report, rounded } from "./support/report.ts"

const turns = 5
const timeoutSeconds = 30
const megabytes = (bytes: number): number => bytes / 2 ** 20
const corpus = join(root, "..", "shared", "corpus")
const folder = mkdtempSync(join(tmpdir(), "pptx-"))

const script = fileURLToPath(new URL("support/parseOnce.ts", import.meta.url))
const flags = ["--conditions=atelier:source", "--max-old-space-size=512"]

const run = (contestant: Contestant, path: string, rounds: number): Spent =>
  JSON.parse(
    execFileSync(process.execPath, [...flags, script, contestant, path, String(rounds)], {
      encoding: "utf8",
    }),
  )

/** Medians over some processes of each contestant, which take turns. */
const compare = (path: string, rounds: Readonly<Record<"atelier" | "inflate" | "officeparser", number>>) => {
  const spent = Array.from({ length: turns }, () => ({
    inflate: run("inflate", path, rounds.inflate),
    atelier: run("atelier", path, rounds.atelier),
    officeparser: run("officeparser", path, rounds.officeparser),
  }))
  const of = (contestant: keyof typeof rounds, field: "firstMillis" | "warmMillis" | "peakBytes") =>
    median(spent.map((turn) => turn[contestant][field]))
  return (name: string): Row => ({
    deck: name,
    "file KiB": rounded(statSync(path).size / 1024),
    "inflation alone ms": rounded(of("inflate", "warmMillis"), 2),
    "pptx-md-json ms": rounded(of("atelier", "warmMillis"), 2),
    "officeparser ms": rounded(of("officeparser", "warmMillis"), 1),
    "to inflation": rounded(of("atelier", "warmMillis") / of("inflate", "warmMillis"), 1),
    "times as fast": rounded(of("officeparser", "warmMillis") / of("atelier", "warmMillis"), 1),
    "cold, times as fast": rounded(of("officeparser", "firstMillis") / of("atelier", "firstMillis"), 1),
    "peak MiB": rounded(megabytes(of("atelier", "peakBytes"))),
    "officeparser peak MiB": rounded(megabytes(of("officeparser", "peakBytes"))),
    "share of its peak": rounded(of("atelier", "peakBytes") / of("officeparser", "peakBytes"), 2),
  })
}

/** The corpus's presentation of median size among those that can be read. */
const medianDeck = (): string | undefined => {
  if (!existsSync(corpus)) return undefined
  const decks = filesBelow(corpus)
    .filter((file) => file.endsWith(".pptx") && run("upload", file, 1).ending === "read")
    .toSorted((a, b) => statSync(a).size - statSync(b).size)
  return decks[Math.floor(decks.length / 2)]
}

const rows: Array<Row> = []
const made = join(folder, "made.pptx")
const slides = businessSlides(300)
writeFileSync(made, await deckOf(slides))
const slideMegabytes = rounded(slides.reduce((sum, slide) => sum + slide.length, 0) / 1e6, 1)
rows.push(
  compare(made, { inflate: 40, atelier: 40, officeparser: 2 })(
    `300 slides with tables, ${slideMegabytes} MB of XML`,
  ),
)
const real = medianDeck()
if (real === undefined) console.log("The corpus is absent: no row for its median deck.")
else rows.push(compare(real, { inflate: 400, atelier: 400, officeparser: 100 })("median of the corpus"))

report({
  name: "pptx",
  title: "pptx-md-json against officeparser 8.1.1 and against the bare inflation of the slides",
  rows,
  notes: [
    `Medians of ${turns} processes of each contestant, which take turns; each is the median of the warm half of its rounds.`,
    "pptx-md-json reads the file and writes both results; officeparser reads it and makes Markdown in memory; the inflation is inflateRawSync of each slide and nothing else.",
    "Peaks are of the resident memory of a fresh process in its first round, with Node itself and, for pptx-md-json, with the stripping of TypeScript's types.",
  ],
})

const path = join(folder, "hostile.pptx")
const hostileRow = async (name: string, make: () => Promise<Buffer>): Promise<Row> => {
  writeFileSync(path, await make())
  const start = performance.now()
  const child = spawnSync(process.execPath, [...flags, script, "upload", path, "1"], {
    encoding: "utf8",
    timeout: timeoutSeconds * 1000,
  })
  const spent: Spent = child.status === 0 ? JSON.parse(child.stdout) : died(performance.now() - start)
  return {
    "20 MiB of": name,
    "file KiB": rounded(statSync(path).size / 1024),
    ending: spent.ending,
    ms: rounded(spent.firstMillis),
    "peak MiB": rounded(megabytes(spent.peakBytes)),
  }
}

const died = (millis: number): Spent => ({
  ending: "died",
  firstMillis: millis,
  warmMillis: millis,
  peakBytes: Number.NaN,
})

const hostileRows: Array<Row> = []
for (const { name, make } of hostileDecks) hostileRows.push(await hostileRow(name, make))
report({
  name: "pptx-hostile",
  title: "pptx-md-json on decks that were made to be slow and large",
  rows: hostileRows,
  notes: [
    `Each in a fresh process, the check at upload and the task together; the time-out of each is ${timeoutSeconds} s, and the aim is a peak below 512 MiB.`,
    "read: there is a result. Anything else is the code of the refusal.",
  ],
})
rmSync(folder, { recursive: true })
