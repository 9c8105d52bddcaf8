import { fork } from "node:child_process"
import { once } from "node:events"
import { Agent, request } from "node:http"
import { fileURLToPath } from "node:url"

/** Another customer, who reads, submits and uploads at a modest pace, from a process of its own. */
export interface Plan {
  readonly url: string
  /** Reads and submits. */
  readonly key: string
  /** Users who upload in turn: each has few places for files. */
  readonly uploaders: ReadonlyArray<string>
  /** A task to read. */
  readonly task: string
}

export type Phase = "before" | "idle" | "control" | "attack" | "after"
export type Kind = "read" | "submit" | "upload"

/** One request, by the phase in which it was due. */
export interface Sample {
  readonly phase: Phase
  readonly kind: Kind
  /** Milliseconds from sending to the end of the answer. */
  readonly took: number
  /** The status, or `lost`. */
  readonly status: string
}

export interface Bystander {
  readonly enter: (phase: Phase) => void
  /** Ends when every request has its answer. */
  readonly stop: () => Promise<ReadonlyArray<Sample>>
}

/** Requests go out on time, whether others are answered or not. */
const perSecond: Readonly<Record<Kind, number>> = { read: 120, submit: 12, upload: 6 }
const lostMs = 30_000

export const startBystander = async (plan: Plan): Promise<Bystander> => {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify(plan)])
  await once(child, "message")
  return {
    enter: (phase) => void child.send({ phase }),
    stop: async () => {
      child.send({ phase: "stop" })
      const [samples] = await once(child, "message")
      child.disconnect()
      return samples
    },
  }
}

const tickMs = 4

class Customer {
  readonly samples: Array<Sample> = []
  phase: Phase | "stop" = "before"
  readonly #plan: Plan
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })
  readonly #running = new Set<Promise<void>>()
  #sent = 0

  constructor(plan: Plan) {
    this.#plan = plan
  }

  /** Until the phase is `stop`. */
  async run(): Promise<void> {
    const began = performance.now()
    const due: Record<Kind, number> = { read: 0, submit: 0, upload: 0 }
    while (this.phase !== "stop") {
      const now = performance.now() - began
      for (const kind of ["read", "submit", "upload"] as const) {
        while ((due[kind] * 1000) / perSecond[kind] <= now) {
          this.#start(kind, this.phase)
          due[kind] += 1
        }
      }
      await new Promise((resolve) => setTimeout(resolve, tickMs))
    }
    await Promise.all(this.#running)
    this.#agent.destroy()
  }

  #start(kind: Kind, phase: Phase): void {
    const began = performance.now()
    const running = this.#send(kind).then((status) => {
      this.samples.push({ phase, kind, took: performance.now() - began, status })
      this.#running.delete(running)
    })
    this.#running.add(running)
  }

  #send(kind: Kind): Promise<string> {
    const { key, task } = this.#plan
    if (kind === "read") return this.#ask("GET", `/v1/tasks/${task}`, key).then(({ status }) => status)
    if (kind === "upload") return this.#upload()
    const body = JSON.stringify({ model: "gen-image-2", prompt: "a boat [partial 0]", size: "256x256" })
    const json = { "content-type": "application/json" }
    return this.#ask("POST", "/v1/images/tasks", key, body, json).then(({ status }) => status)
  }

  /** What it uploaded it also deletes, not measured. */
  async #upload(): Promise<string> {
    const { uploaders } = this.#plan
    const key = uploaders[this.#sent++ % uploaders.length] ?? ""
    const boundary = "bystander"
    const body = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--${boundary}--\r\n`
    const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }
    const { status, text } = await this.#ask("POST", "/v1/tools/text-md-json/files", key, body, headers)
    const [, id] = /"id":"(toolfile_\w+)"/.exec(text) ?? []
    if (id !== undefined) void this.#ask("DELETE", `/v1/tool-files/${id}`, key)
    return status
  }

  #ask(
    method: string,
    path: string,
    key: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: string; readonly text: string }> {
    return new Promise((resolve) => {
      const sending = request(
        `${this.#plan.url}${path}`,
        {
          method,
          agent: this.#agent,
          timeout: lostMs,
          headers: { authorization: `Bearer ${key}`, ...headers },
        },
        (response) => {
          let text = ""
          response.setEncoding("utf8").on("data", (chunk: string) => {
            text += chunk
          })
          const retry = response.headers["retry-after"]
          response.on("end", () => {
            const [, code] = /"error":.*"code":"(\w+)"/.exec(text) ?? []
            const named = code === undefined || (response.statusCode ?? 0) < 400 ? "" : ` ${code}`
            const lacks = code === "overloaded" && retry === undefined ? " without Retry-After" : ""
            resolve({ status: `${response.statusCode}${named}${lacks}`, text })
          })
        },
      )
      sending.on("timeout", () => sending.destroy())
      sending.on("error", () => resolve({ status: "lost", text: "" }))
      sending.end(body)
    })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const customer = new Customer(JSON.parse(process.argv[2] ?? "{}"))
  process.on("message", ({ phase }: { readonly phase: Phase | "stop" }) => {
    customer.phase = phase
  })
  process.send?.("ready")
  await customer.run()
  process.send?.(customer.samples)
}
