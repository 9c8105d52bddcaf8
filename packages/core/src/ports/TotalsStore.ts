import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError } from "../domain/CoreError.ts"
import type { TransferKind } from "../domain/Ledger.ts"
import type { TaskKind } from "../domain/TaskState.ts"
import type { JobKind } from "./Queue.ts"

/** Numbers of rows; zeros are left out. */
export interface Totals {
  readonly tasks: ReadonlyArray<{ readonly kind: TaskKind; readonly state: string; readonly count: number }>
  /** `ready` are held by none, `leased` by a process. */
  readonly jobs: ReadonlyArray<{ readonly kind: JobKind; readonly ready: number; readonly leased: number }>
  /** `amount` in units; exact up to 2^53. */
  readonly transfers: ReadonlyArray<{
    readonly kind: TransferKind
    readonly count: number
    readonly amount: number
  }>
}

/** A kept total that differs from the counted rows; both as decimal integers. */
export interface TotalDifference {
  /** Such as `task image queued`, `job tool`, `transfer hold`, `units of transfer hold`. */
  readonly total: string
  readonly kept: string
  readonly counted: string
}

/**
 * Totals of tasks, jobs and transfers. They are maintained: whatever adds, changes or removes a row changes its
 * total in the same transaction, so that reading them takes the same time however many rows there are.
 */
export class TotalsStore extends Context.Service<
  TotalsStore,
  {
    /** A consistent snapshot. */
    readonly read: Effect.Effect<Totals, StorageError>
    /** Counts every row and compares; takes time in proportion to the rows. Should always be empty. */
    readonly differences: Effect.Effect<ReadonlyArray<TotalDifference>, StorageError>
  }
>()("@atelier/core/ports/TotalsStore") {}
