import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type { ToolFile } from "../domain/ToolFile.ts"
import { Blobs } from "../ports/Blobs.ts"
import { FileStore } from "../ports/FileStore.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { Transaction } from "../ports/Transaction.ts"

/**
 * Removes files whose time is over or whose deletion was asked for, and what broken uploads left (document-tools 3,
 * rule 3). Each is tried once, so that those that cannot be removed hold none of the others back.
 */
export const removeFiles = Effect.gen(function* () {
  const blobs = yield* Blobs
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

  const remove = Effect.fnUntraced(function* (file: ToolFile) {
    if (file.status === "uploading") {
      yield* blobs.remove(file.blob)
      yield* transaction.run(store.discard(file.id))
      return
    }
    if (!(yield* close(file))) return
    yield* blobs.remove(file.blob)
    yield* transaction.run(store.setStatus(file.id, "deleting", "deleted"))
  })

  const attempt = (file: ToolFile) =>
    Effect.catchCause(remove(file), (cause) =>
      Effect.logError("removing a file failed", cause).pipe(Effect.annotateLogs({ file_id: file.id })),
    )

  const now = yield* Clock.currentTimeMillis
  for (let after: string | undefined = ""; after !== undefined; ) {
    const files: ReadonlyArray<ToolFile> = yield* store.removable(now, now - uploadAbandoned_ms, batch, after)
    yield* Effect.forEach(files, attempt, { discard: true })
    after = files.length < batch ? undefined : files.at(-1)?.id
  }
})

/** An upload that is not complete after this was broken off by a crash. */
const uploadAbandoned_ms = 10 * 60 * 1000

/** Files read at once. */
const batch = 200

const turn: Effect.Effect<void, never, Effect.Services<typeof removeFiles>> = removeFiles.pipe(
  Effect.catchCause((cause) => Effect.logError("file cleanup failed", cause)),
)

/** Every minute, the first time at once: after an outage it catches up. */
export const layer = Layer.effectDiscard(Effect.forkScoped(Effect.repeat(turn, Schedule.spaced("1 minute"))))
