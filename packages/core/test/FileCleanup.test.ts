import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { StorageError } from "../src/domain/CoreError.ts"
import type { FileId } from "../src/domain/Ids.ts"
import type { ToolFile } from "../src/domain/ToolFile.ts"
import { Blobs } from "../src/ports/Blobs.ts"
import { FileStore } from "../src/ports/FileStore.ts"
import { SmallBlobs } from "../src/ports/SmallBlobs.ts"
import { TaskStore } from "../src/ports/TaskStore.ts"
import { Transaction } from "../src/ports/Transaction.ts"
import { aFile } from "../src/testing/fixtures.ts"
import { removeFiles } from "../src/workers/FileCleanup.ts"

const failing = 450

it.effect("document-tools 3, rule 3: files that cannot be removed hold none of the others back", () => {
  const files = Array.from({ length: 2 * failing }, (_, index) =>
    aFile({ status: "deleting", blob: `${index < failing ? "bad" : "good"}` }),
  )
  const byId = (a: ToolFile, b: ToolFile) => (a.id < b.id ? -1 : 1)
  const pending = new Map(files.toSorted(byId).map((file) => [file.id, file]))
  const attempts: Array<string> = []
  const store = Layer.mock(FileStore, {
    removable: (_now, _abandonedBefore, limit, after) =>
      Effect.sync(() => [...pending.values()].filter(({ id }) => id > after).slice(0, limit)),
    getForUpdate: (id) => Effect.succeedSome(files.find((file) => file.id === id) ?? aFile()),
    setStatus: (id) => Effect.sync(() => pending.delete(id)),
  })
  const blobs = Layer.mock(Blobs, {
    remove: (blob) =>
      Effect.suspend(() => {
        attempts.push(blob)
        const cause = new Error("the bucket is not there")
        return blob === "bad" ? Effect.fail(new StorageError({ operation: "remove", cause })) : Effect.void
      }),
  })
  const transaction = Layer.mock(Transaction, {
    run: (effect) => effect,
    waiting: () => ({ count: 0, millis: 0 }),
  })
  const small = Layer.mock(SmallBlobs, { remove: () => Effect.succeed(false) })
  const layer = Layer.mergeAll(store, blobs, small, transaction, Layer.mock(TaskStore, {}))
  return Effect.gen(function* () {
    const left = new Set<FileId>()
    yield* removeFiles(left)
    assert.deepStrictEqual(
      [...pending.values()].filter(({ blob }) => blob === "good"),
      [],
    )
    assert.strictEqual(pending.size, failing)
    assert.strictEqual(attempts.length, files.length)
    assert.deepStrictEqual(left, new Set(pending.keys()))
    yield* removeFiles(left)
    assert.strictEqual(attempts.length, files.length)
  }).pipe(Effect.provide(layer))
})
