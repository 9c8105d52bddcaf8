import { closeSync, fdatasync, fstatSync, fsyncSync, mkdirSync, openSync } from "node:fs"
import { dirname } from "node:path"
import type { SQLInputValue, StatementResultingChanges } from "node:sqlite"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { hasProperty } from "effect/Predicate"
import { ConnectionError, classifySqliteError, SqlError } from "effect/sql/SqlError"

/** Prepared statements kept per connection; past it the oldest is forgotten. */
const statementsMax = 512
/** Page cache per connection, in KiB. The system's file cache does the rest. */
const cacheKibibytes = 4096
/** How long one call may block the thread for another process's lock, in milliseconds. */
const busyTimeoutMs = 200
/** The WAL is checkpointed after this many commits, or when it is longer than this many bytes. */
const checkpointCommits = 200
const checkpointBytes = 8 * 1024 * 1024
/**
 * What it is cut to when it is written from its front again; its blocks are overwritten, which is quicker than new
 * ones.
 */
const walBytes = 4 * 1024 * 1024

const constraintPrimaryKey = 1555
const constraintUnique = 2067
const constraintRowid = 2579

/** Where a statement outside a transaction may run. */
type StatementKind = "read" | "write" | "control" | "exclusive"

const leadingWord = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*([a-z]+)/i
const writingWord = /\b(?:insert|update|delete|replace)\b/i

const kinds: Readonly<Record<string, StatementKind>> = {
  SELECT: "read",
  VALUES: "read",
  EXPLAIN: "read",
  BEGIN: "control",
  COMMIT: "control",
  END: "control",
  ROLLBACK: "control",
  SAVEPOINT: "control",
  RELEASE: "control",
  PRAGMA: "exclusive",
  VACUUM: "exclusive",
  ATTACH: "exclusive",
  DETACH: "exclusive",
}

/**
 * Tells a statement's kind by its first word, comments skipped. SQLite has no SELECT that writes; a WITH is a
 * read when no writing keyword stands anywhere in it, so a mistake can only send a read to the writer. What is
 * not known is a write.
 */
export const statementKind = (sql: string): StatementKind => {
  const word = leadingWord.exec(sql)?.[1]?.toUpperCase() ?? ""
  if (word === "WITH") return writingWord.test(sql) ? "write" : "read"
  return kinds[word] ?? "write"
}

/** Wraps what `node:sqlite` threw; a doubled primary key is a `UniqueViolation`, as it is in PostgreSQL. */
export const sqlError = (cause: unknown, operation: string): SqlError => {
  if (cause instanceof SqlError) return cause
  if (hasProperty(cause, "errcode") && typeof cause.errcode === "number") {
    const code = cause.errcode
    const errno = code === constraintPrimaryKey || code === constraintRowid ? constraintUnique : code
    Object.assign(cause, { errno })
  }
  const message = cause instanceof Error ? cause.message : String(cause)
  return new SqlError({ reason: classifySqliteError(cause, { message, operation }) })
}

/** The error of a connection or transaction that can no longer be used. */
export const unusable = (message: string): SqlError =>
  new SqlError({ reason: new ConnectionError({ message, operation: "execute", cause: new Error(message) }) })

interface Prepared {
  readonly statement: StatementSync
  readonly returnsRows: boolean
  readonly reads: boolean
  arrays: boolean
  bigInts: boolean
}

/**
 * One open connection to a database file with its prepared statements. Every method is synchronous and throws,
 * but `sync`, which waits for the disk beside the event loop.
 */
export class Database {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, Prepared>()
  readonly #controls = new Map<string, StatementSync>()
  /** The writer's WAL, opened a second time for fsync. */
  #wal: number | undefined
  readonly #hasFile: boolean
  #wrote = false
  /** Since the last checkpoint. */
  #commits = 0

