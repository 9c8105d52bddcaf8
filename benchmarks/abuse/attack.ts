import type { Sent } from "./sent.ts"

/** What an attack aims at. It goes to the attacker's process as JSON. */
export interface Target {
  readonly url: string
  readonly adminToken: string
  /** A key whose user has no money. */
  readonly poor: string
  /** Users with money, whose keys may ask as often as they like. */
  readonly rich: { readonly user: string; readonly key: string }
  readonly other: { readonly user: string; readonly key: string }
  /** An attack goes on for this long, at most, beside what it waits for. */
  readonly seconds: number
  /** Of the counts of an attack: 1 in the benchmark, less in the tests. */
  readonly share: number
}

export interface Attack {
  readonly name: string
  /** What is sent. */
  readonly about: string
  /** What the server's configuration has for this attack, beside the defaults. */
  readonly config?: object
  readonly environment?: Readonly<Record<string, string>>
  /** Instead of the seconds that attacks are given. */
  readonly seconds?: number
  /** Outcomes that are right: a status and a code (`400 invalid_json`), or how the connection ended. */
  readonly allowed: RegExp
  /** The bystander's submissions may be shed: the attack is load. */
  readonly sheds?: boolean
  /** Sends it all, in the attacker's process. */
  readonly send: (target: Target, sent: Sent) => Promise<void>
}

/** So many of `count` as the run has a share of, but at least one. */
export const shareOf = ({ share }: Target, count: number): number => Math.max(1, Math.ceil(count * share))

/** A refusal of any kind, each with the `Retry-After` that its status asks for, or a connection that was closed. */
export const refusals = /^(4\d\d \w+|429 \w+|503 overloaded|closed|closed before the end|no answer yet)$/
