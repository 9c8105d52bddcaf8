import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Connection } from "effect/sql/SqlConnection"
import { SqlError, type SqlErrorReason, UniqueViolation, UnknownError } from "effect/sql/SqlError"

interface Column {
  readonly name: string
  readonly dataTypeID?: number
  readonly type?: number
}

interface Answer {
  readonly rows: ReadonlyArray<object>
  readonly fields: ReadonlyArray<Column>
}

/** The client of `pg`, or anything that takes a text with `$1` and values, and answers rows. */
export interface QueryClient {
  readonly query: (text: string, values?: Array<unknown>) => PromiseLike<Answer>
}

/** The transaction of `postgres` (postgres.js), inside `sql.begin`. */
export interface UnsafeClient {
  readonly unsafe: (
    text: string,
    values?: Array<never>,
  ) => PromiseLike<ReadonlyArray<object> & { readonly columns?: ReadonlyArray<Column> }>
}

/** A client of the application's own on which it has begun a transaction. */
export type ForeignClient = QueryClient | UnsafeClient

/** A client says nothing of its columns: amounts of money would stay texts. */
export class ColumnsUnknown extends Error {}

/** BIGINT, which drivers give as a text by default, and this service as a number. */
const int8 = 20

/** The connection of a client that is not ours. Transactions on it are savepoints: its owner commits. */
export const foreignConnection = (client: ForeignClient): Connection => {
  const execute = (text: string, params: ReadonlyArray<unknown>) =>
    Effect.tryPromise({
      try: () => rowsOf(client, text, params),
      catch: (cause) => new SqlError({ reason: reasonOf(cause) }),
    })
  return {
    execute: (text, params) => execute(text, params),
    executeRaw: (text, params) => execute(text, params),
    executeStream: (text, params) => Stream.fromIterableEffect(execute(text, params)),
    executeUnprepared: (text, params) => execute(text, params),
    executeValues: (text, params) => Effect.map(execute(text, params), (rows) => rows.map(Object.values)),
    executeValuesUnprepared: (text, params) =>
      Effect.map(execute(text, params), (rows) => rows.map(Object.values)),
  }
}

const uniqueViolation = "23505"

const reasonOf = (cause: unknown): SqlErrorReason => {
  const message = cause instanceof Error ? cause.message : String(cause)
  const props = { cause, message, operation: "execute" }
  const { code, constraint = "unknown" } = cause as { readonly code?: unknown; readonly constraint?: string }
  return code === uniqueViolation ? new UniqueViolation({ ...props, constraint }) : new UnknownError(props)
}

const rowsOf = async (
  client: ForeignClient,
  text: string,
  params: ReadonlyArray<unknown>,
): Promise<ReadonlyArray<object>> => {
  if ("unsafe" in client) {
    const rows = await client.unsafe(text, params as Array<never>)
    return withNumbers([...rows], rows.columns ?? [])
  }
  const { fields, rows }: Partial<Answer> = await client.query(text, [...params])
  if (fields === undefined || rows === undefined) throw new ColumnsUnknown("the client answers no `fields`")
  return withNumbers(rows, fields)
}

const withNumbers = (rows: ReadonlyArray<object>, columns: ReadonlyArray<Column>): ReadonlyArray<object> => {
  const bigints = columns
    .filter(({ dataTypeID, type }) => (dataTypeID ?? type) === int8)
    .map(({ name }) => name)
  if (bigints.length === 0) return rows
  return rows.map((row) => {
    const read = Object.fromEntries(
      bigints.map((name) => {
        const value: unknown = Reflect.get(row, name)
        return [name, typeof value === "string" || typeof value === "bigint" ? Number(value) : value]
      }),
    )
    return { ...row, ...read }
  })
}
