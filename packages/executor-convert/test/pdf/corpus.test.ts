import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import { markdownOf } from "./readPdf.ts"

const corpus = fileURLToPath(new URL("../../../../../shared/corpus", import.meta.url))

describe.skipIf(!existsSync(corpus))(
  "file-md-json: PDFs of the corpus (skipped where ../shared/corpus is absent)",
  () => {
    const documents: ReadonlyArray<readonly [name: string, ...words: ReadonlyArray<string>]> = [
      [
        "markitdown/RECEIPT-2024-TXN-98765_retail_purchase.pdf",
        "# TECHMART ELECTRONICS",
        "Store #0342 - Downtown SF",
      ],
      [
        "markitdown/movie-theater-booking-2024.pdf",
        "| Start Date | End Date | # Shows | Gross Amount | Net Amount |",
      ],
      ["markitdown/SPARSE-2024-INV-1234_borderless_table.pdf", "INVENTORY"],
      [
        "markitdown/masterformat_partial_numbering.pdf",
        ".1 The intent of this Request for Proposal (RFP) is to solicit submissions",
      ],
      ["markitdown/test.pdf", "autogen", "Abstract"],
      ["officeparser/test.pdf"],
    ]
    it.each(documents)("%s", async (name, ...words) => {
      const markdown = await markdownOf(readFileSync(join(corpus, name)))
      for (const word of words) expect(markdown.toLowerCase()).toContain(word.toLowerCase())
      expect(markdown.length).toBeGreaterThan(500)
    })

    it("a scan has no text layer", async () => {
      const scan = readFileSync(join(corpus, "markitdown/MEDRPT-2024-PAT-3847_medical_report_scan.pdf"))
      expect((await converted(scan, "scan.pdf")).codes).toEqual(["no_text_layer"])
    })
  },
)
