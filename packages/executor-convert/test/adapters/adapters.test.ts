import { readdirSync } from "node:fs"
import { defaultLimits, Limits } from "@atelier/core"
import { CloudflareMarkdown, type Converter, DoclingServe, Tika } from "@atelier/executor-convert"
import { ParsingPool } from "@atelier/intake"
import { NodeHttpClient } from "@effect/platform-node"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { CurrentLogAnnotations } from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import {
  convertOne,
  cutOff,
  flood,
  job,
  json,
  type Reply,
  readResults,
  reply,
  silence,
  startVendor,
} from "./vendor.ts"

const key = "sk-very-secret"

/** How each converter is made, and how the real one answers. */
interface Adapter {
  readonly name: string
  readonly make: (baseUrl: string) => Effect.Effect<Converter, never, HttpClient | ParsingPool>
  readonly success: Reply
  /** An answer without text. */
  readonly empty: Reply
  readonly type: string
  readonly wrongShapes: ReadonlyArray<readonly [what: string, reply: Reply]>
}

const adapters: ReadonlyArray<Adapter> = [
  {
    name: "cloudflare",
    make: (baseUrl) => CloudflareMarkdown.make({ accountId: "0a1b", apiKey: Redacted.make(key), baseUrl }),
    success: json({
      success: true,
      errors: [],
      messages: [],
      result: [
        {
          id: "1",
          name: "document.docx",
          mimeType: "x",
          format: "markdown",
          tokens: 3,
          data: "# Plan\n\nText",
        },
      ],
    }),
    empty: json({ success: true, result: [{ format: "markdown", data: " \n" }] }),
    type: "application/json",
    wrongShapes: [
      ["no JSON", reply("<html>", "application/json")],
      ["no result", json({ success: true, result: [] })],
      ["no success", json({ success: false, errors: [{ code: 1 }], result: null })],
      ["Markdown that is no text", json({ success: true, result: [{ format: "markdown", data: 7 }] })],
    ],
  },
  {
    name: "docling-serve",
    make: (baseUrl) => DoclingServe.make({ baseUrl, apiKey: Redacted.make(key) }),
    success: json({
      document: { filename: "document.docx", md_content: "# Plan\n\nText", json_content: null },
      status: "success",
      errors: [],
      processing_time: 0.2,
      timings: {},
    }),
    empty: json({ document: { md_content: "" }, status: "success" }),
    type: "application/json",
    wrongShapes: [
      ["no JSON", reply("null,", "application/json")],
      ["no document", json({ status: "success" })],
      ["a status that is not known", json({ document: { md_content: "a" }, status: "pending" })],
      ["no Markdown", json({ document: { md_content: null }, status: "success" })],
    ],
  },
  {
    name: "tika",
    make: (baseUrl) => Tika.make({ baseUrl }),
    success: reply(
      "<html><head><title></title></head><body><h1>Plan</h1><p>Text</p></body></html>",
      "text/html",
    ),
    empty: reply("<html><body><p></p></body></html>", "text/html"),
    type: "text/html",
    wrongShapes: [["a content type that was not asked for", reply("{}", "application/json")]],
  },
]

const live = Layer.merge(NodeHttpClient.layerUndici, ParsingPool.layer({ size: 1 }))

/** A converter whose vendor follows a script. */
const scripted = Effect.fnUntraced(function* (adapter: Adapter, ...replies: ReadonlyArray<Reply>) {
  const vendor = yield* startVendor(...replies)
  return { vendor, converter: yield* adapter.make(vendor.url) }
})

/** A logger that keeps every line with its annotations. */
const keepLogs = (logged: Array<string>) =>
  Logger.layer([
    Logger.make(({ fiber, logLevel, message }) => {
      logged.push(JSON.stringify([logLevel, message, fiber.getRef(CurrentLogAnnotations)]))
    }),
  ])

/** How a conversion fails, and what is logged meanwhile. */
const failureOf = Effect.fnUntraced(function* (adapter: Adapter, ...replies: ReadonlyArray<Reply>) {
  const logged: Array<string> = []
  const { vendor, converter } = yield* scripted(adapter, ...replies)
  const failure = yield* Effect.flip(convertOne(converter)).pipe(Effect.provide(keepLogs(logged)))
  const { code, message, retryable, retryAfterMillis } = failure
  return { code, message, retryable, retryAfterMillis, logged: logged.join("\n"), vendor }
})

