/** Something that waits for its turn. */
export interface Waiter {
  /** Its caller: callers take turns. */
  readonly caller: string
  /** In milliseconds of any clock that only goes forward. */
  readonly since: number
}

/** A queue in which callers take turns, and each caller's entries keep their order. */
export class Line<W extends Waiter> {
  /** All, in the order in which they came. */
  readonly #all = new Set<W>()
  /** The caller whose turn it is comes first. */
  readonly #byCaller = new Map<string, Set<W>>()

  get count(): number {
    return this.#all.size
  }

  /** Since when the first has waited; of one caller, or of all. Absent: nothing waits. */
  oldest(caller?: string): number | undefined {
    const waiting = caller === undefined ? this.#all : this.#byCaller.get(caller)
    return waiting?.values().next().value?.since
  }

  add(waiter: W): void {
    this.#all.add(waiter)
    const own = this.#byCaller.get(waiter.caller)
    if (own === undefined) this.#byCaller.set(waiter.caller, new Set([waiter]))
    else own.add(waiter)
  }

  /** Whose turn it is; it stays in the line. */
  first(): W | undefined {
    return this.#byCaller.values().next().value?.values().next().value
  }

  /** Removes it, and moves its caller to the end of the line. */
  remove(waiter: W): void {
    if (!this.#all.delete(waiter)) return
    const own = this.#byCaller.get(waiter.caller)
    own?.delete(waiter)
    this.#byCaller.delete(waiter.caller)
    if (own !== undefined && own.size > 0) this.#byCaller.set(waiter.caller, own)
  }
}
