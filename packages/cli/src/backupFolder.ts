import { createHash } from "node:crypto"
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { FileBlobs } from "@atelier/blobs"
import { Blobs, isNamedBy } from "@atelier/core"
import { Backup } from "@atelier/sql"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { CommandFailed } from "./CommandFailed.ts"
import { moveBlobs } from "./moveBlobs.ts"

/** A backup is a folder: a copy of the database, the blobs that it names, and, written last, what it holds. */

export const databaseIn = (folder: string): string => join(folder, "atelier.db")
export const manifestIn = (folder: string): string => join(folder, "backup.json")
const blobsIn = (folder: string): string => join(folder, "blobs")

/** What a backup says of itself; `created_at` is the moment that it holds. Amounts in units. */
export const Manifest = Schema.Struct({
  format: Schema.Literal(1),
  version: Schema.String,
  created_at: Schema.Int,
  migration: Schema.String,
  database: Schema.Struct({ bytes: Schema.Int, sha256: Schema.String }),
  tasks: Schema.Int,
  ledger: Schema.Struct({
    transfers: Schema.Int,
    granted: Schema.Int,
    wallet: Schema.Int,
    held: Schema.Int,
    spent: Schema.Int,
  }),
  blobs: Schema.Struct({ count: Schema.Int, missing: Schema.Int }),
})
export type Manifest = typeof Manifest.Type

const failed = (message: string) => new CommandFailed({ message })

const readManifest = (folder: string) =>
  Effect.suspend(() => {
    if (!existsSync(manifestIn(folder))) {
      return Effect.fail(failed(`${folder} is no backup, or one that did not end: it has no backup.json`))
    }
    const text = readFileSync(manifestIn(folder), "utf8")
    return Effect.mapError(Schema.decodeUnknownEffect(Schema.fromJsonString(Manifest))(text), ({ message }) =>
      failed(`${manifestIn(folder)} cannot be read: ${message}`),
    )
  })

export const digestOf = (file: string) =>
  Effect.tryPromise({
    try: async () => {
      const hash = createHash("sha256")
      for await (const chunk of createReadStream(file)) hash.update(chunk)
      return hash.digest("hex")
    },
    catch: (cause) => failed(`${file} cannot be read: ${String(cause)}`),
  })

/** The blobs of a backup, which may lie on a medium that is read-only. */
export const blobsFrom = (folder: string) => FileBlobs.readingFrom(blobsIn(folder))

/** The blobs of a backup that is being written, as a store. */
export const storeIn = (folder: string) =>
  Effect.map(Layer.build(FileBlobs.layer({ directory: blobsIn(folder) })), (built) =>
    Context.get(built, Blobs),
  )

/** Every blob that lies in a backup, in turn. */
export function* blobsOf(folder: string): Generator<Backup.NamedBlob> {
  const objects = join(blobsIn(folder), "objects")
  if (!existsSync(objects)) return
  for (const entry of readdirSync(objects, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const key = relative(objects, path)
    const accepts = key.startsWith("media/") ? (digest: string) => isNamedBy(key, digest) : undefined
    yield { key, accepts, bytes: statSync(path).size, required: true, owner: "the backup" }
  }
}

/** What is wrong with the content of a copy; nothing, always. */
export const faultsOf = (content: Backup.Content): ReadonlyArray<string> => [
  ...content.damage,
  ...content.audit.map((user) => `the balance of ${user} is not the sum of its transfers`),
  ...content.totals.map(
    ({ total, kept, counted }) => `the total ${total} is ${kept}, counting gives ${counted}`,
  ),
]

/** Compares a backup with what it says of itself: the database by its hash and its sums, and every blob that it names. */
export const checkBackup = (folder: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const manifest = yield* readManifest(folder)
      if ((yield* digestOf(databaseIn(folder))) !== manifest.database.sha256) {
        return yield* failed(`${databaseIn(folder)} is not the file that was written: its SHA-256 differs`)
      }
      const copy = yield* Backup.openCopy(databaseIn(folder))
      const content = yield* copy.content
      const faults = [...faultsOf(content)]
      const { transfers, granted, wallet, held, spent } = content
      if (JSON.stringify({ transfers, granted, wallet, held, spent }) !== JSON.stringify(manifest.ledger)) {
        faults.push("its sums are not those of backup.json")
      }
      if (content.current) {
        const moved = yield* moveBlobs(permanent(yield* copy.blobs), {
          source: blobsFrom(folder),
          destination: undefined,
        })
        // What production itself had lost keeps nothing else from being restored.
        if (moved.faults > manifest.blobs.missing) faults.push(...moved.examples)
      }
      if (faults.length > 0) return yield* failed(faults.join("; "))
      return manifest
    }),
  )

/**
 * Images are permanent, unless their task `isLeaving`; uploads and results may have been removed since the copy was
 * made.
 */
export function* permanent(
  blobs: Iterator<Backup.NamedBlob>,
  isLeaving: (owner: string) => boolean = () => false,
): Generator<Backup.NamedBlob> {
  for (let next = blobs.next(); next.done !== true; next = blobs.next()) {
    const { required, ...blob } = next.value
    yield { ...blob, required: required && blob.key.startsWith("media/") && !isLeaving(blob.owner) }
  }
}
