import { createAtelier } from "@atelier/node"
import JSZip from "jszip"
import { afterAll, beforeAll, expect, it } from "vitest"
import { pdfOf, scan } from "../../benchmarks/support/scans.ts"

/** Tools that are there once they are published, from a backend without a server. */
let atelier: Awaited<ReturnType<typeof createAtelier>>
beforeAll(async () => {
  atelier = await createAtelier({
    database: "sqlite::memory:",
    tools: { "epub-md-json": { published: true }, "scan-md-json": { published: true } },
  })
  await atelier.users.ensure("ada", { balanceUsd: "1" })
})
afterAll(() => atelier.close())

const markdownOf = async (tool: string, filename: string, bytes: Uint8Array) => {
  const file = new File([Uint8Array.from(bytes)], filename)
  const { id } = await atelier.documents.submit({ user: "ada", tool, file, idempotencyKey: `${tool}-1` })
  await atelier.tasks.wait(id)
  return await atelier.tasks.result(id)
}

it("reads a book", async () => {
  const zip = new JSZip()
  zip.file("mimetype", "application/epub+zip", { compression: "STORE" })
  zip.file(
    "META-INF/container.xml",
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
  )
  zip.file(
    "book.opf",
    '<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Tides</dc:title></metadata><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
  )
  zip.file("a.xhtml", "<html><body><h1>One</h1><p>High &mdash; low</p></body></html>")
  const bytes = await zip.generateAsync({ type: "uint8array" })
  expect(await markdownOf("epub-md-json", "tides.epub", bytes)).toMatchObject({
    markdown: "# Tides\n\n## One\n\nHigh — low\n",
  })
})

it("recognises the text of a scan", async () => {
  const paper = { font: "sans", size: 14, skew: 0, noise: 0, resolution: 200 } as const
  const page: [number, number] = [260, 120]
  const bytes = pdfOf([scan(["Harbour office"], paper, page)], page)
  expect(await markdownOf("scan-md-json", "scan.pdf", bytes)).toMatchObject({ markdown: "Harbour office\n" })
})

it("names the package of a tool that is not installed, or says which tools there are", async () => {
  const options = { database: "sqlite::memory:", tools: { "cad-md-json": {} } }
  await expect(createAtelier(options)).rejects.toMatchObject({
    code: "invalid_setting",
    message: expect.stringContaining("epub-md-json, scan-md-json"),
  })
})
