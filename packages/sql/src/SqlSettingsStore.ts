import { type Json, SettingsStore } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as SqlClient from "effect/sql/SqlClient"
import { first, makeStatements } from "./statement.ts"

interface AuditRow {
  readonly at: number
  readonly actor: string
  readonly action: string
  readonly target: string
  readonly detail: string
}

const parse = (text: string): Json => JSON.parse(text)

/** Texts whose plans a test holds to indexes. */
export const texts = {
  get: "SELECT value FROM settings WHERE kind = ? AND id = ?",
  put: `INSERT INTO settings (kind, id, value) VALUES (?, ?, ?)
    ON CONFLICT (kind, id) DO UPDATE SET value = excluded.value`,
  all: "SELECT id, value FROM settings WHERE kind = ? ORDER BY id",
  appendAudit: "INSERT INTO audit (at, actor, action, target, detail) VALUES (?, ?, ?, ?, ?)",
  listAudit: "SELECT at, actor, action, target, detail FROM audit ORDER BY sequence DESC LIMIT ?",
}

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const get = statement<{ value: string }>("SettingsStore.get", texts.get)
  const put = statement("SettingsStore.put", texts.put)
  const all = statement<{ id: string; value: string }>("SettingsStore.all", texts.all)
  const appendAudit = statement("SettingsStore.appendAudit", texts.appendAudit)
  const listAudit = statement<AuditRow>("SettingsStore.listAudit", texts.listAudit)
  return SettingsStore.of({
    get: (kind, id) =>
      Effect.map(get([kind, id]), (rows) => Option.map(first(rows), (row) => parse(row.value))),
    put: (kind, id, value) => Effect.asVoid(put([kind, id, JSON.stringify(value)])),
    all: (kind) => Effect.map(all([kind]), (rows) => new Map(rows.map((row) => [row.id, parse(row.value)]))),
    appendAudit: (entry) =>
      Effect.asVoid(
        appendAudit([entry.at, entry.actor, entry.action, entry.target, JSON.stringify(entry.detail)]),
      ),
    listAudit: (limit) =>
      Effect.map(listAudit([limit]), (rows) => rows.map((row) => ({ ...row, detail: parse(row.detail) }))),
  })
})

export const layer: Layer.Layer<SettingsStore, never, SqlClient.SqlClient> = Layer.effect(SettingsStore, make)
