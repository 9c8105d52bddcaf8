import { IncomingMessage, type Server, ServerResponse } from "node:http"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import { securityHeaders } from "./Answer.ts"
import { HttpMetrics } from "./HttpMetrics.ts"
import { refuseHttp } from "./HttpRefusal.ts"
import { Overload } from "./Overload.ts"
import { toApiError } from "./toApiError.ts"

/** A refused body of more bytes is not read to keep its connection. */
const unreadBytesMax = 64 * 1024
/** Time to read the refusal before the connection is gone. */
const closingMillis = 500

/**
 * Refuses submissions with 503 `overloaded` while the process is overloaded: before the request is routed and
 * authenticated, its body read, or anything stored. At several times the load most requests are refused, so that a
 * refusal must cost a small part of a submission: it is written by Node's server, past Effect's.
 */
export const shed = Effect.fnUntraced(function* (server: Server) {
  const random = yield* SecureRandom
  const overload = yield* Overload
  const metrics = yield* HttpMetrics
  const { body, headers, status } = toApiError(
    refuseHttp("overloaded", "The service has more to do than it can take on; send the request again later."),
    "tools",
  )
  // What is the same in every refusal is made once.
  const [beforeId = "", afterId = ""] = JSON.stringify({ ...body, request_id: "?" }).split("?")
  const head = Object.entries({ ...securityHeaders, ...headers, "content-type": "application/json" }).flat()
  const refuse = (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = `req_${Effect.runSync(random.ulid).toLowerCase()}`
    const text = `${beforeId}${requestId}${afterId}`
    const isKept = isSmall(request)
    const own = ["x-request-id", requestId, "content-length", String(Buffer.byteLength(text))]
    metrics.count(status)
    response.writeHead(status, [...head, ...own, ...(isKept ? [] : ["connection", "close"])])
    if (isKept) response.end(text)
    else endUnread(request, response, text)
  }
  let inFlight = 0
  const take = (response: ServerResponse): void => {
    inFlight += 1
    response.once("close", () => {
      inFlight -= 1
    })
  }
  const { emit } = server
  Object.assign(server, {
    emit: (event: string | symbol, ...given: ReadonlyArray<unknown>): boolean => {
      const [request, response] = given
      if (
        (event === "request" || event === "checkContinue") &&
        request instanceof IncomingMessage &&
        response instanceof ServerResponse &&
        isSubmission(request)
      ) {
        if (overload.refuses(inFlight)) {
          refuse(request, response)
          return true
        }
        take(response)
      }
      return Reflect.apply(emit, server, [event, ...given])
    },
  })
})

/** What asks for new work: tasks, generations, quotes, uploads. */
const isSubmission = ({ method, url = "" }: IncomingMessage): boolean =>
  method === "POST" && /^\/v1\/(images|tools)\//.test(url)

const isSmall = ({ headers }: IncomingMessage): boolean =>
  headers.expect === undefined && Number(headers["content-length"] ?? Number.NaN) <= unreadBytesMax

/** Closing a socket that still has bytes to read would reset it, and the refusal might never be read. */
const endUnread = ({ socket }: IncomingMessage, response: ServerResponse, text: string): void => {
  response.write(text)
  response.detachSocket(socket)
  socket.end()
  const timer = setTimeout(() => socket.destroy(), closingMillis)
  socket.once("close", () => clearTimeout(timer))
}
