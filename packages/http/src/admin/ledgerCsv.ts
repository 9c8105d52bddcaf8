import type { Admin } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Failure } from "../toApiError.ts"

type List = Admin["Service"]["ledger"]
type Row = Effect.Success<ReturnType<List>>[number]

/** Transfers of one page, of which one at a time is in memory. */
const pageRows = 500

const columns: ReadonlyArray<readonly [name: string, value: (row: Row) => string | number | null]> = [
  ["sequence", (row) => row.sequence],
  ["id", (row) => row.id],
  ["kind", (row) => row.kind],
  ["user_id", (row) => row.userId],
  ["key_id", (row) => row.keyId],
  ["task_id", (row) => row.taskId],
  ["debit", (row) => row.debit],
  ["credit", (row) => row.credit],
  ["amount_units", (row) => row.amount],
  ["reason", (row) => row.reason],
  ["created_at", (row) => new Date(row.at).toISOString()],
]

/** The ledger, newest first, as RFC 4180 has it. */
export const ledgerCsv = (
  list: List,
  filter: Pick<Parameters<List>[0], "userId" | "taskId">,
): Stream.Stream<Uint8Array, Failure> => {
  const encoder = new TextEncoder()
  const head = columns.map(([name]) => name).join(",")
  const pages = Stream.paginate(Number.MAX_SAFE_INTEGER, (after) =>
    Effect.map(
      list({ ...filter, after, limit: pageRows }),
      (rows): readonly [ReadonlyArray<string>, Option.Option<number>] => {
        const last = rows.at(-1)
        const next = last === undefined || rows.length < pageRows ? Option.none() : Option.some(last.sequence)
        return [rows.map((row) => columns.map(([, value]) => field(value(row))).join(",")), next]
      },
    ),
  )
  return Stream.concat(Stream.succeed(head), pages).pipe(Stream.map((line) => encoder.encode(`${line}\r\n`)))
}

/** A spreadsheet calculates what begins so; an apostrophe keeps it a text. */
const formula = /^[=+\-@\t\r]/

const field = (value: string | number | null): string => {
  if (typeof value === "number") return String(value)
  const text = value === null ? "" : formula.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
