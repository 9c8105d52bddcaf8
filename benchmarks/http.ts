/**
 * What the service costs over a bare `node:http` server that does nothing, side by side in one run: reading a
 * task, and submitting one durably (task, hold, job and idempotency record on disk before the answer). Load
 * comes from a second process over kept connections.
 *
 * `npm run bench -- benchmarks/http.ts [seconds per row] [rounds]`
 */
import { Worker } from "node:worker_threads"
import { call, install, makeAccount, serve, textAt } from "../test/support/server.ts"
import { load, type Measured } from "./support/load.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 4)
const rounds = Number(process.argv[3] ?? 3)
const connections = 64
const many = 100_000_000

/** Reads the body and answers with as many bytes as the service does. */
const startBare = (answerBytes: number): Promise<{ readonly url: string; readonly close: () => void }> =>
  new Promise((resolve) => {
    const source = `
      const { createServer } = require("node:http")
      const { parentPort, workerData } = require("node:worker_threads")
      const body = JSON.stringify({ body: "x".repeat(Math.max(0, workerData - 11)) })
      const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) }
      const server = createServer((request, response) => {
        request.on("data", () => {})
        request.on("end", () => response.writeHead(200, headers).end(body))
      }).listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))`
    const worker = new Worker(source, { eval: true, workerData: answerBytes })
    worker.once("message", (port: number) =>
      resolve({ url: `http://127.0.0.1:${port}`, close: () => worker.terminate() }),
    )
  })

const installation = await install({
  channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
  // One job sleeps in the only slot, so that submissions alone are measured.
  limits: {
    rate_per_minute: many,
    rate_burst: many,
    image_tasks_per_user_max: many,
    image_jobs_concurrent_max: 1,
  },
})
const server = await serve(installation)
const { key } = await makeAccount(server.url, 10_000_000)
const submission = JSON.stringify({
  model: "gen-image-2",
  prompt: "a lighthouse [slow 1h]",
  size: "1024x1024",
})
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
const first = await call(`${server.url}/v1/images/tasks`, { key, json: JSON.parse(submission) })
const id = textAt(first.body, "task_id")
const task = await call(`${server.url}/v1/tasks/${id}`, { key })
const bare = await startBare(JSON.stringify(task.body).length)

const common = { headers, connections, seconds }
const orders = [
  { name: "bare GET", order: { ...common, method: "GET", url: bare.url } },
  { name: "GET /v1/tasks/{id}", order: { ...common, method: "GET", url: `${server.url}/v1/tasks/${id}` } },
  { name: "bare POST", order: { ...common, method: "POST", url: bare.url, body: submission } },
  {
    name: "POST /v1/images/tasks",
    order: { ...common, method: "POST", url: `${server.url}/v1/images/tasks`, body: submission, keyed: true },
  },
] as const

const results = new Map<string, Array<Measured>>(orders.map(({ name }) => [name, []]))
for (const { order } of orders) await load(order)
for (let round = 0; round < rounds; round++) {
  for (const { name, order } of orders) results.get(name)?.push(await load(order))
}
bare.close()
await server.end("SIGKILL")
installation.remove()

const figure = (name: string, of: keyof Measured): number =>
  median((results.get(name) ?? []).map((each) => each[of]))
const reference: Readonly<Record<string, string>> = {
  "GET /v1/tasks/{id}": "bare GET",
  "POST /v1/images/tasks": "bare POST",
}
report({
  name: "http",
  title: "HTTP: reading and durable submission against a bare server",
  rows: orders.map(({ name }) => ({
    request: name,
    "per second": rounded(figure(name, "perSecond")),
    "of bare":
      reference[name] === undefined
        ? "1"
        : `1/${rounded(figure(reference[name], "perSecond") / figure(name, "perSecond"), 2)}`,
    "p50 ms": figure(name, "p50"),
    "p99 ms": figure(name, "p99"),
    failed: figure(name, "failed"),
  })),
  notes: [
    `Median of ${rounds} rounds of ${seconds} s each after one to warm up, ${connections} connections.`,
    "The bare server reads the body and answers as many bytes; it parses, checks and stores nothing.",
    "Each submission has its own idempotency key and is on disk when it is answered.",
  ],
})
