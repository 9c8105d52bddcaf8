import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { openZip } from "@atelier/intake/bytes"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { check, fixture, fixtures, refusalOf, withParts } from "./fixtures.ts"

const accepted = fixtures("accepted")

describe("documents are checked at upload (document-tools 4.2)", () => {
  it.each(accepted)("$file is accepted", ({ bytes, extension }) => {
    expect(refusalOf(() => check(bytes, extension))).toBeUndefined()
  })

  it.each(fixtures("refused"))("$file is refused", ({ bytes, extension, code }) => {
    const refusal = refusalOf(() => check(bytes, extension))
    expect(refusal?.code).toBe(code)
    if (code === "archive_limit_exceeded")
      expect(refusal?.message).toMatch(/(archive|xml)_\w+_max.*\d|\d.*_max/)
    expect(refusal?.message).toMatch(/^[^\n]{20,400}\.$/)
  })

  it("there is a document for every code, and for every format", () => {
    const codes = new Set(fixtures("refused").map(({ code }) => code))
    expect([...codes].toSorted()).toEqual([
      "archive_limit_exceeded",
      "file_corrupt",
      "file_encrypted",
      "file_macro",
      "file_type_not_accepted",
    ])
    const formats = new Set(accepted.map(({ extension }) => extension))
    expect([...formats].toSorted()).toEqual(["docx", "ods", "odt", "pptx", "xls", "xlsx"])
  })

  const changes = fc.array(
    fc.record({ at: fc.nat(), byte: fc.oneof(fc.nat(255), fc.constantFrom(0x22, 0x26, 0x2f, 0x3c, 0x3e)) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  const withChanges = (
    bytes: Uint8Array,
    made: ReadonlyArray<{ readonly at: number; readonly byte: number }>,
  ) => {
    const changed = Buffer.from(bytes)
    for (const { at, byte } of made) if (changed.length > 0) changed[at % changed.length] = byte
    return changed
  }
  const fixtureName = fc.constantFrom(...accepted.map(({ file }) => file))

  it("a document with any bytes changed is accepted or refused with a code, and nothing else happens", () => {
    fc.assert(
      fc.property(fixtureName, changes, fc.option(fc.nat()), (file, made, end) => {
        const bytes = fixture(file)
        const whole = withChanges(bytes, made)
        refusalOf(() =>
          check(end === null ? whole : whole.subarray(0, end % bytes.length), extname(file).slice(1)),
        )
      }),
      { numRuns: 2_000 },
    )
  })

  it("so is one with any bytes changed within its parts", async () => {
    const packages = fixtureName.filter((file) => !file.endsWith(".xls"))
    await fc.assert(
      fc.asyncProperty(packages, fc.nat(), changes, async (file, at, made) => {
        const archive = openZip(fixture(file))
        const name = archive.names[at % archive.names.length] ?? ""
        const bytes = await withParts(file, {
          [name]: withChanges(archive.read(name) ?? Buffer.alloc(0), made),
        })
        refusalOf(() => check(bytes, extname(file).slice(1)))
      }),
      { numRuns: 200 },
    )
  })
})

const corpus = join(import.meta.dirname, "..", "..", "..", "..", "shared", "corpus")

/** The real documents of the corpus that are refused, and why. Those that a fuzzer made may be anything. */
const refusedOfCorpus: Readonly<Record<string, string>> = {
  "officeparser/large_size_archive.docx": "archive_limit_exceeded",
  "officeparser/many_entries_archive.docx": "archive_limit_exceeded",
  "officeparser/oversized_archive.docx": "archive_limit_exceeded",
  "poi/docx/ExternalEntityInText.docx": "file_corrupt",
  "poi/docx/bug53475-password-is-pass.docx": "file_encrypted",
  "poi/docx/bug53475-password-is-solrcell.docx": "file_encrypted",
  "poi/docx/protected_agile.docx": "file_encrypted",
  "poi/docx/stress025.docx": "file_type_not_accepted",
  "poi/docx/truncated62886.docx": "file_corrupt",
  "poi/docx/unicode-path.docx": "file_corrupt",
  "poi/pptx/Divino_Revelado.pptx": "file_corrupt",
  "poi/pptx/keyframes.pptx": "file_macro",
  "poi/xls/31979.xls": "file_macro",
  "poi/xls/37376.xls": "file_macro",
  "poi/xls/39234.xls": "file_macro",
  "poi/xls/44010-SingleChart.xls": "file_macro",
  "poi/xls/51832.xls": "file_encrypted",
  "poi/xls/52527.xls": "file_macro",
  "poi/xls/59830.xls": "file_macro",
  "poi/xls/60284.xls": "file_macro",
  "poi/xls/FormulaEvalTestData.xls": "file_macro",
  "poi/xls/WithCheckBoxes.xls": "file_macro",
  "poi/xls/ex42570-20305.xls": "file_macro",
  "poi/xls/ex45978-extraLinkTableSheets.xls": "file_macro",
  "poi/xls/xor-encryption-abc.xls": "file_encrypted",
  "poi/xlsx/54764-2.xlsx": "file_corrupt",
  "poi/xlsx/54764.xlsx": "file_corrupt",
  "poi/xlsx/duplicate-filename.xlsx": "file_corrupt",
  "poi/xlsx/poc-xmlbomb-empty.xlsx": "file_corrupt",
}

describe.skipIf(!existsSync(corpus))(
  "the corpus beside the repository (skipped where it is not there)",
  () => {
    const formatOf: Readonly<Record<string, string>> = { docm: "docx", xlsm: "xlsx", pptm: "pptx" }

    it("real documents are accepted but for those that are refused for a reason, and no other error comes", () => {
      const refused: Record<string, string> = {}
      for (const file of readdirSync(corpus, { recursive: true, encoding: "utf8" })) {
        const written = extname(file).slice(1).toLowerCase()
        const extension = formatOf[written] ?? written
        if (!["docx", "pptx", "xlsx", "odt", "ods", "xls"].includes(extension)) continue
        const refusal = refusalOf(() => check(readFileSync(join(corpus, file)), extension))
        if (extension !== written) {
          expect(["file_macro", "file_type_not_accepted"], file).toContain(refusal?.code)
        } else if (refusal !== undefined && !file.startsWith("fuzzed/")) {
          refused[file] = refusal.code
        }
      }
      expect(refused).toEqual(refusedOfCorpus)
    })
  },
)
