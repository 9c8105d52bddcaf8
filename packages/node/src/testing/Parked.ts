import * as Effect from "effect/Effect"

/** How many scripted answers do not come: what waits for them is not waited for by `drain`. */
export class Parked {
  #count = 0
  /** Told of every change, and of every job that ends. */
  changed: () => void = () => {}

  get count(): number {
    return this.#count
  }

  #add(by: number): void {
    this.#count += by
    this.changed()
  }

  wait<A, E>(answer: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.#add(1)),
      () => answer,
      () => Effect.sync(() => this.#add(-1)),
    )
  }
}
