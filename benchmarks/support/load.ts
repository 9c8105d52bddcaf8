import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import autocannon from "autocannon"

/** Requests for some seconds, from a process of its own, over kept connections. */
export interface Order {
  readonly url: string
  readonly method: "GET" | "POST"
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Paths are taken from this list in turn; absent: that of `url`. */
  readonly paths?: ReadonlyArray<string>
  /** Each request gets an idempotency key of its own. */
  readonly keyed?: boolean
  readonly connections: number
  readonly seconds: number
}

export interface Measured {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Answers outside 2xx, and requests without an answer. */
  readonly failed: number
}

/** Runs an order in a second process. */
export const load = async (order: Order): Promise<Measured> => {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  let output = ""
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  child.stdin.end(JSON.stringify(order))
  await once(child, "close")
  return JSON.parse(output)
}

const execute = async (order: Order): Promise<Measured> => {
  let sent = 0
  const result = await autocannon({
    url: order.url,
    connections: order.connections,
    duration: order.seconds,
    requests: [
      {
        method: order.method,
        headers: order.headers,
        ...(order.body === undefined ? {} : { body: order.body }),
        setupRequest: (request) => {
          sent += 1
          const path = order.paths?.[sent % order.paths.length]
          const key = { "idempotency-key": `${process.pid}-${Date.now()}-${sent}` }
          return {
            ...request,
            ...(path === undefined ? {} : { path }),
            ...(order.keyed === true ? { headers: { ...order.headers, ...key } } : {}),
          }
        },
      },
    ],
  })
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const texts: Array<string> = []
  for await (const text of process.stdin.setEncoding("utf8")) texts.push(String(text))
  console.log(JSON.stringify(await execute(JSON.parse(texts.join("")))))
}
