import type { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { readyPerOriginMax } from "../../src/http/ReadyConnections.ts"
import { UpstreamHttp } from "../../src/http/UpstreamHttp.ts"
import { clientLayer, get, serveRaw } from "./support.ts"

const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok"

const turn = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

/** A vendor that answers at once, the connections on which it was asked, and a paid request to it. */
const vendor = Effect.gen(function* () {
  const http = yield* UpstreamHttp
  const asked: Array<Socket> = []
  const { open, url } = yield* serveRaw((socket) => {
    asked.push(socket)
    socket.end(answer)
  })
  const pay = http.request(get(url, { method: "POST", policy: "operator", reuseConnection: false }))
  /** Those that nothing was sent on. */
  const ready = () => [...open].filter((socket) => !asked.includes(socket))
  const until = (holds: () => boolean) =>
    Effect.gen(function* () {
      while (!holds()) yield* turn
    })
  return { asked, open, pay, ready, until }
})

const use = <A, E>(test: Effect.Effect<A, E, UpstreamHttp | Scope.Scope>) =>
  Effect.provide(Effect.scoped(test), clientLayer())

describe("connections for requests that must never be repeated", () => {
  it.live("one is opened ahead where an origin is asked again, and serves one request", () =>
    use(
      Effect.gen(function* () {
        const { asked, pay, ready, until } = yield* vendor
        yield* pay
        yield* turn
        assert.lengthOf(ready(), 0, "an origin that is asked once")
        yield* pay
        yield* until(() => ready().length === 1)
        const [ahead] = ready()
        yield* pay
        assert.strictEqual(asked[2], ahead)
        assert.strictEqual(new Set(asked).size, 3)
      }),
    ),
  )

  it.live("one that the vendor closed, or spoke on before it was asked, is not used", () =>
    use(
      Effect.gen(function* () {
        const { asked, pay, ready, until } = yield* vendor
        yield* pay
        for (const spoil of [
          (socket: Socket) => socket.end(),
          (socket: Socket) => socket.write("HTTP/1.1 408"),
        ]) {
          yield* pay
          yield* until(() => ready().length > 0)
          const ahead = ready()
          for (const socket of ahead) spoil(socket)
          yield* until(() => ahead.every((socket) => socket.destroyed))
          assert.strictEqual((yield* pay).status, 200)
          assert.isFalse(ahead.some((socket) => asked.includes(socket)))
        }
      }),
    ),
  )

  it.live("their number per origin is limited, and all are closed with the client", () =>
    Effect.gen(function* () {
      const { open, ready } = yield* Effect.provide(
        Effect.gen(function* () {
          const made = yield* vendor
          for (let count = 0; count < 3; count++)
            yield* Effect.all(
              Array.from({ length: 20 }, () => made.pay),
              { concurrency: 20 },
            )
          yield* made.until(() => made.ready().length > 0)
          yield* turn
          assert.isAtMost(made.ready().length, readyPerOriginMax)
          return made
        }),
        clientLayer(),
      )
      while (open.size > 0) yield* turn
      assert.lengthOf(ready(), 0)
    }).pipe(Effect.scoped),
  )
})
