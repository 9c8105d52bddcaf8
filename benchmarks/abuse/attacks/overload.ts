import type { Attack } from "../attack.ts"
import { pause } from "../requests.ts"
import type { Sent } from "../sent.ts"
import { type Held, hold } from "../sockets.ts"
import type { Target } from "../target.ts"

/** Several times what a server on two cores accepts. */
const perSecond = 12_000
const connections = 1_000
/** As clients with a pool of connections do; `pipelining` is an attack of its own. */
const outstandingMax = 1
const tickMs = 5
/** Answers on one connection, in the order of their requests. */
class Lane {
  readonly held: Held
  readonly latencies: Array<number> = []
  #sentAt: Array<number> = []
  #buffer = ""
  readonly #sent: Sent

  constructor(target: Target, sent: Sent) {
    this.#sent = sent
    this.held = hold(target, "")
    this.held.socket.on("data", (chunk: Buffer) => this.#read(chunk.toString("latin1")))
  }

  get outstanding(): number {
    return this.#sentAt.length
  }

  send(requests: string, count: number): void {
    const now = performance.now()
    for (let index = 0; index < count; index++) this.#sentAt.push(now)
    this.held.socket.write(requests)
  }

  #read(text: string): void {
    this.#buffer += text
    for (;;) {
      const head = this.#buffer.indexOf("\r\n\r\n")
      if (head < 0) return
      const headers = this.#buffer.slice(0, head)
      const end = head + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(headers)?.[1] ?? 0)
      if (this.#buffer.length < end) return
      this.#count(headers, this.#buffer.slice(head + 4, end))
      this.#buffer = this.#buffer.slice(end)
    }
  }

  #count(headers: string, body: string): void {
    const took = performance.now() - (this.#sentAt.shift() ?? 0)
    const status = headers.slice(9, 12)
    if (status === "202") {
      this.latencies.push(took)
      this.#sent.count("202")
      return
    }
    const [, code = "without a code"] = /"code":"(\w+)"/.exec(body) ?? []
    const lacksRetry = status === "503" && !/^retry-after:/im.test(headers)
    this.#sent.count(`${status} ${code}${lacksRetry ? " without Retry-After" : ""}`)
  }
}

const openLoop: Attack["send"] = async (target, sent) => {
  const json = JSON.stringify({ model: "gen-image-2", prompt: "a boat [partial 0]", size: "256x256" })
  const one = `POST /v1/images/tasks HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${target.rich.key}\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`
  const lanes = Array.from({ length: connections }, () => new Lane(target, sent))
  const began = performance.now()
  const wanted = perSecond * target.seconds * target.share
  let [due, next, unsent] = [0, 0, 0]
  while (due < wanted) {
    const now = Math.min(wanted, Math.floor(((performance.now() - began) / 1000) * perSecond))
    for (; due < now; due++) {
      const lane = lanes[next++ % connections]
      if (lane === undefined || lane.held.closed() || lane.outstanding >= outstandingMax) unsent += 1
      else lane.send(one, 1)
    }
    await pause(tickMs)
  }
  const seconds = (performance.now() - began) / 1000
  const accepted = sent.counts["202"] ?? 0
  for (let waits = 0; waits < 100 && lanes.some(({ outstanding }) => outstanding > 0); waits++)
    await pause(100)
  const latencies = lanes.flatMap((each) => each.latencies).toSorted((a, b) => a - b)
  const p99 = Math.round(latencies[Math.floor((latencies.length - 1) * 0.99)] ?? 0)
  const unanswered = lanes.reduce((sum, { outstanding }) => sum + outstanding, 0)
  if (unanswered > 0) sent.count("no answer", unanswered)
  sent.notes.push(
    `${Math.round(wanted / seconds)} a second were due, ${unsent} could not be sent; ${Math.round(accepted / seconds)} a second accepted, p99 ${p99} ms`,
  )
  for (const { held } of lanes) held.socket.destroy()
}

export const overload: ReadonlyArray<Attack> = [
  {
    name: "overload",
    about: "12,000 submissions a second over 1,000 connections",
    seconds: 8,
    config: { limits: { image_tasks_per_user_max: 10_000_000 } },
    allowed: /^(202|503 overloaded|429 \w+)$/,
    sheds: true,
    send: openLoop,
  },
]
