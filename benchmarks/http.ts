/**
 * What the service costs over a bare `node:http` server that does nothing, side by side in one run: reading a
 * task, and submitting one durably (task, hold, job and idempotency record on disk before the answer). Load
 * comes from a second process over kept connections.
 *
 * `npm run bench -- benchmarks/http.ts [seconds per row] [rounds] [the root of another checkout, measured in turn]`
 */

import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { load, type Measured, type Order } from "./support/load.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 4)
const rounds = Number(process.argv[3] ?? 3)
const before = process.argv[4]
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

const submission = JSON.stringify({
  model: "gen-image-2",
  prompt: "a lighthouse [slow 1h]",
  size: "1024x1024",
})

/** A server of a checkout, with a task that runs and one that is final. */
const start = async (root: string) => {
  const support: typeof import("../test/support/server.ts") = await import(`${root}/test/support/server.ts`)
  const { call, install, makeAccount, serve, textAt } = support
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
  const { url } = server
  const { key } = await makeAccount(url, 10_000_000)
  const submit = async (json: unknown) =>
    `${url}/v1/tasks/${textAt((await call(`${url}/v1/images/tasks`, { key, json })).body, "task_id")}`
  const final = await submit({ ...JSON.parse(submission), prompt: "a lighthouse" })
  const task = await call(`${final}?wait=60`, { key })
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const common = { headers, connections, seconds }
  return {
    answerBytes: JSON.stringify(task.body).length,
    orders: [
      {
        name: "GET /v1/tasks/{id}, running",
        order: { ...common, method: "GET", url: await submit(JSON.parse(submission)) },
      },
      { name: "GET /v1/tasks/{id}, final", order: { ...common, method: "GET", url: final } },
      {
        name: "POST /v1/images/tasks",
        order: {
          ...common,
          method: "POST",
          url: `${url}/v1/images/tasks`,
          body: submission,
          keyed: true,
        },
      },
    ] as const,
    end: async () => {
      await server.end("SIGKILL")
      installation.remove()
    },
  }
}

const now = await start("..")
const then = before === undefined ? undefined : await start(pathToFileURL(before).href)
const bare = await startBare(now.answerBytes)
const common = { headers: now.orders[0].order.headers, connections, seconds }
const orders: ReadonlyArray<{ readonly name: string; readonly order: Order }> = [
  { name: "bare GET", order: { ...common, method: "GET", url: bare.url } },
  { name: "bare POST", order: { ...common, method: "POST", url: bare.url, body: submission } },
  ...now.orders.flatMap(({ name, order }, index) => {
    const other = then?.orders[index]
    return [
      { name, order },
      ...(other === undefined ? [] : [{ name: `${name}, before`, order: other.order }]),
    ]
  }),
]

const results = new Map<string, Array<Measured>>(orders.map(({ name }) => [name, []]))
for (const { order } of orders) await load(order)
for (let round = 0; round < rounds; round++) {
  for (const { name, order } of orders) results.get(name)?.push(await load(order))
}
bare.close()
await now.end()
await then?.end()

const figure = (name: string, of: keyof Measured): number =>
  median((results.get(name) ?? []).map((each) => each[of]))
const bareOf = (name: string): string => (name.includes("POST") ? "bare POST" : "bare GET")

report({
  name: "http",
  title: "HTTP: reading and durable submission against a bare server",
  rows: orders.map(({ name }) => ({
    request: name,
    "per second": rounded(figure(name, "perSecond")),
    "of bare": rounded(figure(name, "perSecond") / figure(bareOf(name), "perSecond"), 2),
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
