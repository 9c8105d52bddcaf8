import {
  type ImageTask,
  isFinal,
  type Task,
  type TaskKind,
  type TaskQuery,
  TaskStore,
  type ToolTask,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as SqlClient from "effect/sql/SqlClient"
import { jsonColumn } from "./jsonColumn.ts"
import { clockSkewMillis, makeSequenceAt } from "./sequenceAt.ts"
import { first, hasRows, makeStatements } from "./statement.ts"
import { listStatement, unfinishedStates } from "./taskList.ts"
import { imagesApart, insertParams, type TaskRow, taskColumns, toTask, updateParams } from "./taskRows.ts"

const select = `SELECT ${taskColumns} FROM tasks`

const countUnfinished = (kind: TaskKind) => `SELECT count(*) AS count FROM tasks
  WHERE user_id = ? AND kind = '${kind}' AND state IN (${unfinishedStates(kind)})`

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  insert: `INSERT INTO tasks (id, kind, user_id, key_id, subject, state, finished, version, idempotency_key,
    request_id, held, charged, released, created_at, deadline_at, expires_at, file_id, purged, job_id, detail)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  get: `${select} WHERE id = ?`,
  update: `UPDATE tasks SET state = ?, finished = ?, version = ?, charged = ?, released = ?, deadline_at = ?,
    expires_at = ?, purged = ?, job_id = ?, detail = ?
    WHERE id = ? AND version = ? AND (finished = 0 OR state = ?) RETURNING version`,
  countUnfinishedImages: countUnfinished("image"),
  countUnfinishedTools: countUnfinished("tool"),
  sequenceOf: "SELECT sequence FROM tasks WHERE id = ?",
  lastSequence: "SELECT sequence FROM tasks ORDER BY sequence DESC LIMIT 1",
  createdAtOrBefore: "SELECT created_at AS at FROM tasks WHERE sequence <= ? ORDER BY sequence DESC LIMIT 1",
  oldestQueued: "SELECT min(created_at) AS at FROM tasks WHERE kind = ? AND state = 'queued'",
  findByJobId: `${select} WHERE key_id = ? AND job_id = ? ORDER BY sequence DESC LIMIT 1`,
  hasUnfinishedForFile: "SELECT 1 AS found FROM tasks WHERE finished = 0 AND file_id = ? LIMIT 1",
  pastDeadline: `${select} WHERE finished = 0 AND deadline_at <= ? ORDER BY deadline_at LIMIT ?`,
  pastExpiry: `${select} WHERE purged = 0 AND file_id IS NOT NULL AND expires_at <= ? ORDER BY expires_at LIMIT ?`,
  removable: `SELECT ${taskColumns}, sequence FROM tasks WHERE sequence > ? AND sequence <= ? AND finished = 1
    AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.task_id = tasks.id)
    AND NOT EXISTS (SELECT 1 FROM finished_tasks WHERE finished_tasks.task_id = tasks.id)
    AND NOT EXISTS (SELECT 1 FROM idempotency AS record WHERE record.key_id = tasks.key_id
      AND record.idempotency_key = tasks.idempotency_key AND record.task_id = tasks.id AND record.expires_at > ?)
    ORDER BY sequence LIMIT ?`,
  remove: `DELETE FROM tasks WHERE id = ? AND finished = 1
    AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.task_id = tasks.id) RETURNING id`,
  forgetCallback: "DELETE FROM callbacks WHERE task_id = ?",
  keepImages: "INSERT INTO task_images (task_id, images) VALUES (?, ?)",
  images: "SELECT images FROM task_images WHERE task_id = ?",
  forgetImages: "DELETE FROM task_images WHERE task_id = ?",
}

const keptImages = jsonColumn("task_images", "images", Schema.Array(Schema.String))

const isImage = (task: Task): task is ImageTask => task.kind === "image"
const isTool = (task: Task): task is ToolTask => task.kind === "tool"

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const insert = statement("TaskStore.insert", queries.insert)
  const get = statement<TaskRow>("TaskStore.get", queries.get)
  const update = statement("TaskStore.update", queries.update)
  const unfinished = {
    image: statement<{ count: number }>("TaskStore.countUnfinished", queries.countUnfinishedImages),
    tool: statement<{ count: number }>("TaskStore.countUnfinished", queries.countUnfinishedTools),
  }
  const sequenceOf = statement<{ sequence: number }>("TaskStore.list", queries.sequenceOf)
  const lastSequence = statement<{ sequence: number }>("TaskStore.list", queries.lastSequence)
  const createdAtOrBefore = statement<{ at: number }>("TaskStore.list", queries.createdAtOrBefore)
  const sequenceAt = makeSequenceAt(lastSequence, createdAtOrBefore)
  const oldestQueued = statement<{ at: number | null }>("TaskStore.oldestQueued", queries.oldestQueued)
  const findByJobId = statement<TaskRow>("TaskStore.findByJobId", queries.findByJobId)
  const hasUnfinishedForFile = statement("TaskStore.hasUnfinishedForFile", queries.hasUnfinishedForFile)
  const pastDeadline = statement<TaskRow>("TaskStore.pastDeadline", queries.pastDeadline)
  const pastExpiry = statement<TaskRow>("TaskStore.pastExpiry", queries.pastExpiry)
  const removable = statement<TaskRow & { sequence: number }>("TaskStore.removable", queries.removable)
  const remove = statement("TaskStore.remove", queries.remove)
  const forgetCallback = statement("TaskStore.remove", queries.forgetCallback)
  const keepImages = statement("TaskStore.insert", queries.keepImages)
  const images = statement<{ images: string }>("TaskStore.images", queries.images)
  const forgetImages = statement("TaskStore.update", queries.forgetImages)

  const insertWhole = Effect.fnUntraced(function* (task: Task) {
    yield* insert(insertParams(task))
    const apart = imagesApart(task)
    if (apart !== undefined) yield* keepImages([task.id, JSON.stringify(apart)])
  })

  const updateSeen = Effect.fnUntraced(function* (next: Task, seen: number) {
    const written = hasRows(yield* update([...updateParams(next), next.id, seen, next.state]))
    if (written && isFinal(next.state) && imagesApart(next) !== undefined) yield* forgetImages([next.id])
    return written
  })

  const list = Effect.fnUntraced(function* (query: TaskQuery) {
    const after = query.after === undefined ? undefined : yield* sequenceOf([query.after])
    const before = after === undefined ? Number.MAX_SAFE_INTEGER : (after[0]?.sequence ?? 0)
    const above = query.from === undefined ? -1 : yield* sequenceAt(query.from - clockSkewMillis)
    const end = query.until === undefined ? before : (yield* sequenceAt(query.until + clockSkewMillis)) + 1
    const { text, params } = listStatement(query, { above, below: Math.min(before, end) })
    return (yield* statement<TaskRow>("TaskStore.list", text)(params)).map(toTask)
  })

  return TaskStore.of({
    insert: insertWhole,
    get: (id) => Effect.map(get([id]), (rows) => Option.map(first(rows), toTask)),
    list,
    images: (id) =>
      Effect.map(images([id]), (rows) => Option.map(first(rows), (row) => keptImages(row.images, id))),
    update: updateSeen,
    findByJobId: (keyId, jobId) =>
      Effect.map(findByJobId([keyId, jobId]), (rows) =>
        Option.filter(Option.map(first(rows), toTask), isImage),
      ),
    countUnfinished: (userId, kind) => Effect.map(unfinished[kind]([userId]), (rows) => rows[0]?.count ?? 0),
    oldestQueued: (kind) => Effect.map(oldestQueued([kind]), (rows) => Option.fromNullishOr(rows[0]?.at)),
    hasUnfinishedForFile: (fileId) => Effect.map(hasUnfinishedForFile([fileId]), hasRows),
    pastDeadline: (now, limit) => Effect.map(pastDeadline([now, limit]), (rows) => rows.map(toTask)),
    removable: Effect.fnUntraced(function* ({ acceptedBefore, now, after, limit }) {
      const last = yield* sequenceAt(acceptedBefore + 1)
      const rows = yield* removable([after, last, now, limit])
      return rows.map(({ sequence, ...row }) => ({ task: toTask(row), sequence: Number(sequence) }))
    }),
    remove: Effect.fnUntraced(function* (id) {
      if (hasRows(yield* remove([id]))) yield* forgetCallback([id])
    }),
    pastExpiry: (now, limit) =>
      Effect.map(pastExpiry([now, limit]), (rows) => rows.map(toTask).filter(isTool)),
  })
})

export const layer: Layer.Layer<TaskStore, never, SqlClient.SqlClient> = Layer.effect(TaskStore, make)
