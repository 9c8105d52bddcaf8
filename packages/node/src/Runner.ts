import { AsyncLocalStorage } from "node:async_hooks"
import { CoreError, StorageError } from "@atelier/core"
import { WorkerModuleMissing } from "@atelier/intake"
import { SettingRefused } from "@atelier/plugin"
import { driverErrorOf } from "@atelier/sql"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as ManagedRuntime from "effect/ManagedRuntime"
import { AtelierError } from "./AtelierError.ts"
import type { Services } from "./Live.ts"

/** For every call. */
export interface CallOptions {
  /** Ends the call with the signal's reason. What was accepted by then stays accepted. */
  readonly signal?: AbortSignal | undefined
}

/** Runs the service's effects as promises. */
export type Run = <A>(effect: Effect.Effect<A, unknown, Services>, options?: CallOptions) => Promise<A>

/** A transaction of the application whose body runs. */
export interface OpenTransaction {
  isOpen: boolean
}

const openMessage =
  "This call would wait for the transaction that it is made in. Call the methods of `tx`, which the body is given; await other calls before or after the transaction."

/** One running service: calls from outside of it, and whether they come from inside of a transaction's body. */
export class Runner {
  readonly #runtime: ManagedRuntime.ManagedRuntime<Services, unknown>
  readonly #transactions = new AsyncLocalStorage<OpenTransaction>()
  #isClosed = false
  /** Calls wait for it: what must be there before the next task is accepted. Where it fails, the next call tries again. */
  gate: () => Promise<unknown> = async () => {}

  constructor(runtime: ManagedRuntime.ManagedRuntime<Services, unknown>) {
    this.#runtime = runtime
  }

  /** Starts everything; fails where a setting is wrong or storage is away. */
  async start(): Promise<Context.Context<Services>> {
    return unwrap(await Effect.runPromiseExit(this.#runtime.contextEffect), undefined)
  }

  /** Throws where a call can not be made now: the service is closed, or the call is in a transaction's body. */
  requireCallable(): void {
    if (this.#isClosed) throw new AtelierError("closed", "This service was closed.")
    if (this.#transactions.getStore()?.isOpen === true)
      throw new AtelierError("transaction_open", openMessage)
  }

  readonly run: Run = async (effect, { signal } = {}) => {
    this.requireCallable()
    signal?.throwIfAborted()
    await this.gate()
    return unwrap(await this.#runtime.runPromiseExit(effect, signal === undefined ? {} : { signal }), signal)
  }

  /** Runs the body of a transaction, whose own calls of the service are refused. */
  inside<A>(transaction: OpenTransaction, body: () => A): A {
    return this.#transactions.run(transaction, body)
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.requireCallable()
    this.#isClosed = true
    await this.#runtime.dispose()
  }
}

/** The value of an exit; throws what it failed with, as this package's errors. */
const unwrap = <A>(exit: Exit.Exit<A, unknown>, signal: AbortSignal | undefined): A => {
  if (Exit.isSuccess(exit)) return exit.value
  if (signal?.aborted === true && Cause.hasInterrupts(exit.cause)) throw signal.reason
  throw errorOf(Cause.squash(exit.cause))
}

/** A failure of the service as an error of this package; what is none of its failures is given back. */
export const errorOf = (failure: unknown): unknown => {
  if (failure instanceof AtelierError) return failure
  if (failure instanceof CoreError) {
    const { code, message, param = null, retryAfterSeconds: retryAfter, taskId } = failure
    return new AtelierError(code, message, { param, taskId, retryAfter, cause: failure })
  }
  if (failure instanceof StorageError) {
    const cause = driverErrorOf(failure) ?? failure.cause
    const why = cause instanceof Error ? cause.message : String(cause)
    return new AtelierError("storage_unavailable", `The database or the files do not answer: ${why}`, {
      cause,
    })
  }
  if (failure instanceof SettingRefused) {
    return new AtelierError("invalid_setting", failure.message, { param: failure.setting })
  }
  if (failure instanceof WorkerModuleMissing) {
    return new AtelierError("invalid_setting", failure.message, { param: "workerModules" })
  }
  if (failure instanceof Error && failure.name === "InterruptError") {
    return new AtelierError("closed", "The service was closed while the call ran.", { cause: failure })
  }
  const message = failure instanceof Error ? failure.message : String(failure)
  return new AtelierError("internal_error", `The service failed: ${message}`, { cause: failure })
}
