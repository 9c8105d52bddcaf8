import { subjectOf, type Task, TaskStore } from "@atelier/core"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../CommandFailed.ts"
import { withDatabase } from "../Operator.ts"
import { print, table, time } from "../Output.ts"

/** A request submits one task; an embedder may give several the same id. */
const tasksMax = 100

/**
 * What a request submitted, read directly from the database: customers who ask for support name the request, not a
 * key.
 */
export const find = (input: { readonly requestId: string; readonly json: boolean }) =>
  withDatabase(
    Effect.gen(function* () {
      const store = yield* TaskStore
      const tasks = yield* store.list({ requestId: input.requestId, limit: tasksMax })
      if (tasks.length === 0) {
        const message = `no task was submitted by the request ${JSON.stringify(input.requestId)}`
        return yield* new CommandFailed({ message })
      }
      yield* print(input.json, tasks.map(toJson), () =>
        table(["ID", "USER", "KEY", "STATE", "MODEL OR TOOL", "CREATED", "ERROR"], tasks.map(row)),
      )
    }),
  )

const row = (task: Task): ReadonlyArray<string> => [
  task.id,
  task.userId,
  task.keyId,
  task.state,
  subjectOf(task),
  time(task.createdAt / 1000),
  task.error?.code ?? "-",
]

/** In the names of the admin API. */
const toJson = (task: Task) => ({
  id: task.id,
  user_id: task.userId,
  key_id: task.keyId,
  request_id: task.requestId,
  state: task.state,
  subject: subjectOf(task),
  error: task.error,
  created_at: Math.floor(task.createdAt / 1000),
})
