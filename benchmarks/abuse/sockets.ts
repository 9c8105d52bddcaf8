import { connect, type Socket } from "node:net"
import { attackerAddress } from "./requests.ts"
import type { Sent } from "./sent.ts"
import type { Target } from "./target.ts"

/** A connection on which bytes are written by hand. */
export interface Held {
  readonly socket: Socket
  /** What the server sent. */
  readonly received: () => string
  readonly closed: () => boolean
}

/** Writes `bytes` and keeps the connection. */
export const hold = (target: Target, bytes: string | Buffer): Held => {
  const { port } = new URL(target.url)
  let received = ""
  let closed = false
  const socket = connect({ host: "127.0.0.1", port: Number(port), localAddress: attackerAddress })
  socket.on("data", (chunk) => {
    if (received.length < 65_536) received += chunk.toString("latin1")
  })
  socket.on("error", () => {})
  socket.on("close", () => {
    closed = true
  })
  socket.write(bytes)
  return { socket, received: () => received, closed: () => closed }
}

/** The first status of what was received, with the error's code; else how it stands. */
export const outcomeOfHeld = ({ received, closed }: Held): string => {
  const text = received()
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? []
  if (status === undefined) return closed() ? "closed" : "no answer yet"
  const [, code] = /"code":"(\w+)"/.exec(text) ?? []
  const lacksRetry = /^(429|503)$/.test(status) && !/^retry-after:/im.test(text)
  const named = Number(status) >= 400 ? ` ${code ?? "without a code"}` : ""
  return `${status}${named}${lacksRetry ? " without Retry-After" : ""}`
}

/** Counts what became of every connection, and ends it. */
export const release = (held: ReadonlyArray<Held>, sent: Sent): void => {
  for (const each of held) {
    sent.count(outcomeOfHeld(each))
    each.socket.destroy()
  }
}

/** Head of a request with a body of JSON, of which nothing is sent yet. */
export const headOf = (path: string, key: string, length: number, type = "application/json"): string =>
  [
    `POST ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    `authorization: Bearer ${key}`,
    `content-type: ${type}`,
    `content-length: ${length}`,
    "\r\n",
  ].join("\r\n")
