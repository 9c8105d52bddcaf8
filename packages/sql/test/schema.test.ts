import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Sql } from "@atelier/sql"
import { assert, describe, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { migratedSchema } from "../src/sqlite/schema.ts"
import { indexes, plansOf, statements } from "./plans.ts"
import { temporaryDatabase } from "./temporary.ts"

describe("schema", () => {
  it.effect("the committed schema is what the migrations make", () =>
    Effect.gen(function* () {
      const committed = readFileSync(new URL("../schema/sqlite.sql", import.meta.url), "utf8")
      assert.strictEqual(yield* migratedSchema, committed)
    }),
  )

  it.effect("processes that start at once on a new file all find it migrated", () =>
    Effect.gen(function* () {
      const filename = temporaryDatabase()
      const script = fileURLToPath(new URL("./openDatabase.ts", import.meta.url))
      const start = Effect.promise(() =>
        promisify(execFile)(process.execPath, ["--conditions=atelier:source", script, filename]),
      )
      yield* Effect.all([start, start, start], { concurrency: "unbounded" })
    }),
  )
})

layer(Sql.layerSqliteClient({ filename: temporaryDatabase() }))("schema", (it) => {
  it.effect("contract, Money: the ledger is append-only, even for SQL", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO ledger (id, kind, user_id, debit, credit, amount, reason, at)
        VALUES ('g', 'grant', 'usr_1', 'granted', 'wallet', 5, 'r', 1)`
      for (const change of [sql`UPDATE ledger SET amount = 6`, sql`DELETE FROM ledger`]) {
        assert.include(String((yield* Effect.flip(change)).reason.message), "append-only")
      }
    }),
  )

  it.effect("contract, Money: no balance is negative, even for SQL", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO accounts (user_id) VALUES ('usr_1')`
      for (const column of ["wallet", "held", "spent", "granted"]) {
        yield* Effect.flip(sql`UPDATE accounts SET ${sql(column)} = -1`)
      }
    }),
  )

  it.effect("every statement finds its rows by an index", () =>
    Effect.gen(function* () {
      for (const { name, text } of statements) {
        const plan = yield* plansOf(text)
        const scans = plan.filter((step) => /^SCAN (?!CONSTANT|\(|json_each|(part|run|merged)\b)/.test(step))
        assert.deepStrictEqual(scans, [], `${name}\n${text}\n${plan.join("\n")}`)
      }
    }),
  )

  it.effect("each search of the tasks uses the index that was made for it", () =>
    Effect.gen(function* () {
      for (const [name, index] of indexes) {
        const found = statements.find((one) => one.name === name)
        assert.isDefined(found, name)
        const plan = yield* plansOf(found?.text ?? "")
        const searches = plan.filter(
          (step) => step.includes("tasks USING") && !step.includes("INTEGER PRIMARY KEY"),
        )
        assert.isNotEmpty(searches, `${name}\n${plan.join("\n")}`)
        for (const search of searches) assert.include(search, `INDEX ${index} `, name)
      }
    }),
  )
})
