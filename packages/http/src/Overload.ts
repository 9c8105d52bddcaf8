import { counter, Limits, type LimitValues, makeMeter, Storage } from "@atelier/core"
import { Clock } from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** How often the event loop's delay is measured, by how late a timer fires. */
const tickMillis = 50
/**
 * With this few submissions at once, they are not why the process is late: it has just started, or its machine has
 * other work.
 */
const harmlessMax = 64
/** The largest delays are reported for at least this long, and at most twice as long. */
const peakMillis = 15_000

const shed = counter("atelier_shed_total", "Submissions refused with `overloaded`.")

type Bounds = Pick<LimitValues, "overload_delay_ms" | "overload_window_ms" | "transactions_waiting_max">

/**
 * Decides by queueing delay, as CoDel does for packets: a delay that was never below `overload_delay_ms` for
 * `overload_window_ms` is a standing queue, not a burst. From then on, until the delay was below for as long, a
 * submission is refused if it was itself delayed longer, unless there are few of them. If too many wait, all are
 * refused at once.
 */
export class OverloadPolicy {
  readonly #bounds: Bounds
  #aboveSince: number | undefined
  #belowSince: number | undefined = Number.NEGATIVE_INFINITY
  #standing = false

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /**
   * Whether a submission is refused, in milliseconds of any clock that only goes forward; `delayMillis` is the largest
   * of any, `ownMillis` its own.
   */
  refuses(
    now: number,
    delayMillis: number,
    waitingCount: number,
    inFlight: number,
    ownMillis = delayMillis,
  ): boolean {
    const { overload_delay_ms, overload_window_ms, transactions_waiting_max } = this.#bounds
    const above = delayMillis > overload_delay_ms
    this.#aboveSince = above ? (this.#aboveSince ?? now) : undefined
    this.#belowSince = above ? undefined : (this.#belowSince ?? now)
    const since = this.#standing ? this.#belowSince : this.#aboveSince
    if (since !== undefined && now - since >= overload_window_ms) this.#standing = above
    const isLate = ownMillis > overload_delay_ms
    return (this.#standing && isLate && inFlight > harmlessMax) || waitingCount >= transactions_waiting_max
  }
}

/** The largest value of a recent period, for occasional readers. */
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

/** Submissions that are not answered yet, and those of them that the server has not begun. */
export interface Submissions {
  readonly inFlight: number
  readonly waitingCount: number
  /** How long the first of those has waited. */
  readonly waitingMillis: number
}

const noSubmissions: Submissions = { inFlight: 0, waitingCount: 0, waitingMillis: 0 }

/** Whether this process accepts more work (contract, Later decisions: 503 `overloaded`). */
export class Overload extends Context.Service<
  Overload,
  {
    /** What the server holds back is looked at with every delay, also between submissions. */
    readonly watch: (submissions: () => Submissions) => void
    /** Whether a submission is refused that has waited for so long to begin; counts those that it refuses. */
    readonly refuses: (ownMillis: number) => boolean
    /** How many transactions wait to begin in the store, in the order in which they came. */
    readonly transactionsWaiting: () => number
    /** The largest delays of the last 15 to 30 s. */
    readonly report: () => {
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
      const { waiting } = yield* Storage
      const policy = new OverloadPolicy(limits)
      const [loopPeak, waitingPeak] = [new Peak(), new Peak()]
      const millis = () => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
      const meter = yield* makeMeter
      meter.add(shed, [], 0)
      let tickedAt = millis()
      let submissions = () => noSubmissions

      const look = (ownMillis = 0) => {
        const now = millis()
        const queue = waiting()
        const { inFlight, waitingCount, waitingMillis } = submissions()
        const loopMillis = Math.max(0, now - tickedAt - tickMillis)
        const shared = Math.max(loopMillis, queue.millis)
        const refuses = policy.refuses(
          now,
          Math.max(shared, waitingMillis, ownMillis),
          queue.count + waitingCount,
          inFlight,
          Math.max(shared, ownMillis),
        )
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
        watch: (source) => {
          submissions = source
        },
        refuses: (ownMillis) => {
          const { refuses } = look(ownMillis)
          if (refuses) meter.add(shed, [])
          return refuses
        },
        transactionsWaiting: () => waiting().count,
        report: () => look(),
      })
    }),
  )
}
