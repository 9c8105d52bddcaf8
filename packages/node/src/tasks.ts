import type { WireImageTask, WireToolTask } from "@atelier/api"

/** An image task, with its images once it is `completed`. */
export interface ImageTask extends WireImageTask {
  /** Your own id of the user. */
  readonly user: string
}

/** A document task. */
export interface DocumentTask extends WireToolTask {
  /** Your own id of the user. */
  readonly user: string
}

/** A task of either kind; `object` tells which. */
export type Task = ImageTask | DocumentTask

/** Whether a task has its last state: `completed`, `succeeded` or `failed`. */
export const isFinal = (task: Task): boolean => {
  const state = task.object === "image.task" ? task.state : task.status
  return state === "completed" || state === "succeeded" || state === "failed"
}
