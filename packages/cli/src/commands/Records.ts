import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { Admin, type Transfer, type UserId } from "@atelier/core"
import { totalsOf } from "@atelier/http"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CommandFailed } from "../CommandFailed.ts"
import { withDatabase } from "../Operator.ts"
import { print, table } from "../Output.ts"

const pageTransfers = 1000

type Row = Transfer & { readonly sequence: number }

const columns: ReadonlyArray<readonly [name: string, value: (row: Row) => string | number]> = [
  ["sequence", ({ sequence }) => sequence],
  ["created_at", ({ at }) => new Date(at).toISOString()],
  ["kind", ({ kind }) => kind],
  ["user_id", ({ userId }) => userId],
  ["key_id", ({ keyId }) => keyId ?? ""],
  ["task_id", ({ taskId }) => taskId ?? ""],
  ["debit", ({ debit }) => debit],
  ["credit", ({ credit }) => credit],
  ["amount", ({ amount }) => amount],
  ["reason", ({ reason }) => reason],
  ["id", ({ id }) => id],
]

/** RFC 4180; what a spreadsheet would take for a formula begins with an apostrophe. */
const cell = (value: string | number): string => {
  if (typeof value === "number") return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Every transfer, newest first, a page at a time: amounts in units. */
export const exportLedger = (input: {
  readonly user: Option.Option<string>
  readonly format: "csv" | "jsonl"
  readonly out: Option.Option<string>
}) =>
  withDatabase(
    Effect.gen(function* () {
      const admin = yield* Admin
      const stream = Option.isSome(input.out)
        ? createWriteStream(input.out.value, { flags: "wx", mode: 0o600 })
        : process.stdout
      const write = (text: string) =>
        Effect.tryPromise({
          try: async () => {
            if (!stream.write(text)) await once(stream, "drain")
          },
          catch: (cause) => new CommandFailed({ message: `the ledger was not written: ${String(cause)}` }),
        })
      if (stream !== process.stdout) {
        yield* Effect.tryPromise({
          try: () => once(stream, "open"),
          catch: (cause) => new CommandFailed({ message: `the ledger was not written: ${String(cause)}` }),
        })
      }
      if (input.format === "csv") yield* write(`${columns.map(([name]) => name).join(",")}\r\n`)
      const filter = Option.isSome(input.user) ? { userId: input.user.value as UserId } : {}
      let after: number | undefined
      for (;;) {
        const page: ReadonlyArray<Row> = yield* admin.ledger({
          ...filter,
          ...(after === undefined ? {} : { after }),
          limit: pageTransfers,
        })
        yield* write(page.map(input.format === "csv" ? toCsv : toJsonLine).join(""))
        after = page.at(-1)?.sequence
        if (page.length < pageTransfers) break
      }
      if (stream !== process.stdout) {
        stream.end()
        yield* Effect.promise(() => once(stream, "close"))
      }
    }),
  )

const toCsv = (row: Row): string => `${columns.map(([, value]) => cell(value(row))).join(",")}\r\n`
const toJsonLine = (row: Row): string =>
  `${JSON.stringify(Object.fromEntries(columns.map(([name, value]) => [name, value(row)])))}\n`

export const stats = (input: { readonly check: boolean; readonly json: boolean }) =>
  withDatabase(
    Effect.gen(function* () {
      const found = totalsOf(yield* (yield* Admin).stats({ check: input.check }))
      const { ledger, ledger_mismatches: users = [], total_mismatches: totals = [] } = found
      yield* print(input.json, found, () => [
        ...table(
          ["TASKS", "STATE", "COUNT"],
          found.tasks.map(({ kind, state, count }) => [kind, state, String(count)]),
        ),
        "",
        ...table(
          ["JOBS", "READY", "LEASED"],
          found.queue.map(({ kind, ready, leased }) => [kind, String(ready), String(leased)]),
        ),
        "",
        `transfers ${ledger.transfers}; granted ${ledger.granted} = wallet ${ledger.balance} + held ${ledger.held} + spent ${ledger.spent} units`,
        ...(input.check && users.length + totals.length === 0 ? ["Everything adds up."] : []),
        ...users.map((user) => `The balance of ${user} is not the sum of its transfers.`),
        ...totals.map(({ total, kept, counted }) => `${total}: kept ${kept}, counted ${counted}`),
      ])
      if (users.length + totals.length > 0) {
        return yield* new CommandFailed({ message: "there are numbers that do not add up" })
      }
    }),
  )
