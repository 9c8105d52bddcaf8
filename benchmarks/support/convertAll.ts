/**
 * What a process does that converts every document of a list in one way, and says what that took. Types are
 * stripped before it is started, because a process that strips types is larger by half:
 *
 *   node --input-type=module --eval CODE CONTESTANT CONVERTER < JSON of the paths
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import process from "node:process"
import { text } from "node:stream/consumers"

export interface Converted {
  /** Documents that gave a result. */
  readonly results: number
  /** Milliseconds for all of them, the second time. */
  readonly warm: number
  /** The most memory that the process held. */
  readonly peakBytes: number
}

const bytesMax = 20 * 1024 * 1024
const folder = mkdtempSync(join(tmpdir(), "conversion-"))

type Convert = (path: string) => unknown

/** For each contestant how it converts the file at a path. */
const contestants: Readonly<Record<string, (converter: string) => Promise<Convert>>> = {
  /** file-md-json: the check, the conversion, and both results on the disk. */
  atelier: async (converter) => {
    const { parse } = await import(converter)
    return (path) => {
      for (const format of ["markdown", "json"]) rmSync(join(folder, format), { force: true })
      return parse({
        document: readFileSync(path),
        filename: basename(path),
        fileBytesMax: bytesMax,
        write: (format: string, bytes: Uint8Array) => appendFileSync(join(folder, format), bytes),
        outputFormats: ["markdown", "json"],
        resultBytesMax: bytesMax,
      })
    }
  },
  officeparser: async () => {
    const { OfficeParser } = await import("officeparser")
    return async (path) => (await OfficeParser.parseOffice(path)).to("md")
  },
  /** Every sheet as CSV: less than Markdown, and nothing is checked. */
  "@e965/xlsx": async () => {
    const { default: library } = await import("@e965/xlsx")
    return (path) => {
      const { Sheets } = library.read(readFileSync(path), { dense: true })
      return Object.values(Sheets).map((sheet) => library.utils.sheet_to_csv(sheet))
    }
  },
}

const pass = async (convert: Convert, paths: ReadonlyArray<string>): Promise<number> => {
  let results = 0
  for (const path of paths) {
    try {
      await convert(path)
      results += 1
    } catch {
      // A document that the contestant does not read.
    }
  }
  return results
}

const [, contestant = "", converter = ""] = process.argv
const paths: ReadonlyArray<string> = JSON.parse(await text(process.stdin))
const convert = await contestants[contestant]?.(converter)
if (convert === undefined) throw new Error(`There is no ${contestant} to measure.`)
const results = await pass(convert, paths)
const start = performance.now()
await pass(convert, paths)
const converted: Converted = {
  results,
  warm: performance.now() - start,
  // What the system reports of a child's resources counts its parent's too.
  peakBytes: Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) * 1024,
}
rmSync(folder, { recursive: true })
console.log(JSON.stringify(converted))
process.exit(0)
