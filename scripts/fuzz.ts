import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { pdfOf, pngOf, scan } from "../benchmarks/support/scans.ts"
import { corpusFiles, toolsFor } from "../test/support/corpus.ts"
import { DocumentService, inParallel } from "../test/support/documents.ts"
import { mutate } from "../test/support/mutate.ts"
import { seeded } from "../test/support/random.ts"
import { filesBelow, root } from "./workspace.ts"

/**
 * Submits mutated copies of documents to the service, over its `/v1` interface: each must end with a result or a
 * refusal by code, and the memory that the service holds must not grow with their number.
 *
 * `npm run fuzz [-- MUTANTS] [SEED]`
 */

/** A document whose copies are changed. */
interface Seed {
  readonly filename: string
  readonly tool: string
  readonly read: () => Uint8Array<ArrayBuffer>
}

export interface FuzzRun {
  readonly mutants: number
  /** How the mutants ended: results, refusals and failures by code. */
  readonly endings: Readonly<Record<string, number>>
  readonly faults: ReadonlyArray<string>
  readonly peakBytes: number
  /** Bytes that the server itself held after half of the mutants, and at the end. */
  readonly heldBytes: readonly [number, number]
}

const width = 4

/** How much more the server may hold at the end than after half: garbage that is not collected yet. */
const growthBytesMax = 100_000_000

/** Large documents make slow mutants and find nothing more. */
const seedBytesMax = 300_000

/** The documents of the corpus and our own fixtures, including those that are refused. */
const seeds = (): ReadonlyArray<Seed> => [
  ...corpusFiles()
    .filter(({ bytes }) => bytes <= seedBytesMax)
    .flatMap(({ name, extension, read }) =>
      toolsFor(extension).map((tool) => ({ filename: name.split("/").at(-1) ?? name, tool, read })),
    ),
  ...filesBelow(join(root, "packages", "intake", "test", "fixtures"))
    .map((path) => ({ path, filename: path.split("/").at(-1) ?? path }))
    .flatMap(({ path, filename }) => {
      const read = () => new Uint8Array(readFileSync(path))
      return read().length > seedBytesMax
        ? []
        : toolsFor(/\.[^.]+$/.exec(filename)?.[0] ?? "").map((tool) => ({ filename, tool, read }))
    }),
]

/** Small pages as pictures: each takes as long as hundreds of other documents. */
const scans = (): ReadonlyArray<Seed> => {
  const size: [number, number] = [260, 120]
  const page = scan(["Harbour office", "412 ferries"], paper, size)
  return [
    { filename: "scan.png", tool: "scan-md-json", read: () => new Uint8Array(pngOf(page)) },
    { filename: "scan.pdf", tool: "scan-md-json", read: () => new Uint8Array(pdfOf([page, page], size)) },
  ]
}

const paper = { font: "sans", size: 14, skew: 0, noise: 0, resolution: 100 } as const

/** How many of the mutants are scans. */
const scansShare = 0.01

/** @param keep folder that gets every mutant that is not handled as it must be */
export const fuzz = async (mutants: number, seed: number, keep: string): Promise<FuzzRun> => {
  const documents = seeds()
  const pictures = scans()
  const service = await DocumentService.start({
    documents: { page_offsets: true, refuse_without_text_layer: true },
    tools: { "scan-md-json": { published: true } },
  })
  const endings: Record<string, number> = {}
  const faults: Array<string> = []
  const held: Array<number> = []
  let done = 0
  await inParallel(Array.from({ length: mutants }).keys(), width, async (index) => {
    // Each mutant has its own random sequence, so that it can be reproduced by itself.
    const random = seeded(seed * 1_000_003 + index)
    const sources = random() < scansShare ? pictures : documents
    const source = sources[Math.floor(random() * sources.length)]
    if (source === undefined) throw new Error("there is no document to change")
    const mutant = await mutate(source.read(), random)
    const ending = await service.process(source.tool, source.filename, mutant)
    const name =
      ending.kind === "refused" || ending.kind === "failed" ? `${ending.kind} ${ending.code}` : ending.kind
    endings[name] = (endings[name] ?? 0) + 1
    if (ending.kind === "broken") {
      faults.push(`mutant ${index} of ${source.filename} at ${source.tool}: ${ending.what}`)
      mkdirSync(keep, { recursive: true })
      writeFileSync(join(keep, `${seed}-${index}-${source.filename}`), mutant)
    }
    done += 1
    if (done === Math.ceil(mutants / 2) || done === mutants) held.push(service.serverBytes())
  })
  const { peakBytes } = service
  await service.stop()
  const [early = 0, late = 0] = held
  if (late - early > growthBytesMax) faults.push(`the server grew from ${early} to ${late} bytes`)
  return { mutants, endings, faults, peakBytes, heldBytes: [early, late] }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const mutants = Number(process.argv[2] ?? 20_000)
  const seed = Number(process.argv[3] ?? 1)
  const began = performance.now()
  const run = await fuzz(mutants, seed, join(root, "node_modules", ".cache", "fuzz"))
  const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
  for (const fault of run.faults) console.log(fault)
  for (const [name, count] of Object.entries(run.endings).toSorted()) console.log(`${count}  ${name}`)
  console.log(
    `${mutants} mutants (seed ${seed}) in ${Math.round((performance.now() - began) / 1000)} s, ${run.faults.length} faults; ` +
      `the server held ${megabytes(run.heldBytes[0])} after half and ${megabytes(run.heldBytes[1])} at the end, with its parsing processes at most ${megabytes(run.peakBytes)}`,
  )
  process.exitCode = run.faults.length === 0 ? 0 : 1
}
