import { mkdir, rm } from "node:fs/promises"
import type { StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { attempt } from "./attempt.ts"
import { makeDirectory, removeLeftovers, temporaryPath } from "./Durable.ts"

/** Makes the folder of temporary files and removes what processes that are gone left in it. */
export const openTemporary = (directory: string): Effect.Effect<void, StorageError> =>
  attempt("blobs.open", async () => {
    await makeDirectory(directory)
    await removeLeftovers(directory)
  })

/** An empty directory of its own below `directory`, gone with the scope. */
export const makeScratch = (directory: string): Effect.Effect<string, StorageError, Scope.Scope> =>
  Effect.acquireRelease(
    attempt("blobs.scratch", async () => {
      const path = temporaryPath(directory)
      await mkdir(path)
      return path
    }),
    removeTemporary,
  )

export const removeTemporary = (path: string): Effect.Effect<void> =>
  Effect.promise(() => rm(path, { recursive: true, force: true }))
