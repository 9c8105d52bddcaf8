import type { Waiting } from "@atelier/core"
import type { Clock } from "effect/Clock"
import * as Effect from "effect/Effect"

/**
 * Counts transactions from when they are asked for to when their body begins: on SQLite they wait for the writer, on
 * Postgres for a connection of the pool.
 */
export class WaitingTransactions {
  readonly #clock: Clock
  /** In the order in which they came. */
  readonly #turns = new Set<{ readonly since: bigint }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Around one transaction, which `run` makes of a body. */
  around<A, E, R, E2>(
    body: Effect.Effect<A, E, R>,
    run: (body: Effect.Effect<A, E, R>) => Effect.Effect<A, E | E2, R>,
  ): Effect.Effect<A, E | E2, R> {
    return Effect.suspend(() => {
      const turn = { since: this.#clock.monotonicTimeNanosUnsafe() }
      this.#turns.add(turn)
      const begun = Effect.suspend(() => {
        this.#turns.delete(turn)
        return body
      })
      return Effect.ensuring(
        run(begun),
        Effect.sync(() => this.#turns.delete(turn)),
      )
    })
  }

  readonly now = (): Waiting => {
    for (const { since } of this.#turns) {
      const nanos = this.#clock.monotonicTimeNanosUnsafe() - since
      return { count: this.#turns.size, millis: Number(nanos) / 1e6 }
    }
    return { count: 0, millis: 0 }
  }
}
