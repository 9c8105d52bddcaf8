import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileBlobs } from "@atelier/blobs"
import {
  Access,
  Admin,
  Executors,
  ImageModels,
  type ImageTask,
  ImageTasks,
  LedgerStore,
  type Principal,
  Queue,
  Services,
  type StorageError,
  TaskSignals,
  TaskStore,
  Tasks,
  usd,
  Workers,
} from "@atelier/core"
import { beginJobs, RunJob } from "@atelier/core/testing"
import { Sql } from "@atelier/sql"
import { assert } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import type { AdapterSettings } from "../../src/adapters/Adapter.ts"
import * as Catalog from "../../src/Catalog.ts"
import type { ChannelRoute } from "../../src/Channel.ts"
import type { UpstreamHttpOptions } from "../../src/http/UpstreamHttp.ts"
import * as Outgoing from "../../src/Outgoing.ts"
import { settingsAt } from "../../src/testing/settings.ts"
import type { Vendor } from "../../src/testing/vendor.ts"

type StoresLayer<More = never> = Layer.Layer<Sql.Stores | More, StorageError>

/** Channels of an application, from what the configuration gives their adapters. */
export type Channels = (
  settings: (vendor: Vendor, id?: string) => AdapterSettings,
) => ReadonlyArray<ChannelRoute>

const directory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "atelier-models-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

/**
 * Every service of core and the runner of its jobs, over real SQLite, real files and the real outgoing calls;
 * `wrap` stands before the stores.
 */
export const appOver = <More>(
  wrap: (stores: StoresLayer) => StoresLayer<More>,
  channels: Channels,
  http: Partial<UpstreamHttpOptions> = {},
) => {
  const models = Layer.effect(
    ImageModels,
    Effect.map(settingsAt(""), (settings) =>
      Catalog.make({
        families: Catalog.families,
        channels: channels((vendor, id = "under-test") => ({
          ...settings,
          channelId: id,
          baseUrl: `${vendor.url}/v1`,
        })),
      }),
    ),
  )
  const stores = (path: string) =>
    Layer.merge(
      wrap(Sql.layerSqlite({ filename: join(path, "atelier.db") })),
      FileBlobs.layer({ directory: join(path, "blobs") }),
    )
  return RunJob.layer.pipe(
    Layer.provideMerge(Services.layer),
    Layer.provideMerge(Layer.merge(models, Layer.succeed(Executors, []))),
    Layer.provideMerge(Outgoing.layer({ allowPrivate: ["127.0.0.0/8"], ...http })),
    Layer.provideMerge(Layer.unwrap(Effect.map(directory, stores))),
    Layer.provideMerge(Layer.merge(SecureRandom.layerWebCrypto, TaskSignals.layerMemory)),
  )
}

export const appWith = (channels: Channels, http: Partial<UpstreamHttpOptions> = {}) =>
  appOver((stores) => stores, channels, http)

/** A user with a wallet and one key. */
export const customer = (balanceUsd = "100") =>
  Effect.gen(function* () {
    const admin = yield* Admin
    const access = yield* Access
    const { user } = yield* admin.createUser({ name: "test", balanceUsd: usd(balanceUsd) })
    const { secret } = yield* admin.createKey(user.id, {})
    return yield* access.authenticate(secret, null)
  })

export const submit = (principal: Principal, body: object = {}) =>
  Effect.flatMap(ImageTasks, (images) =>
    Effect.map(
      images.submit({
        principal,
        body: { model: "gen-image-2", prompt: "a lighthouse", ...body },
        idempotencyKey: null,
      }),
      ({ value }) => value,
    ),
  )

/** The task's current state. */
export const now = (task: ImageTask) =>
  Effect.flatMap(TaskStore, (store) =>
    Effect.map(store.get(task.id), (found) => {
      const current = Option.getOrThrow(found)
      if (current.kind !== "image") throw new Error("not an image task")
      return current
    }),
  )

/** Runs the jobs that are due. */
export const runDue = Effect.gen(function* () {
  const queue = yield* Queue
  for (const kind of ["image", "callback"] as const) {
    yield* Effect.forEach(yield* beginJobs(queue, kind, 10), ({ run }) => run, { discard: true })
  }
})

/** Runs every job, letting retries and dead leases come due, until nothing is left to do. */
export const runAll = Effect.gen(function* () {
  const queue = yield* Queue
  for (let turns = 0; (yield* queue.counts).length > 0; turns++) {
    assert.isBelow(turns, 50, "jobs are left over")
    yield* runDue
    yield* TestClock.adjust("5 seconds")
  }
})

/** A day goes by under running workers, until the task is final. */
export const dayLater = Effect.fnUntraced(function* (principal: Principal, task: ImageTask) {
  const tasks = yield* Tasks
  yield* TestClock.adjust("24 hours")
  yield* Effect.provide(Stream.runDrain(tasks.changes(principal, task.id)), Workers.layer)
})

/** The ledger agrees with every balance; what of the wallet is held and spent. */
export const moneyOf = Effect.fnUntraced(function* (principal: Principal) {
  const ledger = yield* LedgerStore
  assert.deepStrictEqual(yield* ledger.audit, [])
  const { held, spent } = yield* ledger.balance(principal.user.id)
  return { held, spent }
})
