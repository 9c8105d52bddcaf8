import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CurrentActor } from "../domain/AdminToken.ts"
import type { CoreError, StorageError } from "../domain/CoreError.ts"
import type { Json } from "../domain/Fingerprint.ts"
import { type AuditEntry, type AuditQuery, SettingsStore } from "../ports/SettingsStore.ts"
import { Transaction } from "../ports/Transaction.ts"

type Failure = CoreError | StorageError

/** The result of a change, and its log entry: the target before and after. Never a secret. */
export interface Changed<A> {
  readonly value: A
  readonly before: Json
  readonly after: Json
}

/** The log of what operators changed and were refused, each with the `CurrentActor` (contract, Admin credentials). */
export class Audit extends Context.Service<
  Audit,
  {
    /** Makes one change and its entry, together or not at all. */
    readonly change: <A>(
      action: string,
      target: string,
      change: Effect.Effect<Changed<A>, Failure>,
    ) => Effect.Effect<A, Failure>
    readonly refused: (refusal: {
      readonly action: string
      readonly target: string
      readonly code: string
    }) => Effect.Effect<void, StorageError>
    /** Newest first. */
    readonly list: (
      query: AuditQuery,
    ) => Effect.Effect<ReadonlyArray<AuditEntry & { readonly sequence: number }>, StorageError>
  }
>()("@atelier/core/services/Audit") {
  static readonly layer = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const settings = yield* SettingsStore
      const transaction = yield* Transaction

      const append = Effect.fnUntraced(function* (
        entry: Pick<AuditEntry, "action" | "target" | "before" | "after" | "outcome" | "code">,
      ) {
        const { id, role, ip, requestId } = yield* CurrentActor
        const at = yield* Clock.currentTimeMillis
        yield* settings.appendAudit({ at, actor: id, role, ip, requestId, ...entry })
      })

      return Audit.of({
        change: (action, target, change) =>
          transaction.run(
            Effect.gen(function* () {
              const { value, before, after } = yield* change
              yield* append({ action, target, before, after, outcome: "done", code: null })
              return value
            }),
          ),
        refused: ({ action, target, code }) =>
          transaction.run(append({ action, target, before: null, after: null, outcome: "refused", code })),
        list: settings.listAudit,
      })
    }),
  )
}
