import { BoundedCache, Limits, type Principal } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** A generous estimate of what an entry takes besides the text of its lists. */
const entryBytes = 2048

const bytesOf = ({ user, key }: Principal): number =>
  entryBytes +
  2 *
    [user.name, key.name, ...key.models, ...key.tools, ...key.ipAllowlist].reduce(
      (sum, text) => sum + text.length + 16,
      0,
    )

/**
 * Principals by the digest that they were asked for with. The database counts the changes of keys and users in the
 * transactions that make them: what was read after the count was seen is good while the count stands, whichever
 * process changes a key. There is no moment in which a change is committed and an older principal is still given.
 */
export const makePrincipalCache = Effect.map(Limits, ({ principals_bytes_max }) => {
  const entries = new BoundedCache<Principal>(principals_bytes_max)
  let version: number | undefined
  return {
    /** The principal of a digest at a version that was read for this request. */
    find: (digest: string, present: number, now: number): Principal | undefined => {
      if (present !== version) {
        entries.clear()
        version = present
      }
      const found = entries.get(digest)
      return found !== undefined && isGood(found, digest, now) ? found : undefined
    },
    /** Keeps what was read after `seen` was; another version may have come in between. */
    keep: (digest: string, seen: number, found: Option.Option<Principal>): void => {
      if (seen === version && Option.isSome(found)) entries.set(digest, found.value, bytesOf(found.value))
    },
  }
})

/** The previous secret stays valid for a time after a rotation. */
const isGood = ({ key }: Principal, digest: string, now: number): boolean =>
  key.digest === digest || (key.previousUntil ?? 0) > now
