import type { IncomingMessage } from "node:http"
import { pipeline, type Readable, type Transform } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type * as Pull from "effect/Pull"
import * as Stream from "effect/Stream"
import { codeOf, failure, type Hop, within } from "./Exchange.ts"
import type { UpstreamHttpError } from "./UpstreamHttpError.ts"

/**
 * The body of a response, decompressed. Counted as it comes out, never by what a header claims; but a
 * `content-length` beyond the bound is refused before anything is read. It can be read once.
 */
export const bodyOf = Effect.fnUntraced(function* (
  response: IncomingMessage,
  options: Pick<Hop, "target" | "method" | "deadline"> & {
    readonly bytesMax: number
    readonly idleTimeout: number
  },
): Effect.fn.Return<Stream.Stream<Uint8Array, UpstreamHttpError>, UpstreamHttpError> {
  const fail = (reason: "Aborted" | "InvalidResponse" | "TooLarge" | "Timeout", what: string) =>
    failure(options, reason, "body", true, what)
  const tooLarge = () => fail("TooLarge", `the body has more than ${options.bytesMax} bytes`)
  const decoded = isEmpty(response, options.method) ? response : decode(response)
  if (decoded === undefined) {
    return yield* fail("InvalidResponse", "the content encoding is not gzip, deflate or br")
  }
  const announced =
    decoded === response && options.method !== "HEAD" ? response.headers["content-length"] : "0"
  if (Number(announced) > options.bytesMax) {
    return yield* tooLarge()
  }
  // The scope of the connection ends an abandoned read.
  const chunks: AsyncIterator<Uint8Array> = decoded[Symbol.asyncIterator]()
  let read = 0
  const next = Effect.tryPromise({
    try: () => chunks.next(),
    catch: (cause) => {
      const code = codeOf(cause)
      const cut = decoded === response || /ECONNRESET|PREMATURE_CLOSE/.test(code)
      return code.includes("HPE_") || !cut
        ? fail("InvalidResponse", `the body is broken${code}`)
        : fail("Aborted", `the connection was cut inside the body${code}`)
    },
  })
  const pull = within(next, options.idleTimeout, options.deadline, () =>
    fail("Timeout", "the body did not come in time"),
  ).pipe(
    Effect.flatMap((chunk): Pull.Pull<readonly [Uint8Array], UpstreamHttpError> => {
      if (chunk.done === true) return Cause.done()
      read += chunk.value.length
      return read > options.bytesMax ? Effect.fail(tooLarge()) : Effect.succeed([chunk.value])
    }),
  )
  return Stream.fromPull(Effect.succeed(pull))
})

/** RFC 9110, 6.4.1: the headers speak of a body that is not there. */
const isEmpty = (response: IncomingMessage, method: string): boolean =>
  method === "HEAD" ||
  response.statusCode === 204 ||
  response.statusCode === 304 ||
  response.headers["content-length"] === "0"

/** One encoding at most: only decompression bombs use a chain of them. */
const decode = (response: IncomingMessage): Readable | undefined => {
  const encoding = (response.headers["content-encoding"] ?? "").trim().toLowerCase()
  if (encoding === "" || encoding === "identity") return response
  const decoder = decoderOf(encoding)
  // An error goes on to the decoder, and so to its reader, if it has one.
  if (decoder !== undefined) pipeline(response, decoder, () => {}).on("error", () => {})
  return decoder
}

const decoderOf = (encoding: string): Transform | undefined => {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip()
    case "deflate":
      return createInflate()
    case "br":
      return createBrotliDecompress()
    default:
      return undefined
  }
}
