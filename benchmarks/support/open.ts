import { spawn } from "node:child_process"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { rounded } from "./report.ts"

/**
 * POST requests at a steady rate, whether others are answered or not: an open loop, from a process of its own. Each
 * has an idempotency key. Callers have a patience; then they hang up, and every `repeats`th of them sends the same
 * request again under its key.
 */
export interface Storm {
  readonly host: string
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly perSecond: number
  readonly seconds: number
  readonly patienceMillis: number
  /** 0: none. */
  readonly repeats: number
  /** As a pool of a client does: at most so many connections, for which requests wait. Absent: one for each request. */
  readonly connectionsMax?: number
  /**
   * Patience counts from the moment when a request is sent, as a client's time-out for an answer; otherwise from the
   * moment when it was due, as a time-out of the whole call. Those that are never sent leave at the end.
   */
  readonly patienceFromSending?: boolean
}

/** Milliseconds are from the moment a request was due to the end of its answer. */
export interface Weathered {
  readonly sent: number
  readonly accepted: number
  /** Answered 503. */
  readonly shed: number
  /** Other answers, connections that broke or could not be made. */
  readonly failed: number
  /** Hung up without an answer. */
  readonly left: number
  readonly acceptedPerSecond: number
  readonly p50: number
  readonly p99: number
  /** As `p99`, from the moment when the request was sent: without the wait for a connection of the client's pool. */
  readonly sentP99: number
  readonly shedP99: number
  readonly connectionsMax: number
}

