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
  ReferenceImages,
  Tasks,
  usd,
} from "@atelier/core"
import { Catalog } from "@atelier/models"
import { Sql } from "@atelier/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { makeChannel } from "./channel.ts"
import { family } from "./family.ts"
import { makeVendor } from "./vendor.ts"

const directory = await mkdtemp(join(tmpdir(), "atelier-model-"))

const models = Catalog.layer({
  families: [family],
  channels: [{ channel: makeChannel(makeVendor()), models: ["swatch-*"] }],
})

const atelier = Atelier.layer.pipe(
  Layer.provideMerge(Sql.layerSqlite({ filename: join(directory, "atelier.db") })),
  Layer.provideMerge(FileBlobs.layer({ directory: join(directory, "blobs") })),
  Layer.provide([models, Layer.succeed(Executors, [])]),
  Layer.provide([Callback.layerOffline, Downloads.layerOffline, ReferenceImages.layerUnchecked]),
  Layer.provideMerge(Logger.layer([])),
)

const program = Effect.gen(function* () {
  const admin = yield* Admin
  const images = yield* ImageTasks
  const tasks = yield* Tasks
  const { user } = yield* admin.createUser({ name: "Dora", balanceUsd: usd("1") })
  const { secret } = yield* admin.createKey(user.id, {})
  const principal = yield* (yield* Access).authenticate(secret, null)

  const make = Effect.fnUntraced(function* (body: { readonly [field: string]: string | number }) {
    const { value } = yield* images.submit({
      principal,
      body: { model: "swatch-1", ...body },
      idempotencyKey: null,
    })
    const task = yield* tasks.wait(principal, value.id, 30)
    if (task.kind !== "image") return yield* Effect.die("not an image task")
    console.log(task.state, {
      sizes: task.result?.assets.map(({ width, height, contentType }) => `${contentType} ${width}x${height}`),
      held: task.held,
      charged: task.charged,
      released: task.released,
      error: task.error,
    })
  })

  yield* make({ prompt: "the sea at noon", size: "large", n: 2 })
  yield* make({ prompt: "beige" })
  const refusal = yield* Effect.flip(make({ prompt: "the sea", size: "huge" }))
  console.log(refusal._tag === "CoreError" ? `${refusal.code}: ${refusal.message}` : refusal)
})

try {
  await Effect.runPromise(Effect.provide(program, atelier))
} finally {
  await rm(directory, { recursive: true })
}
