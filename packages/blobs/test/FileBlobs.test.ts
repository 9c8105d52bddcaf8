import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { FileBlobs } from "@atelier/blobs"
import { Blobs } from "@atelier/core"
import { blobsSuite } from "@atelier/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

const host = hostname().replace(/[^A-Za-z0-9.]/g, "_")

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "file-blobs-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
)

blobsSuite(
  "FileBlobs",
  Layer.unwrap(Effect.map(directory, (path) => FileBlobs.layer({ directory: join(path, "new", "blobs") }))),
)

describe("FileBlobs", () => {
  it.effect("files of writers that are gone are removed when it starts, those of living ones are not", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const temporary = join(path, "temporary")
      yield* Effect.promise(async () => {
        await mkdir(temporary)
        await writeFile(join(temporary, `${host}-4194000-abc-1`), "of a process that is gone")
        await writeFile(join(temporary, `${host}-${process.pid}-earlier-1`), "of an earlier one with this id")
        await writeFile(join(temporary, `${host}-${process.ppid}-abc-1`), "of a living process")
        await writeFile(join(temporary, "other-1-abc-1"), "of another machine")
        await writeFile(join(temporary, "other-1-abc-2"), "of another machine, days ago")
        await utimes(join(temporary, "other-1-abc-2"), 0, 0)
      })
      yield* Effect.provide(
        Effect.flatMap(Blobs, (blobs) => blobs.stat("any")),
        FileBlobs.layer({ directory: path }),
      )
      assert.deepStrictEqual(
        yield* Effect.promise(async () => (await readdir(temporary)).toSorted()),
        [`${host}-${process.ppid}-abc-1`, "other-1-abc-1"].toSorted(),
      )
    }),
  )

  it.effect("what was put outlives the layer, and no temporary file stays", () =>
    Effect.gen(function* () {
      const path = yield* directory
      const fresh = () => FileBlobs.layer({ directory: path })
      const put = Effect.flatMap(Blobs, (blobs) => blobs.put("kept/one", new Uint8Array(3)))
      const held = Effect.scoped(Effect.flatMap(Blobs, (blobs) => blobs.localPath("kept/one")))
      yield* Effect.provide(Effect.andThen(put, held), fresh())
      const stat = yield* Effect.provide(
        Effect.flatMap(Blobs, (blobs) => blobs.stat("kept/one")),
        fresh(),
      )
      assert.deepStrictEqual(stat, Option.some({ bytes: 3 }))
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(join(path, "temporary"))), [])
    }),
  )
})
