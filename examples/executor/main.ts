import { createHash } from "node:crypto"
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
  ReferenceImages,
  Tasks,
  ToolFiles,
  ToolTasks,
  usd,
} from "@atelier/core"
import { ParsingPool } from "@atelier/intake"
import { Catalog } from "@atelier/models"
import { Sql } from "@atelier/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Stream from "effect/Stream"
import { make } from "./executor.ts"
import { definition } from "./subtitles.ts"

const subtitles = `1
00:00:01,000 --> 00:00:03,500
The tide is out.

2
00:00:04,000 --> 00:00:06,000
We leave
at noon.
`

const directory = await mkdtemp(join(tmpdir(), "atelier-executor-"))

const executors = Layer.effect(Executors, Effect.all([make])).pipe(Layer.provide(ParsingPool.layer()))

const atelier = Atelier.layer.pipe(
  Layer.provideMerge(Sql.layerSqlite({ filename: join(directory, "atelier.db") })),
  Layer.provideMerge(FileBlobs.layer({ directory: join(directory, "blobs") })),
  Layer.provide([Catalog.layerLocal(), executors]),
  Layer.provide([Callback.layerOffline, Downloads.layerOffline, ReferenceImages.layerUnchecked]),
  Layer.provideMerge(Logger.layer([])),
)

const upload = (text: string) => {
  const data = Buffer.from(text)
  const sha256 = createHash("sha256").update(data).digest("hex")
  return { data, filename: "film.srt", bytes: data.length, sha256 }
}

const program = Effect.gen(function* () {
  const admin = yield* Admin
  const files = yield* ToolFiles
  const tools = yield* ToolTasks

  const { user } = yield* admin.createUser({ name: "Cleo", balanceUsd: usd("1") })
  const { secret } = yield* admin.createKey(user.id, { tools: [definition.id] })
  const principal = yield* (yield* Access).authenticate(secret, null)

  const file = yield* files.upload(principal, definition.id, upload(subtitles))
  const { value: task } = yield* tools.invoke({
    principal,
    toolId: definition.id,
    fileId: file.id,
    idempotencyKey: "subtitles-1",
  })
  const done = yield* (yield* Tasks).wait(principal, task.id, 30)
  const { content } = yield* tools.openResult(principal, task.id, "markdown")
  console.log(done.state, `charged ${done.charged} units`)
  console.log(yield* Stream.mkString(Stream.decodeText(content)))

  const refusal = yield* Effect.flip(files.upload(principal, definition.id, upload("no cues here")))
  console.log(refusal._tag === "CoreError" ? `${refusal.code}: ${refusal.message}` : refusal)
})

try {
  await Effect.runPromise(Effect.provide(program, atelier))
} finally {
  await rm(directory, { recursive: true })
}
