import { storedStates } from "@atelier/api/rendering"
import {
  AdminTasks,
  Blobs,
  type ImageAsset,
  KeyStore,
  type OutputFormat,
  type Principal,
  refuse,
  type Task as StoredTask,
  Tasks,
  ToolTasks,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { invalid } from "./AtelierError.ts"
import { principalOf, requireUserId, shown } from "./calls.ts"
import type { Services } from "./Live.ts"
import { isFinal, type Task } from "./tasks.ts"

/** One image of a completed task. */
export interface ResultImage {
  readonly contentType: string | null
  readonly width: number | null
  readonly height: number | null
  /** Where it is: as in the task. */
  readonly url: string
  /** The bytes of an archived image; null for one that stays on the upstream's server, behind `url`. */
  readonly data: Uint8Array | null
}

/** What a finished task made. */
export type TaskResult =
  | { readonly object: "image.result"; readonly images: ReadonlyArray<ResultImage>; readonly task: Task }
  | {
      readonly object: "tool.result"
      /** Absent where it was not asked for. */
      readonly markdown?: string
      /** The JSON result, parsed; absent where it was not asked for. */
      readonly json?: unknown
      readonly task: Task
    }

export interface ListOptions {
  /** Your own id: only this user's tasks. */
  readonly user?: string
  readonly state?: "queued" | "in_progress" | "completed" | "failed" | "unknown" | "running" | "succeeded"
  /** An image model or a document tool. */
  readonly model?: string
  /** At most; all where absent. */
  readonly limit?: number
}

/** The key and user that a task belongs to. */
const ownerOf = Effect.fnUntraced(function* (task: StoredTask) {
  const keys = yield* KeyStore
  const key = yield* keys.getKey(task.keyId)
  const user = yield* keys.getUser(task.userId)
  if (Option.isNone(key) || Option.isNone(user)) return yield* refuse("task_not_found", "Its user is gone.")
  const principal: Principal = { key: key.value, user: user.value }
  return principal
})

const storedTask = (id: string) => Effect.flatMap(Tasks, (tasks) => tasks.getAny(id))

/** Signals of other processes on the same SQLite file do not come: a wait looks again by itself. */
const lookSeconds = 2

/** The task once it is final. */
export const waitFor = (id: string): Effect.Effect<Task, unknown, Services> =>
  Effect.gen(function* () {
    const tasks = yield* Tasks
    const owner = yield* ownerOf(yield* storedTask(id))
    for (;;) {
      const task = yield* shown(yield* tasks.wait(owner, id, lookSeconds))
      if (isFinal(task)) return task
    }
  })

/** Ends a task that has not begun, or asks the upstream of one that runs. */
export const cancelTask = (id: string): Effect.Effect<Task, unknown, Services> =>
  Effect.gen(function* () {
    const tasks = yield* Tasks
    const owner = yield* ownerOf(yield* storedTask(id))
    return yield* shown(yield* tasks.cancel(owner, id))
  })

/** The task now and after every change, the final state last. */
export const changesOf = (id: string): Stream.Stream<Task, unknown, Services> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const tasks = yield* Tasks
      const owner = yield* ownerOf(yield* storedTask(id))
      return Stream.mapEffect(tasks.changes(owner, id), shown)
    }),
  )

const pageTasks = 100

/** Newest first. */
export const listPage = ({ user, state, model }: ListOptions, after: string | undefined, limit: number) =>
  Effect.gen(function* () {
    if (user !== undefined) yield* principalOf(user)
    const stored = yield* (yield* AdminTasks).list({
      limit: Math.min(limit, pageTasks),
      ...(after === undefined ? {} : { after }),
      ...(user === undefined ? {} : { userId: requireUserId(user) }),
      ...(state === undefined ? {} : { states: storedStates(state) }),
      ...(model === undefined ? {} : { subject: model }),
    })
    return {
      tasks: yield* Effect.forEach(stored, shown),
      last: stored.at(-1)?.id,
      isLast: stored.length < pageTasks,
    }
  })

/** The bytes of an image, whose asset names where it is kept. */
const readAsset = Effect.fnUntraced(function* ({ blob }: ImageAsset) {
  if (blob === null) return null
  const pieces = yield* Stream.runCollect((yield* Blobs).read(blob))
  return new Uint8Array(Buffer.concat([...pieces]))
})

export const resultOf = (id: string): Effect.Effect<TaskResult, unknown, Services> =>
  Effect.gen(function* () {
    const stored = yield* storedTask(id)
    const task = yield* shown(stored)
    if (stored.kind === "tool") {
      const owner = yield* ownerOf(stored)
      const toolTasks = yield* ToolTasks
      const text = (format: OutputFormat) =>
        stored.outputFormats.includes(format)
          ? Effect.flatMap(toolTasks.openResult(owner, id, format), ({ content }) =>
              Stream.mkString(Stream.decodeText(content)),
            )
          : Effect.succeed(undefined)
      const [markdown, json] = [yield* text("markdown"), yield* text("json")]
      return {
        object: "tool.result",
        ...(markdown === undefined ? {} : { markdown }),
        ...(json === undefined ? {} : { json: JSON.parse(json) }),
        task,
      }
    }
    if (stored.state === "failed") {
      const why = stored.error === null ? "" : `: ${stored.error.code}`
      return yield* refuse("task_failed", `The task failed${why}; it has no result.`, { taskId: id })
    }
    if (stored.state !== "completed" || task.object !== "image.task") {
      const message = `The task is ${stored.state}.`
      return yield* refuse("result_not_ready", message, { taskId: id, retryAfterSeconds: 2 })
    }
    const { assets = [] } = task
    const images = yield* Effect.forEach(stored.result?.assets ?? [], (asset, index) =>
      Effect.map(readAsset(asset), (data): ResultImage => {
        const { contentType, height, width } = asset
        return { contentType, width, height, url: assets[index]?.url ?? "", data }
      }),
    )
    return { object: "image.result", images, task }
  })

const mediaName = /(?:^|\/)(media\/[0-9a-f]{64}\.(?:png|jpg|webp|gif|avif))$/

const contentTypes: { readonly [extension: string]: string } = {
  png: "image/png",
  jpg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  avif: "image/avif",
}

/** An archived image by its address in a task, or by the path of a request for it. */
export const readMedia = (address: string) =>
  Effect.gen(function* () {
    const key = mediaName.exec(address)?.[1]
    if (key === undefined)
      return yield* Effect.fail(invalid("url", "must be the address of an archived image."))
    const blobs = yield* Blobs
    if (Option.isNone(yield* blobs.stat(key))) return undefined
    const pieces = yield* Stream.runCollect(blobs.read(key))
    return {
      data: new Uint8Array(Buffer.concat([...pieces])),
      contentType: contentTypes[key.slice(key.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    }
  })
