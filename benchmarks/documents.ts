/**
 * Small documents end to end: callers who each upload a file, submit its task, wait for it and read its Markdown, one
 * after another, over HTTP; and what the first document of a kind takes after the start, against the hundredth.
 *
 * `npm run bench -- benchmarks/documents.ts [seconds per row] [rounds] [path of another checkout]`
 *
 * With another checkout its server is measured in turn with this one's.
 */
import { Agent, request } from "node:http"
import { at, type Call, install, makeAccount, type Server, serve, textAt } from "../test/support/server.ts"
import { deckOf, styledSlides } from "./support/deck.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 5)
const rounds = Number(process.argv[3] ?? 3)
const other = process.argv[4]
const callersOfRows = [1, 4, 16]
const warmMs = 2_000
const many = 100_000_000
/** The pending files of a user are counted at each upload: callers share several users out. */
const users = 16

interface Kind {
  readonly name: string
  readonly tool: string
  readonly body: Buffer
  /** What the Markdown must hold. */
  readonly holds: string
}

const boundary = "a-boundary-of-the-benchmark"
const multipart = (filename: string, content: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n` +
        "content-type: application/octet-stream\r\n\r\n",
    ),
    content,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])

const line = "A line of an ordinary note, with some *Markdown* in it.\n"
const text = Buffer.from(line.repeat(Math.ceil(1024 / line.length)).slice(0, 1024))
const deck = await deckOf(styledSlides(10))
const kinds: ReadonlyArray<Kind> = [
  { name: "text of 1 kB", tool: "text-md-json", body: multipart("note.md", text), holds: "ordinary note" },
  {
    name: `deck of ${Math.round(deck.length / 1000)} kB`,
    tool: "pptx-md-json",
    body: multipart("deck.pptx", deck),
    holds: "Slide 10",
  },
]

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const ask = (url: string, key: string, { method = "GET", headers = {} }: Call, body?: Buffer | string) =>
  new Promise<string>((resolve, reject) => {
    const sending = request(url, {
      method,
      agent,
      headers: {
        authorization: `Bearer ${key}`,
        ...headers,
        ...(body === undefined ? {} : { "content-length": Buffer.byteLength(body) }),
      },
    })
    sending.on("response", (response) => {
      let answer = ""
      response.setEncoding("utf8").on("data", (chunk: string) => {
        answer += chunk
      })
      response.on("end", () => {
        const { statusCode = 0 } = response
        if (statusCode < 300) resolve(answer)
        else reject(new Error(`${method} ${url}: ${statusCode} ${answer}`))
      })
    })
    sending.on("error", reject)
    sending.end(body)
  })

let invocations = 0
const formHeaders = { "content-type": `multipart/form-data; boundary=${boundary}` }

interface Contender {
  readonly name: string
  readonly server: Server
  readonly keys: ReadonlyArray<string>
  readonly close: () => Promise<unknown>
}

const start = async (name: string, checkout: string | undefined): Promise<Contender> => {
  const installation = await install({
    limits: {
      rate_per_minute: many,
      rate_burst: many,
      tool_files_per_user_max: many,
      tool_tasks_per_user_max: many,
    },
  })
  const server = await serve(installation, "serve", [], checkout)
  const accounts = await Promise.all(Array.from({ length: users }, () => makeAccount(server.url, 1_000)))
  const close = () => server.end("SIGTERM").finally(installation.remove)
  return { name, server, keys: accounts.map(({ key }) => key), close }
}

/** From the file to its Markdown; the milliseconds of each step. */
const whole = async ({ server: { url } }: Contender, key: string, { tool, body, holds }: Kind) => {
  const began = performance.now()
  const file = await ask(`${url}/v1/tools/${tool}/files`, key, { method: "POST", headers: formHeaders }, body)
  const uploaded = performance.now()
  invocations += 1
  const headers = { "content-type": "application/json", "idempotency-key": `document-${invocations}` }
  const invocation = JSON.stringify({ input: { file_id: textAt(JSON.parse(file), "id") } })
  const task = await ask(`${url}/v1/tools/${tool}/invoke`, key, { method: "POST", headers }, invocation)
  const invoked = performance.now()
  const id = textAt(JSON.parse(task), "id")
  const final = await ask(`${url}/v1/tasks/${id}?wait=60`, key, {})
  if (at(JSON.parse(final), "status") !== "succeeded") throw new Error(final)
  const waited = performance.now()
  const markdown = await ask(`${url}/v1/tasks/${id}/result?format=markdown`, key, {})
  if (!markdown.includes(holds)) throw new Error(`not the Markdown of ${tool}: ${markdown.slice(0, 200)}`)
  const ended = performance.now()
  return {
    upload: uploaded - began,
    invoke: invoked - uploaded,
    wait: waited - invoked,
    result: ended - waited,
    all: ended - began,
  }
}
type Times = Awaited<ReturnType<typeof whole>>

const share = (times: ReadonlyArray<number>, of: number): number => {
  const sorted = times.toSorted((one, next) => one - next)
  return sorted[Math.floor(of * (sorted.length - 1))] ?? Number.NaN
}

const loop = async (contender: Contender, kind: Kind, callers: number, millis: number) => {
  const times: Array<Times> = []
  const began = performance.now()
  const caller = async (_: unknown, index: number) => {
    while (performance.now() - began < millis) {
      times.push(await whole(contender, contender.keys[index % users] ?? "", kind))
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const perSecond = (times.length / (performance.now() - began)) * 1000
  const of = (step: keyof Times, part: number) =>
    share(
      times.map((each) => each[step]),
      part,
    )
  return {
    perSecond,
    p50: of("all", 0.5),
    p99: of("all", 0.99),
    largest: of("all", 1),
    steps: (["upload", "invoke", "wait", "result"] as const).map((step) => of(step, 0.5)),
  }
}
type Loop = Awaited<ReturnType<typeof loop>>

/** The first document of a kind after the start, and the median of those around the hundredth. */
const cold = async (name: string, checkout: string | undefined, kind: Kind) => {
  const contender = await start(name, checkout)
  const [key = ""] = contender.keys
  const times: Array<number> = []
  for (let index = 0; index < 110; index++) times.push((await whole(contender, key, kind)).all)
  await contender.close()
  return { first: times[0] ?? Number.NaN, hundredth: median(times.slice(90)) }
}

const versions = [
  { name: "this checkout", checkout: undefined },
  ...(other === undefined ? [] : [{ name: "the other checkout", checkout: other }]),
]
const contenders: Array<Contender> = []
for (const { name, checkout } of versions) contenders.push(await start(name, checkout))
const rows: Array<Record<string, string | number>> = []
for (const kind of kinds) {
  for (const contender of contenders) await loop(contender, kind, 4, warmMs)
  for (const callers of callersOfRows) {
    const measured = contenders.map((): Array<Loop> => [])
    for (let round = 0; round < rounds; round++) {
      for (const [index, contender] of contenders.entries()) {
        measured[index]?.push(await loop(contender, kind, callers, seconds * 1000))
      }
    }
    for (const [index, { name }] of contenders.entries()) {
      const loops = measured[index] ?? []
      const middle = (value: (each: Loop) => number) => median(loops.map(value))
      const [upload, invoke, wait, result] = [0, 1, 2, 3].map((step) =>
        rounded(
          middle(({ steps }) => steps[step] ?? Number.NaN),
          1,
        ),
      )
      rows.push({
        document: kind.name,
        callers,
        what: name,
        "a second": rounded(middle(({ perSecond }) => perSecond)),
        "p50 ms": rounded(
          middle(({ p50 }) => p50),
          1,
        ),
        "p99 ms": rounded(
          middle(({ p99 }) => p99),
          1,
        ),
        "largest ms": rounded(Math.max(...loops.map(({ largest }) => largest))),
        "upload, invoke, wait, result: p50 ms": `${upload}, ${invoke}, ${wait}, ${result}`,
      })
    }
  }
}
for (const contender of contenders) await contender.close()

const starts: Array<string> = []
for (const kind of kinds) {
  for (const { name, checkout } of versions) {
    const measured: Array<Awaited<ReturnType<typeof cold>>> = []
    for (let round = 0; round < rounds; round++) measured.push(await cold(name, checkout, kind))
    const first = median(measured.map((each) => each.first))
    const hundredth = median(measured.map((each) => each.hundredth))
    starts.push(
      `${kind.name}, ${name}: ${rounded(first, 1)} ms the first after the start, ${rounded(hundredth, 1)} ms the hundredth`,
    )
  }
}
agent.destroy()

report({
  name: "documents",
  title: "Small documents: upload, invoke, wait, result, in closed loops",
  rows,
  notes: [
    `Medians of ${rounds} rounds of ${seconds} s, each contender in turn; the largest of all. SQLite, one process with the defaults of production but for the rates and the files and tasks of a user; the callers are in another process on the same processors.`,
    ...starts,
  ],
})
