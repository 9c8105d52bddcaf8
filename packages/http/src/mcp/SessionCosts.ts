import { BoundedCache } from "@atelier/core"

/** Sessions whose costs are known at once; the longest unused is forgotten. */
const sessionsMax = 10_000

/**
 * Units that the calls of each session were accepted for, in this process, so that a session has a ceiling. It is a
 * guard against an agent in a loop: what a key may spend at all is its quota, which the ledger keeps.
 */
export class SessionCosts {
  readonly #units = new BoundedCache<{ units: number }>(sessionsMax)

  /** Takes the units if they fit under the ceiling; null: what the session has cost already leaves no room. */
  take(session: string, units: number, ceiling: number): (() => void) | null {
    const cost = this.#units.get(session) ?? { units: 0 }
    if (cost.units + units > ceiling) return null
    cost.units += units
    this.#units.set(session, cost, 1)
    let open = true
    return () => {
      if (open) cost.units -= units
      open = false
    }
  }

  spent(session: string): number {
    return this.#units.get(session)?.units ?? 0
  }
}
