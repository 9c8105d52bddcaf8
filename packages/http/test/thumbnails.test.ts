import { type ImageAsset, Media, type StoredImage } from "@atelier/core"
import { type ParsingCall, ParsingPool } from "@atelier/intake"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Stream } from "effect"
import { makeThumbnails } from "../src/mcp/Thumbnails.ts"

const asset = (index: number): ImageAsset => ({
  blob: `media/${index}.png`,
  url: null,
  contentType: "image/png",
  width: 4000,
  height: 2000,
  bytes: 8_000_000,
})

/** Images are read, and then wait for a process that does not come before `go`. */
const busy = Effect.gen(function* () {
  const go = yield* Deferred.make<void>()
  const calls: Array<Pick<ParsingCall, "kind" | "owner">> = []
  let reads = 0
  const image: StoredImage = {
    hash: "",
    contentType: "image/png",
    bytes: 8_000_000,
    read: () => Stream.sync(() => new Uint8Array([++reads])),
  }
  const pool = ParsingPool.of({
    prepare: () => {},
    call: ({ kind, owner }) =>
      Effect.as(
        Effect.andThen(
          Effect.sync(() => calls.push({ kind, owner })),
          Deferred.await(go),
        ),
        null,
      ),
    sandbox: Effect.succeed({ level: "off", missing: [] }),
  })
  const layer = Layer.merge(
    Layer.succeed(Media, Media.of({ find: () => Effect.succeedSome(image) })),
    Layer.succeed(ParsingPool, pool),
  )
  return { go: Deferred.succeed(go, undefined), calls, reads: () => reads, layer }
})

describe("thumbnails of MCP results", () => {
  it.effect("hold the bytes of two images at once, however many are asked for", () =>
    Effect.gen(function* () {
      const { calls, go, layer, reads } = yield* busy
      const thumbnail = yield* Effect.provide(makeThumbnails(1000), layer)
      const asked = yield* Effect.forEach(Array.from({ length: 12 }), (_, index) =>
        Effect.forkChild(thumbnail(`user-${index}`, asset(index))),
      )
      while (reads() < 2) yield* Effect.yieldNow
      for (let turn = 0; turn < 100; turn++) yield* Effect.yieldNow
      assert.strictEqual(reads(), 2)
      yield* go
      const made = yield* Effect.forEach(asked, Fiber.join)
      assert.deepStrictEqual([reads(), calls.length, made.filter(Option.isSome)], [12, 12, []])
    }),
  )

  it.effect("are made by the processes for tasks, so that the one for uploads stays free", () =>
    Effect.gen(function* () {
      const { calls, go, layer } = yield* busy
      yield* go
      const thumbnail = yield* Effect.provide(makeThumbnails(1000), layer)
      yield* thumbnail("ada", asset(1))
      assert.deepStrictEqual(calls, [{ kind: "parse", owner: "ada" }])
    }),
  )
})
