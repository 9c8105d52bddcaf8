import type { StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import type { Statement } from "./statement.ts"

/** How far the clocks of two processes may be apart without a row being missed: rows are nearly in order of time. */
export const clockSkewMillis = 60_000

/**
 * The last sequence whose row was written before `at`, found by halving, since rows are appended in the order of
 * time: no index of times has to be kept for it. 0 if there is none.
 */
export const makeSequenceAt =
  (last: Statement<{ sequence: number }>, atOrBefore: Statement<{ at: number }>) =>
  (at: number): Effect.Effect<number, StorageError> =>
    Effect.gen(function* () {
      let low = 0
      let high = ((yield* last([]))[0]?.sequence ?? 0) + 1
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2)
        const found = (yield* atOrBefore([middle]))[0]
        if (found !== undefined && found.at >= at) high = middle
        else low = middle
      }
      return low
    })
