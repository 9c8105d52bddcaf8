import { existsSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import { hasProperty } from "effect/Predicate"
import { migrationsTable } from "../migrations.ts"
import { inDialect, storable } from "../statement.ts"
import { MoveRefused } from "./MoveRefused.ts"
import { derived, exceptions, list, quoted, type Relation, type Row, type Value } from "./Relation.ts"

/** How long a process that just ended may take to let the file go. */
const busyTimeoutMs = 2000

const sqliteBusy = 5

/** Column types that both databases show alike. */
const knownTypes = new Set(["TEXT", "INTEGER"])

interface Column {
  readonly name: string
  readonly type: string
  readonly pk: number
}

/**
 * The SQLite database that is moved from. It is locked exclusively from start to end: SQLite gives an exclusive lock
 * only while no other process has the file open, so that a server that still runs is seen, however idle it is, and
 * none can start. The lock ends with the process. Nothing is written. Every method is synchronous and throws.
 */
export class Source {
  readonly #db: DatabaseSync

  /**
   * A file `isStill` that no process writes: it is opened without a lock, so that it may lie on a medium that is
   * read-only.
   */
  constructor(filename: string, { isStill = false }: { readonly isStill?: boolean } = {}) {
    if (!existsSync(filename)) throw refused(`there is no file ${JSON.stringify(filename)}`)
    if (isStill) {
      const url = pathToFileURL(filename)
      url.searchParams.set("immutable", "1")
      this.#db = new DatabaseSync(url, { readOnly: true })
      return
    }
    this.#db = new DatabaseSync(filename, { timeout: busyTimeoutMs })
    try {
      this.#db.exec("PRAGMA locking_mode=EXCLUSIVE")
      this.#db.exec("BEGIN EXCLUSIVE")
    } catch (cause) {
      this.#db.close()
      if (!hasProperty(cause, "errcode") || cause.errcode !== sqliteBusy) throw cause
      throw refused(`${JSON.stringify(filename)} is open in another process: stop the server first`)
    }
  }

  close(): void {
    if (this.#db.isTransaction) this.#db.exec("ROLLBACK")
    this.#db.close()
  }

  /** Names of the migrations that made it, the first first; none where it was never migrated. */
  migrations(): ReadonlyArray<string> {
    if (!this.#names().includes(migrationsTable)) return []
    return this.#all(`SELECT migration_id || '_' || name FROM ${migrationsTable} ORDER BY migration_id`).map(
      ([name]) => String(name),
    )
  }

  /** What tells this database from every other one; it stays the same while the database is used. */
  identity(): string {
    const made = this.#all(
      `SELECT migration_id, created_at FROM ${migrationsTable} ORDER BY migration_id LIMIT 1`,
    )
    return JSON.stringify([...made, ...this.#all("SELECT min(id) FROM users")])
  }

  /** Tables that are not among `known`: of an application that shares the file. */
  others(known: ReadonlySet<string>): ReadonlyArray<string> {
    return this.#names().filter((name) => !known.has(name) && !derived.has(name))
  }

  /** Every table of `known` that is carried, those that others refer to first. */
  tables(known: ReadonlySet<string>): ReadonlyArray<Relation> {
    const isCarried = (name: string): boolean =>
      known.has(name) && name !== migrationsTable && !derived.has(name)
    const names = this.#names().filter(isCarried)
    const ordered: Array<string> = []
    const visit = (name: string): void => {
      if (ordered.includes(name)) return
      for (const parent of this.#parents(name)) if (parent !== name) visit(parent)
      ordered.push(name)
    }
    names.forEach(visit)
    return ordered.map((name) => this.#table(name))
  }

  /** Rows after a key in the order of the key, read as they are asked for. */
  *rows({ from, columns, key, read }: Relation, after: Row | undefined = undefined): Generator<Row> {
    const selected = columns.map((column) => read[column] ?? quoted(column)).join(", ")
    const where = after === undefined ? "" : `WHERE (${list(key)}) > (${key.map(() => "?").join(", ")})`
    const statement = this.#db.prepare(`SELECT ${selected} FROM ${from} ${where} ORDER BY ${list(key)}`)
    statement.setReturnArrays(true)
    const rows: Iterable<unknown> = statement.iterate(...(after ?? []))
    for (const row of rows) yield (row as Array<Value>).map(storable)
  }

  /** Whether the relation has a row with this key of one column. */
  has({ from, key }: Relation, value: Value): boolean {
    return this.#db.prepare(`SELECT 1 FROM ${from} WHERE ${list(key)} = ?`).get(value) !== undefined
  }

  /** The rows of a statement that both dialects understand, as objects. */
  select(text: string): ReadonlyArray<Record<string, unknown>> {
    return this.#db.prepare(inDialect(text, "sqlite")).all()
  }

  #names(): ReadonlyArray<string> {
    return this.#all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    ).map(([name]) => String(name))
  }

  #parents(table: string): ReadonlyArray<string> {
    return this.#all(`SELECT "table" FROM pragma_foreign_key_list('${table}')`).map(([name]) => String(name))
  }

  #table(name: string): Relation {
    const columns: ReadonlyArray<Column> = this.#all(
      `SELECT name, type, pk FROM pragma_table_info('${name}') ORDER BY cid`,
    ).map(([column, type, pk]) => ({ name: String(column), type: String(type), pk: Number(pk) }))
    const unsupported = columns.find(({ type }) => !knownTypes.has(type))
    if (unsupported !== undefined) {
      throw refused(
        `column ${unsupported.name} of table ${name} has the type ${unsupported.type}, which is not carried over`,
      )
    }
    const primary = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
    const key = primary.length > 0 ? primary.map((column) => column.name) : this.#uniqueKey(name)
    if (key.length === 0) throw refused(`table ${name} has no key`)
    return {
      name,
      from: quoted(name),
      columns: columns.map((column) => column.name),
      key,
      read: exceptions[name] ?? {},
    }
  }

  #uniqueKey(table: string): ReadonlyArray<string> {
    return this.#all(
      `SELECT column.name FROM pragma_index_info(
          (SELECT name FROM pragma_index_list('${table}') WHERE origin = 'u' ORDER BY seq LIMIT 1)) AS column
        ORDER BY column.seqno`,
    ).map(([name]) => String(name))
  }

  #all(text: string): ReadonlyArray<Row> {
    const statement = this.#db.prepare(text)
    statement.setReturnArrays(true)
    const rows: ReadonlyArray<unknown> = statement.all()
    return rows as ReadonlyArray<Row>
  }
}

const refused = (message: string) => new MoveRefused({ side: "source", message })
