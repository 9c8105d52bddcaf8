import { WireToolResult } from "@atelier/api"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openApp, type ServerApp } from "./app.ts"

/** Two pages with a word each. */
const pdf = (): string => {
  const shown = (word: string) => `BT /F 12 Tf 72 700 Td (${word}) Tj ET`
  const page = (contents: number) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 7 0 R>>>>/Contents ${contents} 0 R>>`
  const stream = (text: string) => `<</Length ${text.length}>>stream\n${text}\nendstream`
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>",
    page(5),
    page(6),
    stream(shown("One.")),
    stream(shown("Two.")),
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ].map((body, index) => `${index + 1} 0 obj${body}endobj\n`)
  const starts = objects.map((_, index) => "%PDF-1.4\n".length + objects.slice(0, index).join("").length)
  const body = `%PDF-1.4\n${objects.join("")}`
  const rows = starts.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("")
  const table = `xref\n0 8\n0000000000 65535 f \n${rows}trailer<</Size 8/Root 1 0 R>>`
  return `${body}${table}\nstartxref\n${body.length}\n%%EOF\n`
}

const document = { tool: "file-md-json", name: "two.pdf", content: new TextEncoder().encode(pdf()) }

const decoded = Schema.decodeUnknownSync(WireToolResult)

describe("documents.page_offsets", () => {
  let on: ServerApp
  let off: ServerApp
  beforeAll(async () => {
    on = await openApp({ documents: { page_offsets: true } })
    off = await openApp()
  })
  afterAll(async () => {
    await on.close()
    await off.close()
  })

  const resultOf = async (app: ServerApp) => {
    const id = await app.submit(document)
    expect(await app.done(id)).toMatchObject({ status: "succeeded" })
    return (await app.call(`/v1/tasks/${id}/result?format=json`)).body
  }

  it("adds the pages to a result in JSON, and changes nothing else of it", async () => {
    const { pages: found, ...others } = decoded(await resultOf(on))
    expect(found).toEqual([
      { number: 1, start: 0, end: 4 },
      { number: 2, start: 6, end: 10 },
    ])
    expect(others).toEqual(await resultOf(off))
  })
})
