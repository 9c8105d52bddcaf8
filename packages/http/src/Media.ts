import { Media, type StorageError } from "@atelier/core"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Option from "effect/Option"
import { type Headers, holds, respond, streamed } from "./Answer.ts"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"
import { parseRange } from "./Range.ts"

/** Where archived images are, under the media address (image-tasks 4.3: permanent links). */
export const mediaPath = "/media/:name"

/** A route beside the contract: no endpoint annotates it. */
const route = { annotations: Context.empty() }

/**
 * Archived images, readable by anyone who knows their address; their names are hashes of their bytes and their task, so
 * that they can be kept forever. Refuses with 404 `not_found`, then with 416 `range_not_satisfiable`.
 */
export const layer = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const media = yield* Media
    yield* router.add("GET", mediaPath, (request) =>
      Effect.flatMap(HttpRouter.params, ({ name = "" }) => respond(route, serve(media, request, name))),
    )
  }),
)

const serve = Effect.fnUntraced(function* (
  media: Media["Service"],
  request: HttpServerRequest.HttpServerRequest,
  name: string,
): Effect.fn.Return<HttpServerResponse.HttpServerResponse, HttpRefusal | StorageError> {
  const found = yield* media.find(name)
  if (Option.isNone(found)) return yield* refuseHttp("not_found", "There is no such image.")
  const { bytes, contentType, hash, read } = found.value
  const etag = `"${hash}"`
  const headers: Headers = {
    etag,
    "accept-ranges": "bytes",
    "access-control-allow-origin": "*",
    "cache-control": "public, max-age=31536000, immutable",
    "cross-origin-resource-policy": "cross-origin",
  }
  if (holds(request.headers["if-none-match"], etag)) {
    return HttpServerResponse.empty({ status: 304, headers })
  }
  const { range: asked, "if-range": ifRange } = request.headers
  const range = ifRange === undefined || ifRange === etag ? parseRange(asked, bytes) : null
  if (range === "unsatisfiable") {
    return yield* refuseHttp(
      "range_not_satisfiable",
      `The image has ${bytes} bytes; ${asked} is outside of them.`,
      {
        headers: { "content-range": `bytes */${bytes}` },
      },
    )
  }
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  return yield* streamed(range === null ? read() : read(range), {
    status: range === null ? 200 : 206,
    contentType,
    contentLength: end - start + 1,
    headers: range === null ? headers : { ...headers, "content-range": `bytes ${start}-${end}/${bytes}` },
  })
})
