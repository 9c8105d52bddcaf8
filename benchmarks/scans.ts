/**
 * Pages that this program prints itself, scanned as PDFs and read by `scan-md-json`: the characters that are right, and
 * the time for each page, in one process of its own.
 *
 *   npm run bench -- benchmarks/scans.ts
 */
import { WrittenResults } from "@atelier/executor"
import { parse, readPage } from "@atelier/executor-scan/parsing"
import { report, rounded } from "./support/report.ts"
import { charactersRight, type Paper, pdfOf, scan } from "./support/scans.ts"

const sentences = [
  "The harbour office counted 412 ferries in the first quarter and 455",
  "in the second. Container ships carried 93,410 tonnes, of which a third",
  'was timber; the rest was machines, fruit and "general goods". Quay 4 is',
  "dredged to eleven metres (36 feet) before the winter, at a cost of",
  "$1,250,000. Mrs. O'Neill, who leads the office, said on 14 March 2026:",
  '"We expect more ships, not fewer." Questions go to harbour@example.org',
  "or to room 17-B. The tide tables are computed by a program; its source",
  "is public, and its errors stay below 3 cm at every gauge but two.",
]
const page = Array.from({ length: 4 }, () => sentences).flat()

const plain: Paper = { font: "sans", size: 11, skew: 0, noise: 0, resolution: 300 }
const papers: Readonly<Record<string, Paper>> = {
  "sans, 11 points": plain,
  "sans, 8 points": { ...plain, size: 8 },
  "sans, 14 points": { ...plain, size: 13 },
  "bold, 11 points": { ...plain, font: "bold" },
  "serif, 12 points": { ...plain, font: "serif", size: 12 },
  "italic, 12 points": { ...plain, font: "italic", size: 12 },
  "sans, 200 dots per inch": { ...plain, resolution: 200 },
  "sans, 150 dots per inch": { ...plain, resolution: 150 },
  "sans, inclined by 1 degree": { ...plain, skew: 1 },
  "sans, inclined by 4 degrees": { ...plain, skew: 4 },
  "sans, noise 0.5": { ...plain, noise: 0.5 },
  "serif, noise 1, 2 degrees, 200 dots": { font: "serif", size: 12, skew: 2, noise: 1, resolution: 200 },
}

const bytesMax = 20 * 1024 * 1024

const read = async (document: Uint8Array): Promise<{ readonly text: string; readonly seconds: number }> => {
  const common = { document, filename: "scan.pdf", fileBytesMax: bytesMax }
  const began = performance.now()
  let words: Uint8Array = new Uint8Array()
  const write = (_name: string, bytes: Uint8Array): void => {
    words = bytes.slice()
  }
  await readPage({ ...common, page: 0, languages: ["eng"], write })
  const results = new WrittenResults()
  const result = { outputFormats: ["markdown"], resultBytesMax: bytesMax, write: results.write } as const
  await parse({ ...common, ...result, pageCount: 1, page0: words })
  return { text: results.bytes("markdown").toString(), seconds: (performance.now() - began) / 1000 }
}

const rows = []
for (const [name, paper] of Object.entries(papers)) {
  const { seconds, text } = await read(pdfOf([scan(page, paper)]))
  const right = charactersRight(text, page.join(" "))
  rows.push({
    page: name,
    "characters right": `${rounded(100 * right, 2)} %`,
    "seconds a page": rounded(seconds, 1),
  })
  console.log(rows.at(-1))
}

report({
  name: "scans",
  title: "Scanned pages, read by `scan-md-json`",
  notes: [
    `${page.length} lines, ${page.join(" ").length} characters, English, in the fonts of this repository, as grey pictures in a PDF of A4.`,
    "A character counts as right by the fewest changes (insert, remove, replace) from what was read to what was printed; marks of Markdown and line breaks do not count.",
    "Seconds are those of one page from the bytes of the PDF to Markdown, the start of Tesseract included.",
  ],
  rows,
})
