import { type AuditEntry, type AuditQuery, type Json, SettingsStore } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import { first, makeStatements, type Param } from "./statement.ts"

interface AuditRow {
  readonly sequence: number
  readonly at: number
  readonly actor: string
  readonly role: AuditEntry["role"]
  readonly ip: string | null
  readonly request_id: string | null
  readonly action: string
  readonly target: string
  readonly before_json: string
  readonly after_json: string
  readonly outcome: AuditEntry["outcome"]
  readonly code: string | null
}

const parse = (text: string): Json => JSON.parse(text)

const toEntry = (row: AuditRow) => ({
  sequence: row.sequence,
  at: row.at,
  actor: row.actor,
  role: row.role,
  ip: row.ip,
  requestId: row.request_id,
  action: row.action,
  target: row.target,
  before: parse(row.before_json),
  after: parse(row.after_json),
  outcome: row.outcome,
  code: row.code,
})

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  get: "SELECT value FROM settings WHERE kind = ? AND id = ?",
  put: `INSERT INTO settings (kind, id, value) VALUES (?, ?, ?)
    ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value`,
  all: "SELECT id, value FROM settings WHERE kind = ? ORDER BY id",
  appendAudit: `INSERT INTO audit (at, actor, role, ip, request_id, action, target, before_json, after_json,
    outcome, code) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
}

/** The query of one page of the audit log. Its sequence is the order of writing. */
export const auditStatement = (
  query: AuditQuery,
): { readonly text: string; readonly params: ReadonlyArray<Param> } => {
  const given: ReadonlyArray<readonly [condition: string, param: Param | undefined]> = [
    ["actor = ?", query.actor],
    ["target = ?", query.target],
    ["request_id = ?", query.requestId],
    ["action = ?", query.action],
    ["outcome = ?", query.outcome],
    ["sequence < ?", query.after ?? Number.MAX_SAFE_INTEGER],
  ]
  const filters = given.flatMap(([condition, param]) => (param === undefined ? [] : [{ condition, param }]))
  return {
    text: `SELECT * FROM audit WHERE ${filters.map(({ condition }) => condition).join(" AND ")}
      ORDER BY sequence DESC LIMIT ?`,
    params: [...filters.map(({ param }) => param), query.limit],
  }
}

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const get = statement<{ value: string }>("SettingsStore.get", queries.get)
  const put = statement("SettingsStore.put", queries.put)
  const all = statement<{ id: string; value: string }>("SettingsStore.all", queries.all)
  const appendAudit = statement("SettingsStore.appendAudit", queries.appendAudit)
  const listAudit = (query: AuditQuery) => {
    const { text, params } = auditStatement(query)
    return statement<AuditRow>("SettingsStore.listAudit", text)(params)
  }
  return SettingsStore.of({
    get: (kind, id) =>
      Effect.map(get([kind, id]), (rows) => Option.map(first(rows), (row) => parse(row.value))),
    put: (kind, id, value) => Effect.asVoid(put([kind, id, JSON.stringify(value)])),
    all: (kind) => Effect.map(all([kind]), (rows) => new Map(rows.map((row) => [row.id, parse(row.value)]))),
    appendAudit: (entry) =>
      Effect.asVoid(
        appendAudit([
          entry.at,
          entry.actor,
          entry.role,
          entry.ip,
          entry.requestId,
          entry.action,
          entry.target,
          JSON.stringify(entry.before),
          JSON.stringify(entry.after),
          entry.outcome,
          entry.code,
        ]),
      ),
    listAudit: (query) => Effect.map(listAudit(query), (rows) => rows.map(toEntry)),
  })
})

export const layer: Layer.Layer<SettingsStore, never, SqlClient.SqlClient> = Layer.effect(SettingsStore, make)
