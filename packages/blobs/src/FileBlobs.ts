import { copyFile, type FileHandle, link, open, rm, stat, unlink, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { type BlobStat, Blobs, StorageError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { attempt, requireKey } from "./attempt.ts"
import { isPrefix } from "./BlobKey.ts"
import { codeOf, makeDirectory, moveDurably, renameDurably, temporaryPath, writeDurably } from "./Durable.ts"
import { makeScratch, openTemporary, removeTemporary } from "./Temporary.ts"

/** Written to find out whether the disk is full; incompressible. */
const trial = Uint8Array.from(
  { length: 64 * 1024 },
  (_, index) => Math.imul(index * index, 2_654_435_761) >>> 24,
)
/** Bytes read at a time. */
const readChunkBytes = 256 * 1024

/**
 * Blobs as files below `directory`: `objects/` holds each under its key, `temporary/` what is being written.
 * An object is written to a temporary file, synced and renamed, so that readers see it whole or not at all and a
 * crash loses nothing that was answered. Files left by processes that are gone are removed when it starts.
 */
export const layer = (options: { readonly directory: string }): Layer.Layer<Blobs, StorageError> =>
  Layer.effect(Blobs, make(options))

/** The blobs of a folder that nothing writes, such as a backup's on a medium that is read-only. */
export const readingFrom = (directory: string): Pick<Blobs["Service"], "read" | "stat"> => {
  const pathOf = (key: string) => resolve(directory, "objects", key)
  return {
    stat: (key) => keyed("blobs.stat", key, () => statOf(pathOf(key))),
    read: (key, range) => read(key, pathOf(key), range),
  }
}

const make = Effect.fnUntraced(function* ({ directory }: { readonly directory: string }) {
  const objects = resolve(directory, "objects")
  const temporary = resolve(directory, "temporary")
  yield* attempt("blobs.open", () => makeDirectory(objects))
  yield* openTemporary(temporary)
  const pathOf = (key: string) => join(objects, key)

  return Blobs.of({
    put: (key, bytes) =>
      keyed("blobs.put", key, async () => {
        const written = temporaryPath(temporary)
        try {
          await writeDurably(written, bytes)
          await renameDurably(written, pathOf(key))
        } catch (error) {
          await rm(written, { force: true })
          throw error
        }
      }),
    putFile: (key, path) =>
      keyed("blobs.putFile", key, () => moveDurably(path, pathOf(key), temporaryPath(temporary))),
    stat: (key) => keyed("blobs.stat", key, () => statOf(pathOf(key))),
    read: (key, range) => read(key, pathOf(key), range),
    localPath: (key) =>
      Effect.acquireRelease(
        keyed("blobs.localPath", key, () => hold(pathOf(key), temporaryPath(temporary))),
        removeTemporary,
      ),
    scratch: makeScratch(temporary),
    writable: attempt("blobs.writable", () => tryWriting(temporaryPath(temporary))),
    remove: (key) =>
      isPrefix(key)
        ? attempt("blobs.remove", () => removeBelow(pathOf(key)))
        : keyed("blobs.remove", key, () => removeObject(pathOf(key))),
  })
})

/** The system reserves space for what is written before it reaches the disk. */
const tryWriting = async (path: string): Promise<void> => {
  try {
    await writeFile(path, trial, { flag: "wx" })
  } finally {
    await rm(path, { force: true })
  }
}

const keyed = <A>(operation: string, key: string, run: () => Promise<A>): Effect.Effect<A, StorageError> =>
  Effect.andThen(requireKey(operation, key), attempt(operation, run))

interface Range {
  readonly start: number
  readonly end: number
}

const read = (key: string, path: string, range: Range | undefined): Stream.Stream<Uint8Array, StorageError> =>
  Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(
        keyed("blobs.read", key, () => open(path, "r")),
        (file) => Effect.promise(() => file.close()),
      ),
      (file) =>
        Stream.fromAsyncIterable(
          chunksOf(file, range ?? { start: 0, end: Number.POSITIVE_INFINITY }),
          (cause) => new StorageError({ operation: "blobs.read", cause }),
        ),
    ),
  )

async function* chunksOf(file: FileHandle, { start, end }: Range): AsyncGenerator<Uint8Array> {
  for (let position = start; position <= end; ) {
    const wanted = Math.min(readChunkBytes, end - position + 1)
    const { bytesRead, buffer } = await file.read(new Uint8Array(wanted), 0, wanted, position)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

const isAbsent = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")

const statOf = async (path: string): Promise<Option.Option<BlobStat>> => {
  try {
    const found = await stat(path)
    return found.isFile() ? Option.some({ bytes: found.size }) : Option.none()
  } catch (error) {
    if (isAbsent(error)) return Option.none()
    throw error
  }
}

/** A second name for the object, which stays readable when the object is removed or replaced meanwhile. */
const hold = async (path: string, held: string): Promise<string> => {
  await link(path, held).catch(() => copyFile(path, held))
  return held
}

const removeBelow = async (path: string): Promise<void> => {
  try {
    await rm(path, { recursive: true, force: true })
  } catch (error) {
    if (!isAbsent(error)) throw error
  }
}

const removeObject = async (path: string): Promise<void> => {
  try {
    await unlink(path)
  } catch (error) {
    // A key that is only a folder of others names no object.
    if (!isAbsent(error) && !(await stat(path)).isDirectory()) throw error
  }
}
