import type { IncomingMessage, ServerResponse } from "node:http"
import { Limits, type LimitValues } from "@atelier/core"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Layer from "effect/Layer"
import { Exchange } from "./Answer.ts"
import { HttpMetrics, type RefusalReason } from "./HttpMetrics.ts"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"

/** Bodies larger than `json_body_bytes_max` leave this share of the process's budget to small ones. */
const shareOfSmallBodies = 0.25
const sweepMs = 1000
/** A body that delivers less than this between two sweeps gives way to faster ones if there is no room for all. */
const slowBytes = 64 * 1024

/** One body, from before its first byte is read until its request is answered. */
export interface Body {
  readonly source: IncomingMessage
  /**
   * Reserves room in the key's budget for a body with a declared length, so that bodies which cannot all
   * be accepted are refused before they are read. False: it is refused.
   */
  readonly reserve: (bytes: number) => boolean
  /**
   * Counts the memory that the body takes now. Beyond the key's budget it is refused; beyond the process's the
   * slowest body is, which can be another one. False: it is refused.
   */
  readonly hold: (bytes: number) => boolean
  /** The body is complete: it cannot be too slow, and gives way to no other. Its memory still counts. */
  readonly arrived: () => void
  /** Calls `then` once the body must not be read any further; immediately if that is already so. */
  readonly onRefusal: (then: (refusal: HttpRefusal) => void) => void
}

/**
 * Every request body of this process that is arriving or in use, with the memory that it holds. Limits the bytes
 * by process and by key, the arriving bodies by key, and how slow one may be; so that unfinished bodies
 * neither fill the memory nor keep others out.
 */
export class Bodies extends Context.Service<
  Bodies,
  {
    /** Refuses with 429 `too_many_connections`. Call before the first byte is read. */
    readonly open: Effect.Effect<Body, HttpRefusal, HttpServerRequest.HttpServerRequest>
  }
>()("@atelier/http/Bodies") {
  static readonly layer = Layer.effect(
    Bodies,
    Effect.gen(function* () {
      const limits = yield* Limits
      const metrics = yield* HttpMetrics
      const bodies = new Registry(limits, metrics)
      yield* metrics.watch("body_bytes", () => bodies.bytes)
      yield* metrics.watch("bodies_arriving", () => bodies.arriving.size)
      const everyMs = Math.min(sweepMs, limits.body_window_ms / 2)
      const sweep = Effect.map(Clock.currentTimeMillis, (now) => bodies.sweep(now, everyMs))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(everyMs), sweep)))
      return Bodies.of({
        open: Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          const { caller } = yield* Exchange
          const source = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
          const body = bodies.open(caller, source, yield* Clock.currentTimeMillis)
          if (!(body instanceof Held)) return yield* body
          const response = NodeHttpServerRequest.toServerResponse(request) as ServerResponse
          response.once("close", () => body.release())
          return body
        }),
      })
    }),
  )
}

/** The bodies of one key that are arriving or in use. */
interface Share {
  bytes: number
  reservedBytes: number
  arriving: number
}

class Registry {
  bytes = 0
  readonly arriving = new Set<Held>()
  #sweptAt = 0
  readonly #shares = new Map<string, Share>()
  readonly limits: LimitValues
  readonly #metrics: HttpMetrics["Service"]

  constructor(limits: LimitValues, metrics: HttpMetrics["Service"]) {
    this.limits = limits
    this.#metrics = metrics
  }

  shareOf(caller: string): Share {
    const share = this.#shares.get(caller) ?? { bytes: 0, reservedBytes: 0, arriving: 0 }
    this.#shares.set(caller, share)
    return share
  }

  open(caller: string, source: IncomingMessage, now: number): Held | HttpRefusal {
    const { bodies_arriving_per_key_max } = this.limits
    if (this.shareOf(caller).arriving >= bodies_arriving_per_key_max) {
      return this.refuse(
        "key_bodies",
        `This API key has ${bodies_arriving_per_key_max} bodies in flight; the limit bodies_arriving_per_key_max is ${bodies_arriving_per_key_max}.`,
      )
    }
    return new Held(this, caller, source, now)
  }

  reserve(body: Held, bytes: number): HttpRefusal | undefined {
    const share = this.shareOf(body.caller)
    const { bodies_bytes_per_key_max } = this.limits
    if (share.reservedBytes > 0 && share.reservedBytes + bytes > bodies_bytes_per_key_max) {
      return this.refuse(
        "key_body_bytes",
        `The bodies of this API key declare ${share.reservedBytes} bytes; the limit bodies_bytes_per_key_max is ${bodies_bytes_per_key_max}.`,
      )
    }
    share.reservedBytes += bytes
    body.reservedBytes = bytes
    return undefined
  }

