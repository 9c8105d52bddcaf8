import { extensionOf, sanitizeFilename } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"

const bytes = (text: string) => Buffer.byteLength(text)

describe("contract, Tools: the kept file name", () => {
  it("has no path, control or bidirectional characters, and at most 255 bytes", () => {
    const nasty = fc.string({
      unit: fc.oneof(fc.constantFrom("/", "\\", "\u202e", "\u0000", "\n", ".", "é", "漢", "😀"), fc.string()),
      maxLength: 400,
    })
    fc.assert(
      fc.property(nasty, (name) => {
        const kept = sanitizeFilename(name, 255)
        assert.notMatch(kept, /[/\\\p{Cc}\p{Cf}]/u)
        assert.ok(bytes(kept) <= 255 && kept !== "" && kept !== "." && kept !== "..")
        assert.strictEqual(sanitizeFilename(kept, 255), kept)
      }),
    )
  })

  it("keeps a long name's extension", () => {
    const kept = sanitizeFilename(`${"漢".repeat(200)}.pptx`, 255)
    assert.ok(kept.endsWith(".pptx"))
    assert.ok(bytes(kept) <= 255)
  })

  it("cuts a name of any length in one pass", () => {
    const kept = sanitizeFilename(`${"é".repeat(1_000_000)}.txt`, 255)
    assert.strictEqual(kept, `${"é".repeat(125)}.txt`)
  })

  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\fakepath\\report.txt", "report.txt"],
    ["", "file"],
    ["..", "file"],
    ["gpj\u202e.txt", "gpj.txt"],
  ])("makes %j into %j", (given, kept) => assert.strictEqual(sanitizeFilename(given, 255), kept))

  it("knows the extension in lower case", () => {
    assert.strictEqual(extensionOf("A.TXT"), ".txt")
    assert.strictEqual(extensionOf("README"), "")
  })
})
