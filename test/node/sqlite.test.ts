import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { newFolder, rejection, started } from "./started.ts"
import { transactionSuite } from "./transactions.ts"

/** SQLITE_CONSTRAINT_UNIQUE and _PRIMARYKEY. */
const uniquePrimaryKey = 1555

transactionSuite("SQLite", { param: () => "?", uniqueCode: uniquePrimaryKey }, async () => {
  const database = `sqlite:${join(newFolder(), "shop.db")}`
  return { start: (options) => started({ database, ...options }) }
})

describe("SQLite: transactions", () => {
  it("a body that does not end is undone after its time, and others go on", async () => {
    const atelier = await started({
      database: "sqlite::memory:",
      workers: false,
      limits: { transaction_body_ms: 50 },
    })
    const stuck = atelier.transaction(async (tx) => {
      await tx.users.ensure("ada")
      await new Promise(() => {})
    })
    expect(await rejection(stuck)).toMatchObject({ code: "transaction_timeout", retryable: true })
    expect(await rejection(atelier.users.balance("ada"))).toMatchObject({ code: "not_found" })
    expect(await atelier.users.ensure("bob")).toMatchObject({ created: true })
  })

  it("within needs Postgres", async () => {
    const atelier = await started({ database: "sqlite::memory:", workers: false })
    const client = { query: async () => ({ rows: [], fields: [] }) }
    const refused = await rejection(atelier.within(client).users.balance("ada"))
    expect(refused).toMatchObject({ code: "invalid_setting", param: "database" })
  })
})
