import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileBlobs } from "@atelier/blobs"
import {
  Access,
  Admin,
  Atelier,
  Callback,
  Downloads,
  Executors,
  ImageTasks,
  type Principal,
  ReferenceImages,
  Tasks,
  Transaction,
  usd,
  Wallet,
} from "@atelier/core"
import { Catalog } from "@atelier/models"
import { Sql } from "@atelier/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { SqlClient } from "effect/sql/SqlClient"

const directory = await mkdtemp(join(tmpdir(), "atelier-transaction-"))

/** The client is exposed next to the stores, so that the application's own tables are in the same database. */
const database = Sql.layerSqliteStores.pipe(
  Layer.provideMerge(Sql.layerSqliteClient({ filename: join(directory, "shop.db") })),
)

const shop = Atelier.layer.pipe(
  Layer.provideMerge(database),
  Layer.provideMerge(FileBlobs.layer({ directory: join(directory, "blobs") })),
  Layer.provide([Catalog.layerLocal(), Layer.succeed(Executors, [])]),
  Layer.provide([Callback.layerOffline, Downloads.layerOffline, ReferenceImages.layerUnchecked]),
  Layer.provideMerge(Logger.layer([])),
)

/** The order, the task, its hold and its job: stored together, or not at all. */
const placeOrder = Effect.fnUntraced(function* (principal: Principal, title: string) {
  const sql = yield* SqlClient
  const images = yield* ImageTasks
  const transaction = yield* Transaction
  return yield* transaction.run(
    Effect.gen(function* () {
      const { value: task } = yield* images.submit({
        principal,
        body: { model: "gen-image-2", prompt: title, size: "256x256" },
        idempotencyKey: null,
      })
      yield* sql`INSERT INTO orders (title, task_id) VALUES (${title}, ${task.id})`
      return task
    }).pipe(Effect.timeout("3 seconds")),
  )
})

const program = Effect.gen(function* () {
  const sql = yield* SqlClient
  const admin = yield* Admin
  const wallet = yield* Wallet
  yield* sql`CREATE TABLE orders (title TEXT NOT NULL UNIQUE, task_id TEXT NOT NULL)`
  const { user } = yield* admin.createUser({ name: "Eve", balanceUsd: usd("1") })
  const { secret } = yield* admin.createKey(user.id, {})
  const principal = yield* (yield* Access).authenticate(secret, null)
  const tasks = yield* Tasks

  const task = yield* placeOrder(principal, "A bridge in the rain")
  console.log("first order", (yield* tasks.wait(principal, task.id, 30)).state)

  const again = yield* Effect.exit(placeOrder(principal, "A bridge in the rain"))
  console.log("second order", again._tag, "for its title is taken")

  const { held, spent } = yield* wallet.balance(user.id)
  const all = yield* tasks.list(principal, { limit: 10 })
  const orders = yield* sql`SELECT title FROM orders`
  console.log({ tasks: all.length, orders: orders.length, held, spent })
})

try {
  await Effect.runPromise(Effect.provide(program, shop))
} finally {
  await rm(directory, { recursive: true })
}
