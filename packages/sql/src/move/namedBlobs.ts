import { type GeneratedSource, isNamedBy, type Task, type ToolFile } from "@atelier/core"
import { type TaskRow, taskColumns, toTask } from "../taskRows.ts"
import type { Relation, Row } from "./Relation.ts"
import type { Source } from "./Source.ts"

/** A blob that a row names. */
export interface NamedBlob {
  readonly key: string
  /** Whether content of this SHA-256 is what the row or the key says; undefined where neither does. */
  readonly accepts: ((sha256: string) => boolean) | undefined
  readonly bytes: number | undefined
  /** False where the cleanup may have removed it. */
  readonly required: boolean
  /** The task or file whose row names it. */
  readonly owner: string
}

const relation = (name: string, columns: ReadonlyArray<string>, key: string): Relation => ({
  name,
  from: name,
  columns,
  key: [key],
  read: {},
})

const tasks = relation(
  "tasks",
  ["sequence", ...taskColumns.split(",").map((column) => column.trim())],
  "sequence",
)
const files = relation("tool_files", ["id", "bytes", "sha256", "status", "blob", "expires_at"], "id")

/**
 * Every blob that a row of the source names, in the order of the rows; one that two rows name comes twice. What the
 * database itself holds is carried with its rows.
 */
export function* namedBlobs(source: Source, now: number): Generator<NamedBlob> {
  for (const blob of everyBlob(source, now)) if (!source.has(smallBlobs, blob.key)) yield blob
}

function* everyBlob(source: Source, now: number): Generator<NamedBlob> {
  for (const row of source.rows(files)) yield* blobsOfFile(toObject<FileRow>(files, row), now)
  for (const row of source.rows(tasks)) yield* blobsOfTask(toTask(toObject<TaskRow>(tasks, row)), now)
}

const smallBlobs = relation("small_blobs", ["key"], "key")

type FileRow = Pick<ToolFile, "id" | "bytes" | "sha256" | "status" | "blob"> & { readonly expires_at: number }

/** Rows are trusted: the tables are STRICT and only this package writes them. */
const toObject = <A>({ columns }: Relation, row: Row): A =>
  Object.fromEntries(columns.map((column, index) => [column, row[index]])) as A

function* blobsOfFile(file: FileRow, now: number): Generator<NamedBlob> {
  if (file.status !== "ready" && file.status !== "deleting") return
  yield {
    key: file.blob,
    accepts: (sha256) => sha256 === file.sha256,
    bytes: file.bytes,
    required: file.status === "ready" && file.expires_at > now,
    owner: file.id,
  }
}

function* blobsOfTask(task: Task, now: number): Generator<NamedBlob> {
  const required = task.expiresAt === 0 || task.expiresAt > now
  if (task.kind === "tool") {
    for (const { blob, bytes } of task.results) {
      yield { key: blob, accepts: undefined, bytes, required, owner: task.id }
    }
    return
  }
  const assets = [...(task.result?.assets ?? []), ...(task.archive?.sources ?? []).flatMap(archivedAsset)]
  for (const { blob, bytes } of assets) {
    if (blob !== null) {
      yield {
        key: blob,
        accepts: (sha256) => isNamedBy(blob, sha256),
        bytes: bytes ?? undefined,
        required: true,
        owner: task.id,
      }
    }
  }
}

const archivedAsset = (source: GeneratedSource) => (source._tag === "Archived" ? [source.asset] : [])
