/**
 * text-md-json on 10 MiB of text, both formats, compared with the minimum that any reader must do with such bytes:
 * check that they are UTF-8 and copy them once. Medians, all in one run:
 *
 *   npx node --conditions=atelier:source benchmarks/text-executor.ts
 */
import { isUtf8 } from "node:buffer"
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parse, TextExecutor } from "@atelier/executor-text"
import { ParsingPool } from "@atelier/intake"
import { escapeJson, scanText, textFault } from "@atelier/intake/bytes"
import * as Effect from "effect/Effect"
import { median, type Row, report, rounded } from "./support/report.ts"

const size = 10 * 1024 * 1024
const rounds = 31

const code = readFileSync(new URL("../packages/intake/src/TextScan.ts", import.meta.url))
const csv = Buffer.from('17,"Smith, ""Jo""",12.50,2024-05-01\n'.repeat(200))
const json = Buffer.from(
  JSON.stringify({ id: 17, name: "Jo", tags: ["a", "b"], path: "C:\\x" }, null, 2).repeat(50),
)
const chinese = Buffer.from("这是一段用来测量速度的中文文字。\n".repeat(150))
const prose = Buffer.from(
  "The quick brown fox jumps over the lazy dog, and goes on for a while. ".repeat(100),
)

/** `size` bytes of the given pieces, over and over; the end is filled with spaces. */
const repeated = (...pieces: ReadonlyArray<Buffer>): Buffer => {
  const unit = Buffer.concat(pieces)
  const whole = Array.from({ length: Math.floor(size / unit.length) }, () => unit)
  return Buffer.concat([...whole, Buffer.alloc(size % unit.length, " ")])
}

const inputs = {
  mixed: repeated(code, csv, json, chinese, prose),
  code: repeated(code),
  csv: repeated(csv),
  json: repeated(json),
  chinese: repeated(chinese),
  prose: repeated(prose),
}

/** Takes turns, so that a change in the machine's speed meets all of them alike. */
const measure = async (
  contestants: ReadonlyArray<() => void | Promise<void>>,
): Promise<ReadonlyArray<number>> => {
  const times = contestants.map((): Array<number> => [])
  for (let round = -5; round < rounds; round++) {
    for (const [at, contestant] of contestants.entries()) {
      const start = performance.now()
      await contestant()
      if (round >= 0) times[at]?.push(performance.now() - start)
    }
  }
  return times.map(median)
}

const copied = Buffer.alloc(size)
const escaped = Buffer.alloc(3 * size)

/** Everything that is done with the bytes themselves; only reading and writing files is left out. */
const byteWork = (input: Buffer): void => {
  if (textFault(input, scanText(input)) !== undefined) throw new Error("the input is no text")
  let end = 0
  escapeJson(input, (piece) => {
    escaped.set(piece, end)
    end += piece.length
  })
}

const folder = mkdtempSync(join(tmpdir(), "text-executor-"))
const path = join(folder, "input")
const filename = "input.json"
const limits = { fileBytesMax: size, resultBytesMax: 2 * size }

/** Pieces go to one file for each format, as they come. */
const write = (format: string, bytes: Uint8Array): void => appendFileSync(join(folder, format), bytes)
const empty = (): void => {
  for (const format of ["markdown", "json"]) rmSync(join(folder, format), { force: true })
}

const compare = Effect.gen(function* () {
  const executor = yield* TextExecutor.make
  const job = {
    path,
    filename,
    owner: "benchmark",
    bytes: size,
    outputDirectory: folder,
    outputFormats: ["markdown", "json"] as const,
  }
  const rows: Array<Row> = []
  for (const [name, input] of Object.entries(inputs)) {
    writeFileSync(path, input)
    const [limit = 1, ...times] = yield* Effect.promise(() =>
      measure([
        () => {
          if (isUtf8(input)) copied.set(input)
        },
        () => byteWork(input),
        () => {
          escaped.write(JSON.stringify(input.toString("utf8")))
        },
        () => {
          empty()
          parse({ ...job, ...limits, document: readFileSync(path), write })
        },
        () =>
          Effect.runPromise(
            Effect.asVoid(executor.run({ ...job, outputDirectory: Effect.succeed(job.outputDirectory) })),
          ),
      ]),
    )
    const [bytes = 0, strings = 0, files = 0, pool = 0] = times.map((time) => time / limit)
    rows.push({
      input: name,
      "limit ms": rounded(limit, 2),
      "byte work ms": rounded(times[0] ?? 0, 1),
      "byte work / limit": rounded(bytes, 1),
      "with strings / limit": rounded(strings, 1),
      "parse with its files / limit": rounded(files, 1),
      "through the pool / limit": rounded(pool, 1),
    })
  }
  return rows
})

const rows = await Effect.runPromise(Effect.provide(compare, ParsingPool.layer()))
rmSync(folder, { recursive: true })
report({
  name: "text-executor",
  title: "text-md-json on 10 MiB, both formats, against one UTF-8 check and one copy",
  rows,
  notes: [
    `Medians of ${rounds} rounds in which the contestants take turns, so that every one finds cold caches.`,
    "Byte work: everything that is done with the bytes. With strings: JSON.stringify of the text alone.",
    "Parse with its files reads the document and writes both results; through the pool it does so in a process of its own.",
  ],
})
