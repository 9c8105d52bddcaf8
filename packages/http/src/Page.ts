import { pageLimitDefault } from "@atelier/api"
import { type CoreError, refuse } from "@atelier/core"
import * as Effect from "effect/Effect"

/**
 * One page of a list, newest first (contract, Waiting): `fetch` is asked for one entry more than is shown, which
 * tells whether there are more.
 */
export const pageOf = <A, B, E, R>(
  limit: number | undefined,
  fetch: (limit: number) => Effect.Effect<ReadonlyArray<A>, E, R>,
  cursor: (item: A) => string,
  toWire: (item: A) => B,
) => {
  const size = limit ?? pageLimitDefault
  return Effect.map(fetch(size + 1), (found) => {
    const shown = found.slice(0, size)
    const last = shown.at(-1)
    return {
      object: "list" as const,
      data: shown.map(toWire),
      has_more: found.length > size,
      last_id: last === undefined ? null : cursor(last),
    }
  })
}

/** The sequence that a cursor names; refuses with `invalid_parameter`. */
export const sequenceOf = (cursor: string): Effect.Effect<number, CoreError> =>
  /^\d{1,15}$/.test(cursor)
    ? Effect.succeed(Number(cursor))
    : Effect.fail(
        refuse(
          "invalid_parameter",
          `\`cursor\` must be the \`last_id\` of a page; got ${JSON.stringify(cursor)}.`,
          { param: "cursor" },
        ),
      )

export const listOf = <A>(data: ReadonlyArray<A>) => ({ object: "list" as const, data })
