import { Limits, type LimitValues, Transaction } from "@atelier/core"
import { Clock } from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** How often the event loop is asked for a sign of life: its delay is by how much that is late. */
const tickMillis = 50
/** So few submissions at once are not why a process is late: its machine has other work. */
const harmlessMax = 16
/** The largest delays are told for this long at least, and twice as long at most. */
const peakMillis = 15_000

type Bounds = Pick<LimitValues, "overload_delay_ms" | "overload_window_ms" | "transactions_waiting_max">

/**
 * Decides by queueing delay, as CoDel does for packets: a delay that was never below `overload_delay_ms` for
 * `overload_window_ms` is a standing queue, not a burst. From then on, until the delay was below for as long, a
 * submission is refused while the delay is above, unless there are few of them. Too many waiting transactions are refused at once.
 */
export class OverloadPolicy {
  readonly #bounds: Bounds
  #aboveSince: number | undefined
  #belowSince: number | undefined = Number.NEGATIVE_INFINITY
  #standing = false

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** Whether a submission is refused that comes now, in milliseconds of any clock that only goes forward. */
  refuses(now: number, delayMillis: number, waitingCount: number, inFlight: number): boolean {
    const { overload_delay_ms, overload_window_ms, transactions_waiting_max } = this.#bounds
    const above = delayMillis > overload_delay_ms
    this.#aboveSince = above ? (this.#aboveSince ?? now) : undefined
    this.#belowSince = above ? undefined : (this.#belowSince ?? now)
    const since = this.#standing ? this.#belowSince : this.#aboveSince
    if (since !== undefined && now - since >= overload_window_ms) this.#standing = above
    return (this.#standing && above && inFlight >= harmlessMax) || waitingCount >= transactions_waiting_max
  }
}

/** The largest of the last while, for who asks now and then. */
class Peak {
  #began = 0
  #last = 0
  #current = 0

  see(now: number, value: number): number {
    if (now - this.#began >= peakMillis) {
      this.#last = now - this.#began < 2 * peakMillis ? this.#current : 0
      this.#current = 0
      this.#began = now
    }
    this.#current = Math.max(this.#current, value)
    return Math.max(this.#last, this.#current)
  }
}

/** Whether this process takes on more work (contract, Later decisions: 503 `overloaded`). */
export class Overload extends Context.Service<
  Overload,
  {
    /**
     * Asked once for each submission, before anything is done for it, with the number of those that are not answered
     * yet; counts those that it refuses.
     */
    readonly refuses: (inFlight: number) => boolean
    /** Submissions refused since the start, and the largest delays of the last 15 to 30 s. */
    readonly report: () => {
      readonly refused: number
      readonly loopMillis: number
      readonly waitingMillis: number
      readonly waitingCount: number
    }
  }
>()("@atelier/http/Overload") {
  static readonly layer = Layer.effect(
    Overload,
    Effect.gen(function* () {
      const clock = yield* Clock
      const limits = yield* Limits
      const { waiting } = yield* Transaction
      const policy = new OverloadPolicy(limits)
      const [loopPeak, waitingPeak] = [new Peak(), new Peak()]
      const millis = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      let refused = 0
      let tickedAt = millis()

      const look = (inFlight = 0) => {
        const now = millis()
        const queue = waiting()
        const loopMillis = Math.max(0, now - tickedAt - tickMillis)
        const refuses = policy.refuses(now, Math.max(loopMillis, queue.millis), queue.count, inFlight)
        return {
          refuses,
          loopMillis: loopPeak.see(now, loopMillis),
          waitingMillis: waitingPeak.see(now, queue.millis),
          waitingCount: queue.count,
        }
      }
      const tick = () => {
        look()
        tickedAt = millis()
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => setInterval(tick, tickMillis).unref()),
        (timer) => Effect.sync(() => clearInterval(timer)),
      )
      return Overload.of({
        refuses: (inFlight) => {
          const { refuses } = look(inFlight)
          if (refuses) refused += 1
          return refuses
        },
        report: () => ({ ...look(), refused }),
      })
    }),
  )
}
