import { Agent, type IncomingHttpHeaders, request } from "node:http"
import { at } from "../../test/support/server.ts"
import type { Target } from "./target.ts"

export interface Answer {
  readonly status: number
  readonly code: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly ended: "answered" | "closed" | "no answer"
  /** Milliseconds from sending to the end of the answer. */
  readonly took: number
}

export interface Ask {
  readonly method?: string
  readonly path: string
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: unknown
  readonly body?: string | Buffer
  readonly agent?: Agent
  readonly patience?: number
}

/** Attackers come from an address of their own, where the system has more than one of its own. */
export const attackerAddress = process.platform === "linux" ? "127.0.0.66" : "127.0.0.1"

export const agentOf = (connections: number): Agent =>
  new Agent({ keepAlive: true, maxSockets: connections, localAddress: attackerAddress })

/** A connection of its own for every request that names no agent. */
const single = new Agent({ keepAlive: false, localAddress: attackerAddress })

/** One request; it always ends with an answer. */
export const ask = (target: Target, call: Ask): Promise<Answer> =>
  new Promise((resolve) => {
    const began = performance.now()
    const body = call.body ?? (call.json === undefined ? undefined : JSON.stringify(call.json))
    const end = (ended: Answer["ended"], status = 0, headers: IncomingHttpHeaders = {}, text = "") =>
      resolve({ ended, status, headers, text, code: codeOf(text), took: performance.now() - began })
    const sending = request(
      `${target.url}${call.path}`,
      {
        method: call.method ?? (body === undefined ? "GET" : "POST"),
        agent: call.agent ?? single,
        headers: {
          ...(call.key === undefined ? {} : { authorization: `Bearer ${call.key}` }),
          ...(body === undefined
            ? {}
            : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
          ...call.headers,
        },
        timeout: call.patience ?? 30_000,
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", () => end("closed"))
        response.on("end", () =>
          end("answered", response.statusCode, response.headers, Buffer.concat(chunks).toString()),
        )
      },
    )
    sending.on("timeout", () => {
      end("no answer")
      sending.destroy()
    })
    sending.on("error", () => end("closed"))
    sending.end(body)
  })

const codeOf = (text: string): string | undefined => {
  try {
    const code = at(JSON.parse(text), "error.code")
    return typeof code === "string" ? code : undefined
  } catch {
    return undefined
  }
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Runs `work` in this many concurrent loops until the time is up, in each once at least. */
export const lanes = async (
  count: number,
  seconds: number,
  work: (turn: number) => Promise<void>,
): Promise<void> => {
  const until = performance.now() + seconds * 1000
  let turn = 0
  const lane = async () => {
    do await work(turn++)
    while (performance.now() < until)
  }
  await Promise.all(Array.from({ length: count }, lane))
}

/** A form of one file, as bytes. */
export const formOf = (name: string, content: string | Buffer): Pick<Ask, "body" | "headers"> => {
  const boundary = "----------------------------form"
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(head),
    Buffer.from(content),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return { body, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } }
}
