import * as Http from "node:http"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** One request as the vendor got it. */
export interface VendorRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Http.IncomingHttpHeaders
  readonly body: Buffer
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown
  /** The body as `multipart/form-data`. */
  readonly form: () => Promise<FormData>
}

/** What a reply may do: anything that a server can do to a connection. */
export interface VendorExchange {
  readonly request: VendorRequest
  readonly response: Http.ServerResponse
}
export type Reply = (exchange: VendorExchange) => void | Promise<void>

/** A vendor's server on loopback, scripted by its test. */
export interface Vendor {
  /** Without a slash at its end. */
  readonly url: string
  /** Every request, in the order of arrival. */
  readonly requests: ReadonlyArray<VendorRequest>
  /** The requests of one route. */
  readonly asked: (method: string, path: string | RegExp) => ReadonlyArray<VendorRequest>
  /**
   * Replies to a route one after another, the last one forever. A later script of the same route replaces an
   * earlier one. What no script names gets 404.
   */
  readonly on: (method: string, path: string | RegExp, ...replies: ReadonlyArray<Reply>) => void
  /** A link to bytes, such as results are given by; `expire` makes it answer 403. */
  readonly link: (
    content: Uint8Array,
    contentType?: string,
  ) => { readonly url: string; readonly path: string; readonly expire: () => void }
}

/** A JSON answer. */
export const json =
  (value: unknown, status = 200, headers: Http.OutgoingHttpHeaders = {}): Reply =>
  ({ response }) => {
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(JSON.stringify(value))
  }

/** An answer of any bytes. */
export const bytes =
  (content: Uint8Array | string, contentType = "image/png", status = 200): Reply =>
  ({ response }) => {
    response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(content) })
    response.end(content)
  }

/** 429, with the wait in seconds or as a date. */
export const tooManyRequests = (retryAfter?: string): Reply =>
  json(
    { error: { message: "Rate limit reached.", type: "requests", code: "rate_limit_exceeded" } },
    429,
    retryAfter === undefined ? {} : { "retry-after": retryAfter },
  )

/** A proxy's page before the vendor. */
export const htmlError = (status: number): Reply =>
  bytes(`<html><body><h1>${status}</h1></body></html>`, "text/html", status)

/** The connection is cut: nothing was answered. */
export const cutBeforeHeaders: Reply = ({ response }) => void response.socket?.destroy()

/** The connection is cut after the headers of an answer. */
export const cutAfterHeaders: Reply = async ({ response }) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": 1000 })
  response.flushHeaders()
  await turn()
  response.socket?.destroy()
}

/** The connection is cut in the middle of an answer's body. */
export const cutMidBody =
  (content: Uint8Array | string, contentType = "application/json"): Reply =>
  async ({ response }) => {
    const whole = Buffer.from(content)
    response.writeHead(200, { "content-type": contentType, "content-length": whole.length })
    response.write(whole.subarray(0, Math.ceil(whole.length / 2)))
    await turn()
    response.socket?.destroy()
  }

/** Nothing is ever answered. */
export const silence: Reply = () => {}

/** The same answer, its body in pieces with a pause before each. */
export const slowly =
  (content: Uint8Array | string, pieces: number, pauseMillis: number, contentType = "image/png"): Reply =>
  async ({ response }) => {
    const whole = Buffer.from(content)
    response.writeHead(200, { "content-type": contentType, "content-length": whole.length })
    const size = Math.ceil(whole.length / pieces)
    for (let offset = 0; offset < whole.length; offset += size) {
      await pause(pauseMillis)
      response.write(whole.subarray(offset, offset + size))
    }
    response.end()
  }

/** The reply, later. */
export const after =
  (millis: number, reply: Reply): Reply =>
  async (exchange) => {
    await pause(millis)
    await reply(exchange)
  }

/** The reply, once the test says so. `waiting` settles when a request has come to it. */
export const held = (reply: Reply) => {
  const waiting = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  const gated: Reply = async (exchange) => {
    waiting.resolve()
    await gate.promise
    await reply(exchange)
  }
  return { reply: gated, waiting: waiting.promise, open: () => gate.resolve() }
}

