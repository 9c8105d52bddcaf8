import { Limits, StorageError, Transaction } from "@atelier/core"
import { ApplicationSql, driverErrorOf, type ForeignClient, isOutage } from "@atelier/sql"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { AtelierError } from "./AtelierError.ts"
import { makeCalls, type TransactionCalls } from "./calls.ts"
import type { Services } from "./Live.ts"
import { errorOf, type OpenTransaction, type Run, type Runner } from "./Runner.ts"

/** The service and the application's own tables, in one transaction. */
export interface Tx extends TransactionCalls {
  /**
   * Runs one statement of the application; its rows. Parameters are `?` on SQLite and `$1` on Postgres. Throws what
   * the database's driver says, such as of a constraint.
   */
  readonly query: <Row extends object = Record<string, unknown>>(
    text: string,
    params?: ReadonlyArray<unknown>,
  ) => Promise<ReadonlyArray<Row>>
}

/** What the body threw: it passes through the service as it is. */
class BodyFailed extends Schema.TaggedError<BodyFailed>()("BodyFailed", { thrown: Schema.Unknown }) {}
class BodyTimedOut extends Schema.TaggedError<BodyTimedOut>()("BodyTimedOut", { millis: Schema.Number }) {}

const ended = () =>
  new AtelierError(
    "transaction_ended",
    "This transaction has ended. Await every call of `tx` in the body; later calls are made on the service itself.",
  )

/** Runs calls one after another in a context that holds a transaction, for as long as it is open. */
const runIn = (context: Context.Context<Services>, transaction: OpenTransaction, failures: Failures) => {
  let last: Promise<unknown> = Promise.resolve()
  let running: Fiber.Fiber<unknown, unknown> | undefined
  const run: Run = (effect) => {
    const next = last.then(async () => {
      if (!transaction.isOpen) throw ended()
      const fiber = Effect.runForkWith(context)(effect)
      running = fiber
      const exit = await Effect.runPromise(Fiber.await(fiber))
      if (Exit.isSuccess(exit)) return exit.value
      throw failures.thrown(Cause.squash(exit.cause))
    })
    last = next.catch(() => {})
    return next
  }
  /** No call begins from now on; the one that runs is waited for, or ended first where the body failed. */
  const end = (exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> =>
    Effect.suspend(() => {
      transaction.isOpen = false
      if (running === undefined) return Effect.void
      return Exit.isSuccess(exit) ? Effect.asVoid(Fiber.await(running)) : Fiber.interrupt(running)
    })
  return { run, end }
}

/** Remembers of what was thrown into a body which failure of storage it was, so that a conflict can be repeated. */
class Failures {
  readonly #stored = new Map<unknown, StorageError>()

  thrown(failure: unknown): unknown {
    const error =
      failure instanceof StorageError ? (driverErrorOf(failure) ?? errorOf(failure)) : errorOf(failure)
    if (failure instanceof StorageError) this.#stored.set(error, failure)
    return error
  }

  /** What the transaction fails with, where its body threw this. */
  failure(thrown: unknown): StorageError | BodyFailed {
    const stored = this.#stored.get(thrown)
    return stored !== undefined && isOutage(stored) ? stored : new BodyFailed({ thrown })
  }
}

/** A body as an effect that runs inside a transaction of the service. */
export const bodyEffect = <A>(
  runner: Runner,
  body: (tx: Tx) => Promise<A>,
): Effect.Effect<A, StorageError | BodyFailed | BodyTimedOut, Services> =>
  Effect.gen(function* () {
    const context = yield* Effect.context<Services>()
    const { transaction_body_ms: millis } = yield* Limits
    const transaction: OpenTransaction = { isOpen: true }
    const failures = new Failures()
    const { run, end } = runIn(context, transaction, failures)
    const tx: Tx = {
      ...makeCalls(run),
      query: async <Row extends object>(text: string, params: ReadonlyArray<unknown> = []) => {
        const found = run(Effect.flatMap(ApplicationSql, (sql) => sql.query(text, params)))
        const rows = await (found as Promise<ReadonlyArray<Row>>)
        // SQLite's rows have no prototype, and a strict comparison tells them from any object of a test.
        return rows.map((row) => ({ ...row }))
      },
    }
    return yield* Effect.tryPromise({
      try: () => runner.inside(transaction, async () => body(tx)),
      catch: (thrown) => failures.failure(thrown),
    }).pipe(
      Effect.timeoutOption(Duration.millis(millis)),
      Effect.flatMap(
        Option.match({
          onNone: () => Effect.fail(new BodyTimedOut({ millis })),
          onSome: (value: A) => Effect.succeed(value),
        }),
      ),
      Effect.onExit((exit) => end(exit)),
    )
  })

/** Runs a body in a transaction of its own: everything that it did is there with the commit, or nothing. */
export const runTransaction = async <A>(runner: Runner, body: (tx: Tx) => Promise<A>): Promise<A> => {
  const exit = await runner.run(
    Effect.exit(Effect.flatMap(Transaction, (transaction) => transaction.run(bodyEffect(runner, body)))),
  )
  if (Exit.isSuccess(exit)) return exit.value
  throw transactionError(Cause.squash(exit.cause))
}

const transactionError = (failure: unknown): unknown => {
  if (failure instanceof BodyFailed) return failure.thrown
  if (failure instanceof BodyTimedOut) {
    return new AtelierError(
      "transaction_timeout",
      `The body of the transaction took longer than ${failure.millis} ms (transaction_body_ms) and was undone. Keep to the database in it: no network, no waiting.`,
    )
  }
  // A constraint that is checked at the commit is the application's as well.
  if (failure instanceof StorageError && !isOutage(failure)) return driverErrorOf(failure) ?? errorOf(failure)
  return errorOf(failure)
}

const notPostgres = () =>
  new AtelierError(
    "invalid_setting",
    "`within` needs a Postgres database, whose client the application has; on SQLite use `transaction`.",
    { param: "database" },
  )

/** The service's calls in the transaction that the application has begun on its own Postgres client. */
export const makeWithin = (
  runner: Runner,
  context: Context.Context<Services>,
  client: ForeignClient,
): TransactionCalls => {
  const transaction: OpenTransaction = { isOpen: true }
  const failures = new Failures()
  const { run: inContext } = runIn(context, transaction, failures)
  return makeCalls(async (effect) => {
    runner.requireCallable()
    await runner.gate()
    return inContext(
      Effect.flatMap(ApplicationSql, (sql) =>
        sql.dialect === "postgres" ? sql.within(client, effect) : Effect.die(notPostgres()),
      ),
    )
  })
}
