import fs, { fstatSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import * as Effect from "effect/Effect"

/** The disk, which answers when the test says what. */
export const heldDisk = Effect.acquireRelease(
  Effect.sync(() => {
    const { fdatasync } = fs
    const waiting: Array<(error: Error | null) => void> = []
    /** The files that were to be fsynced. */
    const inodes: Array<number> = []
    const replace = (by: typeof fdatasync) => {
      fs.fdatasync = by
      syncBuiltinESMExports()
    }
    const hold = (descriptor: number, done: (error: Error | null) => void) => {
      inodes.push(fstatSync(descriptor).ino)
      waiting.push(done)
    }
    replace(Object.assign(hold, fdatasync))
    const answer = (error: Error | null) => Effect.sync(() => waiting.splice(0).map((done) => done(error)))
    return { waiting, inodes, answer, release: () => replace(fdatasync) }
  }),
  ({ answer, release }) => Effect.andThen(Effect.sync(release), answer(null)),
)
