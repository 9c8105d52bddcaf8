/**
 * What the service does with more submissions than it can carry: requests at a fixed rate whether or not others were
 * answered, callers who hang up after a while and go, some of whom repeat under their idempotency key. Rates are
 * multiples of the best that a closed loop reaches, and goodput is compared with what a closed loop reaches right
 * before and after, because the speed of a shared machine changes within minutes. The server is bound to one processor
 * and the callers to another: callers who send far more than can be carried would take the time that they measure.
 * Linux alone: memory is read from `/proc`.
 *
 * `npm run bench -- benchmarks/overload.ts [seconds per rate] [multiples] [rounds]`
 */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { adminToken, at, call, install, makeAccount, serve } from "../test/support/server.ts"
import { load } from "./support/load.ts"
import { storm } from "./support/open.ts"
import { type Latencies, paced } from "./support/paced.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 10)
const multiples = (process.argv[3] ?? "1,2,5").split(",").map(Number)
const roundsCount = Number(process.argv[4] ?? 3)
const patienceMillis = 3_000
const many = 100_000_000
/**
 * Callers who open a connection where none of theirs is idle, and a client's pool, in which requests wait for one; its
 * time-out runs from the moment when a request is sent, or from the call.
 */
const connectionsKept = 1_000
const ways = [
  { callers: "connect", pool: {} },
  {
    callers: `${connectionsKept} kept`,
    pool: { connectionsMax: connectionsKept, patienceFromSending: true },
  },
  { callers: `${connectionsKept} kept, deadline of calls`, pool: { connectionsMax: connectionsKept } },
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

/** Seconds of processor that a process has used, with the system's for it. */
const processorSeconds = (pid: number | undefined): number => {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")
  const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number)
  return (user + system) / 100
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

const bystander = (seconds: number): Promise<Latencies> =>
  paced({ url: `${server.url}/v1/models`, headers, perSecond: 50, seconds })

/** What callers who wait for their answers reach beside the bystander: submissions a second, and the memory. */
const carried = async (seconds: number) => {
  const loop = async (connections: number) => {
    const both = Promise.all([load({ ...closed, connections, seconds }), bystander(seconds)])
    const [[{ perSecond }], peak] = await peakOf(both)
    return { perSecond, peak }
  }
  const [few, many] = [await loop(64), await loop(256)]
  return { perSecond: Math.max(few.perSecond, many.perSecond), peak: Math.max(few.peak, many.peak) }
}
const normal = (await carried(seconds)).peak

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

const cases = ways.flatMap((way) => multiples.map((multiple) => ({ ...way, multiple })))

const measure = async ({ pool, multiple }: (typeof cases)[number], best: number) => {
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
  const storedBefore = await stored()
  const [[weathered, reads], peak] = await peakOf(Promise.all([storm(order), bystander(seconds)]))
  const done = (await stored()) - storedBefore
  await sleep(1000)
  const after = await recovery()
  return {
    sent: perSecond,
    unread: (100 * (done - weathered.accepted)) / done,
    accepted: weathered.acceptedPerSecond,
    shed: (100 * weathered.shed) / weathered.sent,
    left: (100 * weathered.left) / weathered.sent,
    failed: weathered.failed,
    p50: weathered.p50,
    p99: weathered.p99,
    sentP99: weathered.sentP99,
    shedP99: weathered.shedP99,
    readP99: reads.p99,
    peak,
    refusedAfter: after.refused,
    p50After: after.p50,
    largestAfter: after.largest,
    connections: weathered.connectionsMax,
  }
}

/**
 * The part of a processor that a bare server of Node needs to refuse as many requests as a load has beyond the best:
 * what is left of it bounds the goodput.
 */
const refusalsAlone = async (perSecond: number): Promise<number> => {
  const refuser = spawn(process.execPath, [fileURLToPath(new URL("./support/refuser.ts", import.meta.url))], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  const [port] = await once(refuser.stdout, "data")
  pin(refuser.pid, 0)
  const before = processorSeconds(refuser.pid)
  const path = "/v1/images/tasks"
  const { sent, shed } = await storm({
    host,
    port: Number(port),
    path,
    headers,
    body,
    perSecond,
    seconds,
    patienceMillis,
    repeats: 4,
  })
  const part = (processorSeconds(refuser.pid) - before) / seconds
  refuser.kill()
  if (shed < sent) console.log(`the bare server answered ${shed} of ${sent}`)
  return part
}

/** How many tasks there are. */
const stored = async (): Promise<number> => {
  const { body } = await call(`${server.url}/admin/v1/stats`, { key: adminToken })
  const counts = Object.values(Object(at(body, "tasks"))).map((each) => Number(at(each, "count")))
  return counts.reduce((sum, count) => sum + count, 0)
}

type Measured = Awaited<ReturnType<typeof measure>> & { readonly goodput: number }
const measured = cases.map((): Array<Measured> => [])
let best = (await carried(2)).perSecond
for (let round = 0; round < roundsCount; round++) {
  for (const [index, each] of cases.entries()) {
    const before = best
    const result = await measure(each, before)
    best = (await carried(2)).perSecond
    measured[index]?.push({ ...result, goodput: result.accepted / ((before + best) / 2) })
  }
}

const rows = cases.map(({ callers, multiple }, index) => {
  const all = measured[index] ?? []
  const middle = (of: keyof Measured, digits = 0) => rounded(median(all.map((each) => each[of])), digits)
  const largest = (of: keyof Measured) => rounded(Math.max(...all.map((each) => each[of])))
  const goodputs = all.map(({ goodput }) => rounded(goodput, 2)).toSorted((a, b) => a - b)
  return {
    callers,
    "of the best": multiple,
    "sent a second": middle("sent"),
    "accepted a second": middle("accepted"),
    goodput: middle("goodput", 2),
    "least, most": `${goodputs[0]}, ${goodputs.at(-1)}`,
    "shed %": middle("shed"),
    "left %": middle("left"),
    "accepted too late %": middle("unread"),
    failed: largest("failed"),
    "p50 ms": middle("p50", 1),
    "p99 ms": middle("p99"),
    "p99 ms from sending": middle("sentP99"),
    "shed p99 ms": middle("shedP99"),
    "GET p99 ms": middle("readP99"),
    "peak MiB": largest("peak"),
    "then: refused": largest("refusedAfter"),
    "then: p50 ms": middle("p50After", 1),
    "then: largest ms": largest("largestAfter"),
    connections: largest("connections"),
  }
})
const mostRefused = best * (Math.max(...multiples) - 1)
const refusing = await refusalsAlone(mostRefused)
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
    `Medians of ${roundsCount} rounds; memory, what failed and what was refused a second later are the most of any.`,
    `The best: of closed loops with 64 and 256 callers, of 2 s each, right before and after each measurement. Memory in loops of ${seconds} s before the first: ${normal} MiB.`,
    `${seconds} s each; callers hang up after ${patienceMillis / 1000} s, every fourth of them repeats once under its key.`,
    `Callers: those who connect open a connection for every request that finds none of theirs idle; kept: a client's pool of ${connectionsKept}, in which requests wait for a connection, and the wait counts; the time-out runs from sending, or, "deadline of calls", from the call, so that what is sent late has little time left.`,
    `Accepted too late: stored, when the caller had hung up.`,
    `"from sending": without the wait for a connection of the client's pool.`,
    `A bystander lists the models 50 times a second.`,
    `"then": 50 submissions one after another, a second after the load.`,
    `A bare server of Node, bound to the same processor, that refuses ${rounded(mostRefused)} requests a second, as many as are beyond the best at ${Math.max(...multiples)} times, needs ${rounded(refusing, 2)} of a processor for that alone: with that many refused, no goodput can be above ${rounded(1 - refusing, 2)}.`,
    `Memory 30 s after the last load: ${settled} MiB.`,
  ],
})
