import { type IncomingMessage, type Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type ApiErrorCode, classOf } from "@atelier/api"
import { Limits, type LimitValues } from "@atelier/core"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import * as Result from "effect/Result"
import { clientNetwork } from "./ClientAddress.ts"
import { HttpMetrics } from "./HttpMetrics.ts"
import { ListeningServer } from "./ListeningServer.ts"
import { newRequestId, requestIdHeader } from "./RequestId.ts"

/** Longer than the idle time-out of common load balancers, so that they never use a connection that just closed. */
const keepAliveTimeoutMs = 65_000
/** How often Node looks for requests whose time is over. */
const timeoutCheckMs = 1000
type IpAddress = NetAddress.IpAddress

/** How long a refused connection gets to read its answer. */
const partingMs = 500

/**
 * Effect has Node check every body against its declared length, which makes Node send head and body of a small
 * answer in two pieces: half the cost of a request. A body given whole, as text, has had its length computed from
 * it, and is sent with its head in one write; streams stay checked.
 */
class OneWriteResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  override end(...args: ReadonlyArray<unknown>): this {
    if (typeof args[0] === "string") this.strictContentLength = false
    return Reflect.apply(super.end, this, args)
  }
}

/**
 * Node's server and its connections, limited by process and by address. When a limit is reached, the oldest idle
 * connection gives way to a new one: one with no request, with incomplete request headers, or with no further request
 * pending. Only if none is idle is the new one refused, with 503 `overloaded` or 429 `too_many_connections`.
 */
export class Connections extends Context.Service<
  Connections,
  {
    readonly server: Server
    /** Closes connections that never carried a request: Node waits for those when it stops. */
    readonly closeSilent: () => void
  }
>()("@atelier/http/Connections") {
  /** Connections of an address that `isTrusted` carry many customers: only the limit of the process applies to them. */
  static readonly layer = (isTrusted: (address: IpAddress) => boolean) =>
    Layer.effect(
      Connections,
      Effect.gen(function* () {
        const random = yield* SecureRandom
        const limits = yield* Limits
        const metrics = yield* HttpMetrics
        const makeId = () => Effect.runSync(newRequestId(random))
        const server = new ListeningServer({
          ServerResponse: OneWriteResponse,
          keepAliveTimeout: keepAliveTimeoutMs,
          headersTimeout: Math.min(limits.headers_ms_max, limits.request_ms_max),
          requestTimeout: limits.request_ms_max,
          connectionsCheckingInterval: Math.min(timeoutCheckMs, limits.headers_ms_max),
        })
        const open = new Open(limits, isTrusted)
        yield* metrics.watch("connections", () => open.count)
        admitting(server, (socket) => {
          const refusal = open.admit(socket)
          if (refusal === undefined) return true
          metrics.refused(refusal.reason)
          refuseRaw(socket, makeId(), refusal)
          return false
        })
        const follow = ({ socket }: IncomingMessage, response: ServerResponse) => {
          open.busy(socket)
          response.once("close", () => open.idle(socket))
        }
        server.on("request", follow).on("checkContinue", follow)
        server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
          if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") metrics.refused("slow_headers")
          refuseBytes(error, socket, makeId())
        })
        keepEarlyRequests(server)
        return Connections.of({ server, closeSilent: open.closeSilent })
      }),
    )
}

/** Passes a connection to Node's own listener only if it is admitted: no byte of another is parsed. */
const admitting = (server: Server, admit: (socket: Socket) => boolean): void => {
  const listeners = server.listeners("connection")
  server.removeAllListeners("connection")
  server.on("connection", (socket: Socket) => {
    if (admit(socket)) for (const listener of listeners) listener.call(server, socket)
  })
}

interface Refusal {
  readonly reason: "connections" | "address_connections"
  readonly code: ApiErrorCode
  readonly message: string
}

/** The connections of one address; `idle` is ordered by idle time, the longest first. */
interface Peer {
  count: number
  readonly idle: Set<Socket>
}

/** Open connections by address, and which of them are idle. */
class Open {
  count = 0
  readonly #idle = new Set<Socket>()
  readonly #silent = new Set<Socket>()
  /** The peer of each open connection; undefined for a trusted proxy's. */
  readonly #peers = new Map<Socket, Peer | undefined>()
  readonly #byAddress = new Map<string, Peer>()
  readonly #limits: LimitValues
  readonly #isTrusted: (address: IpAddress) => boolean

  constructor(limits: LimitValues, isTrusted: (address: IpAddress) => boolean) {
    this.#limits = limits
    this.#isTrusted = isTrusted
  }

