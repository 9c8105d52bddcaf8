import type { Clock } from "effect/Clock"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import { type Database, sqlError, unusable } from "./Database.ts"

/** Transactions that one COMMIT may make durable. */
const groupTransactionsMax = 256
/** How long a group takes in further transactions after its BEGIN, in nanoseconds. */
const groupNanosMax = 4_000_000n
/**
 * How long one turn of the event loop begins transactions, and how long it settles those that a COMMIT made durable,
 * in nanoseconds: what others ask is answered between them.
 */
const loopNanosMax = 2_000_000n
/** Tries of BEGIN IMMEDIATE while another process holds the file, and the pause between them. */
export const beginAttemptsMax = 20
export const beginRetryMs = 50

/**
 * A place in the writer's queue. `waiting` becomes `running` when the writer is its own, `finished` when its
 * work waits for COMMIT, and `settled` when the outcome is known.
 */
export interface Turn {
  state: "waiting" | "running" | "finished" | "settled"
  /** Wants the writer outside of any transaction. */
  readonly exclusive: boolean
  /** Called with the writer in hand; work that is done at once leaves `running` before it returns. */
  start: () => void
  /** Called once: when the turn cannot start or its group is lost, with the error, or after COMMIT. */
  settle: (error?: SqlError) => void
}

export const makeTurn = (exclusive: boolean): Turn => ({
  state: "waiting",
  exclusive,
  start: () => {},
  settle: () => {},
})

interface Group {
  readonly openedAt: bigint
  readonly finished: Array<Turn>
  transactions: number
}

/**
 * Lets many transactions share one COMMIT, hence one fsync. Turns run one after another inside one outer
 * transaction and are settled after its commit is durable; a turn that fails undoes itself (by its
 * savepoint, or as the single statement that it is) and leaves the others alone. The group is committed when
 * no turn waits after one turn of the event loop, in which requests that have arrived may still join, or when it
 * is full or old. The event loop goes on while the disk is waited for; the next group begins after it.
 *
 * When a COMMIT cannot be made durable (fsynced), it is unknown what of it is on disk, or will be after a second
 * try: nothing is written or read from then on, until the file is opened again.
 *
 * It is plain callbacks, no fiber: a transaction costs few microseconds, and a fiber's hops would double them.
 */
export class GroupCommit {
  readonly #database: Database
  readonly #clock: Clock
  readonly #retryLater: (then: () => void) => void
  readonly #waiting: Array<Turn> = []
  #group: Group | undefined
  #running: Turn | undefined
  /** Their COMMIT is durable. */
  readonly #durable: Array<Turn> = []
  /** When the first transaction of this turn of the event loop began. */
  #beganAt: bigint | undefined
  #pumping = false
  #scheduled = false
  #retrying = false
  #syncing = false
  #broken: SqlError | undefined
  #beginAttempts = 0
  #onIdle: (() => void) | undefined

  constructor(options: {
    readonly database: Database
    readonly clock: Clock
    /** Calls back after `beginRetryMs`. */
    readonly retryLater: (then: () => void) => void
  }) {
    this.#database = options.database
    this.#clock = options.clock
    this.#retryLater = options.retryLater
  }

  /** Why nothing can be written or read any more. */
  get broken(): SqlError | undefined {
    return this.#broken
  }

  /** Called before every COMMIT, which does not come when this throws. */
  beforeCommit: () => void = () => {}

  /** Called when a COMMIT is durable, or has failed and left nothing, before any turn is settled. Must not throw. */
  afterCommit: () => void = () => {}

