import { AssertionError } from "node:assert"
import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** Milliseconds, or such as `"90 seconds"`, `"1 hour"`, `"7 days"`. */
export type Span =
  | number
  | `${number} ${"second" | "seconds" | "minute" | "minutes" | "hour" | "hours" | "day" | "days"}`

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/**
 * A clock that stands still until it is moved. Moving it is one jump: what waits for a time in between goes on at the
 * new time, once.
 */
export class JumpClock implements Clock.Clock {
  #now: number
  readonly #sleepers = new Set<Sleeper>()

  constructor(now: number) {
    this.#now = now
  }

  currentTimeMillisUnsafe = (): number => this.#now
  currentTimeNanosUnsafe = (): bigint => BigInt(this.#now) * 1_000_000n
  monotonicTimeNanosUnsafe = this.currentTimeNanosUnsafe
  readonly currentTimeMillis = Effect.sync(this.currentTimeMillisUnsafe)
  readonly currentTimeNanos = Effect.sync(this.currentTimeNanosUnsafe)
  readonly monotonicTimeNanos = this.currentTimeNanos

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    const millis = Duration.toMillis(duration)
    if (millis <= 0) return Effect.yieldNow
    return Effect.callback((resume) => {
      const sleeper = { at: this.#now + millis, wake: () => resume(Effect.void) }
      this.#sleepers.add(sleeper)
      return Effect.sync(() => void this.#sleepers.delete(sleeper))
    })
  }

  jump(span: Span): void {
    const millis = millisOf(span)
    this.#now += millis
    const due = [...this.#sleepers].filter(({ at }) => at <= this.#now).sort((a, b) => a.at - b.at)
    for (const sleeper of due) {
      this.#sleepers.delete(sleeper)
      sleeper.wake()
    }
  }
}

const millisOf = (span: Span): number => {
  const duration = Duration.fromInput(span as Duration.Input)
  const millis = Option.isSome(duration) ? Duration.toMillis(duration.value) : Number.NaN
  if (Number.isInteger(millis) && millis >= 0) return millis
  throw new AssertionError({
    message: `the clock moves forward by milliseconds or such as "1 hour"; got ${JSON.stringify(span)}`,
  })
}
