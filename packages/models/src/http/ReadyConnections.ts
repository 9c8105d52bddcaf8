import type * as Http from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { TLSSocket } from "node:tls"

/** How long a connection is kept that nothing was sent on: below what servers commonly allow. */
const readyMillisMax = 4000
/** For one origin. */
export const readyPerOriginMax = 8

/** Whether a request can be written to the socket at once. */
export const isConnected = (socket: Socket): boolean =>
  !socket.connecting && !(socket instanceof TLSSocket && socket.getProtocol() === null)

/**
 * Has an agent that opens a connection for each request open some of them ahead, so that a request does not wait for
 * the name, TCP and TLS. Nothing was ever sent on them, so that what becomes of the request is as certain as on a new
 * one. An origin that is asked more than once within `readyMillisMax` has as many ready as it was asked in that time,
 * `readyPerOriginMax` at most; what is not used within that time is closed. Gives what closes them all.
 */
export const openAhead = (agent: Http.Agent): (() => void) => {
  const origins = new Map<string, Origin>()
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, created) => {
    const name = agent.getName(options)
    const origin = origins.get(name) ?? new Origin()
    origins.set(name, origin)
    const ready = origin.take()
    origin.prepare(() => connect(options), performance.now())
    for (const [other, { isIdle }] of origins) if (isIdle(performance.now())) origins.delete(other)
    return ready ?? connect(options, created)
  }
  return () => {
    for (const origin of origins.values()) origin.close()
    origins.clear()
  }
}

class Origin {
  readonly #ready = new Map<Socket, () => void>()
  /** When it was last requested, the latest last; `readyPerOriginMax` at most. */
  #asked: ReadonlyArray<number> = []

  /** Established connections, the oldest first. */
  take(): Socket | undefined {
    for (const [socket, forget] of this.#ready) {
      if (!isConnected(socket)) continue
      forget()
      return socket
    }
    return undefined
  }

  prepare(connect: () => Duplex | null | undefined, now: number): void {
    const recent = this.#asked.filter((at) => now - at < readyMillisMax)
    const wanted = recent.length
    this.#asked = [...recent, now].slice(-readyPerOriginMax)
    while (this.#ready.size < wanted) {
      const socket = connect()
      if (!isSocket(socket)) return
      this.#keep(socket)
    }
  }

  readonly isIdle = (now: number): boolean =>
    this.#ready.size === 0 && this.#asked.every((at) => now - at >= readyMillisMax)

  close(): void {
    for (const [socket, forget] of this.#ready) {
      forget()
      socket.destroy()
    }
  }

  #keep(socket: Socket): void {
    const drop = () => {
      forget()
      socket.on("error", () => {})
      socket.destroy()
    }
    const over = setTimeout(drop, readyMillisMax).unref()
    const events = ["error", "end", "close", "data"]
    const forget = () => {
      clearTimeout(over)
      this.#ready.delete(socket)
      for (const event of events) socket.off(event, drop)
    }
    // Read, so that a server that closes it, or sends data unasked, is noticed.
    for (const event of events) socket.on(event, drop)
    socket.unref()
    this.#ready.set(socket, forget)
  }
}

const isSocket = (duplex: Duplex | null | undefined): duplex is Socket =>
  duplex !== null && duplex !== undefined && "connecting" in duplex
