import * as Http from "node:http"
import * as Net from "node:net"
import { Deferred, Effect, Exit, Layer, type Scope } from "effect"
import * as SecureRandom from "effect/crypto/SecureRandom"
import { UpstreamHttp, type UpstreamHttpOptions } from "../../src/http/UpstreamHttp.ts"
import type { UpstreamRequest } from "../../src/http/UpstreamRequest.ts"

export const loopback = ["127.0.0.0/8", "::1"]

/** The client under test, allowed to reach loopback unless `options` say otherwise. */
export const clientLayer = (options: Partial<UpstreamHttpOptions> = {}) =>
  UpstreamHttp.layer({ allowPrivate: loopback, ...options }).pipe(Layer.provide(SecureRandom.layerWebCrypto))

/** A request for `url` with generous bounds. */
export const get = (url: string, more: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  method: "GET",
  url,
  policy: "public",
  timeoutMillis: 60_000,
  maxResponseBytes: 1024 * 1024,
  ...more,
})

/** The port of a listening server. */
export const portOf = (server: Net.Server): number => {
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("not listening on a port")
  return address.port
}

const listening = <S extends Net.Server>(
  server: S,
  host: string,
): Effect.Effect<number, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, host, () => resume(Effect.succeed(portOf(server))))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        if (server instanceof Http.Server) server.closeAllConnections()
      }),
  )

/** An HTTP server on loopback; `seen` holds what it was asked. */
export const serve = Effect.fnUntraced(function* (handler: Http.RequestListener, host = "127.0.0.1") {
  const seen: Array<Http.IncomingMessage> = []
  const server = Http.createServer((request, response) => {
    seen.push(request)
    handler(request, response)
  })
  const port = yield* listening(server, host)
  return { port, url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`, seen }
})

/** A server that speaks bytes: `answer` is called once a request's headers have come. */
export const serveRaw = Effect.fnUntraced(function* (answer: (socket: Net.Socket, text: string) => void) {
  const open = new Set<Net.Socket>()
  const server = Net.createServer((socket) => {
    open.add(socket)
    socket.on("error", () => {})
    socket.once("close", () => open.delete(socket))
    let text = ""
    socket.on("data", (chunk) => {
      const before = text.includes("\r\n\r\n")
      text += chunk.toString("latin1")
      if (!before && text.includes("\r\n\r\n")) answer(socket, text)
    })
  })
  const port = yield* listening(server, "127.0.0.1")
  yield* Effect.addFinalizer(() => Effect.sync(() => open.forEach((socket) => socket.destroy())))
  return { port, url: `http://127.0.0.1:${port}`, open }
})

/** The whole body of a request as it came. */
export const bodyOf = (request: Http.IncomingMessage): Promise<Buffer> =>
  new Promise((done) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => done(Buffer.concat(chunks)))
  })

/** An event that code outside of Effect announces. */
export const signal = () => {
  const deferred = Deferred.makeUnsafe<void>()
  return {
    fire: () => {
      Deferred.doneUnsafe(deferred, Exit.void)
    },
    wait: Deferred.await(deferred),
  }
}
