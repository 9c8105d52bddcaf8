import { type Json, Limits } from "@atelier/core"
import { JsonCount, JsonExcess, type JsonLimits } from "@atelier/intake/bytes"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Schema from "effect/Schema"
import type { Bodies } from "./Bodies.ts"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"
import { readBody, tooLarge } from "./readBody.ts"
import { schemaProblem } from "./SchemaProblem.ts"

/** A JSON object of unknown shape. */
export type JsonObject = { readonly [field: string]: Json }

/**
 * The body of an image request: any JSON object (unknown fields are core's warnings). At most 16 MiB where it
 * asks for `blend`, else 256 KiB (contract, Limits and rates).
 */
export const imageBody: Effect.Effect<JsonObject, HttpRefusal, HttpServerRequest.HttpServerRequest | Bodies> =
  Effect.gen(function* () {
    const limits = yield* Limits
    const { value, bytes } = yield* readJson(limits.json_body_blend_bytes_max, limits)
    if (!isObject(value)) return yield* notAnObject
    if (bytes > limits.json_body_bytes_max && value["generation_type"] !== "blend") {
      return yield* tooLarge(limits.json_body_bytes_max)
    }
    return value
  })

/** A body by its schema; a field that the schema does not know is refused with `unknown_parameter`. */
export const bodyOf = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })
  return Effect.gen(function* () {
    const limits = yield* Limits
    const { value } = yield* readJson(limits.json_body_bytes_max, limits)
    if (!isObject(value)) return yield* notAnObject
    return yield* Effect.mapError(decode(value), (error) => schemaProblem(error, value))
  })
}

/** Any JSON. */
export const jsonBody = (bytesMax: number) =>
  Effect.flatMap(Limits, (limits) => Effect.map(readJson(bytesMax, limits), ({ value }) => value))

/**
 * Refuses, in this order, with 415 (media type, compression), what `readBody` refuses while the bytes arrive, 400
 * `invalid_json`.
 */
const readJson = Effect.fnUntraced(function* (bytesMax: number, limits: JsonLimits) {
  const request = yield* HttpServerRequest.HttpServerRequest
  yield* requireJson(request)
  if (Number(request.headers["content-length"] ?? 0) > bytesMax) return yield* tooLarge(bytesMax)
  const count = new JsonCount(limits)
  const bytes = yield* readBody(bytesMax, (piece) => refusalOf(() => count.add(piece)))
  return { value: yield* parse(bytes, count), bytes: bytes.length }
})

const requireJson = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<void, HttpRefusal> => {
  const { "content-type": type, "content-encoding": encoding = "identity" } = request.headers
  if (encoding !== "identity") {
    return Effect.fail(
      refuseHttp("unsupported_media_type", `Bodies must be uncompressed; got Content-Encoding ${encoding}.`),
    )
  }
  return type === undefined || /^application\/(json|[\w.-]+\+json)\s*(;|$)/i.test(type)
    ? Effect.void
    : Effect.fail(
        refuseHttp(
          "unsupported_media_type",
          `The body must be application/json; got Content-Type ${JSON.stringify(type)}.`,
        ),
      )
}

const notAnObject = refuseHttp("invalid_parameter", "The body must be a JSON object.")

/** Refuses a body by its structure as soon as a limit is exceeded, before the rest arrives. */
const refusalOf = (count: () => void): HttpRefusal | undefined => {
  try {
    count()
    return undefined
  } catch (thrown) {
    if (thrown instanceof JsonExcess) return refuseHttp("invalid_json", thrown.message)
    throw thrown
  }
}

const parse = (bytes: Uint8Array, count: JsonCount): Effect.Effect<Json, HttpRefusal> =>
  Effect.try({
    try: () => count.parse(bytes) as Json,
    catch: (thrown) => {
      if (thrown instanceof JsonExcess) return refuseHttp("invalid_json", thrown.message)
      return refuseHttp(
        "invalid_json",
        bytes.length === 0 ? "The body is empty." : "The body is not JSON in UTF-8.",
      )
    },
  })

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