const outage = { code: "converter_unavailable", retryable: true }
const settingsRefused = { code: "converter_unavailable", retryable: false }
const rejected = { code: "converter_rejected", retryable: false }
const failed = { code: "converter_failed", retryable: false }

for (const adapter of adapters) {
  layer(live)(`the converter ${adapter.name}`, (it) => {
    it.effect("writes the wanted results of its answer, and nothing else", () =>
      Effect.gen(function* () {
        const { converter } = yield* scripted(adapter, adapter.success)
        const one = yield* job("a.docx", "PK")
        const output = yield* converter.convert(one)
        const { markdown, json: result } = readResults(output)
        expect(markdown).toBe("# Plan\n\nText\n")
        expect(result).toMatchObject({
          structure_source: `converter:${adapter.name}`,
          markdown,
          input_bytes: 2,
        })
        expect(readdirSync(one.outputDirectory).sort()).toEqual(["result.json", "result.md"])
      }),
    )

    it.effect("sends the document whole, under a name of no meaning, and says nothing else of it", () =>
      Effect.gen(function* () {
        const { converter, vendor } = yield* scripted(adapter, adapter.success)
        yield* convertOne(converter, "secret plans.docx", "x".repeat(300_000))
        const [received] = vendor.received
        expect(received?.body.includes("x".repeat(300_000))).toBe(true)
        expect(JSON.stringify(received?.headers) + received?.body.toString()).toContain("document.docx")
        expect(JSON.stringify(received?.headers) + received?.body.toString()).not.toContain("secret plans")
        expect(Object.keys(received?.headers ?? {})).not.toContain("traceparent")
      }),
    )

    it.effect("takes faults of the vendor for an outage, and works again after it", () =>
      Effect.gen(function* () {
        const down = reply("java.lang.OutOfMemoryError", "text/plain", 500)
        const { converter } = yield* scripted(adapter, down, reply("", "text/plain", 503), adapter.success)
        expect(yield* Effect.flip(convertOne(converter))).toMatchObject(outage)
        expect(yield* Effect.flip(convertOne(converter))).toMatchObject(outage)
        expect(readResults(yield* convertOne(converter)).markdown).toBe("# Plan\n\nText\n")
      }),
    )

    it.effect.each([408, 429, 500, 502, 503, 504])("takes %i for an outage", (status) =>
      Effect.gen(function* () {
        const failure = yield* failureOf(adapter, reply("private words", "text/plain", status))
        expect(failure).toMatchObject({ ...outage, message: expect.stringContaining(`${status}`) })
        expect(failure.message).not.toContain("private words")
        expect(failure.logged).toMatch(/"Warn".*private words/)
      }),
    )

    it.effect("does not come again before the time that the vendor asks for, in seconds or as a date", () =>
      Effect.gen(function* () {
        const wait = (value: string) => reply("", "text/plain", 429, { "retry-after": value })
        const date = new Date(90_000).toUTCString()
        expect(yield* failureOf(adapter, wait("7"))).toMatchObject({ ...outage, retryAfterMillis: 7000 })
        expect(yield* failureOf(adapter, wait(date))).toMatchObject({ ...outage, retryAfterMillis: 90_000 })
        expect((yield* failureOf(adapter, wait("soon"))).retryAfterMillis).toBe(undefined)
      }),
    )

    it.effect("takes a connection that is refused, or cut inside of the answer, for an outage", () =>
      Effect.gen(function* () {
        const gone = yield* Effect.scoped(startVendor(silence))
        const converter = yield* adapter.make(gone.url)
        expect(yield* Effect.flip(convertOne(converter))).toMatchObject(outage)
        expect(yield* failureOf(adapter, cutOff)).toMatchObject(outage)
      }),
    )

    it.effect("takes 50 seconds without an answer for an outage, and hangs up", () =>
      Effect.gen(function* () {
        const { converter, vendor } = yield* scripted(adapter, silence)
        const running = yield* Effect.forkChild(Effect.flip(convertOne(converter)))
        yield* vendor.asked
        yield* TestClock.adjust("49 seconds")
        expect(running.pollUnsafe()).toBe(undefined)
        yield* TestClock.adjust("1 second")
        expect(yield* Fiber.join(running)).toMatchObject({
          ...outage,
          message: expect.stringContaining("50 s"),
        })
        yield* vendor.hungUp
      }),
    )

    it.effect("hangs up when the task's time is over", () =>
      Effect.gen(function* () {
        const { converter, vendor } = yield* scripted(adapter, silence)
        const running = yield* Effect.forkChild(convertOne(converter))
        yield* vendor.asked
        yield* Fiber.interrupt(running)
        yield* vendor.hungUp
      }),
    )

    it.effect.each([401, 403, 404, 405])(
      "%i: the operator's fault, final, and logged as an error",
      (status) =>
        Effect.gen(function* () {
          const failure = yield* failureOf(adapter, reply("wrong key", "text/plain", status))
          expect(failure).toMatchObject(settingsRefused)
          expect(failure.logged).toMatch(/"Error".*configuration.*wrong key/)
        }),
    )

    it.effect("does not follow redirects", () =>
      Effect.gen(function* () {
        const other = yield* startVendor(adapter.success)
        const redirect = reply("", "text/plain", 307, { location: `${other.url}/elsewhere` })
        expect(yield* failureOf(adapter, redirect)).toMatchObject(settingsRefused)
        expect(other.received).toEqual([])
      }),
    )

    it.effect.each([400, 413, 415, 422])("%i: the document is refused, finally", (status) =>
      Effect.gen(function* () {
        const trace = "org.apache.tika.exception.EncryptedDocumentException\n\tat Parser.java:1"
        const failure = yield* failureOf(adapter, reply(trace, "text/plain", status))
        expect(failure).toMatchObject({ ...rejected, message: expect.stringContaining(`${status}`) })
        expect(failure.message).not.toContain("java")
        expect(failure.vendor.received.length).toBe(1)
      }),
    )

    it.effect.each(adapter.wrongShapes)("an answer with %s is a fault of the converter", ([, wrong]) =>
      Effect.gen(function* () {
        expect(yield* failureOf(adapter, wrong)).toMatchObject(failed)
      }),
    )

    it.effect("an answer that is not UTF-8 is a fault of the converter", () =>
      Effect.gen(function* () {
        expect(yield* failureOf(adapter, reply(Buffer.of(0x22, 0xff, 0x22), adapter.type))).toMatchObject(
          failed,
        )
      }),
    )

    it.effect("document-tools 8: an answer over the result limit is not taken to its end", () =>
      Effect.gen(function* () {
        const failure = yield* failureOf(adapter, flood(adapter.type)).pipe(
          Effect.provideService(Limits, { ...defaultLimits, tool_result_bytes_max: 200_000 }),
        )
        expect(failure).toMatchObject({
          code: "result_too_large",
          retryable: false,
          message: expect.stringContaining("200000 bytes"),
        })
        yield* failure.vendor.hungUp
      }),
    )

    it.effect("an answer without text is a result, with a warning", () =>
      Effect.gen(function* () {
        const { converter } = yield* scripted(adapter, adapter.empty)
        const output = yield* convertOne(converter, "scan.pdf", "%PDF-1.4")
        expect(readResults(output).markdown).toBe("")
        expect(output.warnings.map(({ code }) => code)).toEqual(["no_text_layer"])
      }),
    )

    it.effect("tells its key to the vendor alone: not to messages, nor to logs", () =>
      Effect.gen(function* () {
        for (const bad of [reply("", "text/plain", 401), cutOff, reply("", "text/plain", 500)]) {
          const { message, logged } = yield* failureOf(adapter, bad)
          expect(message + logged).not.toContain(key)
        }
      }),
    )
  })
}

