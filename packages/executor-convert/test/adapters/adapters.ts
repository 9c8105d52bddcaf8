import { CloudflareMarkdown, type Converter, DoclingServe, Tika } from "@atelier/executor-convert"
import { ParsingPool } from "@atelier/intake"
import { NodeHttpClient } from "@effect/platform-node"
import * as Effect from "effect/Effect"
import type { HttpClient } from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { CurrentLogAnnotations } from "effect/References"
import { convertOne, json, type Reply, reply, startVendor } from "./vendor.ts"

export const key = "sk-very-secret"

/** How each converter is made, and how the real one answers. */
export interface Adapter {
  readonly name: string
  readonly make: (baseUrl: string) => Effect.Effect<Converter, never, HttpClient | ParsingPool>
  readonly success: Reply
  /** An answer without text. */
  readonly empty: Reply
  readonly type: string
  readonly wrongShapes: ReadonlyArray<readonly [what: string, reply: Reply]>
}

export const adapters: ReadonlyArray<Adapter> = [
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

export const live = Layer.merge(NodeHttpClient.layerUndici, ParsingPool.layer({ size: 1 }))

/** A converter whose vendor follows a script. */
export const scripted = Effect.fnUntraced(function* (adapter: Adapter, ...replies: ReadonlyArray<Reply>) {
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
export const failureOf = Effect.fnUntraced(function* (adapter: Adapter, ...replies: ReadonlyArray<Reply>) {
  const logged: Array<string> = []
  const { vendor, converter } = yield* scripted(adapter, ...replies)
  const failure = yield* Effect.flip(convertOne(converter)).pipe(Effect.provide(keepLogs(logged)))
  const { code, message, retryable, retryAfterMillis } = failure
  return { code, message, retryable, retryAfterMillis, logged: logged.join("\n"), vendor }
})

export const outage = { code: "converter_unavailable", retryable: true }
export const settingsRefused = { code: "converter_unavailable", retryable: false }
export const rejected = { code: "converter_rejected", retryable: false }
export const failed = { code: "converter_failed", retryable: false }
