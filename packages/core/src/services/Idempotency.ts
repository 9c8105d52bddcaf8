import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { Limits } from "../domain/Limits.ts"
import type { Task } from "../domain/Task.ts"
import type { TaskKind } from "../domain/TaskState.ts"
import {
  type IdempotencyRecord,
  type IdempotencyScope,
  IdempotencyStore,
  type IdempotencySubject,
} from "../ports/IdempotencyStore.ts"
import type { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"

type Failure = CoreError | StorageError

/** One operation that must happen at most once for each idempotency key. */
export interface Once<P, A> {
  readonly keyId: IdempotencyScope
  /** None: the request has no key, and every call is an operation of its own. */
  readonly idempotencyKey: string | null
  readonly operation: string
  /** SHA-256 over what makes two requests the same. */
  readonly fingerprint: string
  /** The id of what is created or changed, such as the accepted task; a concurrent duplicate is told it. */
  readonly taskId: IdempotencySubject
  /** `prepare` takes time: reserve the key meanwhile, so that a duplicate is refused rather than checked too. */
  readonly reserve: boolean
  /**
   * Record refusals of `prepare` and `commit` and repeat them (contract, Images: Idempotency), except those that
   * say when to try again.
   */
  readonly recordRefusals: boolean
  /** Everything that can be checked before the transaction. Has no effects. */
  readonly prepare: Effect.Effect<P, Failure>
  /** The one transaction, which also writes the record. */
  readonly commit: (prepared: P) => Effect.Effect<A, Failure>
  /** The answer for a key under which this was accepted before. */
  readonly replay: (taskId: IdempotencySubject) => Effect.Effect<A, Failure>
}

export interface Outcome<A> {
  readonly value: A
  readonly replayed: boolean
}

/** Safe repetition of submissions (image-tasks 4.5, document-tools 4.3). */
export class Idempotency extends Context.Service<
  Idempotency,
  { readonly once: <P, A>(operation: Once<P, A>) => Effect.Effect<Outcome<A>, Failure> }
>()("@atelier/core/services/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function* () {
      const store = yield* IdempotencyStore
      const transaction = yield* Transaction
      const limits = yield* Limits

      const once = Effect.fnUntraced(function* <P, A>(operation: Once<P, A>) {
        const { idempotencyKey } = operation
        if (idempotencyKey === null) {
          const prepared = yield* operation.prepare
          return { value: yield* transaction.run(operation.commit(prepared)), replayed: false }
        }
        const now = yield* Clock.currentTimeMillis
        const record: IdempotencyRecord = {
          keyId: operation.keyId,
          idempotencyKey,
          operation: operation.operation,
          fingerprint: operation.fingerprint,
          taskId: operation.taskId,
          outcome: { _tag: "Accepted" },
          createdAt: now,
          expiresAt: now + limits.idempotency_retention_ms,
        }
        const known = yield* store.get(operation.keyId, idempotencyKey, now)
        if (Option.isSome(known)) return yield* answer(operation, known.value)
        return yield* operation.reserve ? reserved(operation, record) : accept(operation, record)
      })

      /** Answers from the record under the key. */
      const answer = <P, A>(operation: Once<P, A>, record: IdempotencyRecord) =>
        Effect.suspend((): Effect.Effect<Outcome<A>, Failure> => {
          const name = JSON.stringify(record.idempotencyKey)
          if (record.fingerprint !== operation.fingerprint || record.operation !== operation.operation) {
            return Effect.fail(
              refuse(
                "idempotency_key_reused",
                `The idempotency key ${name} was used for a different request; a new request needs a new key.`,
              ),
            )
          }
          switch (record.outcome._tag) {
            case "Reserved":
              return Effect.fail(
                refuse(
                  "idempotency_request_in_progress",
                  `The first request with the idempotency key ${name} is still being processed.`,
                  { taskId: record.taskId, retryAfterSeconds: 2 },
                ),
              )
            case "Refused":
              return Effect.fail(repeated(record.outcome.error))
            case "Accepted":
              return Effect.map(operation.replay(record.taskId), (value) => ({ value, replayed: true }))
          }
        })

      /** A concurrent request wrote the key first: answer from its record. */
      const resolveConflict = Effect.fnUntraced(function* <P, A>(
        operation: Once<P, A>,
        record: IdempotencyRecord,
      ) {
        const now = yield* Clock.currentTimeMillis
        const standing = yield* store.get(record.keyId, record.idempotencyKey, now)
        if (Option.isSome(standing)) return yield* answer(operation, standing.value)
        // It vanished again (its holder was refused without a record): the caller may retry at once.
        return yield* Effect.fail(
          refuse(
            "idempotency_request_in_progress",
            `Another request with the idempotency key ${JSON.stringify(record.idempotencyKey)} was in progress.`,
            { taskId: operation.taskId, retryAfterSeconds: 2 },
          ),
        )
      })

      /** Reserves the key while `prepare` runs, and releases it if nothing was recorded under it. */
      const reserved = Effect.fnUntraced(function* <P, A>(operation: Once<P, A>, record: IdempotencyRecord) {
        const now = record.createdAt
        const reservation: IdempotencyRecord = {
          ...record,
          outcome: { _tag: "Reserved", reservedUntil: now + limits.idempotency_reservation_ms },
        }
        if (!(yield* transaction.run(store.put(reservation, now)))) {
          return yield* resolveConflict(operation, record)
        }
        return yield* Effect.onExit(accept(operation, record), (exit) =>
          exit._tag === "Success"
            ? Effect.void
            : Effect.ignore(
                transaction.run(store.release(record.keyId, record.idempotencyKey, record.taskId)),
              ),
        )
      })

      const accept = <P, A>(operation: Once<P, A>, record: IdempotencyRecord) =>
        operation.prepare.pipe(
          Effect.flatMap((prepared) =>
            transaction.run(
              Effect.gen(function* () {
                const now = yield* Clock.currentTimeMillis
                if (!(yield* store.put(record, now))) return Option.none<A>()
                return Option.some(yield* operation.commit(prepared))
              }),
            ),
          ),
          Effect.catchTag("CoreError", (error) => remember(operation, record, error)),
          Effect.flatMap(
            Option.match({
              onNone: () => resolveConflict(operation, record),
              onSome: (value) => Effect.succeed({ value, replayed: false }),
            }),
          ),
        )

      /** Fails with the refusal, or returns none if another request settled the key meanwhile. */
      const remember = Effect.fnUntraced(function* <P, A>(
        operation: Once<P, A>,
        record: IdempotencyRecord,
        error: CoreError,
      ) {
        if (operation.recordRefusals && error.retryAfterSeconds === undefined) {
          const refused = { ...record, outcome: { _tag: "Refused", error } } as const
          if (!(yield* transaction.run(store.put(refused, record.createdAt)))) return Option.none<A>()
        }
        return yield* error
      })

      return Idempotency.of({ once })
    }),
  )
}

/**
 * The current state of the task that was accepted under a key; it exists, since the record was written in its
 * transaction.
 */
export const replayTask = <K extends TaskKind>(
  tasks: TaskStore["Service"],
  kind: K,
  id: string,
): Effect.Effect<Extract<Task, { readonly kind: K }>, StorageError> =>
  Effect.flatMap(tasks.get(id), (found) =>
    Option.isSome(found) && isOf(found.value, kind)
      ? Effect.succeed(found.value)
      : Effect.die(new Error(`the idempotency record names a task that is not there: ${id}`)),
  )

const isOf = <K extends TaskKind>(task: Task, kind: K): task is Extract<Task, { readonly kind: K }> =>
  task.kind === kind

/** The refusal as it was given, marked as a repetition. */
const repeated = (error: CoreError): CoreError => {
  const { _tag, ...fields } = encodeError(error)
  return new CoreError({ ...fields, replayed: true })
}

const encodeError = Schema.encodeSync(CoreError)
