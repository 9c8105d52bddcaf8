/**
 * A paid request to a vendor over TLS, 40 ms of round trip away: on a connection that is opened for it, on one that was
 * opened ahead, and, for comparison, on one that served others, which paid requests never get. In closed loops.
 *
 * `npm run bench -- benchmarks/vendor-tls.ts [seconds per row]`
 */
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from "node:net"
import { join } from "node:path"
import { setDefaultCACertificates } from "node:tls"
import { UpstreamHttp, type UpstreamRequest } from "@atelier/models"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { root } from "../scripts/workspace.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 4)
const oneWayMs = 20
const callersOfRows = [1, 16]

const fixture = (name: string) => readFileSync(join(root, "packages/models/test/http/fixtures", name), "utf8")
const cert = fixture("upstream.test.cert.pem")
setDefaultCACertificates([cert])

const vendor = createServer({ cert, key: fixture("upstream.test.key.pem") }, (request, response) => {
  request.resume().on("end", () => response.end("ok"))
})
await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve))

/** Bytes arrive as long after they were sent as on a line of that length. */
const far = (from: Socket, to: Socket) => {
  from.on("data", (bytes) => setTimeout(() => to.writable && to.write(bytes), oneWayMs))
  from.on("end", () => setTimeout(() => to.end(), oneWayMs))
  from.on("error", () => to.destroy())
}
const line = createTcpServer({ allowHalfOpen: true }, (socket) => {
  const on = connect({ port: (vendor.address() as AddressInfo).port, host: "127.0.0.1", allowHalfOpen: true })
  far(socket, on)
  far(on, socket)
})
await new Promise<void>((resolve) => line.listen(0, "127.0.0.1", resolve))
const url = `https://upstream.test:${(line.address() as AddressInfo).port}/`

const paid = (more: Partial<UpstreamRequest>): UpstreamRequest => ({
  method: "POST",
  url,
  policy: "operator",
  timeoutMillis: 10_000,
  maxResponseBytes: 1024,
  ...more,
})
const kinds: ReadonlyArray<readonly [string, UpstreamRequest]> = [
  ["opened for the request", paid({ policy: "public" })],
  ["opened ahead", paid({ reuseConnection: false })],
  ["served others", paid({})],
]

const loop = (request: UpstreamRequest, callers: number) =>
  Effect.gen(function* () {
    const http = yield* UpstreamHttp
    const times: Array<number> = []
    const until = performance.now() + seconds * 1000
    const caller = Effect.gen(function* () {
      while (performance.now() < until) {
        const began = performance.now()
        yield* http.request(request)
        times.push(performance.now() - began)
      }
    })
    yield* Effect.all(
      Array.from({ length: callers }, () => caller),
      { concurrency: callers },
    )
    return times.toSorted((a, b) => a - b)
  })

const client = UpstreamHttp.layer({
  allowPrivate: ["127.0.0.1/32"],
  resolve: () => Promise.resolve(["127.0.0.1"]),
}).pipe(Layer.provide(SecureRandom.layerWebCrypto))

const rows = await Effect.runPromise(
  Effect.gen(function* () {
    const rows: Array<Record<string, string | number>> = []
    for (const callers of callersOfRows) {
      let single = Number.NaN
      for (const [connection, request] of kinds) {
        const times = yield* loop(request, callers)
        if (Number.isNaN(single)) single = median(times)
        rows.push({
          callers,
          connection,
          "p50 ms": rounded(median(times), 1),
          "p99 ms": rounded(times[Math.floor(times.length * 0.99)] ?? Number.NaN, 1),
          "of opened for it": rounded(median(times) / single, 2),
        })
      }
    }
    return rows
  }).pipe(Effect.provide(client)),
)

line.close()
vendor.close()
vendor.closeAllConnections()
report({
  name: "vendor-tls",
  title: "Paid requests to a vendor over TLS",
  rows,
  notes: [
    `A line of ${2 * oneWayMs} ms there and back, without TCP's own handshake, which would be one more for each connection that is opened. The vendor answers at once; ${seconds} s a row.`,
    "At most eight connections of an origin are ready, so that some of sixteen callers who all ask at once open their own.",
  ],
})
process.exit(0)
