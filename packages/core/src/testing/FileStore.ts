import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { heldImagesTool } from "../domain/ToolFile.ts"
import { FileStore } from "../ports/FileStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { aFile, aUserId } from "./fixtures.ts"

/** What every adapter of `FileStore` holds. The layer starts empty. */
export const fileStoreSuite = (name: string, layer: Layer.Layer<FileStore | Transaction, unknown>): void => {
  shared(layer)(`${name}: contract of FileStore`, (it) => {
    it.effect("what cleanup has to look at: deleting, expired, and abandoned uploads", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const deleting = aFile({ status: "deleting", expiresAt: 999 })
        const expired = aFile({ expiresAt: 100 })
        const abandoned = aFile({ status: "uploading", createdAt: 50, expiresAt: 1 })
        const others = [
          aFile({ expiresAt: 101 }),
          aFile({ status: "uploading", createdAt: 51, expiresAt: 1 }),
          aFile({ status: "deleted", expiresAt: 1, createdAt: 1 }),
        ]
        yield* Effect.forEach([deleting, expired, abandoned, ...others], files.insert)
        const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
        const all = [deleting, expired, abandoned].toSorted(byId)
        assert.deepStrictEqual(yield* files.removable(100, 50, 10, ""), all)
        const first = yield* files.removable(100, 50, 2, "")
        assert.deepStrictEqual(first, all.slice(0, 2))
        // Files that cannot be removed do not stand before the others.
        assert.deepStrictEqual(yield* files.removable(100, 50, 2, first[1]?.id ?? ""), all.slice(2))
      }),
    )

    it.effect("a file is read as written", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const { run } = yield* Transaction
        const file = aFile()
        yield* files.insert(file)
        assert.deepStrictEqual(yield* files.get(file.id), Option.some(file))
        assert.deepStrictEqual(yield* run(files.getForUpdate(file.id)), Option.some(file))
        assert.deepStrictEqual(yield* files.get("toolfile_none"), Option.none())
        assert.strictEqual((yield* Effect.flip(files.insert(file)))._tag, "StorageError")
      }),
    )

    it.effect("a status is left by one of those who saw it", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const { run } = yield* Transaction
        const file = aFile({ status: "uploading" })
        yield* files.insert(file)
        assert.isTrue(yield* files.setStatus(file.id, "uploading", "ready"))
        assert.isFalse(yield* files.setStatus(file.id, "uploading", "ready"))
        const moved = yield* Effect.forEach(
          Array.from({ length: 10 }, () => files.setStatus(file.id, "ready", "deleting")),
          run,
          { concurrency: "unbounded" },
        )
        assert.strictEqual(moved.filter((one) => one).length, 1)
        assert.deepStrictEqual(yield* files.get(file.id), Option.some({ ...file, status: "deleting" }))
      }),
    )

    it.effect("only an upload that never became ready is discarded", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const [uploading, ready] = [aFile({ status: "uploading" }), aFile()]
        yield* Effect.forEach([uploading, ready], files.insert)
        yield* Effect.forEach([uploading, ready], ({ id }) => files.discard(id))
        assert.deepStrictEqual(yield* files.get(uploading.id), Option.none())
        assert.deepStrictEqual(yield* files.get(ready.id), Option.some(ready))
      }),
    )

    it.effect("document-tools 8: files that are not deleted yet are counted by user", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const userId = aUserId()
        const statuses = ["uploading", "ready", "deleting", "deleted"] as const
        yield* Effect.forEach(statuses, (status) => files.insert(aFile({ userId, status })))
        assert.strictEqual(yield* files.countPending(userId), 3)
        assert.strictEqual(yield* files.countPending(aUserId()), 0)
      }),
    )

    it.effect("bytes of held images are counted by user, apart from their files", () =>
      Effect.gen(function* () {
        const files = yield* FileStore
        const userId = aUserId()
        const statuses = ["uploading", "ready", "deleting", "deleted"] as const
        yield* Effect.forEach(statuses, (status) =>
          files.insert(aFile({ userId, status, toolId: heldImagesTool, bytes: 3_000_000_000 })),
        )
        yield* files.insert(aFile({ userId }))
        assert.strictEqual(yield* files.heldBytes(userId), 9_000_000_000)
        assert.strictEqual(yield* files.countPending(userId), 1)
        assert.strictEqual(yield* files.heldBytes(aUserId()), 0)
      }),
    )
  })
}
