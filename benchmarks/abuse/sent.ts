import type { Answer } from "./requests.ts"

/** What an attacker sent and what became of it. */
export interface Outcomes {
  readonly tried: number
  readonly counts: Readonly<Record<string, number>>
  /** What the attack itself found wrong. */
  readonly faults: ReadonlyArray<string>
  readonly notes: ReadonlyArray<string>
  /** Of the machine's cores, how many the attacker's process used on average; absent: not measured. */
  readonly cores?: number
}

/** Counts outcomes. */
export class Sent implements Outcomes {
  tried = 0
  readonly counts: Record<string, number> = {}
  readonly faults: Array<string> = []
  readonly notes: Array<string> = []

  count(outcome: string, times = 1): void {
    this.tried += times
    this.counts[outcome] = (this.counts[outcome] ?? 0) + times
  }

  answer(answer: Answer): Answer {
    this.count(outcomeOf(answer))
    return answer
  }

  /** A fault unless it holds. */
  expect(holds: boolean, fault: string): void {
    if (!holds) this.faults.push(fault)
  }
}

/** The status, the error's code, and what the answer lacks (contract, Errors). */
const outcomeOf = ({ status, code, headers, ended }: Answer): string => {
  if (ended !== "answered") return ended
  const lacksRetry = (status === 429 || status === 503) && headers["retry-after"] === undefined
  const named = status >= 400 ? ` ${code ?? "without a code"}` : ""
  return `${status}${named}${lacksRetry ? " without Retry-After" : ""}`
}
