import {
  type ImageTask,
  imageKeptApart,
  isFinal,
  isKeptApart,
  subjectOf,
  type Task,
  type TaskKind,
  type ToolTask,
} from "@atelier/core"
import type { Param } from "./statement.ts"
import { type ImageDetail, imageDetail, type Shared, type ToolDetail, toolDetail } from "./taskDetail.ts"

/** A row of `tasks` without its sequence; `detail` is the JSON of the fields that nothing searches by. */
export interface TaskRow {
  readonly id: Task["id"]
  readonly kind: TaskKind
  readonly user_id: Task["userId"]
  readonly key_id: Task["keyId"]
  readonly subject: string
  readonly state: Task["state"]
  readonly version: number
  readonly idempotency_key: string | null
  readonly request_id: string | null
  readonly held: number
  readonly charged: number
  readonly released: number
  readonly created_at: number
  readonly deadline_at: number
  readonly expires_at: number
  readonly file_id: string | null
  readonly purged: number
  readonly detail: string
}

/** Columns that `toTask` needs. */
export const taskColumns = `id, kind, user_id, key_id, subject, state, version, idempotency_key, request_id, held,
  charged, released, created_at, deadline_at, expires_at, file_id, purged, detail`

const detailOf = (task: Task): string => {
  const {
    kind: _kind,
    id: _id,
    state: _state,
    userId: _userId,
    keyId: _keyId,
    version: _version,
    idempotencyKey: _idempotencyKey,
    requestId: _requestId,
    held: _held,
    charged: _charged,
    released: _released,
    createdAt: _createdAt,
    deadlineAt: _deadlineAt,
    expiresAt: _expiresAt,
    ...rest
  } = task
  if (!("toolId" in rest)) return JSON.stringify(rest satisfies ImageDetail)
  const { toolId: _toolId, fileId: _fileId, purged: _purged, ...detail } = rest
  return JSON.stringify(detail satisfies ToolDetail)
}

/** The images of a task, where some came inside the request: a row of their own holds them while it is unfinished. */
export const imagesApart = (task: Task): ReadonlyArray<string> | undefined =>
  task.kind === "image" && task.request.images.some(isKeptApart) ? task.request.images : undefined

const withoutImages = (task: Task): Task => {
  if (task.kind !== "image" || imagesApart(task) === undefined) return task
  const images = task.request.images.map((image) => (isKeptApart(image) ? imageKeptApart : image))
  return { ...task, request: { ...task.request, images } }
}

const flag = (value: boolean) => (value ? 1 : 0)

/** What the next step of an `artgen` sequence names this one by, once it is there. */
const jobIdOf = (task: Task) =>
  task.kind === "image" && isFinal(task.state) ? (task.result?.jobId ?? null) : null

/** Values of every column, in the order of the insert. */
export const insertParams = (task: Task): ReadonlyArray<Param> => [
  task.id,
  task.kind,
  task.userId,
  task.keyId,
  subjectOf(task),
  task.state,
  flag(isFinal(task.state)),
  task.version,
  task.idempotencyKey,
  task.requestId,
  task.held,
  task.charged,
  task.released,
  task.createdAt,
  task.deadlineAt,
  task.expiresAt,
  task.kind === "tool" ? task.fileId : null,
  flag(task.kind === "tool" && task.purged),
  jobIdOf(task),
  detailOf(withoutImages(task)),
]

/** Values of the columns that a task's life changes, in the order of the update. */
export const updateParams = (task: Task): ReadonlyArray<Param> => [
  task.state,
  flag(isFinal(task.state)),
  task.version,
  task.charged,
  task.released,
  task.deadlineAt,
  task.expiresAt,
  flag(task.kind === "tool" && task.purged),
  jobIdOf(task),
  detailOf(withoutImages(task)),
]

export const toTask = (row: TaskRow): Task => {
  const shared: Shared = {
    userId: row.user_id,
    keyId: row.key_id,
    version: row.version,
    idempotencyKey: row.idempotency_key,
    requestId: row.request_id,
    held: row.held,
    charged: row.charged,
    released: row.released,
    createdAt: row.created_at,
    deadlineAt: row.deadline_at,
    expiresAt: row.expires_at,
  }
  return row.kind === "image" ? toImageTask(row, shared) : toToolTask(row, shared)
}

const toImageTask = (row: TaskRow, shared: Shared): ImageTask => {
  return {
    ...imageDetail(row.detail, row.id),
    ...shared,
    kind: "image",
    id: row.id as ImageTask["id"],
    state: row.state as ImageTask["state"],
  }
}

const toToolTask = (row: TaskRow, shared: Shared): ToolTask => {
  return {
    ...toolDetail(row.detail, row.id),
    ...shared,
    kind: "tool",
    id: row.id as ToolTask["id"],
    state: row.state as ToolTask["state"],
    toolId: row.subject,
    fileId: row.file_id as ToolTask["fileId"],
    purged: row.purged === 1,
  }
}
