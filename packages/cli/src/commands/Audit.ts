import { Audit } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { withDatabase } from "../Operator.ts"
import { print, table, time } from "../Output.ts"

export const audit = (input: {
  readonly limit: number
  readonly actor: Option.Option<string>
  readonly target: Option.Option<string>
  readonly requestId: Option.Option<string>
  readonly json: boolean
}) =>
  withDatabase(
    Effect.gen(function* () {
      const log = yield* Audit
      const given = { actor: input.actor, target: input.target, requestId: input.requestId }
      const filter = Object.fromEntries(
        Object.entries(given).flatMap(([name, value]) => (Option.isNone(value) ? [] : [[name, value.value]])),
      )
      const entries = yield* log.list({ limit: Math.max(0, input.limit), ...filter })
      const data = entries.map(({ sequence, requestId, at, ...rest }) => ({
        id: String(sequence),
        ...rest,
        request_id: requestId,
        at: Math.floor(at / 1000),
      }))
      yield* print(input.json, data, () =>
        table(
          ["AT", "ACTOR", "FROM", "ACTION", "TARGET", "OUTCOME", "REQUEST"],
          entries.map((entry) => [
            time(entry.at / 1000),
            entry.actor,
            entry.ip ?? "-",
            entry.action,
            entry.target,
            entry.code ?? entry.outcome,
            entry.requestId ?? "-",
          ]),
        ),
      )
    }),
  )
