import fs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { Effect } from "effect"

type Done = (error: Error | null) => void

/** From here on commits wait for the disk, until `recover` or the end of the scope. */
export const stalledDisk = Effect.acquireRelease(
  Effect.sync(() => {
    const { fdatasync } = fs
    const commits: Array<Done> = []
    fs.fdatasync = Object.assign((_descriptor: number, done: Done) => void commits.push(done), fdatasync)
    syncBuiltinESMExports()
    const recover = Effect.sync(() => {
      fs.fdatasync = fdatasync
      syncBuiltinESMExports()
      for (const done of commits.splice(0)) done(null)
    })
    return { commits, recover }
  }),
  ({ recover }) => recover,
)
