import { createHash } from "node:crypto"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { type Blobs, StorageError } from "@atelier/core"
import type { Backup } from "@atelier/sql"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

type Store = typeof Blobs.Service
type ReadStore = Pick<Store, "read" | "stat">

/** Blobs that are copied or compared at once. */
const blobsConcurrentMax = 8
/** How many faults are listed. */
const examplesMax = 5

/** What became of the blobs that rows name. */
export interface BlobsMoved {
  readonly named: number
  readonly copied: number
  /** Read back from the destination, with the same SHA-256. */
  readonly compared: number
  /** Images that were not there and need not be. */
  readonly imagesGone: number
  readonly faults: number
  readonly examples: ReadonlyArray<string>
}

type Outcome = "copied" | "there" | "sound" | "gone" | { readonly fault: string }

/**
 * Copies each blob that is missing or different, then reads it back and compares. Without a destination,
 * each must exist where it is, with the size in its row.
 */
export const moveBlobs = Effect.fnUntraced(function* (
  named: Iterator<Backup.NamedBlob>,
  { source, destination }: { readonly source: ReadStore; readonly destination: Store | undefined },
) {
  const count = { named: 0, copied: 0, compared: 0, imagesGone: 0, faults: 0 }
  const examples: Array<string> = []
  const examine = (blob: Backup.NamedBlob) =>
    destination === undefined ? stay(source, blob) : carry(source, destination, blob)
  const note = (blob: Backup.NamedBlob, outcome: Outcome) => {
    count.named += 1
    if (outcome === "copied") count.copied += 1
    if (outcome === "copied" || outcome === "there") count.compared += 1
    if (outcome === "gone" && blob.key.startsWith("media/")) count.imagesGone += 1
    if (typeof outcome === "string") return
    count.faults += 1
    if (examples.length < examplesMax) examples.push(`${blob.key} of ${blob.owner}: ${outcome.fault}`)
  }
  for (;;) {
    const group: Array<Backup.NamedBlob> = []
    for (let next = named.next(); next.done !== true; next = named.next()) {
      group.push(next.value)
      if (group.length === blobsConcurrentMax) break
    }
    if (group.length === 0) break
    yield* Effect.forEach(group, (blob) => Effect.map(examine(blob), (outcome) => note(blob, outcome)), {
      concurrency: "unbounded",
      discard: true,
    })
  }
  const moved: BlobsMoved = { ...count, examples }
  return moved
})

const stay = Effect.fnUntraced(function* (store: ReadStore, blob: Backup.NamedBlob) {
  const outcome: Outcome = Option.match(yield* store.stat(blob.key), {
    onNone: () => absent(blob),
    onSome: ({ bytes }) =>
      blob.bytes === undefined || bytes === blob.bytes
        ? "sound"
        : { fault: `has ${bytes} bytes in place of ${blob.bytes}` },
  })
  return outcome
})

const absent = ({ required }: Backup.NamedBlob): Outcome => (required ? { fault: "is missing" } : "gone")

const carryFound = Effect.fnUntraced(function* (
  source: ReadStore,
  destination: Store,
  blob: Backup.NamedBlob,
) {
  const isThere = Option.isSome(yield* destination.stat(blob.key))
  if (Option.isNone(yield* source.stat(blob.key))) {
    const outcome: Outcome = absent(blob)
    return outcome
  }
  const known = blob.accepts === undefined ? yield* digestOf(source, blob.key) : ""
  const accepts = blob.accepts ?? ((digest: string) => digest === known)
  if (isThere && accepts(yield* digestOf(destination, blob.key))) {
    const outcome: Outcome = "there"
    return outcome
  }
  const read = yield* copy(source, destination, blob.key, accepts)
  const outcome: Outcome = !accepts(read)
    ? { fault: `is damaged in the source: its SHA-256 is ${read}` }
    : (yield* digestOf(destination, blob.key)) === read
      ? "copied"
      : { fault: "is not what was written when it is read back" }
  return outcome
})

/** The cleanup may remove a blob between two looks at it. */
const carry = (source: ReadStore, destination: Store, blob: Backup.NamedBlob) =>
  Effect.catch(carryFound(source, destination, blob), (error) =>
    Effect.flatMap(source.stat(blob.key), (found) =>
      Option.isNone(found) ? Effect.succeed(absent(blob)) : Effect.fail(error),
    ),
  )

const digestOf = (store: ReadStore, key: string) =>
  Effect.suspend(() => {
    const hash = createHash("sha256")
    return store.read(key).pipe(
      Stream.runForEach((chunk) => Effect.sync(() => hash.update(chunk))),
      Effect.map(() => hash.digest("hex")),
    )
  })

/** Through a local file, so that a large one takes no memory; a blob with the wrong hash is not written. */
const copy = (source: ReadStore, destination: Store, key: string, accepts: (sha256: string) => boolean) =>
  Effect.scoped(
    Effect.gen(function* () {
      const path = join(yield* destination.scratch, "blob")
      const digest = yield* download(source, key, path)
      if (accepts(digest)) yield* destination.putFile(key, path)
      return digest
    }),
  )

const download = (source: ReadStore, key: string, path: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const hash = createHash("sha256")
      const file = yield* Effect.acquireRelease(
        writing(() => open(path, "wx")),
        (opened) => Effect.promise(() => opened.close()),
      )
      yield* Stream.runForEach(source.read(key), (chunk) =>
        writing(() => {
          hash.update(chunk)
          return file.writeFile(chunk)
        }),
      )
      return hash.digest("hex")
    }),
  )

const writing = <A>(work: () => Promise<A>) =>
  Effect.tryPromise({ try: work, catch: (cause) => new StorageError({ operation: "Move.copyBlob", cause }) })
