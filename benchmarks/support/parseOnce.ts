/**
 * What a process does that reads one presentation in one way, some number of times, and says what that took.
 * Its types are stripped before it is started, because a process that strips types is larger by half:
 *
 *   node --input-type=module --eval CODE CONTESTANT FILE ROUNDS
 */
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { inflateRawSync } from "node:zlib"

export interface Spent {
  /** "read", or the code of the refusal. */
  readonly ending: string
  /** Of each round, in milliseconds. */
  readonly times: ReadonlyArray<number>
  /** The most memory that the process held up to the end of the first round. */
  readonly peakBytes: number
}

const bytesMax = 20 * 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), "pptx-"))

const inputOf = (path: string) => ({
  document: readFileSync(path),
  filename: "deck.pptx",
  fileBytesMax: bytesMax,
})

const jobOf = (path: string) => ({
  ...inputOf(path),
  write: (format: string, bytes: Uint8Array) => appendFileSync(join(folder, format), bytes),
  outputFormats: ["markdown", "json"] as const,
  resultBytesMax: bytesMax,
})

/** For each contestant what a round of it is, for the file at `path`. */
const contestants = {
  /** Nothing: what Node itself takes. */
  idle: async (_path: string) => () => undefined,
  /** The least that has to be done: inflating the slides. */
  inflate: async (path: string) => {
    const slides = deflatedSlides(readFileSync(path))
    return () => {
      for (const slide of slides) inflateRawSync(slide)
    }
  },
  /** pptx-md-json: reads the file and writes both results. */
  atelier: async (path: string) => {
    const { parse } = await import("@atelier/executor-pptx/parsing")
    return () => parse(jobOf(path))
  },
  /** The check at upload, and pptx-md-json if it passes. */
  upload: async (path: string) => {
    const { inspect, parse } = await import("@atelier/executor-pptx/parsing")
    return () => {
      inspect(inputOf(path))
      parse(jobOf(path))
    }
  },
  officeparser: async (path: string) => {
    const { OfficeParser } = await import("officeparser")
    return async () => (await OfficeParser.parseOffice(path)).to("md")
  },
} satisfies Record<string, (path: string) => Promise<() => unknown>>

export type Contestant = keyof typeof contestants

/** The compressed data of each slide, by the archive's directory. */
const deflatedSlides = (archive: Buffer): ReadonlyArray<Buffer> => {
  const slides: Array<Buffer> = []
  const directory = archive.readUInt32LE(archive.lastIndexOf("PK\x05\x06", undefined, "latin1") + 16)
  for (let at = directory; archive.readUInt32LE(at) === 0x02014b50; ) {
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28)
    const name = archive.toString("utf8", at + 46, nameEnd)
    const local = archive.readUInt32LE(at + 42)
    const data = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    if (/^ppt\/slides\/[^/]+\.xml$/.test(name)) {
      slides.push(archive.subarray(data, data + archive.readUInt32LE(at + 20)))
    }
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return slides
}

/**
 * The most resident memory of this process. Where the system says it, that of the program alone: `maxRSS`
 * counts what the process was before it became this program, a copy of the one that started it.
 */
const peakOfProcess = (): number => {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : ""
  const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS
  return Number(kibibytes) * 1024
}

const measure = async (contestant: Contestant, path: string, rounds: number): Promise<Spent> => {
  const round = await contestants[contestant](path)
  const times: Array<number> = []
  let ending = "read"
  let peakBytes = 0
  for (let count = 0; count < rounds; count++) {
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    const start = performance.now()
    try {
      await round()
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error
      ending = String(error.code)
    }
    times.push(performance.now() - start)
    if (count === 0) peakBytes = peakOfProcess()
  }
  rmSync(folder, { recursive: true })
  return { ending, times, peakBytes }
}

const isContestant = (name: string): name is Contestant => Object.hasOwn(contestants, name)

const [, contestant = "", path = "", rounds = "1"] = process.argv
if (!isContestant(contestant)) throw new Error(`There is no ${contestant} to measure.`)
console.log(JSON.stringify(await measure(contestant, path, Number(rounds))))