/** Runs in a second process. */
export const storm = async (order: Storm): Promise<Weathered> => {
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

interface Request {
  readonly key: string
  readonly dueAt: number
  readonly again: boolean
  sentAt: number
  socket: Socket | undefined
  done: boolean
}

const addresses = 8
const removedMax = 1024

/** A queue that stays fast however many wait: the callers' time is taken from what they measure. */
class Fifo<A> {
  readonly #all: Array<A> = []
  #removed = 0

  get count(): number {
    return this.#all.length - this.#removed
  }

  push(one: A): void {
    this.#all.push(one)
  }

  first(): A | undefined {
    return this.#all[this.#removed]
  }

  shift(): void {
    this.#removed += 1
    if (this.#removed < removedMax && this.count > 0) return
    this.#all.splice(0, this.#removed)
    this.#removed = 0
  }
}

/** Bytes on sockets in place of an HTTP client, which would need more time than the server. */
class Callers {
  readonly accepted: Array<number> = []
  readonly acceptedFromSending: Array<number> = []
  readonly shed: Array<number> = []
  sent = 0
  failed = 0
  left = 0
  connections = 0
  connectionsMax = 0
  readonly #order: Storm
  readonly #head: string
  readonly #idle: Array<Socket> = []
  /** Those whose patience runs, in the order in which it ends. */
  readonly #patient = new Fifo<Request>()
  /** Those without a connection yet, and some that have left. */
  readonly #unsent = new Fifo<Request>()
  readonly #current = new Map<Socket, Request>()
  #opened = 0
  #ended = false

  constructor(order: Storm) {
    this.#order = order
    const headers = {
      ...order.headers,
      host: `${order.host}:${order.port}`,
      "content-length": String(Buffer.byteLength(order.body)),
    }
    this.#head = `POST ${order.path} HTTP/1.1\r\n${Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")}`
  }

  get waiting(): number {
    return this.#patient.count
  }

  send(key: string, dueAt: number, again = false): void {
    this.sent += 1
    const request: Request = { key, dueAt, again, sentAt: dueAt, socket: undefined, done: false }
    if (this.#order.patienceFromSending !== true) this.#patient.push(request)
    this.#unsent.push(request)
    this.#sendNext()
  }

  #sendNext(): void {
    let request = this.#unsent.first()
    for (; request?.done === true; request = this.#unsent.first()) this.#unsent.shift()
    if (request === undefined) return
    const { connectionsMax = Number.POSITIVE_INFINITY, body } = this.#order
    const socket = this.#idle.pop() ?? (this.connections < connectionsMax ? this.#open() : undefined)
    if (socket === undefined) return
    this.#unsent.shift()
    request.socket = socket
    request.sentAt = performance.now()
    if (this.#order.patienceFromSending === true) this.#patient.push(request)
    this.#current.set(socket, request)
    socket.write(`${this.#head}idempotency-key: ${request.key}\r\n\r\n${body}`)
  }

  /** Those whose patience is over hang up. */
  hangUp(now: number): void {
    const { patienceFromSending, patienceMillis } = this.#order
    const isOver = ({ done, dueAt, sentAt }: Request) =>
      done || now - (patienceFromSending === true ? sentAt : dueAt) > patienceMillis
    for (
      let first = this.#patient.first();
      first !== undefined && isOver(first);
      first = this.#patient.first()
    ) {
      if (!first.done) this.#leave(first, now)
      this.#patient.shift()
    }
  }

  /** Nothing more is sent. */
  stop(): void {
    for (let first = this.#unsent.first(); first !== undefined; first = this.#unsent.first()) {
      this.#unsent.shift()
      if (first.done) continue
      first.done = true
      this.left += 1
    }
  }

  end(): void {
    this.#ended = true
    for (const socket of [...this.#idle, ...this.#current.keys()]) socket.destroy()
  }

  #leave(request: Request, now: number) {
    request.done = true
    this.left += 1
    if (request.socket !== undefined) {
      this.#current.delete(request.socket)
      request.socket.destroy()
    }
    const { repeats } = this.#order
    if (repeats > 0 && !request.again && this.left % repeats === 0) this.send(request.key, now, true)
  }

  #open(): Socket {
    // From several addresses, because the connections of one are bounded.
    const localAddress = `127.0.0.${2 + (this.#opened++ % addresses)}`
    const socket = connect({ host: this.#order.host, port: this.#order.port, localAddress, noDelay: true })
    this.connections += 1
    this.connectionsMax = Math.max(this.connectionsMax, this.connections)
    let text = ""
    socket.setEncoding("latin1")
    socket.on("data", (chunk: string) => {
      text += chunk
      const head = text.indexOf("\r\n\r\n")
      if (head < 0) return
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (text.length < head + 4 + length) return
      const status = Number(text.slice(9, 12))
      const closes = /connection: close/i.test(text.slice(0, head))
      text = ""
      this.#answered(socket, status, closes)
    })
    socket.on("error", () => {})
    socket.on("close", () => {
      this.connections -= 1
      const place = this.#idle.indexOf(socket)
      if (place >= 0) this.#idle.splice(place, 1)
      const request = this.#current.get(socket)
      if (this.#ended) return
      if (request !== undefined) {
        this.#current.delete(socket)
        request.done = true
        this.failed += 1
      }
      this.#sendNext()
    })
    return socket
  }

  #answered(socket: Socket, status: number, closes: boolean) {
    const request = this.#current.get(socket)
    if (request === undefined) return
    this.#current.delete(socket)
    request.done = true
    const now = performance.now()
    if (status === 202) {
      this.accepted.push(now - request.dueAt)
      this.acceptedFromSending.push(now - request.sentAt)
    } else if (status === 503) this.shed.push(now - request.dueAt)
    else this.failed += 1
    if (closes) socket.destroy()
    else {
      this.#idle.push(socket)
      this.#sendNext()
    }
  }
}

const tick = () => new Promise<void>((resolve) => setTimeout(resolve, 1))

const execute = async (order: Storm): Promise<Weathered> => {
  const callers = new Callers(order)
  const began = performance.now()
  const total = Math.round(order.perSecond * order.seconds)
  let sent = 0
  while (sent < total) {
    const now = performance.now()
    const due = Math.min(total, Math.floor(((now - began) * order.perSecond) / 1000))
    for (; sent < due; sent++) {
      callers.send(`${process.pid}-${Date.now()}-${sent}`, began + (sent * 1000) / order.perSecond)
    }
    callers.hangUp(now)
    await tick()
  }
  const acceptedInTime = callers.accepted.length
  if (order.patienceFromSending === true) callers.stop()
  while (callers.waiting > 0) {
    callers.hangUp(performance.now())
    await tick()
  }
  callers.end()
  const at = (times: ReadonlyArray<number>, share: number): number => {
    const sorted = times.toSorted((a, b) => a - b)
    return rounded(sorted[Math.floor((sorted.length - 1) * share)] ?? 0, 1)
  }
  return {
    sent: callers.sent,
    accepted: callers.accepted.length,
    shed: callers.shed.length,
    failed: callers.failed,
    left: callers.left,
    acceptedPerSecond: rounded(acceptedInTime / order.seconds),
    p50: at(callers.accepted, 0.5),
    p99: at(callers.accepted, 0.99),
    sentP99: at(callers.acceptedFromSending, 0.99),
    shedP99: at(callers.shed, 0.99),
    connectionsMax: callers.connectionsMax,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const texts: Array<string> = []
  for await (const text of process.stdin.setEncoding("utf8")) texts.push(String(text))
  console.log(JSON.stringify(await execute(JSON.parse(texts.join("")))))
}
