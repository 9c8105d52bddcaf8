import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { refuse } from "../domain/CoreError.ts"
import { Limits } from "../domain/Limits.ts"

/**
 * Until when the previous secret stays valid after a rotation, in Unix milliseconds; null: void at once. Refuses an
 * overlap longer than `rotation_overlap_longest_ms`.
 */
export const makeOverlap = Effect.map(Limits, ({ rotation_overlap_longest_ms: longest }) =>
  Effect.fnUntraced(function* (overlapMs: number) {
    if (overlapMs < 0 || overlapMs > longest) {
      return yield* refuse(
        "invalid_parameter",
        `\`overlap_seconds\` must be from 0 to ${longest / 1000}; got ${overlapMs / 1000}.`,
        { param: "overlap_seconds" },
      )
    }
    return overlapMs === 0 ? null : (yield* Clock.currentTimeMillis) + overlapMs
  }),
)
