import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { StorageError } from "../domain/CoreError.ts"
import { AdminTokenStore } from "../ports/AdminTokenStore.ts"
import { CallbackStore } from "../ports/CallbackStore.ts"
import { FileStore } from "../ports/FileStore.ts"
import { FinishedTasks } from "../ports/FinishedTasks.ts"
import { IdempotencyStore } from "../ports/IdempotencyStore.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { LedgerStore } from "../ports/LedgerStore.ts"
import { Queue } from "../ports/Queue.ts"
import { SettingsStore } from "../ports/SettingsStore.ts"
import { SmallBlobs } from "../ports/SmallBlobs.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { TotalsStore } from "../ports/TotalsStore.ts"
import { Transaction } from "../ports/Transaction.ts"

/** The ports that a database serves. */
export type FailableStores =
  | AdminTokenStore
  | CallbackStore
  | FileStore
  | FinishedTasks
  | IdempotencyStore
  | KeyStore
  | LedgerStore
  | Queue
  | SettingsStore
  | SmallBlobs
  | TaskStore
  | TotalsStore
  | Transaction

/**
 * How a step ends in place of its answer: `fail` as storage does that refuses, before the step had an effect;
 * `die` as a defect, likewise; `lose` after it: the step is done and its answer lost, as when the process dies.
 * `away` as `fail`, and every step after it, until it is disarmed.
 */
export type Fault = "fail" | "die" | "lose" | "away"

/**
 * Makes one store call fail, counted from 1 since `arm`. A transaction is a step, `Transaction.run`, and so is
 * the end of its body: losing the first means that everything is written but its caller was not told.
 */
export class FailAt extends Context.Service<
  FailAt,
  {
    readonly arm: (step: number, fault: Fault) => Effect.Effect<void>
    /** Stops counting; answers the names of the calls made, and whether the fault was met. */
    readonly disarm: Effect.Effect<{ readonly calls: ReadonlyArray<string>; readonly met: boolean }>
    /** Counts nothing in it. */
    readonly aside: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Counts an effect as a step. */
    readonly step: <A, E, R>(
      name: string,
      effect: Effect.Effect<A, E, R>,
    ) => Effect.Effect<A, E | StorageError, R>
  }
>()("@atelier/core/testing/FailAt") {
  static readonly layer = Layer.sync(FailAt, () => {
    let armed: { readonly step: number; readonly fault: Fault; readonly calls: Array<string> } | undefined
    const step = <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) =>
      Effect.suspend((): Effect.Effect<A, E | StorageError, R> => {
        if (armed === undefined) return effect
        armed.calls.push(name)
        const { calls, fault } = armed
        const isMet = fault === "away" ? calls.length >= armed.step : calls.length === armed.step
        if (!isMet) return effect
        const cause = new Error(`step ${calls.length}, ${name}, was made to fail`)
        const failure = new StorageError({ operation: name, cause })
        switch (fault) {
          case "fail":
          case "away":
            return Effect.fail(failure)
          case "die":
            return Effect.die(cause)
          case "lose":
            return Effect.andThen(effect, Effect.fail(failure))
        }
      })
    return FailAt.of({
      arm: (at, fault) =>
        Effect.sync(() => {
          armed = { step: at, fault, calls: [] }
        }),
      disarm: Effect.sync(() => {
        const { calls, step: at } = armed ?? { calls: [], step: 1 }
        armed = undefined
        return { calls, met: calls.length >= at }
      }),
      aside: (effect) =>
        Effect.suspend(() => {
          const kept = armed
          armed = undefined
          const goOn = Effect.sync(() => {
            armed = kept
          })
          return Effect.ensuring(effect, goOn)
        }),
      step,
    })
  })
}

/**
 * Runs a scenario with the fault at its first step, then at its second, and so on until a run meets no fault;
 * answers the names of that run's steps. Only what the scenario passes to `act` is counted; that effect then
 * fails or dies somewhere, unless its run is the last.
 */
export const atEveryStep = Effect.fnUntraced(function* <E, R>(
  fault: Fault,
  scenario: (
    act: <A, E2, R2>(effect: Effect.Effect<A, E2, R2>) => Effect.Effect<A, E2, R2>,
  ) => Effect.Effect<void, E, R>,
) {
  const failAt = yield* FailAt
  for (let step = 1; ; step++) {
    let outcome: { readonly calls: ReadonlyArray<string>; readonly met: boolean } = { calls: [], met: false }
    const remember = Effect.map(failAt.disarm, (counted) => {
      outcome = counted
    })
    yield* scenario((effect) =>
      Effect.onExit(Effect.andThen(failAt.arm(step, fault), effect), () => remember),
    )
    if (!outcome.met) return outcome.calls
  }
})

/** The stores with every call of them counted as a step, and the `FailAt` that says which one fails. */
export const failingStores = <E, R>(
  stores: Layer.Layer<FailableStores, E, R>,
): Layer.Layer<FailableStores | FailAt, E, R> =>
  Layer.effectContext(wrapStores).pipe(Layer.provide(stores), Layer.provideMerge(FailAt.layer))

const wrapStores = Effect.gen(function* () {
  const failAt = yield* FailAt
  const transaction = yield* Transaction
  const wrap = <I, S extends object>(tag: Context.Key<I, S>, name: string) =>
    Effect.map(Effect.service(tag), (service) => Context.make(tag, counted(failAt, name, service)))
  return Context.mergeAll(
    yield* wrap(AdminTokenStore, "AdminTokenStore"),
    yield* wrap(CallbackStore, "CallbackStore"),
    yield* wrap(FileStore, "FileStore"),
    yield* wrap(FinishedTasks, "FinishedTasks"),
    yield* wrap(IdempotencyStore, "IdempotencyStore"),
    yield* wrap(KeyStore, "KeyStore"),
    yield* wrap(LedgerStore, "LedgerStore"),
    yield* wrap(Queue, "Queue"),
    yield* wrap(SettingsStore, "SettingsStore"),
    yield* wrap(SmallBlobs, "SmallBlobs"),
    yield* wrap(TaskStore, "TaskStore"),
    yield* wrap(TotalsStore, "TotalsStore"),
    Context.make(Transaction, {
      run: (body) =>
        failAt.step(
          "Transaction.run",
          transaction.run(Effect.tap(body, failAt.step("Transaction.commit", Effect.void))),
        ),
      afterCommit: transaction.afterCommit,
      waiting: transaction.waiting,
      writable: transaction.writable,
    }),
  )
})

/** The service with each of its effects, and each effect that its functions make, counted under its name. */
const counted = <S extends object>(failAt: FailAt["Service"], name: string, service: S): S =>
  new Proxy(service, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property)
      const label = `${name}.${String(property)}`
      if (Effect.isEffect(value)) return failAt.step(label, value)
      if (typeof value !== "function") return value
      return (...given: ReadonlyArray<unknown>) => {
        const made: unknown = Reflect.apply(value, target, given)
        return Effect.isEffect(made) ? failAt.step(label, made) : made
      }
    },
  })
