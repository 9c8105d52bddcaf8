/**
 * Whole tasks: callers who each submit an image and wait for it, one after another, beside graphile-worker, pg-boss and,
 * where there is a `redis-server`, BullMQ, running an empty job that is added durably. Ours goes over HTTP, with money, idempotency and the image stored; the
 * peers' callers are in their process.
 *
 * `npm run bench -- benchmarks/closed-loop.ts [seconds per row] [rounds] [another checkout]`: with another checkout,
 * whose dependencies are installed, its server is measured in turn with this one's, and the peers are left out.
 */
import { Agent, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import { Logger, run } from "graphile-worker"
import { startPostgres } from "../test/support/postgresServer.ts"
import { at, install, makeAccount, type Server, serve } from "../test/support/server.ts"
import { bareGraphile, peerQueue, pgBoss } from "./support/peers.ts"
import { bullmq, hasRedis } from "./support/redis.ts"
import { median, report, rounded } from "./support/report.ts"
import { startVendor, vendorConfig } from "./support/vendor.ts"

const seconds = Number(process.argv[2] ?? 5)
const rounds = Number(process.argv[3] ?? 3)
const before = process.argv[4]
const callersOfRows = [1, 16, 64]
const connections = 16
const warmMs = 6_000
const shedPauseMs = 100

interface Contender {
  readonly name: string
  /** From the submission to the end of the job. */
  readonly whole: () => Promise<unknown>
}

const postgres = await startPostgres({ durable: true })

/** Jobs that are not done yet. */
const waiting = new Map<string, () => void>()
const done = (payload: unknown): void => {
  const id = String(at(payload, "id"))
  waiting.get(id)?.()
  waiting.delete(id)
}
let added = 0
const addAndWait = (name: string, add: (payload: { readonly id: string }) => Promise<unknown>) => {
  const whole = async () => {
    const id = `${name} ${added++}`
    const ended = new Promise<void>((resolve) => waiting.set(id, resolve))
    await add({ id })
    await ended
  }
  return { name, whole }
}

const graphileUrl = await postgres.emptyDatabase()
const graphile = await bareGraphile(graphileUrl, connections)
const runner = await run({
  connectionString: graphileUrl,
  concurrency: connections,
  noHandleSignals: true,
  logger: new Logger(() => () => {}),
  taskList: { [peerQueue]: async (payload) => done(payload) },
})
const { boss, ...bossPeer } = await pgBoss(await postgres.emptyDatabase(), connections)
await boss.work(peerQueue, { localConcurrency: connections }, async ([job]) => done(job?.data))

const redis = before === undefined && hasRedis()
if (before === undefined && !redis) console.log("no redis-server here: BullMQ is left out")
const bulls = redis
  ? [
      { name: "BullMQ, fsync always", ...(await bullmq("always", connections, done)) },
      { name: "BullMQ, fsync each second", ...(await bullmq("everysec", connections, done)) },
    ]
  : []

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const ask = (url: string, key: string, json?: string) =>
  new Promise<unknown>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      ...(json === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(json) }),
    }
    const sending = request(
      url,
      { method: json === undefined ? "GET" : "POST", agent, headers },
      (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk
        })
        response.on("end", () => resolve(JSON.parse(text)))
      },
    )
    sending.on("error", reject)
    sending.end(json)
  })

const vendor = await startVendor()
const closing: Array<() => Promise<unknown>> = []
/** Callers of one server: of images that are passed through, and of images that are archived. */
const atelier = async (
  name: string,
  environment: Readonly<Record<string, string>>,
  checkout?: string,
): Promise<ReadonlyArray<Contender>> => {
  const installation = await install(vendorConfig(vendor.url))
  const server: Server = await serve(
    { ...installation, environment: { ...installation.environment, ...environment } },
    "serve",
    [],
    checkout,
  )
  closing.push(() => server.end("SIGTERM").finally(installation.remove))
  const { key } = await makeAccount(server.url, 10_000_000)
  const contender = (what: string, model: string): Contender => {
    const json = JSON.stringify({ model, prompt: "a boat", size: "1024x1024" })
    const whole = async () => {
      let submitted = await ask(`${server.url}/v1/images/tasks`, key, json)
      // On a slow machine 64 callers are more than it takes; they come again, as clients do.
      while (at(submitted, "error.code") === "overloaded") {
        await setTimeout(shedPauseMs)
        submitted = await ask(`${server.url}/v1/images/tasks`, key, json)
      }
      const final = await ask(`${server.url}/v1/tasks/${at(submitted, "task_id")}?wait=60`, key)
      if (at(final, "state") !== "completed") throw new Error(JSON.stringify(final))
    }
    return { name: `${name}, ${what}`, whole }
  }
  return [contender("passed through", "gen-image-2"), contender("archived", "gen-image-2.5")]
}

