import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Blobs } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { attempt, requireKey } from "./attempt.ts"
import { isPrefix } from "./BlobKey.ts"

/** A folder of the system's for what must lie in a file for a moment; gone with the scope. */
const temporaryFolder = Effect.acquireRelease(
  attempt("blobs.scratch", () => mkdtemp(join(tmpdir(), "atelier-blobs-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
)

/**
 * Blobs in the memory of this process, for tests and trials: nothing is durable, and nothing bounds them but what is
 * put and removed.
 */
export const layer: Layer.Layer<Blobs> = Layer.sync(Blobs, () => {
  const objects = new Map<string, Uint8Array>()
  const keyed = <A>(operation: string, key: string, run: () => Promise<A>) =>
    Effect.andThen(requireKey(operation, key), attempt(operation, run))
  const bytesOf = (key: string): Uint8Array => {
    const bytes = objects.get(key)
    if (bytes === undefined) throw new Error(`there is no object ${key}`)
    return bytes
  }
  return Blobs.of({
    put: (key, bytes) =>
      keyed("blobs.put", key, async () => {
        objects.set(key, Uint8Array.from(bytes))
      }),
    putFile: (key, path) =>
      keyed("blobs.putFile", key, async () => {
        objects.set(key, await readFile(path))
        await rm(path)
      }),
    stat: (key) =>
      keyed("blobs.stat", key, async () =>
        Option.map(Option.fromUndefinedOr(objects.get(key)), ({ length }) => ({ bytes: length })),
      ),
    read: (key, range) =>
      Stream.unwrap(
        Effect.map(
          keyed("blobs.read", key, async () => bytesOf(key)),
          (bytes) => Stream.succeed(range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)),
        ),
      ),
    localPath: (key) =>
      Effect.flatMap(
        keyed("blobs.localPath", key, async () => bytesOf(key)),
        (bytes) =>
          Effect.flatMap(temporaryFolder, (folder) =>
            attempt("blobs.localPath", async () => {
              const path = join(folder, "object")
              await writeFile(path, bytes)
              return path
            }),
          ),
      ),
    scratch: temporaryFolder,
    writable: Effect.void,
    remove: (key) =>
      isPrefix(key)
        ? Effect.sync(() => {
            for (const each of objects.keys()) if (each.startsWith(key)) objects.delete(each)
          })
        : keyed("blobs.remove", key, async () => {
            objects.delete(key)
          }),
  })
})
