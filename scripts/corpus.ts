import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { corpusFiles, toolsFor } from "../test/support/corpus.ts"
import { DocumentService, type Ending, inParallel } from "../test/support/documents.ts"
import { root } from "./workspace.ts"

/**
 * Submits every document of the corpus to the service and writes the results to `docs/corpus.md`.
 *
 * `npm run corpus [-- FOLDER]`: the folder gets every Markdown result, for reading.
 */

/** One document and one tool. */
interface Passage {
  readonly name: string
  readonly extension: string
  readonly tool: string
  readonly ending: Ending
}

export interface CorpusRun {
  readonly passages: ReadonlyArray<Passage>
  /** Of the server and its parsing processes together. */
  readonly peakBytes: number
  /** What the server printed. */
  readonly log: string
}

/** Documents in the service at the same time. */
const width = 4

export const runCorpus = async (): Promise<CorpusRun> => {
  const service = await DocumentService.start()
  const passages: Array<Passage> = []
  const visits = corpusFiles().flatMap((file) => toolsFor(file.extension).map((tool) => ({ file, tool })))
  await inParallel(visits, width, async ({ file, tool }) => {
    const { name, extension } = file
    const filename = name.split("/").at(-1) ?? name
    passages.push({ name, extension, tool, ending: await service.process(tool, filename, file.read()) })
  })
  const { peakBytes } = service
  const log = await service.stop()
  return { passages, peakBytes, log }
}

/** How often each of the words appears: `3 file_corrupt, 1 file_macro`; the most frequent first. */
const tally = (words: ReadonlyArray<string>): string => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts]
    .toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .map(([word, count]) => `${count} \`${word}\``)
    .join(", ")
}

const rowOf = (tool: string, extension: string, passages: ReadonlyArray<Passage>): string => {
  const endings = passages.map(({ ending }) => ending)
  const codes = (kind: "refused" | "failed") =>
    tally(endings.flatMap((ending) => (ending.kind === kind ? [ending.code] : [])))
  const succeeded = endings.flatMap((ending) => (ending.kind === "succeeded" ? [ending] : []))
  const warnings = tally(succeeded.flatMap((ending) => ending.warnings))
  const cells = [
    `\`${tool}\``,
    extension,
    endings.length,
    succeeded.length,
    codes("refused"),
    codes("failed"),
  ]
  return `| ${[...cells, warnings].join(" | ")} |`
}

/** The page, without anything that would differ in another run on the same documents. */
export const corpusPage = ({ passages }: CorpusRun): string => {
  const groups = Map.groupBy(passages, ({ tool, extension }) => `${tool} ${extension}`)
  const rows = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, [first, ...rest]]) =>
      first === undefined ? "" : rowOf(first.tool, first.extension, [first, ...rest]),
    )
  return `# The corpus

${new Set(passages.map(({ name }) => name)).size} documents that were not made here, from the test data of Apache POI (with those that its fuzzers found), MarkItDown and officeParser, go through the service: upload, task and result, as a client would. Each ends with a result or with a refusal by code. \`npm run corpus\` regenerates this page where the documents are available, and \`npm test\` checks that it is current.

A document goes to the tool that takes its extension. Those whose extension no tool takes go to \`file-md-json\`, which refuses them.

| tool | extension | documents | results | refused at upload | failed | warnings of the results |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join("\n")}
`
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const began = performance.now()
  const run = await runCorpus()
  const broken = run.passages.filter(({ ending }) => ending.kind === "broken")
  for (const { name, tool, ending } of broken) console.log(name, tool, JSON.stringify(ending))
  const folder = process.argv[2]
  for (const { name, tool, ending } of run.passages) {
    if (folder === undefined) break
    const text = ending.kind === "succeeded" ? ending.markdown : JSON.stringify(ending, null, 2)
    writeFileSync(join(folder, `${name.replaceAll("/", "_")}.${tool}.md`), text)
  }
  writeFileSync(join(root, "docs", "corpus.md"), corpusPage(run))
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(
    `${run.passages.length} passages in ${seconds} s, ${broken.length} broken, peak ${Math.round(run.peakBytes / 1e6)} MB`,
  )
  process.exitCode = broken.length === 0 ? 0 : 1
}
