/**
 * What four hostile documents cost everybody else: a task is read at a steady rate while the service is idle,
 * and while four tasks keep every parsing process busy with a deck made to be slow.
 *
 * `npm run bench -- benchmarks/isolation.ts [seconds per row] [rounds]`
 */
import JSZip from "jszip"
import { call, install, makeAccount, serve, textAt } from "../test/support/server.ts"
import { type Latencies, paced } from "./support/paced.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 10)
const rounds = Number(process.argv[3] ?? 5)
const many = 100_000_000
/** Far below what the server can do, so that waiting is not the load's own doing. */
const perSecond = 200

/** One slide of as many tiny runs as fit into the limit of expanded bytes. */
const hostileDeck = async (): Promise<Blob> => {
  const presentation = "http://schemas.openxmlformats.org/presentationml/2006/main"
  const drawing = "http://schemas.openxmlformats.org/drawingml/2006/main"
  const relationship = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  const relationships = "http://schemas.openxmlformats.org/package/2006/relationships"
  const main = "application/vnd.openxmlformats-officedocument.presentationml"
  const run = "<a:r><a:t>a&amp;</a:t></a:r><a:br/>"
  const runs = run.repeat(Math.floor((20 * 2 ** 20 - 8192) / run.length))
  const zip = new JSZip()
  zip.file(
    "[Content_Types].xml",
    `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/ppt/presentation.xml" ContentType="${main}.presentation.main+xml"/><Override PartName="/ppt/slides/slide1.xml" ContentType="${main}.slide+xml"/></Types>`,
  )
  zip.file(
    "_rels/.rels",
    `<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${relationship}/officeDocument" Target="ppt/presentation.xml"/></Relationships>`,
  )
  zip.file(
    "ppt/presentation.xml",
    `<p:presentation xmlns:p="${presentation}" xmlns:r="${relationship}"><p:sldIdLst><p:sldId id="256" r:id="rId1"/></p:sldIdLst></p:presentation>`,
  )
  zip.file(
    "ppt/_rels/presentation.xml.rels",
    `<Relationships xmlns="${relationships}"><Relationship Id="rId1" Type="${relationship}/slide" Target="slides/slide1.xml"/></Relationships>`,
  )
  zip.file(
    "ppt/slides/slide1.xml",
    `<p:sld xmlns:p="${presentation}" xmlns:a="${drawing}"><p:cSld><p:spTree><p:sp><p:txBody><a:p>${runs}</a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
  )
  return zip.generateAsync({ type: "blob", compression: "DEFLATE" })
}

const installation = await install({ limits: { rate_per_minute: many, rate_burst: many } })
const server = await serve(installation)
const { key } = await makeAccount(server.url, 10_000)

const deck = await hostileDeck()
const form = new FormData()
form.append("file", deck, "hostile.pptx")
const upload = await call(`${server.url}/v1/tools/pptx-md-json/files`, { key, form })
const file = textAt(upload.body, "id")
let invocations = 0
const invoke = async (): Promise<string> => {
  invocations += 1
  const headers = { "idempotency-key": `hostile-${invocations}` }
  const json = { input: { file_id: file } }
  const answer = await call(`${server.url}/v1/tools/pptx-md-json/invoke`, { key, headers, json })
  return textAt(answer.body, "id")
}
const wait = async (id: string): Promise<void> => {
  await call(`${server.url}/v1/tasks/${id}?wait=60`, { key })
}

const first = await invoke()
await wait(first)
const read = (): Promise<Latencies> =>
  paced({
    url: `${server.url}/v1/tasks/${first}`,
    headers: { authorization: `Bearer ${key}` },
    perSecond,
    seconds,
  })

/** Reads while four clients see to it that a hostile task of each is always under way. */
const underFire = async (): Promise<{ readonly measured: Latencies; readonly parsed: number }> => {
  let stopped = false
  let parsed = 0
  const clients = Array.from({ length: 4 }, async () => {
    while (!stopped) {
      await wait(await invoke())
      parsed += 1
    }
  })
  const measured = await read()
  stopped = true
  await Promise.all(clients)
  return { measured, parsed }
}

await read()
const idle: Array<Latencies> = []
const fire: Array<Latencies> = []
let parsed = 0
for (let round = 0; round < rounds; round++) {
  idle.push(await read())
  const result = await underFire()
  fire.push(result.measured)
  parsed += result.parsed
}
await server.end("SIGTERM")
installation.remove()

const p99 = (measured: ReadonlyArray<Latencies>): number => median(measured.map((each) => each.p99))
const rowOf = (name: string, measured: ReadonlyArray<Latencies>) => ({
  service: name,
  "p50 ms": rounded(median(measured.map((each) => each.p50)), 2),
  "p99 ms": rounded(p99(measured), 2),
  "p99 of idle": rounded(p99(measured) / p99(idle), 2),
  "largest ms": rounded(median(measured.map((each) => each.largest)), 1),
  failed: measured.reduce((sum, { failed }) => sum + failed, 0),
})
report({
  name: "isolation",
  title: "Reading a task while four hostile documents are parsed",
  rows: [rowOf("idle", idle), rowOf("four hostile tasks", fire)],
  notes: [
    `Medians of ${rounds} rounds of ${seconds} s each, idle and under fire in turn, ${perSecond} requests a second from a second process.`,
    `The document is a ${rounded(deck.size / 1024)} KiB deck whose one slide expands to 20 MiB of tiny runs; ${parsed} such tasks were done meanwhile.`,
  ],
})
