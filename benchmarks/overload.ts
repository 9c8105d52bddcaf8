/**
 * What the service does with more submissions than it can carry: requests at a fixed rate whether or not others were
 * answered, callers who hang up after a while and go, some of whom repeat under their idempotency key. Rates are
 * multiples of the best that a closed loop reaches in the same run. The server is bound to one processor and the
 * callers to another: callers who send far more than can be carried would take the time that they measure. Linux
 * alone: memory is read from `/proc`.
 *
 * `npm run bench -- benchmarks/overload.ts [seconds per rate] [multiples]`
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { call, install, makeAccount, serve } from "../test/support/server.ts"
import { load } from "./support/load.ts"
import { storm } from "./support/open.ts"
import { type Latencies, paced } from "./support/paced.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 10)
const multiples = (process.argv[3] ?? "0.5,1,2,3,5").split(",").map(Number)
const patienceMillis = 3_000
const many = 100_000_000
/** Callers who open a connection where none of theirs is idle, and a client's pool, in which requests wait for one. */
const connectionsKept = 1_000
const ways = [
  { callers: "connect", pool: {} },
  { callers: `${connectionsKept} kept`, pool: { connectionsMax: connectionsKept } },
]

/** The server has a processor to itself and its callers the other one, as if they were elsewhere. */
const pin = (pid: number | undefined, processor: number): void => {
  execFileSync("taskset", ["--all-tasks", "--pid", "--cpu-list", String(processor), String(pid)])
}
pin(process.pid, 1)

const installation = await install({
  channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
  // One job sleeps in the only slot, so that submissions alone are measured.
  limits: {
    rate_per_minute: many,
    rate_burst: many,
    image_jobs_concurrent_max: 1,
    image_tasks_per_user_max: many,
  },
})
const server = await serve(installation)
pin(server.process.pid, 0)
const { hostname: host, port } = new URL(server.url)
const { key } = await makeAccount(server.url, 10_000_000)
const body = JSON.stringify({ model: "gen-image-2", prompt: "a lighthouse [slow 1h]", size: "1024x1024" })
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }

const sleep = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

const residentMib = (): number => {
  const [, kib = "0"] =
    /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${server.process.pid}/status`, "utf8")) ?? []
  return rounded(Number(kib) / 1024)
}

/** The largest resident memory until `work` is done. */
const peakOf = async <A>(work: Promise<A>): Promise<readonly [A, number]> => {
  let peak = residentMib()
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMib())
  }, 50)
  const result = await work
  clearInterval(timer)
  return [result, peak]
}

const closed = { url: `${server.url}/v1/images/tasks`, method: "POST", headers, body, keyed: true } as const
await load({ ...closed, connections: 64, seconds: 3 })
const rounds = []
for (const connections of [64, 256]) rounds.push(await peakOf(load({ ...closed, connections, seconds: 4 })))
const best = Math.max(...rounds.map(([measured]) => measured.perSecond))
const normal = Math.max(...rounds.map(([, peak]) => peak))

const bystander = (): Promise<Latencies> =>
  paced({ url: `${server.url}/v1/models`, headers, perSecond: 50, seconds })

/** Submissions one after another, a second after the load: how many are accepted, and how soon. */
const recovery = async () => {
  const times: Array<number> = []
  let refused = 0
  for (let probe = 0; probe < 50; probe++) {
    const began = performance.now()
    const { status } = await call(closed.url, { key, json: JSON.parse(body) })
    times.push(performance.now() - began)
    if (status !== 202) refused += 1
  }
  return { refused, p50: median(times), largest: Math.max(...times) }
}

const rows = []
for (const [{ callers, pool }, multiple] of ways.flatMap((way) =>
  multiples.map((multiple) => [way, multiple] as const),
)) {
  const before = residentMib()
  const perSecond = best * multiple
  const order = {
    host,
    port: Number(port),
    path: "/v1/images/tasks",
    headers,
    body,
    perSecond,
    seconds,
    patienceMillis,
    repeats: 4,
    ...pool,
  }
  const [[weathered, reads], peak] = await peakOf(Promise.all([storm(order), bystander()]))
  await sleep(1000)
  const after = await recovery()
  rows.push({
    callers,
    "of the best": multiple,
    "sent a second": rounded(perSecond),
    "accepted a second": weathered.acceptedPerSecond,
    goodput: rounded(weathered.acceptedPerSecond / best, 2),
    "shed %": rounded((100 * weathered.shed) / weathered.sent),
    "left %": rounded((100 * weathered.left) / weathered.sent),
    failed: weathered.failed,
    "p50 ms": weathered.p50,
    "p99 ms": weathered.p99,
    "p99 ms from sending": weathered.sentP99,
    "shed p99 ms": weathered.shedP99,
    "GET p99 ms": reads.p99,
    "MiB before": before,
    peak,
    "a second after": residentMib(),
    "then: refused": after.refused,
    "then: p50 ms": rounded(after.p50, 1),
    "then: largest ms": rounded(after.largest),
    connections: weathered.connectionsMax,
  })
}
await sleep(30_000)
const settled = residentMib()
await server.end("SIGKILL")
installation.remove()

report({
  name: "overload",
  title: "Overload: submissions in an open loop",
  rows,
  notes: [
    `The server is bound to one processor, the callers to another.`,
    `Best of closed loops with 64 and 256 callers: ${rounded(best)} submissions a second, in at most ${normal} MiB.`,
    `${seconds} s each; callers hang up after ${patienceMillis / 1000} s, every fourth of them repeats once under its key.`,
    `Callers: those who connect open a connection for every request that finds none of theirs idle; kept: a client's pool of ${connectionsKept}, in which requests wait for a connection, and the wait counts.`,
    `"from sending": without the wait for a connection of the client's pool.`,
    `A bystander lists the models 50 times a second.`,
    `"then": 50 submissions one after another, a second after the load.`,
    `Memory 30 s after the last load: ${settled} MiB.`,
  ],
})