const onPostgres = async () => ({ ATELIER_DATABASE_URL: await postgres.emptyDatabase() })
const ours = [
  ...(await atelier("Atelier, SQLite", {})),
  ...(before === undefined ? [] : await atelier("before, SQLite", {}, before)),
  ...(await atelier("Atelier, Postgres", await onPostgres())),
  ...(before === undefined ? [] : await atelier("before, Postgres", await onPostgres(), before)),
]
const contenders: ReadonlyArray<Contender> =
  before === undefined
    ? [
        ...ours,
        addAndWait("graphile-worker", graphile.add),
        addAndWait("pg-boss", bossPeer.add),
        ...bulls.map(({ name, add }) => addAndWait(name, add)),
      ]
    : ours

/** Tasks a second, and the milliseconds of each. */
const loop = async ({ whole }: Contender, callers: number, millis: number) => {
  const times: Array<number> = []
  const until = performance.now() + millis
  const caller = async () => {
    while (performance.now() < until) {
      const began = performance.now()
      await whole()
      times.push(performance.now() - began)
    }
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: callers }, caller))
  const perSecond = (times.length / (performance.now() - began)) * 1000
  const sorted = times.toSorted((a, b) => a - b)
  const share = (of: number) => sorted[Math.floor(of * (sorted.length - 1))] ?? Number.NaN
  return { perSecond, p50: share(0.5), p99: share(0.99) }
}

for (const contender of contenders) await loop(contender, 16, warmMs)
const rows: Array<Record<string, string | number>> = []
for (const callers of callersOfRows) {
  const measured = contenders.map((): Array<Awaited<ReturnType<typeof loop>>> => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) {
      measured[index]?.push(await loop(contender, callers, seconds * 1000))
    }
  }
  const middle = (index: number, of: "perSecond" | "p50" | "p99") =>
    median((measured[index] ?? []).map((each) => each[of]))
  const rate = (name: string) => {
    const index = contenders.findIndex((contender) => contender.name === name)
    return index < 0 ? Number.NaN : middle(index, "perSecond")
  }
  for (const [index, { name }] of contenders.entries()) {
    rows.push({
      callers,
      what: name,
      "tasks a second": rounded(middle(index, "perSecond")),
      ...(before === undefined
        ? { "of graphile-worker": rounded(rate(name) / rate("graphile-worker"), 2) }
        : { "of before": rounded(rate(name) / rate(name.replace("Atelier", "before")), 2) }),
      "p50 ms": rounded(middle(index, "p50"), 1),
      "p99 ms": rounded(middle(index, "p99"), 1),
    })
  }
}

agent.destroy()
await runner.stop()
await graphile.close()
await bossPeer.close()
for (const { close } of bulls) await close()
for (const close of closing) await close()
await postgres.stop()
vendor.close()

report({
  name: before === undefined ? "closed-loop" : "closed-loop-before",
  title: "Whole tasks: submit and wait, in closed loops",
  rows,
  notes: [
    `Medians of ${rounds} rounds of ${seconds} s, each contender in turn. The vendor answers at once, by a link or by the bytes of a small PNG, from a thread of the measuring process.`,
    "Atelier: over HTTP, one process with the defaults of production but for the rates; every step durable, with hold, settlement and idempotency. Peers: an empty job, added by a client of its own in the process that runs it, durable as well, but for BullMQ's with an fsync each second. BullMQ is on a Redis of its own, through node-redis.",
  ],
})
