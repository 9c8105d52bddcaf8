import { join } from "node:path"
import { FileBlobs } from "@atelier/blobs"
import {
  Atelier,
  Callback,
  Downloads,
  Executors,
  type ImageChannel,
  ImageModels,
  ImageTasks,
  type Principal,
  ReferenceImages,
  type RequestBody,
  Tasks,
  UpstreamError,
} from "@atelier/core"
import { Catalog, Channel, FaultyChannel, FaultyDownloads, LocalChannel, TestImage } from "@atelier/models"
import { Sql } from "@atelier/sql"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import { balanceOf, principalWith, temporaryDirectory } from "../support/atelier.ts"

/** An application with its workers over real SQLite, and with the given channels. */
const appWith = (
  channels: (local: ImageChannel) => Effect.Effect<ReadonlyArray<Channel.ChannelRoute>, never, Scope.Scope>,
) =>
  Layer.unwrap(
    Effect.map(temporaryDirectory, (directory) =>
      Atelier.layer.pipe(
        Layer.provideMerge(Sql.layerSqlite({ filename: join(directory, "atelier.db") })),
        Layer.provideMerge(FileBlobs.layer({ directory: join(directory, "blobs") })),
        Layer.provide([
          Layer.effect(
            ImageModels,
            Effect.map(Effect.flatMap(LocalChannel.make, channels), (routes) =>
              Catalog.make({ families: [...Catalog.families, TestImage.family], channels: routes }),
            ),
          ),
          Layer.succeed(Executors, []),
          Callback.layerOffline,
          FaultyDownloads.layer.pipe(Layer.provide(Downloads.layerOffline)),
          ReferenceImages.layerUnchecked,
          Logger.layer([]),
        ]),
      ),
    ),
  )

const run = Effect.fnUntraced(function* (principal: Principal, body: RequestBody) {
  const images = yield* ImageTasks
  const tasks = yield* Tasks
  const { value } = yield* images.submit({ principal, body, idempotencyKey: null })
  const done = yield* tasks.wait(principal, value.id, 60)
  if (done.kind !== "image") return yield* Effect.die("not an image task")
  return done
})

const unavailable = (calls: Array<string>): ImageChannel => ({
  id: "down",
  repeatable: false,
  generate: ({ reference }) =>
    Effect.suspend(() => {
      calls.push(reference)
      return Effect.fail(new UpstreamError({ reason: "unavailable", message: "503" }))
    }),
})

describe("contract, Running it: several channels", () => {
  const calls: Array<string> = []

  it.live("a task goes on to the next channel, and a channel that is down is soon left alone", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      for (let task = 0; task < 5; task++) {
        const done = yield* run(principal, { model: "gen-image-2", prompt: "a", size: "256x256" })
        assert.deepStrictEqual([done.state, done.upstream?.channel], ["completed", "local"])
      }
      assert.strictEqual(calls.length, 3)
      assert.strictEqual((yield* balanceOf(principal)).held, 0)
    }).pipe(
      Effect.provide(
        appWith((local) =>
          Effect.map(
            Channel.guard(unavailable(calls), {
              concurrency: 4,
              breaker: { failures: 3, pauseMillis: 60_000 },
            }),
            (down) => [
              { channel: local, models: ["*"], priority: 1 },
              { channel: down, models: ["gen-image-*"] },
            ],
          ),
        ),
      ),
    ),
  )
})

describe("contract, Images: artgen from step to step", () => {
  it.live("the job id of a completed task carries the next step; another key's is refused", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const other = yield* principalWith("1")
      const grid = yield* run(principal, { model: "artgen", prompt: "a fox", size: "3:1" })
      const metadata = { job_id: grid.result?.jobId ?? "" }
      const upsampled = yield* run(principal, { model: "artgen", generation_type: "upsample2", metadata })
      assert.deepStrictEqual([upsampled.state, upsampled.result?.assets.length], ["completed", 1])
      const seed = yield* run(principal, { model: "artgen", generation_type: "seed", metadata })
      assert.deepStrictEqual(
        [seed.state, seed.result?.seed, seed.charged],
        ["completed", grid.result?.seed, 500],
      )
      const error = yield* Effect.flip(run(other, { model: "artgen", generation_type: "reroll", metadata }))
      assert.deepInclude(error, { code: "invalid_parameter", param: "metadata.job_id" })
    }).pipe(Effect.provide(appWith((local) => Effect.succeed([{ channel: local, models: ["*"] }])))),
  )
})

describe("image-tasks 3.1: copying that fails", () => {
  it.live("is tried again until it works, and the generation is charged once", () =>
    Effect.gen(function* () {
      const principal = yield* principalWith("1")
      const done = yield* run(principal, { model: "test-image", prompt: "a [archive-fail 1]", size: "64x64" })
      assert.deepStrictEqual([done.state, done.result?.assets[0]?.width], ["completed", 64])
      assert.isNotNull(done.result?.assets[0]?.blob)
      assert.deepStrictEqual(
        done.history.map(({ event }) => event),
        ["submit", "start", "generate", "finish"],
      )
    }).pipe(
      Effect.provide(
        appWith((local) => Effect.succeed([{ channel: FaultyChannel.make(local), models: ["test-image"] }])),
      ),
    ),
  )
})
