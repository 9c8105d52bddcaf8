import { DoclingServe } from "@atelier/executor-convert"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import {
  type Adapter,
  adapters,
  failureOf,
  key,
  live,
  rejected,
  scripted,
  settingsRefused,
} from "./adapters.ts"
import { convertOne, json, readResults, reply, startVendor } from "./vendor.ts"

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
