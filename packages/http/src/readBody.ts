import type { ServerResponse } from "node:http"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import * as Effect from "effect/Effect"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { Bodies, type Body } from "./Bodies.ts"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"

/** A body costs more the smaller its chunks are: this many are accepted, plus one for each 64 bytes. */
const piecesMax = 256
const pieceBytes = 64
/** Copies of a growing body are garbage, and hold up the event loop: a few large steps leave little of it. */
const firstBytes = 16 * 1024
const growth = 64

/**
 * The bytes of a request's body, counted by `Bodies` as they arrive; memory is taken for what has arrived, not
 * for what was announced. Refuses with 413 past `bytesMax`, 400 `invalid_json` where the body ends too early or
 * comes in too many pieces, and with what `Bodies` refuses. `inspect` is shown every piece as it arrives; what it
 * answers refuses the rest unread.
 */
export const readBody = (
  bytesMax: number,
  inspect: (piece: Uint8Array) => HttpRefusal | undefined,
): Effect.Effect<Uint8Array, HttpRefusal, HttpServerRequest | Bodies> =>
  Effect.gen(function* () {
    const bodies = yield* Bodies
    const body = yield* bodies.open
    const request = yield* HttpServerRequest
    // A client that waits for 100 Continue is authenticated and within its rate by now.
    if (/^100-continue$/i.test(request.headers["expect"] ?? "")) {
      ;(NodeHttpServerRequest.toServerResponse(request) as ServerResponse).writeContinue()
    }
    const bytes = yield* collect(body, bytesMax, inspect)
    body.arrived()
    return bytes
  })

const collect = (
  body: Body,
  bytesMax: number,
  inspect: (piece: Uint8Array) => HttpRefusal | undefined,
): Effect.Effect<Uint8Array, HttpRefusal> =>
  Effect.callback((resume) => {
    const { source } = body
    const announced = Number(source.headers["content-length"] ?? bytesMax)
    let bytes: Uint8Array = new Uint8Array(0)
    let length = 0
    let pieces = 0
    /** Unwritten memory is not committed yet: only what arrived counts. */
    const grow = (needed: number) => {
      const size = Math.max(
        needed,
        Math.min(Math.max(growth * bytes.length, firstBytes), announced, bytesMax),
      )
      const larger = Buffer.allocUnsafeSlow(size)
      larger.set(bytes.subarray(0, length))
      bytes = larger
    }
    const onData = (chunk: Uint8Array) => {
      const needed = length + chunk.length
      if (needed > bytesMax) return finish(Effect.fail(tooLarge(bytesMax)))
      if (++pieces > piecesMax + needed / pieceBytes)
        return finish(Effect.fail(tooManyPieces(pieces, needed)))
      const refusal = inspect(chunk)
      if (refusal !== undefined) return finish(Effect.fail(refusal))
      if (!body.hold(needed)) return
      // Most bodies come in one piece.
      if (needed === announced && length === 0) bytes = chunk
      else {
        if (needed > bytes.length) grow(needed)
        bytes.set(chunk, length)
      }
      length = needed
    }
    const onEnd = () => finish(Effect.succeed(bytes.subarray(0, length)))
    const onClose = () => finish(Effect.fail(cutShort))
    const listeners = [
      ["data", onData],
      ["end", onEnd],
      ["error", onClose],
      ["close", onClose],
    ] as const
    const stop = () => {
      source.pause()
      for (const [event, listener] of listeners) source.off(event, listener)
    }
    const finish = (result: Effect.Effect<Uint8Array, HttpRefusal>) => {
      stop()
      resume(result)
    }
    body.onRefusal((refusal) => finish(Effect.fail(refusal)))
    if (body.reserve(Math.min(Number(source.headers["content-length"] ?? 0), bytesMax))) {
      for (const [event, listener] of listeners) source.on(event, listener)
      if (source.destroyed) onClose()
    }
    return Effect.sync(stop)
  })

export const tooLarge = (bytesMax: number): HttpRefusal =>
  refuseHttp("request_too_large", `The body may have at most ${bytesMax} bytes.`)

const tooManyPieces = (pieces: number, bytes: number): HttpRefusal =>
  refuseHttp(
    "invalid_json",
    `The body came in ${pieces} pieces for ${bytes} bytes; at most ${piecesMax} and one for each ${pieceBytes} bytes are taken.`,
  )

const cutShort = refuseHttp("invalid_json", "The body ended before it was complete.")
