import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Fiber } from "effect/Fiber"
import * as Stream from "effect/Stream"
import { SafeIntegers } from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import { type Database, sqlError, statementKind, unusable } from "./Database.ts"
import type { GroupCommit, Turn } from "./GroupCommit.ts"

type Transform = (<A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>) | undefined
type Work<A> = (database: Database, bigInts: boolean) => A

/** What the connections have in common: the calls of `effect/sql` in terms of one, `perform`. */
abstract class SynchronousConnection implements Connection {
  protected abstract perform<A>(sql: string, work: Work<A>): Effect.Effect<A, SqlError>

  execute(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    const rows = this.perform(sql, (database, bigInts) => database.rows(sql, params, bigInts))
    return transform === undefined ? rows : Effect.map(rows, transform)
  }

  executeRaw(sql: string, params: ReadonlyArray<unknown>): Effect.Effect<unknown, SqlError> {
    return this.perform(sql, (database, bigInts) => database.raw(sql, params, bigInts))
  }

  executeValues(sql: string, params: ReadonlyArray<unknown>) {
    return this.perform(sql, (database, bigInts) => database.values(sql, params, bigInts))
  }

  executeValuesUnprepared(sql: string, params: ReadonlyArray<unknown>) {
    return this.executeValues(sql, params)
  }

  /** Without parameters and rows the text may hold many statements, as a migration's does. */
  executeUnprepared(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    if (params.length > 0 || statementKind(sql) === "read") return this.execute(sql, params, transform)
    return this.perform(sql, (database): ReadonlyArray<object> => {
      database.script(sql)
      return []
    })
  }

  /** Reads every row before the first is given: a cursor left open would keep the WAL from being checkpointed. */
  executeStream(sql: string, params: ReadonlyArray<unknown>, transform: Transform) {
    return Stream.unwrap(Effect.map(this.execute(sql, params, transform), Stream.fromIterable))
  }
}

const bigIntsOf = (fiber: Fiber<unknown, unknown>) => fiber.getRef(SafeIntegers)

/** The writer, lent to the turn that owns it; unusable once the turn has ended. */
export class WriterConnection extends SynchronousConnection {
  readonly #database: Database
  readonly #groupCommit: GroupCommit
  readonly #turn: Turn
  #undone: Array<() => void> = []

  constructor(database: Database, groupCommit: GroupCommit, turn: Turn) {
    super()
    this.#database = database
    this.#groupCommit = groupCommit
    this.#turn = turn
  }

  /** Calls back, once, where the whole transaction is undone. */
  onUndone(callback: () => void): void {
    this.#undone.push(callback)
  }

  #tellUndone() {
    for (const callback of this.#undone.splice(0)) callback()
  }

  protected perform<A>(_sql: string, work: Work<A>): Effect.Effect<A, SqlError> {
    return Effect.withFiber((fiber) => this.#attempt(() => work(this.#database, bigIntsOf(fiber))))
  }

  /** Opens the turn's savepoint; the turn ends when that fails. */
  begin(): Effect.Effect<void, SqlError> {
    return Effect.suspend(() => {
      const begun = this.#control("SAVEPOINT body")
      if (Exit.isFailure(begun)) this.#groupCommit.release(this.#turn)
      return begun
    })
  }

  /** Keeps the turn's work, ends the turn, and waits for the COMMIT of its group. */
  commit(): Effect.Effect<void, SqlError> {
    return Effect.callback((resume) => {
      const kept = this.#control("RELEASE body")
      if (Exit.isFailure(kept)) {
        this.#groupCommit.release(this.#turn)
        this.#tellUndone()
        return resume(kept)
      }
      this.#turn.settle = (error) => {
        if (error !== undefined) this.#tellUndone()
        resume(error === undefined ? Effect.void : Effect.fail(error))
      }
      this.#groupCommit.finish(this.#turn)
    })
  }

  /** Undoes the turn's work and ends the turn. */
  rollback(): Effect.Effect<void, SqlError> {
    return Effect.suspend(() => {
      this.#tellUndone()
      const lost = !this.#groupCommit.owns(this.#turn)
      const undone = lost ? Exit.void : this.#control("ROLLBACK TO body")
      const released = lost ? Exit.void : this.#control("RELEASE body")
      this.#groupCommit.release(this.#turn)
      return Exit.isFailure(undone) ? undone : released
    })
  }