/**
 * What is paid for: makes a generation for every request that gets so far, or, with `keyOf`, one for each key,
 * as a vendor does that honours a client-side reference. `deliver` answers with it, or fails to.
 */
export const studio = (
  make: (request: VendorRequest, index: number) => unknown,
  keyOf: (request: VendorRequest) => string | undefined = () => undefined,
) => {
  const made: Array<unknown> = []
  const byKey = new Map<string, unknown>()
  const generate = (request: VendorRequest): unknown => {
    const key = keyOf(request)
    if (key !== undefined && byKey.has(key)) return byKey.get(key)
    const generation = make(request, made.length)
    made.push(generation)
    if (key !== undefined) byKey.set(key, generation)
    return generation
  }
  return {
    made,
    deliver:
      (how: (generation: unknown) => Reply = json): Reply =>
      (exchange) =>
        how(generate(exchange.request))(exchange),
  }
}

/** An `Idempotency-Key`, for `studio`. */
export const idempotencyKeyOf = ({ headers }: VendorRequest): string | undefined => {
  const key = headers["idempotency-key"]
  return typeof key === "string" ? key : undefined
}

/** One turn of the event loop: what was written goes out. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

interface Route {
  readonly method: string
  readonly path: string | RegExp
  readonly replies: ReadonlyArray<Reply>
  answered: number
}

/** A vendor for as long as the scope lasts. */
export const makeVendor: Effect.Effect<Vendor, never, Scope.Scope> = Effect.suspend(() =>
  vendorOn((listener) => Http.createServer(listener), "http://127.0.0.1"),
)

/** A vendor on a server of the caller's making, reached by its origin. */
export const vendorOn = Effect.fnUntraced(function* (
  create: (listener: Http.RequestListener) => Http.Server,
  origin: string,
): Effect.fn.Return<Vendor, never, Scope.Scope> {
  const requests: Array<VendorRequest> = []
  const routes: Array<Route> = []
  const replyTo = (request: VendorRequest): Reply => {
    const route = routes.findLast(({ method, path }) => isOf(request, method, path))
    if (route === undefined) return json({ error: { message: "Not found.", code: "not_found" } }, 404)
    return route.replies[Math.min(route.answered++, route.replies.length - 1)] ?? silence
  }
  const server = create(async (incoming, response) => {
    response.on("error", () => {})
    try {
      const request = await read(incoming)
      requests.push(request)
      await replyTo(request)({ request, response })
    } catch {
      response.socket?.destroy()
    }
  })
  const url = `${origin}:${yield* listening(server)}`
  const on: Vendor["on"] = (method, path, ...replies) =>
    void routes.push({ method, path, replies, answered: 0 })
  let links = 0
  return {
    url,
    requests,
    asked: (method, path) => requests.filter((request) => isOf(request, method, path)),
    on,
    link: (content, contentType = "image/png") => {
      const path = `/files/${links++}`
      on("GET", path, bytes(content, contentType))
      return {
        url: `${url}${path}`,
        path,
        expire: () => on("GET", path, bytes("<Error>expired</Error>", "application/xml", 403)),
      }
    },
  }
})

const isOf = (request: VendorRequest, method: string, path: string | RegExp): boolean =>
  request.method === method &&
  (typeof path === "string" ? request.path.split("?")[0] === path : path.test(request.path))

const read = async (incoming: Http.IncomingMessage): Promise<VendorRequest> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of incoming) chunks.push(chunk)
  const body = Buffer.concat(chunks)
  const { headers, method = "", url: path = "" } = incoming
  return {
    method,
    path,
    headers,
    body,
    json: parseJson(body),
    form: () =>
      new Response(body, { headers: { "content-type": String(headers["content-type"]) } }).formData(),
  }
}

const parseJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"))
  } catch {
    return undefined
  }
}

const listening = (server: Http.Server): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        if (address === null || typeof address === "string") throw new Error("no port")
        resume(Effect.succeed(address.port))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  )
