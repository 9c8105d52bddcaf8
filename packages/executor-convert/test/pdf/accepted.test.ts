import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import { onePage, pages, pdfOf, text } from "./makePdf.ts"
import { markdownOf, refused } from "./readPdf.ts"

const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url))

describe("file-md-json: which PDFs are accepted (document-tools 4.2)", () => {
  const good = onePage(text(72, 700, "Words"))

  it("file_encrypted: one that opens with a password only", async () => {
    expect(await refused(fixture("file_encrypted.user-password.pdf"))).toMatchObject({
      code: "file_encrypted",
      message: expect.stringContaining("password"),
    })
  })

  it.each(readdirSync(new URL("fixtures", import.meta.url)).filter((name) => name.startsWith("accepted")))(
    "one that is encrypted without a password to open it: %s",
    async (name) => {
      expect(await markdownOf(fixture(name))).toBe("A secret text\n")
    },
  )

  it.each([
    ["white space", "\n"],
    ["a byte order mark", "\u00ef\u00bb\u00bf"],
    ["the header of a mail", "Content-Type: application/pdf\r\n\r\n"],
    ["1,024 bytes", "x".repeat(1_024)],
  ])("one with %s before its signature", async (_what, stray) => {
    expect(await markdownOf(Buffer.concat([Buffer.from(stray, "latin1"), good]))).toBe("Words\n")
  })

  it.each([
    ["more than 1,024 bytes", "x".repeat(1_025)],
    ["another format's signature", "\u007fELF and a program that is hidden here\n"],
  ])("file_type_not_accepted: one with %s before its own", async (_what, stray) => {
    expect(await refused(Buffer.concat([Buffer.from(stray, "latin1"), good]))).toMatchObject({
      code: "file_type_not_accepted",
    })
  })

  it.each([
    ["text", "Only text", "no PDF document"],
    ["nothing", "", "no PDF document"],
    ["a ZIP archive", "PK\u0003\u0004rest", "a ZIP archive"],
    ["a program", "\u007fELFrest", "an ELF executable"],
  ])("file_type_not_accepted: %s under the name of a PDF", async (_what, content, message) => {
    expect(await refused(content)).toMatchObject({
      code: "file_type_not_accepted",
      message: expect.stringContaining(message),
    })
  })

  it.each([
    ["the signature alone", good.subarray(0, 9)],
    ["half of one", good.subarray(0, good.length / 2)],
    ["noise after the signature", Buffer.concat([good.subarray(0, 9), Buffer.alloc(100_000, "\u0001x")])],
    ["a document without pages", pdfOf({ ...pages([]) })],
    [
      "a page tree that holds nothing but itself",
      pdfOf({ ...pages([]), 2: "<< /Type /Pages /Count 2 /Kids [2 0 R] >>" }),
    ],
  ])("file_corrupt: %s", async (_what, pdf) => {
    expect(await refused(pdf)).toMatchObject({ code: "file_corrupt" })
  })

  it.each([
    [
      "a table of offsets that is wrong",
      Buffer.from(good.toString("latin1").replace(/startxref\n\d+/, "startxref\n7"), "latin1"),
    ],
    ["no end", good.subarray(0, good.indexOf("startxref"))],
    [
      "a page tree that leads back into itself",
      pdfOf({
        ...pages([{ content: text(72, 700, "Words") }]),
        2: "<< /Type /Pages /Count 2 /Kids [10 0 R 2 0 R] >>",
      }),
    ],
    [
      "a page count of a billion",
      pdfOf({
        ...pages([{ content: text(72, 700, "Words") }]),
        2: "<< /Type /Pages /Count 1000000000 /Kids [10 0 R] >>",
      }),
    ],
  ])("one that can be mended: %s", async (_what, pdf) => {
    expect(await markdownOf(pdf)).toBe("Words\n")
  })

  it("a page that cannot be read is left out with a warning", async () => {
    const tree = { 2: "<< /Type /Pages /Count 2 /Kids [10 0 R 99 0 R] >>" }
    const pdf = pdfOf({ ...pages([{ content: text(72, 700, "Words") }]), ...tree })
    const { markdown, warnings } = await converted(pdf, "a.pdf")
    expect(markdown).toBe("Words\n")
    expect(warnings).toEqual([{ code: "pages_unreadable", message: expect.stringContaining(": 2.") }])
  })
})
