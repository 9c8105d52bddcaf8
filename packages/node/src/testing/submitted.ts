import { AdminTasks, type Task as StoredTask } from "@atelier/core"
import * as Effect from "effect/Effect"
import { shown } from "../calls.ts"
import type { Task } from "../tasks.ts"

/** A task, and what the application asked for. */
export interface SubmittedTask {
  /** Your own id of the user. */
  readonly user: string
  readonly task: Task
  /** The model of an image task; undefined for a document. */
  readonly model: string | undefined
  /** The tool of a document task; undefined for images. */
  readonly tool: string | undefined
  /** The request of an image task after defaults; what is known of the document of the other. */
  readonly request: Readonly<Record<string, unknown>>
  /** Your own id of the request. */
  readonly requestId: string | null
}

const pageTasks = 100

const requestOf = (task: StoredTask): Readonly<Record<string, unknown>> =>
  task.kind === "image" ? { ...task.request } : { fileId: task.fileId, formats: task.outputFormats }

const submittedOf = (stored: StoredTask) =>
  Effect.map(
    shown(stored),
    (task): SubmittedTask => ({
      user: task.user,
      task,
      model: stored.kind === "image" ? stored.request.model : undefined,
      tool: stored.kind === "tool" ? stored.toolId : undefined,
      request: requestOf(stored),
      requestId: stored.requestId,
    }),
  )

/** Every task of the database, the first one first. */
const readSubmitted = Effect.gen(function* () {
  const tasks = yield* AdminTasks
  const found: Array<StoredTask> = []
  for (let after: string | undefined; ; ) {
    const page = yield* tasks.list({ limit: pageTasks, ...(after === undefined ? {} : { after }) })
    found.push(...page)
    after = page.at(-1)?.id
    if (page.length < pageTasks) break
  }
  return yield* Effect.forEach(found.reverse(), submittedOf)
})

/** The same, for calls from outside of the service. */
export const makeReadSubmitted = Effect.map(
  Effect.context<Effect.Services<typeof readSubmitted>>(),
  (context) => Effect.provideContext(readSubmitted, context),
)
