import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { FileId } from "../domain/Ids.ts"
import type { ToolFile } from "../domain/ToolFile.ts"
import { Blobs } from "../ports/Blobs.ts"
import { FileStore } from "../ports/FileStore.ts"
import { SmallBlobs } from "../ports/SmallBlobs.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"

/**
 * Removes files whose time is over or whose deletion was asked for, and what broken uploads left (document-tools 3,
 * rule 3). Each is tried once, so that those that cannot be removed hold none of the others back; they are added to
 * `left`, and files that are in it already are not tried.
 */
export const removeFiles = Effect.fnUntraced(function* (left: Set<FileId>) {
  const blobs = yield* Blobs
  const small = yield* SmallBlobs
  const store = yield* FileStore
  const tasks = yield* TaskStore
  const transaction = yield* Transaction

  /** From here on no task can begin with the file; false while one still uses it. */
  const close = (file: ToolFile) =>
    transaction.run(
      Effect.gen(function* () {
        const current = yield* store.getForUpdate(file.id)
        if (Option.isNone(current)) return false
        if (current.value.status === "deleting") return true
        if (yield* tasks.hasUnfinishedForFile(file.id)) return false
        return yield* store.setStatus(file.id, "ready", "deleting")
      }),
    )

  /** False where a task still uses the file. */
  const remove = Effect.fnUntraced(function* (file: ToolFile) {
    if (file.status === "uploading") {
      yield* blobs.remove(file.blob)
      yield* transaction.run(store.discard(file.id))
      return true
    }
    if (!(yield* close(file))) return false
    if (yield* transaction.run(removeSmall(file))) return true
    yield* blobs.remove(file.blob)
    yield* transaction.run(store.setStatus(file.id, "deleting", "deleted"))
    return true
  })

  /** False where the file is no small one. */
  const removeSmall = Effect.fnUntraced(function* (file: ToolFile) {
    const removed = yield* small.remove(file.blob)
    if (removed) yield* store.setStatus(file.id, "deleting", "deleted")
    return removed
  })

  const attempt = (file: ToolFile) =>
    remove(file).pipe(
      Effect.catchCause((cause) =>
        Effect.logError("removing a file failed", cause).pipe(
          Effect.annotateLogs({ file_id: file.id }),
          Effect.as(false),
        ),
      ),
      Effect.map((removed) => removed || left.add(file.id)),
    )

  const now = yield* Clock.currentTimeMillis
  for (let after: string | undefined = ""; after !== undefined; ) {
    const files: ReadonlyArray<ToolFile> = yield* store.removable(now, now - uploadAbandonedMs, batch, after)
    const untried = files.filter(({ id }) => !left.has(id))
    yield* Effect.forEach(untried, attempt, { discard: true })
    after = files.length < batch ? undefined : files.at(-1)?.id
  }
})

/** An upload that is not complete after this was broken off by a crash. */
const uploadAbandonedMs = 10 * 60 * 1000

/** Files read at once. */
const batch = 200

/** Deletion is asked for in any process: this is how long it may go unseen (contract, Later decisions: one second). */
const lookIntervalMs = 500

/** What could not be removed is tried again this often. */
const sweepIntervalMs = 60_000

/**
 * Looks twice a second, the first time at once: after an outage it catches up. What is left it looks for again every
 * minute, and for nothing else meanwhile where that is much: then storage is away.
 */
const cleanup = Effect.gen(function* () {
  const left = new Set<FileId>()
  let swept = Number.NEGATIVE_INFINITY
  const turn = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (now - swept >= sweepIntervalMs) {
      swept = now
      left.clear()
    }
    if (left.size < batch) yield* removeFiles(left)
  })
  yield* turn.pipe(
    Effect.catchCause((cause) => Effect.logError("file cleanup failed", cause)),
    Effect.repeat(Schedule.spaced(lookIntervalMs)),
  )
})

export const layer = Layer.effectDiscard(Effect.forkScoped(cleanup))
