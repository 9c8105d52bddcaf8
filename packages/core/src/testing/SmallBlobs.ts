import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SmallBlobs } from "../ports/SmallBlobs.ts"
import { Transaction } from "../ports/Transaction.ts"

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte)

/** What every adapter of `SmallBlobs` holds. The layer starts empty. */
export const smallBlobsSuite = (
  name: string,
  layer: Layer.Layer<SmallBlobs | Transaction, unknown>,
): void => {
  shared(layer)(`${name}: contract of SmallBlobs`, (it) => {
    it.effect("bytes of any value are read as written, and replaced whole", () =>
      Effect.gen(function* () {
        const small = yield* SmallBlobs
        for (const bytes of [everyByte, new Uint8Array(), new Uint8Array(64 * 1024).fill(255)]) {
          yield* small.put("files/one", bytes)
          assert.deepStrictEqual(
            Option.map(yield* small.get("files/one"), (read) => Uint8Array.from(read)),
            Option.some(bytes),
          )
        }
        assert.deepStrictEqual(yield* small.get("files/none"), Option.none())
      }),
    )

    it.effect("what a transaction puts is there with its commit, or not at all", () =>
      Effect.gen(function* () {
        const small = yield* SmallBlobs
        const { run } = yield* Transaction
        yield* Effect.flip(run(Effect.andThen(small.put("files/undone", everyByte), Effect.fail("undo"))))
        assert.deepStrictEqual(yield* small.get("files/undone"), Option.none())
        yield* run(small.put("files/done", everyByte))
        assert.isTrue(Option.isSome(yield* small.get("files/done")))
      }),
    )

    it.effect(
      "one is removed by its key, and all below a key with a slash at its end, but no neighbour",
      () =>
        Effect.gen(function* () {
          const small = yield* SmallBlobs
          const below = ["results/a/result.json", "results/a/result.md"]
          const others = [
            "results/a",
            "results/a0",
            "results/a!/result.md",
            "results/b/result.md",
            "Results/a/b",
          ]
          for (const key of [...below, ...others]) yield* small.put(key, everyByte)
          const there = (keys: ReadonlyArray<string>) =>
            Effect.filter(keys, (key) => Effect.map(small.get(key), Option.isSome))
          assert.isTrue(yield* small.remove("results/a/"))
          assert.isFalse(yield* small.remove("results/a/"))
          assert.deepStrictEqual(yield* there([...below, ...others]), others)
          assert.isTrue(yield* small.remove("results/a"))
          assert.isFalse(yield* small.remove("results/a"))
          assert.deepStrictEqual(yield* there(others), others.slice(1))
        }),
    )
  })
}