layer(live)("what is particular to each converter", (it) => {
  const ofName = (name: string): Adapter => {
    const found = adapters.find((adapter) => adapter.name === name)
    if (found === undefined) throw new Error(name)
    return found
  }

  it.effect("cloudflare: the account in the path, the token, the file, no metadata of PDFs", () =>
    Effect.gen(function* () {
      const { converter, vendor } = yield* scripted(ofName("cloudflare"), ofName("cloudflare").success)
      yield* convertOne(converter, "a.pdf", "%PDF-1.7")
      const [received] = vendor.received
      expect(received).toMatchObject({ method: "POST", path: "/accounts/0a1b/ai/tomarkdown" })
      expect(received?.headers).toMatchObject({ authorization: `Bearer ${key}`, accept: "application/json" })
      const form = yield* Effect.promise(() => received?.form() ?? Promise.reject(new Error("nothing came")))
      const file = form.get("files")
      expect(file instanceof File && [file.name, file.type, file.size]).toEqual([
        "document.pdf",
        "application/pdf",
        8,
      ])
      expect(JSON.parse(String(form.get("conversionOptions")))).toEqual({ pdf: { metadata: false } })
    }),
  )

  it.effect("cloudflare: one file's error is the document's; an error of the token is the operator's", () =>
    Effect.gen(function* () {
      const perFile = json({
        success: true,
        result: [{ name: "a", format: "error", error: "internal words" }],
      })
      const refused = yield* failureOf(ofName("cloudflare"), perFile)
      expect(refused).toMatchObject(rejected)
      expect(refused.message).not.toContain("internal words")
      const token = json(
        { success: false, errors: [{ code: 6003, message: "Invalid request headers" }] },
        400,
      )
      expect(yield* failureOf(ofName("cloudflare"), token)).toMatchObject(settingsRefused)
    }),
  )

  it.effect("docling-serve: Markdown without OCR and pictures; the key in its own header", () =>
    Effect.gen(function* () {
      const { converter, vendor } = yield* scripted(ofName("docling-serve"), ofName("docling-serve").success)
      yield* convertOne(converter, "a.docx", "PK")
      const [received] = vendor.received
      expect(received).toMatchObject({ method: "POST", path: "/v1/convert/file" })
      expect(received?.headers).toMatchObject({ "x-api-key": key })
      const form = yield* Effect.promise(() => received?.form() ?? Promise.reject(new Error("nothing came")))
      expect(form.get("files")).toMatchObject({ name: "document.docx", size: 2 })
      expect(["to_formats", "do_ocr", "image_export_mode"].map((name) => form.get(name))).toEqual([
        "md",
        "false",
        "placeholder",
      ])
    }),
  )

  it.effect("docling-serve without a key sends none", () =>
    Effect.gen(function* () {
      const vendor = yield* startVendor(ofName("docling-serve").success)
      yield* convertOne(yield* DoclingServe.make({ baseUrl: vendor.url, apiKey: Redacted.make("") }))
      expect(vendor.received[0]?.headers["x-api-key"]).toBe(undefined)
    }),
  )

  it.effect("docling-serve: a part of a document is a result with a warning; none of it is a refusal", () =>
    Effect.gen(function* () {
      const errors = [{ component_type: "model", module_name: "m", error_message: "page 2" }]
      const part = json({ document: { md_content: "Page 1" }, status: "partial_success", errors })
      const { converter } = yield* scripted(ofName("docling-serve"), part)
      const output = yield* convertOne(converter)
      expect(readResults(output).markdown).toBe("Page 1\n")
      expect(output.warnings.map(({ code }) => code)).toEqual(["converted_in_part"])
      const none = json({ document: { md_content: "" }, status: "failure", errors })
      expect(yield* failureOf(ofName("docling-serve"), none)).toMatchObject(rejected)
    }),
  )

  it.effect("tika: asks for HTML without OCR, and takes the Markdown of version 4 as it is", () =>
    Effect.gen(function* () {
      const version4 = reply("# Plan\n\n| a | b |\n| --- | --- |\n", "text/plain;charset=UTF-8")
      const { converter, vendor } = yield* scripted(ofName("tika"), version4)
      const { markdown } = readResults(yield* convertOne(converter, "a.xlsx", "PK"))
      expect(markdown).toBe("# Plan\n\n| a | b |\n| --- | --- |\n")
      const [received] = vendor.received
      expect(received).toMatchObject({ method: "PUT", path: "/tika" })
      expect(received?.headers).toMatchObject({
        accept: expect.stringMatching(/^text\/html/),
        "content-length": "2",
        "content-disposition": 'attachment; filename="document.xlsx"',
        "x-tika-ocrskipocr": "true",
      })
    }),
  )

  it.effect("tika: HTML becomes Markdown, its head does not", () =>
    Effect.gen(function* () {
      const xhtml =
        '<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head>' +
        '<meta name="pdf:docinfo:creator" content="Ada"/><title>Title</title></head><body><div class="page">' +
        "<p>First &amp; *second*</p><table><tbody><tr><td>a</td><td>b</td></tr></tbody></table></div></body></html>"
      const { converter } = yield* scripted(ofName("tika"), reply(xhtml, "text/html;charset=UTF-8"))
      const { markdown } = readResults(yield* convertOne(converter, "a.pdf", "%PDF-1.4"))
      expect(markdown).toContain("First & \\*second\\*")
      expect(markdown).toContain("| a | b |")
      expect(markdown).not.toContain("Ada")
    }),
  )
})