  /**
   * Opens the file; the writer also makes it, its folder, and the WAL (`synchronous=NORMAL`: a commit is on the
   * disk after `sync`). A reader cannot write, and needs a file that a writer has opened before.
   */
  constructor(filename: string, access: "write" | "read") {
    const readOnly = access === "read"
    const hasFile = filename !== ":memory:"
    if (!readOnly && hasFile) {
      mkdirSync(dirname(filename), { recursive: true })
      // It holds secrets of webhooks: only its owner reads it. The WAL takes over the mode.
      closeSync(openSync(filename, "a", 0o600))
    }
    this.#hasFile = hasFile
    this.#db = new DatabaseSync(filename, { readOnly, timeout: busyTimeoutMs })
    try {
      if (!readOnly && hasFile) this.#openWal()
      // In memory: the pages that savepoints keep to undo a body would go through a temporary file.
      this.#db.exec(`PRAGMA synchronous=NORMAL; PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=${walBytes};
        PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-${cacheKibibytes}`)
    } catch (cause) {
      this.close()
      throw cause
    }
  }

  #openWal() {
    const mode = this.#db.prepare("PRAGMA journal_mode=WAL").get()?.["journal_mode"]
    if (mode !== "wal") throw new Error(`SQLite opened journal mode ${String(mode)} where WAL is needed`)
    // SQLite makes the file of the WAL at the first read.
    this.#db.exec("SELECT 1 FROM sqlite_schema")
    const filename = this.#db.location() ?? ""
    this.#wal = openSync(`${filename}-wal`, "r+")
    // A new file is not durable before its folder is.
    const folder = openSync(dirname(filename), "r")
    fsyncSync(folder)
    closeSync(folder)
  }

  /** Whether a transaction is open; SQLite ends one by itself on a full disk or an I/O error. */
  get isTransaction(): boolean {
    return this.#db.isTransaction
  }

  /** Runs a transaction control statement, which every other method refuses. */
  control(sql: string): void {
    const statement = this.#controls.get(sql) ?? this.#db.prepare(sql)
    this.#controls.set(sql, statement)
    statement.run()
  }

  /** Runs a statement and gives its rows as objects; none when it returns none. */
  rows(sql: string, params: ReadonlyArray<unknown>, bigInts: boolean): ReadonlyArray<object> {
    return this.#all(this.#prepare(sql), params, false, bigInts)
  }

  /** Runs a statement and gives its rows as arrays of column values. */
  values(
    sql: string,
    params: ReadonlyArray<unknown>,
    bigInts: boolean,
  ): ReadonlyArray<ReadonlyArray<unknown>> {
    const rows: ReadonlyArray<unknown> = this.#all(this.#prepare(sql), params, true, bigInts)
    return rows as ReadonlyArray<ReadonlyArray<unknown>>
  }

  /** Runs a statement and gives its rows, or its count of changes when it returns none. */
  raw(
    sql: string,
    params: ReadonlyArray<unknown>,
    bigInts: boolean,
  ): ReadonlyArray<object> | StatementResultingChanges {
    const prepared = this.#prepare(sql)
    if (prepared.returnsRows) return this.#all(prepared, params, false, bigInts)
    this.#wrote = true
    return prepared.statement.run(...(params as ReadonlyArray<SQLInputValue>))
  }

  /** Runs every statement of a text without parameters, as migrations have them. */
  script(sql: string): void {
    this.#wrote = true
    this.#db.exec(sql)
  }

  /** Commits, and tells whether anything may have been written that is not on the disk yet. */
  commit(): boolean {
    this.control("COMMIT")
    const wrote = this.#wrote
    this.#wrote = false
    return wrote
  }

  /** Makes committed transactions durable (fsync), and calls back. After an error it is unknown what is on disk. */
  sync(done: (error: Error | null) => void): void {
    if (!this.#hasFile) done(null)
    else if (this.#wal === undefined) done(new Error("A reader has nothing to sync"))
    else fdatasync(this.#wal, done)
  }

  /**
   * Copies the WAL into the database once that is worth it, so that it is written from its front again. When that
   * fails nothing is lost, and it grows until a later checkpoint succeeds.
   */
  checkpointWhenDue(): void {
    if (this.#wal === undefined) return
    this.#commits++
    try {
      if (this.#commits < checkpointCommits && fstatSync(this.#wal).size <= checkpointBytes) return
      this.#commits = 0
      this.control("PRAGMA wal_checkpoint(PASSIVE)")
    } catch {}
  }

  close(): void {
    if (this.#wal !== undefined) closeSync(this.#wal)
    this.#db.close()
  }

  #all(prepared: Prepared, params: ReadonlyArray<unknown>, arrays: boolean, bigInts: boolean) {
    const { statement } = prepared
    this.#wrote ||= !prepared.reads
    const inputs = params as ReadonlyArray<SQLInputValue>
    if (!prepared.returnsRows) {
      statement.run(...inputs)
      return []
    }
    if (prepared.arrays !== arrays) statement.setReturnArrays(arrays)
    if (prepared.bigInts !== bigInts) statement.setReadBigInts(bigInts)
    prepared.arrays = arrays
    prepared.bigInts = bigInts
    return statement.all(...inputs)
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const kind = statementKind(sql)
    if (kind === "control") throw new Error("Transactions begin and end by withTransaction")
    const statement = this.#db.prepare(sql)
    // SQLite would run the first statement of a text and silently drop the others.
    if (sql.slice(statement.sourceSQL.length).trim() !== "")
      throw new Error("More than one statement in the text")
    const returnsRows = statement.columns().length > 0
    const prepared = { statement, returnsRows, reads: kind === "read", arrays: false, bigInts: false }
    if (this.#statements.size >= statementsMax) {
      for (const oldest of this.#statements.keys()) {
        this.#statements.delete(oldest)
        break
      }
    }
    this.#statements.set(sql, prepared)
    return prepared
  }
}
