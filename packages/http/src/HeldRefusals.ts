import { Limits, type RatePolicy, TokenBuckets } from "@atelier/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HttpMetrics } from "./HttpMetrics.ts"

/** Sources whose refusals are remembered; beyond that the least recently seen is dropped. */
const sourcesMax = 10_000
/** Refusals that a source gets without delay: a client that respects `Retry-After` never has more. */
const prompt: RatePolicy = { perMinute: 600, burst: 60 }
/** Submissions that the whole process refuses without delay. */
const promptSubmissions: RatePolicy = { perMinute: 3000, burst: 100 }
const submissions = "submissions"
/** Delayed refusals of submissions take no more of one turn of the event loop, in milliseconds: they come in bursts. */
const turnMillisMax = 2

/**
 * Refusals that are delayed before they are sent. Each costs about as much as the smallest answer, and a client
 * that retries as soon as it is refused would keep the process busy with nothing else; delayed by
 * `refusal_hold_ms`, a connection retries once in that time. At most `refusals_held_max` are delayed; a further one
 * is sent at once.
 */
export class HeldRefusals extends Context.Service<
  HeldRefusals,
  {
    /** Completes when the refusal may be sent: at once unless its source had many recently. */
    readonly wait: (source: string) => Effect.Effect<void>
    /** Sends the refusal of a submission, now or later; the answer gives it up. */
    readonly send: (refusal: () => void) => () => void
  }
>()("@atelier/http/HeldRefusals") {
  static readonly layer = Layer.effect(
    HeldRefusals,
    Effect.gen(function* () {
      const limits = yield* Limits
      const clock = yield* Clock.Clock
      const metrics = yield* HttpMetrics
      const sources = new TokenBuckets<string>(sourcesMax)
      let held = 0
      yield* metrics.watch("refusals_held", () => held)
      const isHeld = (source: string, policy: RatePolicy): boolean =>
        !sources.take(source, policy, clock.currentTimeMillisUnsafe()).allowed &&
        held < limits.refusals_held_max
      const release = () => {
        held -= 1
      }
      const waiting = Effect.suspend(() => {
        held += 1
        return Effect.ensuring(Effect.sleep(limits.refusal_hold_ms), Effect.sync(release))
      })
      const delayed = new DelayedSends()
      return HeldRefusals.of({
        wait: (source) => Effect.suspend(() => (isHeld(source, prompt) ? waiting : Effect.void)),
        send: (refusal) => {
          if (!isHeld(submissions, promptSubmissions)) {
            refusal()
            return () => {}
          }
          held += 1
          const takeBack = delayed.add(limits.refusal_hold_ms, () => {
            release()
            refusal()
          })
          return () => {
            if (takeBack()) release()
          }
        },
      })
    }),
  )
}

interface Delayed {
  readonly due: number
  readonly send: () => void
}

/** What is sent after a delay that is the same for all, oldest first, and no more in one turn than fits. */
class DelayedSends {
  readonly #waiting = new Set<Delayed>()
  #isScheduled = false

  /** Answers how to take it back; that says whether it was still waiting. */
  add(delayMillis: number, send: () => void): () => boolean {
    const delayed = { due: performance.now() + delayMillis, send }
    this.#waiting.add(delayed)
    this.#schedule(delayed)
    return () => this.#waiting.delete(delayed)
  }

  #schedule({ due }: Delayed): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    const millis = due - performance.now()
    if (millis > 0) setTimeout(this.#turn, Math.ceil(millis))
    else setImmediate(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isScheduled = false
    const began = performance.now()
    for (const delayed of this.#waiting) {
      const now = performance.now()
      if (delayed.due > now || now - began > turnMillisMax) {
        this.#schedule(delayed)
        return
      }
      this.#waiting.delete(delayed)
      delayed.send()
    }
  }
}
