/**
 * pptx-md-json beside `officeparser` and beside the least that has to be done, the inflation of the slides; and
 * on decks that were made to be slow and large. Everything runs in processes of its own, from what
 * `npm run build` made:
 *
 *   npm run build && npm run bench -- benchmarks/pptx.ts
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { filesBelow, root } from "../scripts/workspace.ts"
import { deckOf, plainSlides, styledSlides } from "./support/deck.ts"
import { hostileDecks } from "./support/hostileDecks.ts"
import type { Contestant, Spent } from "./support/parseOnce.ts"
import { median, type Row, report, rounded } from "./support/report.ts"

const turns = 3
const timeoutSeconds = 30
const mebibytes = (bytes: number): number => bytes / 2 ** 20
const corpus = join(root, "..", "shared", "corpus")
const folder = mkdtempSync(join(tmpdir(), "pptx-"))

const script = stripTypeScriptTypes(readFileSync(new URL("support/parseOnce.ts", import.meta.url), "utf8"))
if (!existsSync(join(root, "packages", "executor-pptx", "dist")))
  throw new Error("Run `npm run build` first.")

/** Everybody has the heap of a parsing process, and what is ours its other flag too. */
const flagsOf = (contestant: Contestant): ReadonlyArray<string> => [
  "--max-old-space-size=512",
  ...(contestant === "atelier" || contestant === "upload" ? ["--single-threaded-gc"] : []),
]

/** A process that died on the way counts as one round, which ended so. */
const run = (contestant: Contestant, path: string, rounds: number, timeout?: number): Spent => {
  const start = performance.now()
  const args = [...flagsOf(contestant), "--input-type=module", "--eval", script]
  const child = spawnSync(process.execPath, [...args, contestant, path, String(rounds)], {
    cwd: root,
    encoding: "utf8",
    timeout,
  })
  if (child.status === 0) return JSON.parse(child.stdout)
  if (timeout === undefined) throw new Error(child.stderr)
  return { ending: "died", times: [performance.now() - start], peakBytes: Number.NaN }
}

/** The median of the second half, when everything is compiled. */
const warm = ({ times }: Spent): number => median(times.slice(Math.floor(times.length / 2)))
const cold = ({ times }: Spent): number => times[0] ?? Number.NaN

const idleBytes = run("idle", "", 1).peakBytes

/** Medians over some processes of each contestant, which take turns. */
const compare = (
  name: string,
  path: string,
  rounds: Readonly<Record<"inflate" | "atelier" | "officeparser", number>>,
): Row => {
  const spent = Array.from({ length: turns }, () => ({
    inflate: run("inflate", path, rounds.inflate),
    atelier: run("atelier", path, rounds.atelier),
    officeparser: run("officeparser", path, rounds.officeparser),
  }))
  const of = (contestant: keyof typeof rounds, value: (spent: Spent) => number) =>
    median(spent.map((turn) => value(turn[contestant])))
  const peak = of("atelier", ({ peakBytes }) => peakBytes)
  const otherPeak = of("officeparser", ({ peakBytes }) => peakBytes)
  return {
    deck: name,
    "file KiB": rounded(statSync(path).size / 1024),
    "inflation alone ms": rounded(of("inflate", warm), 2),
    "pptx-md-json ms": rounded(of("atelier", warm), 2),
    "officeparser ms": rounded(of("officeparser", warm), 1),
    "to inflation": rounded(of("atelier", warm) / of("inflate", warm), 1),
    "times as fast": rounded(of("officeparser", warm) / of("atelier", warm), 1),
    "times as fast, cold": rounded(of("officeparser", cold) / of("atelier", cold), 1),
    "peak MiB": rounded(mebibytes(peak)),
    "officeparser peak MiB": rounded(mebibytes(otherPeak)),
    "share of its peak": rounded(peak / otherPeak, 2),
    "share above Node": rounded((peak - idleBytes) / (otherPeak - idleBytes), 2),
  }
}

/** The presentation of median size among those of the corpus that can be read. */
const medianDeck = (): string | undefined => {
  if (!existsSync(corpus)) return undefined
  const decks = filesBelow(corpus)
    .filter((file) => file.endsWith(".pptx") && run("upload", file, 1).ending === "read")
    .toSorted((a, b) => statSync(a).size - statSync(b).size)
  return decks[Math.floor(decks.length / 2)]
}

/** A made deck of 300 slides. */
const compareMade = async (name: string, slides: ReadonlyArray<string>): Promise<Row> => {
  const path = join(folder, "made.pptx")
  writeFileSync(path, await deckOf(slides))
  const megabytes = rounded(slides.reduce((sum, slide) => sum + slide.length, 0) / 1e6, 1)
  return compare(`300 slides with tables, ${name}, ${megabytes} MB of XML`, path, {
    inflate: 40,
    atelier: 40,
    officeparser: 2,
  })
}

const comparisons = async (): Promise<ReadonlyArray<Row>> => {
  const made = [await compareMade("plain", plainSlides(300)), await compareMade("styled", styledSlides(300))]
  const real = medianDeck()
  if (real !== undefined) {
    // About as long each, so that both are compiled as far.
    return [
      ...made,
      compare("median of the corpus", real, { inflate: 2000, atelier: 2000, officeparser: 200 }),
    ]
  }
  console.log("The corpus is absent: no row for the median of its decks.")
  return made
}

const hostileRow = async (name: string, make: () => Promise<Buffer>): Promise<Row> => {
  const path = join(folder, "hostile.pptx")
  writeFileSync(path, await make())
  const spent = run("upload", path, 1, timeoutSeconds * 1000)
  return {
    "20 MiB of": name,
    "file KiB": rounded(statSync(path).size / 1024),
    ending: spent.ending,
    ms: rounded(cold(spent)),
    "peak MiB": rounded(mebibytes(spent.peakBytes)),
  }
}

report({
  name: "pptx",
  title: "pptx-md-json against officeparser 8.1.1 and against the bare inflation of the slides",
  rows: await comparisons(),
  notes: [
    `Medians of ${turns} processes of each contestant, which take turns; of each process the median of the second half of its rounds, cold its first.`,
    "pptx-md-json reads the file and writes both results; officeparser reads it and makes Markdown in memory; the inflation is inflateRawSync of each slide and nothing else.",
    "The slides of real decks compress to between a third and a fourteenth (corpus, decks with more than 40 kB of slides); the plain deck compresses better than any of them, so that inflating it costs less and everything else weighs more.",
    `Peaks are of the resident memory of a fresh process in its first round. Node alone takes ${rounded(mebibytes(idleBytes))} MiB of each.`,
  ],
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