  /** Counts `bytes` for `body` in place of its previous count; or refuses it, or slower ones. */
  hold(body: Held, bytes: number): HttpRefusal | undefined {
    const share = this.shareOf(body.caller)
    const { bodies_bytes_max, bodies_bytes_per_key_max, json_body_bytes_max } = this.limits
    const more = bytes - body.bytes
    if (share.bytes + more > bodies_bytes_per_key_max && share.bytes > body.bytes) {
      return this.refuse(
        "key_body_bytes",
        `The bodies of this API key hold ${share.bytes} bytes; the limit bodies_bytes_per_key_max is ${bodies_bytes_per_key_max}.`,
      )
    }
    const bound = bodies_bytes_max * (bytes > json_body_bytes_max ? 1 - shareOfSmallBodies : 1)
    while (this.bytes + more > bound && this.bytes > body.bytes) {
      const slower = this.#slowerThan(body)
      const refusal = this.#count("body_bytes", overloaded)
      if (slower === undefined) return refusal
      slower.refuse(refusal)
    }
    this.bytes += more
    share.bytes += more
    body.bytes = bytes
    return undefined
  }

  /** The slowest body that makes hardly any progress, and less than `body`. */
  #slowerThan(body: Held): Held | undefined {
    let slowest: Held | undefined
    let least = Math.min(body.recentBytes, slowBytes)
    for (const each of this.arriving) {
      if (each.bytes === 0 || each.recentBytes >= least) continue
      slowest = each
      least = each.recentBytes
    }
    return slowest
  }

  /** Refuses bodies that arrive too slowly; if this process itself was blocked, no sender is blamed. */
  sweep(now: number, everyMs: number): void {
    const isLate = now - this.#sweptAt > 2 * everyMs
    this.#sweptAt = now
    for (const body of this.arriving) {
      if (!body.keepsUp(now, this.limits, isLate)) {
        const { body_window_bytes_min, body_window_ms } = this.limits
        const message = `The body arrived with less than ${body_window_bytes_min} bytes in ${body_window_ms} ms; the limits are body_window_bytes_min and body_window_ms.`
        body.refuse(this.#count("slow_body", refuseHttp("request_timeout", message)))
      }
    }
  }

  release(body: Held): void {
    this.arrived(body)
    const share = this.shareOf(body.caller)
    this.bytes -= body.bytes
    share.bytes -= body.bytes
    share.reservedBytes -= body.reservedBytes
    body.bytes = 0
    body.reservedBytes = 0
    if (share.bytes === 0 && share.reservedBytes === 0 && share.arriving === 0)
      this.#shares.delete(body.caller)
  }

  arrived(body: Held): void {
    if (this.arriving.delete(body)) this.shareOf(body.caller).arriving--
  }

  refuse(reason: RefusalReason, message: string): HttpRefusal {
    return this.#count(reason, refuseHttp("too_many_connections", message, { headers: retrySoon }))
  }

  #count(reason: RefusalReason, refusal: HttpRefusal): HttpRefusal {
    this.#metrics.refused(reason)
    return refusal
  }
}

const retrySoon = { "retry-after": "2" }
const overloaded = refuseHttp(
  "overloaded",
  "The service has as many large bodies in flight as it accepts, and this one is the slowest of them.",
  { headers: retrySoon },
)

class Held implements Body {
  bytes = 0
  reservedBytes = 0
  /** What came within the last sweep; what has not been looked at yet is not slow. */
  recentBytes = Number.POSITIVE_INFINITY
  #swept: number
  #window: { readonly since: number; readonly bytes: number }
  #refusal: HttpRefusal | undefined
  #onRefusal: ((refusal: HttpRefusal) => void) | undefined
  #released = false
  readonly #registry: Registry
  readonly caller: string
  readonly source: IncomingMessage

  constructor(registry: Registry, caller: string, source: IncomingMessage, now: number) {
    this.#registry = registry
    this.caller = caller
    this.source = source
    this.#swept = this.#read
    this.#window = { since: now, bytes: this.#swept }
    registry.arriving.add(this)
    registry.shareOf(caller).arriving++
  }

  /** Including the framing of a form or of chunks, since the sender's speed is what counts. */
  get #read(): number {
    return this.source.socket.bytesRead
  }

  keepsUp(now: number, { body_window_bytes_min, body_window_ms }: LimitValues, isLate: boolean): boolean {
    const read = this.#read
    this.recentBytes = read - this.#swept
    this.#swept = read
    const { bytes, since } = this.#window
    if (now - since < body_window_ms && !isLate) return true
    this.#window = { since: now, bytes: read }
    // Time spent waiting here does not count as slow.
    return isLate || read - bytes >= body_window_bytes_min || this.source.readableLength > 0
  }

  readonly reserve = (bytes: number): boolean => this.#accept(() => this.#registry.reserve(this, bytes))

  readonly hold = (bytes: number): boolean => this.#accept(() => this.#registry.hold(this, bytes))

  #accept(ask: () => HttpRefusal | undefined): boolean {
    const refusal = this.#refusal ?? ask()
    if (refusal === undefined) return true
    if (this.#refusal === undefined) this.refuse(refusal)
    return false
  }

  readonly arrived = (): void => this.#registry.arrived(this)

  release(): void {
    if (this.#released) return
    this.#released = true
    this.#registry.release(this)
  }

  refuse(refusal: HttpRefusal): void {
    this.#refusal = refusal
    this.release()
    this.#onRefusal?.(refusal)
  }

  readonly onRefusal = (then: (refusal: HttpRefusal) => void): void => {
    this.#onRefusal = then
    if (this.#refusal !== undefined) then(this.#refusal)
  }
}