  /** Ends the turn without committing or undoing its work. */
  get release(): Effect.Effect<void> {
    return release(this.#groupCommit, this.#turn)
  }

  /** Opens a savepoint inside the turn's own. */
  savepoint(name: string): Effect.Effect<void, SqlError> {
    return Effect.suspend(() => this.#control(`SAVEPOINT ${name}`))
  }

  /** Undoes what came after the savepoint; when SQLite has ended the whole transaction, nothing is left to undo. */
  rollbackTo(name: string): Effect.Effect<void, SqlError> {
    return Effect.suspend(() =>
      this.#groupCommit.owns(this.#turn) ? this.#control(`ROLLBACK TO ${name}`) : Effect.void,
    )
  }

  /** Merges a savepoint into what is around it. */
  releaseSavepoint(name: string): Effect.Effect<void, SqlError> {
    return Effect.suspend(() =>
      this.#groupCommit.owns(this.#turn) ? this.#control(`RELEASE ${name}`) : Effect.void,
    )
  }

  #control(sql: string) {
    return this.#attempt(() => this.#database.control(sql))
  }

  #attempt<A>(work: () => A): Exit.Exit<A, SqlError> {
    if (!this.#groupCommit.owns(this.#turn))
      return Exit.fail(unusable("The transaction has ended or was rolled back by the database"))
    try {
      return Exit.succeed(work())
    } catch (cause) {
      const error = sqlError(cause, "execute")
      if (!this.#turn.exclusive && !this.#database.isTransaction) this.#groupCommit.lost(error)
      return Exit.fail(error)
    }
  }
}

/**
 * Where statements outside a transaction go: reads to the reader, which sees what is committed; writes to the
 * group, each as a transaction of its own; PRAGMA, VACUUM and their like to the writer between two groups.
 */
export class RoutingConnection extends SynchronousConnection {
  readonly #reader: Database | undefined
  readonly #writer: Database
  readonly #groupCommit: GroupCommit
  #held = false

  /** Without a reader, as in memory, reads take turns with writes. */
  constructor(reader: Database | undefined, writer: Database, groupCommit: GroupCommit) {
    super()
    this.#reader = reader
    this.#writer = writer
    this.#groupCommit = groupCommit
  }

  protected perform<A>(sql: string, work: Work<A>): Effect.Effect<A, SqlError> {
    const kind = statementKind(sql)
    return Effect.withFiber((fiber) => {
      const bigInts = bigIntsOf(fiber)
      const reader = this.#reader
      if (kind !== "read" || reader === undefined)
        return this.#inTurn(kind === "exclusive", () => work(this.#writer, bigInts))
      const { broken } = this.#groupCommit
      if (broken !== undefined) return Effect.fail(broken)
      try {
        this.#beginSnapshot(reader)
        return Effect.succeed(work(reader, bigInts))
      } catch (cause) {
        return Effect.fail(sqlError(cause, "execute"))
      }
    })
  }

  /**
   * Reads of one turn of the event loop share a read transaction: taking and giving back the file's read lock is
   * most of the time of a short query. It ends with the turn, and before that with every COMMIT of this process, so
   * that no read misses a commit that was already answered.
   */
  #beginSnapshot(reader: Database) {
    if (reader.isTransaction) return
    reader.control("BEGIN")
    setImmediate(this.endSnapshot)
  }

  readonly endSnapshot = (): void => {
    try {
      if (!this.#held && this.#reader?.isTransaction === true) this.#reader.control("COMMIT")
    } catch {
      // The database is closed, or tries again with the next turn.
    }
  }

  /** Reads keep to what is on the disk now, until `releaseSnapshot`. */
  readonly holdSnapshot = (): void => {
    const reader = this.#reader
    if (reader === undefined) return
    this.#beginSnapshot(reader)
    // A transaction sees what was there at its first read.
    reader.rows("SELECT 1 FROM sqlite_schema LIMIT 1", [], false)
    this.#held = true
  }

  readonly releaseSnapshot = (): void => {
    this.#held = false
    this.endSnapshot()
  }

  /** A single statement undoes itself when it fails, so that it needs no savepoint, and no fiber to run in. */
  #inTurn<A>(exclusive: boolean, work: () => A): Effect.Effect<A, SqlError> {
    const groupCommit = this.#groupCommit
    return Effect.callback((resume) => {
      let answer: Effect.Effect<A, SqlError> = Effect.never
      const start = () => {
        try {
          answer = Effect.succeed(work())
        } catch (cause) {
          const error = sqlError(cause, "execute")
          if (!exclusive && !this.#writer.isTransaction) groupCommit.lost(error)
          groupCommit.release(turn)
          return resume(Effect.fail(error))
        }
        if (!exclusive) return groupCommit.finish(turn)
        groupCommit.release(turn)
        resume(answer)
      }
      const settle = (error?: SqlError) => resume(error === undefined ? answer : Effect.fail(error))
      const turn: Turn = { state: "waiting", exclusive, start, settle }
      groupCommit.enqueue(turn)
      return Effect.suspend(() => (turn.state === "finished" ? settled(turn) : release(groupCommit, turn)))
    })
  }
}

/** Waits for the writer. The caller must release the turn in every case. */
export const awaitTurn = (groupCommit: GroupCommit, turn: Turn): Effect.Effect<void, SqlError> =>
  Effect.callback((resume) => {
    turn.start = () => resume(Effect.void)
    turn.settle = (error) => resume(error === undefined ? Effect.void : Effect.fail(error))
    groupCommit.enqueue(turn)
  })

const release = (groupCommit: GroupCommit, turn: Turn) => Effect.sync(() => groupCommit.release(turn))

const settled = (turn: Turn): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const settle = turn.settle
    turn.settle = (error) => {
      settle(error)
      resume(Effect.void)
    }
  })
