import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, layer as shared, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { OutputFormat, Warning } from "../domain/Task.ts"
import type { Content } from "../domain/ToolFile.ts"
import { FileRefused, type LocalDocument, type ToolExecutor } from "../ports/Executor.ts"

/** A document for the contract of executors. */
export interface ContractDocument {
  readonly name: string
  readonly filename: string
  readonly bytes: Uint8Array
}

/** What a document became. */
export interface ContractResult {
  readonly markdown: string
  /** The JSON result, parsed. */
  readonly json: unknown
  readonly warnings: ReadonlyArray<Warning>
}

export interface ExecutorContract<R> {
  readonly name: string
  readonly make: Effect.Effect<ToolExecutor, never, R>
  readonly layer: Layer.Layer<R, unknown>
  /** Documents that the tool reads, small ones; `expect` looks at what became of one. */
  readonly accepted: ReadonlyArray<ContractDocument & { readonly expect?: (result: ContractResult) => void }>
  /** Changed copies of each accepted document that are tried; 20 by default, fewer for a tool that takes seconds. */
  readonly mutants?: number
  /** Documents that it refuses at upload, with the code. */
  readonly refused: ReadonlyArray<ContractDocument & { readonly code: string }>
}

/** What every executor holds: the whole of what the service relies on. */
export const executorContract = <R>(contract: ExecutorContract<R>): void => {
  const folder = mkdtempSync(join(tmpdir(), "executor-contract-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  // The time-outs of a tool are real time.
  shared(contract.layer, { excludeTestServices: true })(`${contract.name}: contract of executors`, (it) => {
    definitions(it, contract)
    acceptance(it, contract, folder)
    refusals(it, contract, folder)
    hostility(it, contract, folder)
  })
}

type Methods<R> = Vitest.MethodsNonLive<R>

const definitions = <R>(it: Methods<R>, { make }: ExecutorContract<R>): void => {
  it.effect("document-tools 2.1: the definition is complete and sane", () =>
    Effect.gen(function* () {
      const { definition } = yield* make
      assert.match(definition.id, /^[a-z0-9]+(-[a-z0-9]+)*$/)
      for (const text of [definition.name, definition.description]) assert.notStrictEqual(text.trim(), "")
      assert.isNotEmpty(definition.extensions)
      assert.strictEqual(new Set(definition.extensions).size, definition.extensions.length)
      for (const extension of definition.extensions) assert.match(extension, /^\.[a-z0-9]+$/)
      assert.isTrue(Number.isInteger(definition.maxFileBytes) && definition.maxFileBytes > 0)
      assert.isTrue(definition.timeoutSeconds > 0 && definition.timeoutSeconds <= 300)
      assert.match(definition.unitPriceUsd, /^\d+(\.\d+)?$/)
      assert.isNotEmpty(definition.outputFormats)
      assert.includeMembers(["markdown", "json"], [...definition.outputFormats])
    }),
  )
}

/** Where a document's bytes are: small ones are in memory. */
const places = ["file", "memory"] as const
type Place = (typeof places)[number]

/** A file of its own for each run, as an upload is, or the bytes. */
const upload = (
  folder: string,
  { filename, bytes }: Pick<ContractDocument, "filename" | "bytes">,
  place: Place = "file",
): LocalDocument => {
  const known = { owner: "contract", filename, bytes: bytes.length }
  if (place === "memory") return { ...known, data: bytes }
  const path = join(mkdtempSync(join(folder, "upload-")), "upload")
  writeFileSync(path, bytes)
  return { ...known, path }
}

/** The bytes of a document or a result. */
export const bytesOf = (content: Content): Buffer =>
  "data" in content ? Buffer.from(content.data) : readFileSync(content.path)

const runs = Effect.fnUntraced(function* (
  executor: ToolExecutor,
  folder: string,
  document: Pick<ContractDocument, "filename" | "bytes">,
  outputFormats: ReadonlyArray<OutputFormat>,
  place: Place = "file",
) {
  const outputDirectory = mkdtempSync(join(folder, "output-"))
  const output = yield* executor.run({
    ...upload(folder, document, place),
    outputDirectory: Effect.succeed(outputDirectory),
    outputFormats,
  })
  const written = output.results.map(bytesOf)
  return { ...output, outputDirectory, written }
})

const contentTypes = { markdown: "text/markdown; charset=utf-8", json: "application/json" }

const subsets = (formats: ReadonlyArray<OutputFormat>): ReadonlyArray<ReadonlyArray<OutputFormat>> => [
  ...formats.map((format) => [format]),
  ...(formats.length > 1 ? [formats] : []),
]

const acceptance = <R>(it: Methods<R>, { make, accepted }: ExecutorContract<R>, folder: string): void => {
  it.effect.each(accepted)("accepts $name: at upload, whatever the case of its extension", (document) =>
    Effect.gen(function* () {
      const executor = yield* make
      for (const filename of [document.filename, document.filename.toUpperCase()]) {
        for (const place of places) {
          const { contentType } = yield* executor.inspect(upload(folder, { ...document, filename }, place))
          assert.match(contentType, /^[a-z]+\/[a-z0-9.+-]+$/)
        }
      }
    }),
  )

  it.effect.each(accepted)(
    "document-tools 2.3: $name gives the wanted formats, and no other file",
    (document) =>
      Effect.gen(function* () {
        const executor = yield* make
        for (const outputFormats of subsets(executor.definition.outputFormats)) {
          const { results, outputDirectory, written } = yield* runs(executor, folder, document, outputFormats)
          assert.deepStrictEqual(
            results.map(({ format, contentType }) => ({ format, contentType })),
            outputFormats.map((format) => ({ format, contentType: contentTypes[format] })),
          )
          assert.deepStrictEqual(
            results.map(({ bytes }) => bytes),
            written.map(({ length }) => length),
          )
          assert.sameMembers(
            readdirSync(outputDirectory).map((name) => join(outputDirectory, name)),
            results.flatMap((result) => ("path" in result ? [result.path] : [])),
          )
        }
      }),
  )

  it.effect.each(accepted)("document-tools 2.5: $name gives the fields of a result", (document) =>
    Effect.gen(function* () {
      const { warnings, written } = yield* runs(yield* make, folder, document, ["markdown", "json"])
      const [markdown = "", json = ""] = written.map(String)
      const result: unknown = JSON.parse(json)
      const { recognizesText: ocr = false } = (yield* make).definition
      assertResult(result, { markdown, warnings, inputBytes: document.bytes.length, ocr })
      for (const { code, message } of warnings) {
        assert.match(code, /^[a-z0-9]+(_[a-z0-9]+)*$/)
        assert.notStrictEqual(message, "")
      }
      assert.strictEqual(new Set(warnings.map(({ code }) => code)).size, warnings.length)
      document.expect?.({ markdown, json: result, warnings })
    }),
  )

  it.effect.each(accepted)(
    "$name gives the same bytes again, from a file and from memory, and stays as it was",
    (document) =>
      Effect.gen(function* () {
        const executor = yield* make
        const outputFormats = executor.definition.outputFormats
        const first = yield* runs(executor, folder, document, outputFormats)
        for (const place of places) {
          const file = upload(folder, document, place)
          const outputDirectory = Effect.succeed(mkdtempSync(join(folder, "output-")))
          const again = yield* executor.run({ ...file, outputDirectory, outputFormats })
          assert.deepStrictEqual(again.results.map(bytesOf), first.written)
          assert.deepStrictEqual(again.warnings, first.warnings)
          assert.isTrue(bytesOf(file).equals(document.bytes))
        }
      }),
  )
}

/** contract, Tools: result JSON. */
const assertResult = (
  json: unknown,
  known: {
    readonly markdown: string
    readonly warnings: ReadonlyArray<Warning>
    readonly inputBytes: number
    readonly ocr: boolean
  },
): void => {
  const fields = ["schema_version", "markdown", "structure_source", "capabilities", "warnings", "input_bytes"]
  assert.isObject(json)
  const result = new Map(Object.entries(json ?? {}))
  assert.deepStrictEqual([...result.keys()], fields)
  assert.strictEqual(result.get("schema_version"), "1.0")
  assert.strictEqual(result.get("markdown"), known.markdown)
  assert.match(String(result.get("structure_source")), /^[a-z0-9-]+(:[a-z0-9.-]+)?$/)
  assert.deepInclude(result.get("capabilities"), {
    ocr: known.ocr,
    page_coordinates: false,
    bounding_boxes: false,
    structured_tables: false,
  })
  assert.deepStrictEqual(result.get("warnings"), known.warnings)
  assert.strictEqual(result.get("input_bytes"), known.inputBytes)
}

const refusals = <R>(it: Methods<R>, { make, refused }: ExecutorContract<R>, folder: string): void => {
  it.effect.each(refused)(
    "document-tools 4.2: refuses $name with $code, at upload as when it runs",
    (document) =>
      Effect.gen(function* () {
        const executor = yield* make
        const formats = executor.definition.outputFormats
        for (const place of places) {
          const atUpload = yield* Effect.flip(executor.inspect(upload(folder, document, place)))
          assert.strictEqual<string>(atUpload.code, document.code)
          assertMessage(atUpload.message, folder)
          const atRun = yield* Effect.flip(runs(executor, folder, document, formats, place))
          assert.deepInclude(atRun, { code: document.code, retryable: false })
          assertMessage(atRun.message, folder)
        }
      }),
  )
}

/** Messages are for the owner of the document. */
const assertMessage = (message: string, folder: string): void => {
  assert.match(message, /\S.*\.$/su)
  for (const secret of [folder, tmpdir(), "node:", "file:", "    at "]) assert.notInclude(message, secret)
}

const hostility = <R>(it: Methods<R>, contract: ExecutorContract<R>, folder: string): void => {
  const { make, accepted, mutants = 20 } = contract

  it.effect("an empty file and one of junk end in a result or a refusal", () =>
    Effect.gen(function* () {
      const executor = yield* make
      const random = randomBytes(7)
      for (const extension of executor.definition.extensions) {
        yield* endsInOrder(executor, folder, { filename: `empty${extension}`, bytes: new Uint8Array() })
        const bytes = Uint8Array.from({ length: 3000 }, random)
        yield* endsInOrder(executor, folder, { filename: `junk${extension}`, bytes })
      }
    }),
  )

  it.effect.each(accepted)(
    "$name with one byte changed, or cut short, ends in a result or a refusal",
    (document) =>
      Effect.gen(function* () {
        const executor = yield* make
        const random = randomBytes(document.bytes.length)
        for (let round = 0; round < mutants; round++) {
          const place = Math.floor((document.bytes.length * round) / mutants)
          const changed = Uint8Array.from(document.bytes)
          changed[place] = random()
          yield* endsInOrder(executor, folder, { filename: document.filename, bytes: changed })
        }
        const half = document.bytes.subarray(0, document.bytes.length / 2)
        yield* endsInOrder(executor, folder, { filename: document.filename, bytes: half })
      }),
  )
}

/** Codes with which a document may fail although the check at upload let it pass. */
const failureCodes = new Set<string>([...FileRefused.fields.code.literals, "result_too_large"])

/** Anything else, such as a crash, a time-out or an unknown code, fails the suite. */
const endsInOrder = Effect.fnUntraced(function* (
  executor: ToolExecutor,
  folder: string,
  document: Pick<ContractDocument, "filename" | "bytes">,
) {
  const inspected = yield* Effect.result(executor.inspect(upload(folder, document)))
  if (Result.isFailure(inspected)) {
    assert.strictEqual(inspected.failure._tag, "FileRefused")
    assertMessage(inspected.failure.message, folder)
    assert.notInclude(inspected.failure.message, "could not be checked")
  }
  const ran = yield* Effect.result(runs(executor, folder, document, executor.definition.outputFormats))
  if (Result.isSuccess(ran)) {
    assert.isTrue(Result.isSuccess(inspected), "what runs is accepted at upload")
    for (const result of ran.success.results) assert.strictEqual(bytesOf(result).length, result.bytes)
  } else {
    assert.isTrue(failureCodes.has(ran.failure.code), `${document.filename}: ${ran.failure.code}`)
    assert.isFalse(ran.failure.retryable)
    assertMessage(ran.failure.message, folder)
  }
})

/** Bytes that are the same in every run. */
const randomBytes = (seed: number) => {
  let state = seed
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 24
  }
}
