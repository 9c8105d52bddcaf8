import { Admin, Audit, type UserId } from "@atelier/core"
import * as Effect from "effect/Effect"
import { reply, respond, streamed } from "../Answer.ts"
import { pageOf, sequenceOf } from "../Page.ts"
import { toWireAudit, toWireStats, toWireTransfer } from "../toWireAdmin.ts"
import type { AdminHandlersOf } from "./AdminEndpoints.ts"
import { ledgerCsv } from "./ledgerCsv.ts"

/** Transfers of a user, of a task, or of both. */
const filterOf = (user: string | undefined, task: string | undefined) => ({
  ...(user === undefined ? {} : { userId: user as UserId }),
  ...(task === undefined ? {} : { taskId: task }),
})

/** What was recorded: the ledger, the totals and the audit log. */
export const makeRecordHandlers = Effect.gen(function* () {
  const admin = yield* Admin
  const audit = yield* Audit

  const handlers: AdminHandlersOf<"ledger" | "ledgerCsv" | "stats" | "audit"> = {
    ledger: ({ endpoint, query: { user, task, cursor, limit } }) =>
      reply(
        endpoint,
        Effect.gen(function* () {
          const filter = {
            ...(cursor === undefined ? {} : { after: yield* sequenceOf(cursor) }),
            ...filterOf(user, task),
          }
          return yield* pageOf(
            limit,
            (limit) => admin.ledger({ ...filter, limit }),
            ({ sequence }) => String(sequence),
            toWireTransfer,
          )
        }),
      ),
    ledgerCsv: ({ endpoint, query: { user, task } }) =>
      respond(
        endpoint,
        streamed(ledgerCsv(admin.ledger, filterOf(user, task)), {
          contentType: "text/csv; charset=utf-8",
          headers: { "content-disposition": 'attachment; filename="ledger.csv"' },
        }),
      ),
    stats: ({ endpoint, query: { check } }) =>
      reply(endpoint, Effect.map(admin.stats({ check: check === "true" }), toWireStats)),
    audit: ({ endpoint, query: { cursor, limit, request_id, ...filter } }) =>
      reply(
        endpoint,
        Effect.gen(function* () {
          const query = {
            ...filter,
            ...(cursor === undefined ? {} : { after: yield* sequenceOf(cursor) }),
            ...(request_id === undefined ? {} : { requestId: request_id }),
          }
          return yield* pageOf(
            limit,
            (limit) => audit.list({ ...query, limit }),
            ({ sequence }) => String(sequence),
            toWireAudit,
          )
        }),
      ),
  }
  return handlers
})
