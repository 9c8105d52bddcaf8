import { type FinishedNotice, FinishedTasks } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as SqlClient from "effect/sql/SqlClient"
import { hasRows, makeStatements } from "./statement.ts"

interface NoticeRow {
  readonly task_id: FinishedNotice["taskId"]
  readonly attempts: number
}

/** Queries; a test checks that their plans use indexes. */
export const queries = {
  listen: "INSERT INTO finished_listeners (id) VALUES (1) ON CONFLICT (id) DO NOTHING",
  unlisten: "DELETE FROM finished_listeners WHERE id = 1",
  take: "DELETE FROM finished_tasks WHERE task_id = ? RETURNING task_id",
  due: "SELECT task_id, attempts FROM finished_tasks WHERE due_at <= ? ORDER BY due_at LIMIT ?",
  postpone: "UPDATE finished_tasks SET attempts = attempts + 1, due_at = ? WHERE task_id = ?",
  removeOld: `DELETE FROM finished_tasks WHERE task_id IN
    (SELECT task_id FROM finished_tasks WHERE created_at <= ? ORDER BY created_at LIMIT ?) RETURNING task_id`,
}

const make = Effect.gen(function* () {
  const statement = yield* makeStatements
  const listen = statement("FinishedTasks.listen", queries.listen)
  const unlisten = statement("FinishedTasks.unlisten", queries.unlisten)
  const take = statement("FinishedTasks.take", queries.take)
  const due = statement<NoticeRow>("FinishedTasks.due", queries.due)
  const postpone = statement("FinishedTasks.postpone", queries.postpone)
  const removeOld = statement("FinishedTasks.removeOld", queries.removeOld)
  return FinishedTasks.of({
    listen: Effect.asVoid(listen([])),
    unlisten: Effect.asVoid(unlisten([])),
    take: (taskId) => Effect.map(take([taskId]), hasRows),
    due: (now, limit) =>
      Effect.map(due([now, limit]), (rows) =>
        rows.map(({ attempts, task_id: taskId }) => ({ taskId, attempts })),
      ),
    postpone: (taskId, dueAt) => Effect.asVoid(postpone([dueAt, taskId])),
    removeOld: (createdBefore, limit) => Effect.map(removeOld([createdBefore, limit]), (rows) => rows.length),
  })
})

export const layer: Layer.Layer<FinishedTasks, never, SqlClient.SqlClient> = Layer.effect(FinishedTasks, make)
