/** A claim to a parsing process: its owner and its purpose. */
export interface Claim {
  /** Opaque: claims of one owner count together. */
  readonly owner: string
  /** A check runs while its upload waits; a parse is the work of a task. */
  readonly kind: "check" | "parse"
  /** Whether its work may be stopped and begun again in favour of an owner who has no process. */
  readonly yields: boolean
}

/** A claim's place, from when it is made until its work has ended. */
export interface Ticket {
  readonly claim: Claim
  /** Called once, when it may take a process. */
  readonly grant: () => void
  /** Called at most once, when its work is to be stopped. */
  readonly stop: () => void
}

/**
 * Divides a number of processes between owners. The next process goes to the owner who has the fewest, then
 * to the one who has waited longest since the last one, checks before parses. The last process is kept for checks,
 * one of an owner: neither parses nor the checks of one owner take all there are.
 */
export class Shares {
  /** In the order in which they were granted. */
  private readonly running: Array<Ticket> = []
  /** In the order in which they were made. */
  private readonly waiting: Array<Ticket> = []
  /** When each present owner was last granted a process, counted in grants. */
  private readonly served = new Map<string, number>()
  private grants = 0
  private readonly parsesMax: number

  /** @param parsesMax processes for parses; there is one more for checks */
  constructor(parsesMax: number) {
    this.parsesMax = parsesMax
  }

  get waitingCount(): number {
    return this.waiting.length
  }

  ask(ticket: Ticket): void {
    this.waiting.push(ticket)
    this.share()
  }

  /** The ticket's work has ended, or it waits no more. */
  end(ticket: Ticket): void {
    remove(this.running, ticket)
    remove(this.waiting, ticket)
    const { owner } = ticket.claim
    if (![...this.running, ...this.waiting].some(({ claim }) => claim.owner === owner)) {
      this.served.delete(owner)
    }
    this.share()
  }

  /**
   * For a ticket that has waited long: if its owner has no process and another owner has several, the youngest
   * work of that one is stopped. What was stopped once is not stopped again.
   */
  makeRoom(ticket: Ticket): void {
    if (!this.waiting.includes(ticket) || this.held(ticket.claim.owner) > 0) return
    const victims = this.running.filter(
      ({ claim }) =>
        claim.yields &&
        this.held(claim.owner) > 1 &&
        (ticket.claim.kind === "check" || claim.kind === "parse"),
    )
    victims
      .toSorted((one, other) => this.held(one.claim.owner) - this.held(other.claim.owner))
      .at(-1)
      ?.stop()
  }

  private share(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      remove(this.waiting, next)
      this.running.push(next)
      this.grants += 1
      this.served.set(next.claim.owner, this.grants)
      next.grant()
    }
  }

  private next(): Ticket | undefined {
    if (this.running.length > this.parsesMax) return undefined
    const parses = this.running.filter(({ claim }) => claim.kind === "parse").length
    const isLast = this.running.length === this.parsesMax
    return this.waiting
      .filter(({ claim }) =>
        claim.kind === "check" ? !isLast || !this.checks(claim.owner) : parses < this.parsesMax,
      )
      .toSorted((one, other) => this.compare(one.claim, other.claim))
      .at(0)
  }

  private checks(owner: string): boolean {
    return this.running.some(({ claim }) => claim.owner === owner && claim.kind === "check")
  }

  private compare(one: Claim, other: Claim): number {
    return (
      this.held(one.owner) - this.held(other.owner) ||
      (this.served.get(one.owner) ?? 0) - (this.served.get(other.owner) ?? 0) ||
      one.kind.localeCompare(other.kind)
    )
  }

  private held(owner: string): number {
    return this.running.filter(({ claim }) => claim.owner === owner).length
  }
}

const remove = (tickets: Array<Ticket>, ticket: Ticket): void => {
  const at = tickets.indexOf(ticket)
  if (at >= 0) tickets.splice(at, 1)
}