  /** Whether the turn has the writer, inside a live transaction unless it is exclusive. */
  owns(turn: Turn): boolean {
    return (
      turn === this.#running &&
      (turn.exclusive || (this.#group !== undefined && this.#database.isTransaction))
    )
  }

  /** Queues a turn; it may start before this returns. */
  enqueue(turn: Turn): void {
    const refusal = this.#onIdle === undefined ? this.#broken : unusable("The database is closed")
    if (refusal !== undefined) {
      this.#settle(turn, refusal)
      return
    }
    this.#waiting.push(turn)
    // While a tick is due, it starts the turn: callers resumed by a COMMIT gather for the next group.
    if (!this.#scheduled || this.#group !== undefined) this.#pump()
  }

  /** Gives the writer back: the turn's work is part of the group and `settle` will tell of its COMMIT. */
  finish(turn: Turn): void {
    if (turn !== this.#running) return
    if (!this.owns(turn)) {
      this.#settle(turn, this.lost())
    } else {
      turn.state = "finished"
      this.#group?.finished.push(turn)
    }
    this.#leave(turn)
  }

  /** Gives up a turn that waits or runs and whose work is undone; does nothing for others. */
  release(turn: Turn): void {
    const place = turn.state === "waiting" ? this.#waiting.indexOf(turn) : -1
    if (place >= 0) this.#waiting.splice(place, 1)
    if (turn.state !== "finished") turn.state = "settled"
    if (turn === this.#running) {
      if (!turn.exclusive && !this.#database.isTransaction) this.lost()
      this.#leave(turn)
    }
  }

  /**
   * Tells the group of a failure that SQLite answered by ending the whole transaction, as on a full disk: every
   * turn in it fails. Gives the error.
   */
  lost(cause?: SqlError): SqlError {
    const error = cause ?? unusable("The transaction was rolled back by the database")
    const group = this.#group
    this.#group = undefined
    this.#settleAll(group?.finished ?? [], error)
    return error
  }

  /** Takes no more turns and succeeds when those taken are settled. */
  readonly close: Effect.Effect<void> = Effect.callback<void>((resume) => {
    this.#onIdle = () => resume(Effect.void)
    this.#tellIdle()
  })

  #leave(turn: Turn) {
    this.#running = undefined
    if (turn.exclusive) this.#endExclusive()
    // The fiber that leaves is still on the stack: it goes on before others, and hears of its COMMIT in order.
    if (!this.#pumping) queueMicrotask(() => this.#pump())
  }

  /** Starts waiting turns until one keeps the writer or the group must be committed. */
  #pump() {
    if (this.#pumping || this.#retrying || this.#syncing) return
    this.#pumping = true
    while (this.#running === undefined) {
      const next = this.#waiting[0]
      if (next === undefined || this.#isPast(this.#beganAt)) break
      if (this.#group !== undefined && (next.exclusive || this.#isFull(this.#group))) {
        this.#commit(this.#group)
        break
      }
      if (!next.exclusive && this.#group === undefined && !this.#begin()) break
      this.#waiting.shift()
      this.#start(next)
    }
    this.#pumping = false
    if (this.#running === undefined && (this.#group !== undefined || this.#waiting.length > 0))
      this.#schedule()
    this.#tellIdle()
  }

  /** A write outside of a group is not fsynced by the group: SQLite does it itself. */
  #beginExclusive() {
    this.#database.control("PRAGMA synchronous=FULL")
  }

  #endExclusive() {
    if (this.#database.isTransaction) this.#rollback()
    this.#database.control("PRAGMA synchronous=NORMAL")
  }

  #start(turn: Turn) {
    if (this.#group !== undefined) this.#group.transactions++
    if (turn.exclusive) this.#beginExclusive()
    turn.state = "running"
    this.#running = turn
    this.#beganAt ??= this.#clock.monotonicTimeNanosUnsafe()
    turn.start()
  }

  #isFull(group: Group) {
    return (
      group.transactions >= groupTransactionsMax ||
      this.#clock.monotonicTimeNanosUnsafe() - group.openedAt > groupNanosMax
    )
  }

  #isPast(since: bigint | undefined) {
    return since !== undefined && this.#clock.monotonicTimeNanosUnsafe() - since > loopNanosMax
  }

  #begin(): boolean {
    try {
      if (this.#database.isTransaction) this.#database.control("ROLLBACK")
      this.#database.control("BEGIN IMMEDIATE")
    } catch (cause) {
      this.#beginFailed(sqlError(cause, "begin"))
      return false
    }
    this.#beginAttempts = 0
    this.#group = { openedAt: this.#clock.monotonicTimeNanosUnsafe(), finished: [], transactions: 0 }
    return true
  }

  #beginFailed(error: SqlError) {
    this.#beginAttempts++
    if (error.reason._tag !== "LockTimeoutError" || this.#beginAttempts >= beginAttemptsMax) {
      this.#beginAttempts = 0
      return this.#settleAll(this.#waiting.splice(0), error)
    }
    this.#retrying = true
    this.#retryLater(() => {
      this.#retrying = false
      this.#pump()
    })
  }

  #commit({ finished }: Group) {
    this.#group = undefined
    try {
      this.beforeCommit()
      if (this.#database.commit()) {
        this.#syncing = true
        return this.#database.sync((cause) => this.#synced(finished, cause))
      }
    } catch (cause) {
      this.#rollback()
      this.afterCommit()
      return this.#settleAll(finished, sqlError(cause, "commit"))
    }
    this.afterCommit()
    this.#settleAll(finished, undefined)
  }

  #synced(finished: ReadonlyArray<Turn>, cause: Error | null) {
    this.#syncing = false
    if (cause === null) {
      this.afterCommit()
      // Before any read: a reader that begins afterwards does not keep the WAL from restarting.
      this.#database.checkpointWhenDue()
      const isSettling = this.#durable.length > 0
      this.#durable.push(...finished)
      if (!isSettling) this.#settleDurable()
    } else {
      this.#broken = unusable(`The disk did not take a commit (${cause.message}); open the database again`)
      this.#settleAll([...finished, ...this.#waiting.splice(0)], this.#broken)
    }
    this.#pump()
  }

  /** A ROLLBACK that fails is tried again by the next BEGIN. */
  #rollback() {
    try {
      if (this.#database.isTransaction) this.#database.control("ROLLBACK")
    } catch {}
  }

  readonly #settleDurable = () => {
    const began = this.#clock.monotonicTimeNanosUnsafe()
    const pumping = this.#pumping
    this.#pumping = true
    for (let turn = this.#durable.shift(); turn !== undefined; turn = this.#durable.shift()) {
      this.#settle(turn, undefined)
      if (this.#isPast(began)) break
    }
    this.#pumping = pumping
    if (this.#durable.length > 0) setImmediate(this.#settleDurable)
    else if (!pumping) this.#pump()
  }

  #settleAll(turns: ReadonlyArray<Turn>, error: SqlError | undefined) {
    const pumping = this.#pumping
    this.#pumping = true
    for (const turn of turns) this.#settle(turn, error)
    this.#pumping = pumping
  }

  #settle(turn: Turn, error: SqlError | undefined) {
    turn.state = "settled"
    turn.settle(error)
  }

  #schedule() {
    if (this.#scheduled || this.#retrying || this.#syncing) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#tick()
    })
  }

  #tick() {
    this.#beganAt = undefined
    if (this.#running !== undefined || this.#syncing) return
    if (this.#group !== undefined && this.#waiting.length === 0) {
      this.#commit(this.#group)
      if (this.#waiting.length > 0) this.#schedule()
      return this.#tellIdle()
    }
    this.#pump()
  }

  #tellIdle() {
    const idle = this.#group === undefined && this.#running === undefined && this.#waiting.length === 0
    if (idle && this.#durable.length === 0 && !this.#retrying && !this.#syncing) this.#onIdle?.()
  }
}
