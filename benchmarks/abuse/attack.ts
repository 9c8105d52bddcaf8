import type { Sent } from "./sent.ts"
import type { Target } from "./target.ts"

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
  /** Sends it all, in the attacker's process; repeated there until the time of an attack is over. */
  readonly send: (target: Target, sent: Sent) => Promise<void>
}

/** A refusal of any kind, each with the `Retry-After` that its status asks for, or a connection that was closed. */
export const refusals = /^(4\d\d \w+|429 \w+|503 overloaded|closed|closed before the end|no answer yet)$/
