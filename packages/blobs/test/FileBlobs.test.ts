import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileBlobs } from "@atelier/blobs"
import { Blobs } from "@atelier/core"
import { blobsSuite } from "@atelier/core/testing"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

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
        await writeFile(join(temporary, "4194000-abc-1"), "of a process that is gone")
        await writeFile(join(temporary, `${process.pid}-earlier-1`), "of an earlier process with this id")
        await writeFile(join(temporary, `${process.ppid}-abc-1`), "of a living process")
      })
      yield* Effect.provide(
        Effect.flatMap(Blobs, (blobs) => blobs.stat("any")),
        FileBlobs.layer({ directory: path }),
      )
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(temporary)), [`${process.ppid}-abc-1`])
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

  it.effect("putFile takes regular files only: no link to another's file becomes an object", () =>
    Effect.gen(function* () {
      const path = yield* directory
      yield* Effect.promise(() => symlink("/etc/hostname", join(path, "link")))
      const put = Effect.flatMap(Blobs, (blobs) => blobs.putFile("linked", join(path, "link")))
      const error = yield* Effect.flip(Effect.provide(put, FileBlobs.layer({ directory: path })))
      assert.strictEqual(error._tag, "StorageError")
    }),
  )
})
