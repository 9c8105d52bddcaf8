import type { components } from "./wire.ts"

type Schemas = components["schemas"]

/** An image task, with its images once it is `completed`. */
export type ImageTask = Schemas["ImageTask"]
export type ImageAsset = Schemas["ImageAsset"]
/** The answer of a submission: the task before it began. */
export type ImageSubmission = Schemas["ImageSubmission"]
/** Body of `images.submit`; which values a model takes, `models.list()` tells. */
export type ImageRequest = Schemas["ImageRequest"]
/** Body of `images.edit`: images as bytes, and the fields of `images.submit` that a form can carry. */
export interface ImageEdit {
  readonly model: string
  readonly prompt: string
  /** At most 20 MiB each and 50 MiB together, as many as the model takes. */
  readonly image: Blob | ReadonlyArray<Blob>
  /** Its transparent parts may change; for models that take masks. */
  readonly mask?: Blob | undefined
  readonly n?: number | undefined
  readonly [field: string]: string | number | Blob | ReadonlyArray<Blob> | undefined
}
export type Quote = Schemas["Quote"]
/** A parse task of a document tool. */
export type ToolTask = Schemas["ToolTask"]
export type ToolFile = Schemas["ToolFile"]
export type ToolResult = Schemas["ToolResult"]
export type Tool = Schemas["Tool"]
export type Model = Schemas["Model"]
export type HistoryEntry = Schemas["HistoryEntry"]
/** What the account has, and what of the key's quota is used, in account units. */
export type Balance = Schemas["Balance"]
/** What an error means, for programs. Servers of later versions may have more: decide by the status where it is unknown. */
export type ErrorCode = Schemas["ErrorCode"] | (string & {})
export type TaskWarning = Schemas["Warning"]
/** A task of either service; `object` tells which. */
export type Task = ImageTask | ToolTask

/** For every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined
}

/** For every call that submits. */
export interface SubmitOptions extends CallOptions {
  /**
   * Names the operation: the same key and the same request never make a second task, whenever it is sent within
   * seven days. 8 to 64 letters, digits, hyphens and underscores suit both services. Absent: one is made.
   */
  readonly idempotencyKey?: string | undefined
}

/** For every call that waits. */
export interface WaitOptions extends CallOptions {
  /** Milliseconds after which `WaitTimeoutError` is thrown; the task goes on. Absent: as long as it takes. */
  readonly timeoutMs?: number | undefined
}

/** Told of a task at every change, the first time as soon as its id is known. */
export interface UpdateOptions<T> extends WaitOptions {
  readonly onUpdate?: ((task: T) => void) | undefined
}

/** Whether a task has its last state: `completed`, `succeeded` or `failed`. */
export const isFinal = (task: Task): boolean => {
  const state = task.object === "image.task" ? task.state : task.status
  return state === "completed" || state === "succeeded" || state === "failed"
}