  admit(socket: Socket): Refusal | undefined {
    const { connections_max, connections_per_address_max } = this.#limits
    const network = peerNetwork(socket, this.#isTrusted)
    const known = network === undefined ? undefined : this.#byAddress.get(network)
    if (known !== undefined && known.count >= connections_per_address_max && !this.#giveWay(known.idle)) {
      const message = `This address has ${known.count} connections open; the limit connections_per_address_max is ${connections_per_address_max}.`
      return { reason: "address_connections", code: "too_many_connections", message }
    }
    if (this.count >= connections_max && !this.#giveWay(this.#idle)) {
      const message = `The service has ${this.count} connections open; the limit connections_max is ${connections_max}.`
      return { reason: "connections", code: "overloaded", message }
    }
    const peer = network === undefined ? undefined : this.#peerOf(network)
    if (peer !== undefined) peer.count++
    this.count++
    this.#peers.set(socket, peer)
    this.#silent.add(socket)
    this.idle(socket)
    socket.once("close", () => {
      this.#leave(socket)
      if (network !== undefined && peer?.count === 0) this.#byAddress.delete(network)
    })
    return undefined
  }

  busy(socket: Socket): void {
    this.#silent.delete(socket)
    this.#idle.delete(socket)
    this.#peers.get(socket)?.idle.delete(socket)
  }

  idle(socket: Socket): void {
    if (!this.#peers.has(socket)) return
    this.#idle.add(socket)
    this.#peers.get(socket)?.idle.add(socket)
  }

  readonly closeSilent = (): void => {
    for (const socket of this.#silent) socket.destroy()
  }

  #giveWay(idle: ReadonlySet<Socket>): boolean {
    const [oldest] = idle
    if (oldest === undefined) return false
    this.#leave(oldest)
    oldest.destroy()
    return true
  }

  #peerOf(network: string): Peer {
    const peer = this.#byAddress.get(network) ?? { count: 0, idle: new Set() }
    this.#byAddress.set(network, peer)
    return peer
  }

  /** Stops counting it, once. */
  #leave(socket: Socket): void {
    if (!this.#peers.has(socket)) return
    this.busy(socket)
    const peer = this.#peers.get(socket)
    this.#peers.delete(socket)
    this.count--
    if (peer !== undefined) peer.count--
  }
}

/** What counts as one address; undefined for a trusted proxy, and for an invalid address. */
const peerNetwork = (socket: Socket, isTrusted: (address: IpAddress) => boolean): string | undefined => {
  const parsed = NetAddress.ipFromString(socket.remoteAddress?.split("%")[0] ?? "")
  if (Result.isFailure(parsed)) return undefined
  const address = NetAddress.toCanonical(parsed.success)
  return isTrusted(address) ? undefined : clientNetwork(NetAddress.formatIp(address))
}

/** Refuses a connection of which nothing is read. */
const refuseRaw = (socket: Socket, requestId: string, { code, message }: Refusal): void => {
  socket.on("error", () => socket.destroy())
  const { status, type } = classOf(code, "tools")
  const reason = status === 503 ? "Service Unavailable" : "Too Many Requests"
  socket.end(rawResponse(`${status} ${reason}\r\nretry-after: 2`, { message, type, code }, requestId))
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), partingMs)
  socket.once("close", () => clearTimeout(timer))
}

/**
 * The server listens a moment before its routes are ready. Requests that arrive in that moment wait for them: without
 * this it would never be answered.
 */
const keepEarlyRequests = (server: Server): void => {
  const early: Array<ReadonlyArray<unknown>> = []
  const keep = (...request: ReadonlyArray<unknown>) => {
    early.push(request)
  }
  server.on("request", keep)
  server.on("newListener", function attach(event) {
    if (event !== "request") return
    server.off("request", keep)
    server.off("newListener", attach)
    setImmediate(() => {
      for (const request of early) server.emit("request", ...request)
    })
  })
}

/** Bytes that are not an HTTP request have no route: they are answered here, in the shape of every error. */
const refuseBytes = ({ code }: NodeJS.ErrnoException, socket: Duplex, requestId: string): void => {
  if (!socket.writable || code === "ECONNRESET") {
    socket.destroy()
    return
  }
  const type = "invalid_request_error"
  const [status, error] =
    code === "HPE_HEADER_OVERFLOW"
      ? [
          "431 Request Header Fields Too Large",
          { message: "The headers of the request are too large.", type, code: "invalid_parameter" },
        ]
      : code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? [
            "408 Request Timeout",
            { message: "The request did not arrive in time.", type, code: "request_timeout" },
          ]
        : [
            "400 Bad Request",
            { message: "The request is not well-formed HTTP.", type, code: "invalid_parameter" },
          ]
  socket.end(rawResponse(status, error, requestId))
}

const rawResponse = (
  head: string,
  error: { readonly message: string; readonly type: string; readonly code: string },
  requestId: string,
): string => {
  const body = JSON.stringify({ error: { ...error, param: null }, request_id: requestId })
  return `HTTP/1.1 ${head}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${requestIdHeader}: ${requestId}\r\n\r\n${body}`
}
