/**
 * What four hostile documents cost everybody else: a task is read at a steady rate while the service is idle,
 * while four tasks keep every parsing process busy with a deck made to be slow, and, for comparison, while as
 * many processes that have nothing to do with the service keep the processors busy.
 *
 * `npm run bench -- benchmarks/isolation.ts [seconds per row] [rounds]`
 */
import { spawn } from "node:child_process"
import { call, formOf, install, makeAccount, serve, textAt } from "../test/support/server.ts"
import { deckOf, plainSlides } from "./support/deck.ts"
import { hostileDecks } from "./support/hostileDecks.ts"
import { type Latencies, paced } from "./support/paced.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 10)
const rounds = Number(process.argv[3] ?? 5)
const many = 100_000_000
const tasksBefore = 400
/** Far below what the server can do, so that waiting is not the load's own doing. */
const perSecond = 200

const installation = await install({ limits: { rate_per_minute: many, rate_burst: many } })
const server = await serve(installation)
const { key } = await makeAccount(server.url, 10_000)

/** Puts a deck there, and gives what begins a task on it. */
const uploaded = async (deck: Uint8Array): Promise<() => Promise<string>> => {
  const form = formOf("deck.pptx", new Uint8Array(deck))
  const upload = await call(`${server.url}/v1/tools/pptx-md-json/files`, { key, form })
  const json = { input: { file_id: textAt(upload.body, "id") } }
  return async () => {
    invocations += 1
    const headers = { "idempotency-key": `hostile-${invocations}` }
    const answer = await call(`${server.url}/v1/tools/pptx-md-json/invoke`, { key, headers, json })
    return textAt(answer.body, "id")
  }
}
let invocations = 0
const wait = async (id: string): Promise<void> => {
  await call(`${server.url}/v1/tasks/${id}?wait=60`, { key })
}

/** One that computes and is refused at its end, and one whose results are of many megabytes. */
const decks = ["one run of asterisks", "runs in one paragraph"]
const hostile = (name: string): Promise<Uint8Array> => {
  const deck = hostileDecks.find((one) => one.name === name)
  if (deck === undefined) throw new Error(`there is no deck of ${name}`)
  return deck.make()
}
const invokes = await Promise.all(decks.map(async (name) => uploaded(await hostile(name))))
const [first = ""] = await Promise.all(invokes.map((invoke) => invoke()))
await wait(first)
const read = (): Promise<Latencies> =>
  paced({
    url: `${server.url}/v1/tasks/${first}`,
    headers: { authorization: `Bearer ${key}` },
    perSecond,
    seconds,
  })

/** Reads while four clients see to it that a hostile task of each is always under way. */
const underFire = async (
  invoke: () => Promise<string>,
): Promise<{ readonly measured: Latencies; readonly parsed: number }> => {
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

/** What as many busy processes cost that are not the service's, with the priority that processes have. */
const besideNeighbours = async (): Promise<Latencies> => {
  const neighbours = Array.from({ length: 2 }, () => spawn(process.execPath, ["--eval", "for (;;) {}"]))
  const measured = await read()
  for (const neighbour of neighbours) neighbour.kill("SIGKILL")
  return measured
}

/** A service that has run for a while has compiled what it does: tasks on a harmless deck, at first. */
const invokeHarmless = await uploaded(await deckOf(plainSlides(1)))
for (let count = 0; count < tasksBefore / 4; count++) {
  await Promise.all(Array.from({ length: 4 }, async () => wait(await invokeHarmless())))
}

await read()
const idle: Array<Latencies> = []
const fires = decks.map((): Array<Latencies> => [])
const parsed = decks.map(() => 0)
const beside: Array<Latencies> = []
for (let round = 0; round < rounds; round++) {
  idle.push(await read())
  for (const [at, invoke] of invokes.entries()) {
    const result = await underFire(invoke)
    fires[at]?.push(result.measured)
    parsed[at] = (parsed[at] ?? 0) + result.parsed
  }
  beside.push(await besideNeighbours())
}
await server.end("SIGTERM")
installation.remove()

const p99 = (measured: ReadonlyArray<Latencies>): number => median(measured.map((each) => each.p99))
const rowOf = (name: string, measured: ReadonlyArray<Latencies>, tasks: number) => ({
  service: name,
  "p50 ms": rounded(median(measured.map((each) => each.p50)), 2),
  "p99 ms": rounded(p99(measured), 2),
  "p99 of idle": rounded(p99(measured) / p99(idle), 2),
  "largest ms": rounded(median(measured.map((each) => each.largest)), 1),
  "tasks done": tasks,
  failed: measured.reduce((sum, { failed }) => sum + failed, 0),
})
report({
  name: "isolation",
  title: "Reading a task while four hostile documents are parsed",
  rows: [
    rowOf("idle", idle, 0),
    ...decks.map((name, at) => rowOf(`four decks: ${name}`, fires[at] ?? [], parsed[at] ?? 0)),
    rowOf("two endless loops beside the service", beside, 0),
  ],
  notes: [
    `Medians of ${rounds} rounds of ${seconds} s each in turn, ${perSecond} requests a second from a second process, after ${tasksBefore} tasks on a harmless deck.`,
    "Each deck is one slide of 20 MiB. That of asterisks is refused at its end, so that it only computes; that of runs gives results of many megabytes, which are flushed to the same disk as the database.",
    "The endless loops have an ordinary priority and take no part in the service: they are what two busy neighbours on the same processors cost.",
  ],
})
