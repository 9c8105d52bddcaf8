import { readdirSync } from "node:fs"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { adapters, live, scripted } from "./adapters.ts"
import { convertOne, job, readResults } from "./vendor.ts"

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
        expect(readdirSync(yield* one.outputDirectory)).toEqual([])
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

    it.effect("an answer without text is a result, with a warning", () =>
      Effect.gen(function* () {
        const { converter } = yield* scripted(adapter, adapter.empty)
        const output = yield* convertOne(converter, "scan.pdf", "%PDF-1.4")
        expect(readResults(output).markdown).toBe("")
        expect(output.warnings.map(({ code }) => code)).toEqual(["no_text_layer"])
      }),
    )
  })
}
