import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { giveBack } from "../src/GiveBack.ts"

const MiB = 1024 * 1024

describe("memory that is left over after a load", () => {
  it.effect("is released once the process is idle, and only where it is substantial", () =>
    Effect.gen(function* () {
      let [heap, busy, collections] = [100 * MiB, 0, 0]
      const live = 30 * MiB
      yield* Effect.forkChild(
        giveBack({
          heapBytes: () => heap,
          busyShare: () => busy,
          collect: () => {
            collections += 1
            heap = live
          },
        }),
      )
      const after = Effect.fnUntraced(function* (state: { readonly heap: number; readonly busy: number }) {
        heap = state.heap
        busy = state.busy
        yield* TestClock.adjust("10 seconds")
        return [heap / MiB, collections]
      })
      yield* TestClock.adjust(0)
      assert.deepStrictEqual([heap, collections], [live, 1])
      assert.deepStrictEqual(yield* after({ heap: 90 * MiB, busy: 0 }), [90, 1])
      assert.deepStrictEqual(yield* after({ heap: 400 * MiB, busy: 0.9 }), [400, 1])
      assert.deepStrictEqual(yield* after({ heap: 400 * MiB, busy: 0.01 }), [30, 2])
      assert.deepStrictEqual(yield* after({ heap: 31 * MiB, busy: 0 }), [31, 2])
    }),
  )
})
