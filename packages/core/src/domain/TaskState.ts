/** States of an image task; `archiving` is the part of `in_progress` in which images are copied (image-tasks 3). */
export type ImageState = "queued" | "in_progress" | "archiving" | "unknown" | "completed" | "failed"
/** States of a tool task (document-tools 3). */
export type ToolState = "queued" | "running" | "succeeded" | "failed"
export const taskKinds = ["image", "tool"] as const
export type TaskKind = (typeof taskKinds)[number]
export type TaskState = ImageState | ToolState

/** What can happen to a task. */
export type TaskEvent =
  | "start" // a worker begins
  | "generate" // the upstream delivered; copying begins
  | "finish" // the result is there
  | "fail" // refused or failed, nothing delivered
  | "cancel" // the caller cancels; where the task runs, its upstream was asked to
  | "expire" // its deadline passed
  | "markUnknown" // it is unknown whether the upstream accepted

/** What a step does with the held fee: `settle` charges it (or the delivered part), `release` gives it back. */
export type MoneyEffect = "none" | "settle" | "release"

export interface Step<S extends TaskState = TaskState> {
  readonly from: S
  readonly event: TaskEvent
  readonly to: S
  readonly money: MoneyEffect
  /** The rule that the step comes from. */
  readonly source: string
}

/** image-tasks 3, and contract, Images ("`state` moves"). A submission starts in `queued` with the fee held. */
export const imageSteps: ReadonlyArray<Step<ImageState>> = [
  { from: "queued", event: "start", to: "in_progress", money: "none", source: "contract, Images" },
  { from: "queued", event: "fail", to: "failed", money: "release", source: "contract, Images" },
  { from: "queued", event: "cancel", to: "failed", money: "release", source: "contract, Waiting" },
  { from: "queued", event: "expire", to: "failed", money: "release", source: "contract, Images" },
  { from: "in_progress", event: "generate", to: "archiving", money: "none", source: "image-tasks 3" },
  { from: "in_progress", event: "finish", to: "completed", money: "settle", source: "image-tasks 3" },
  { from: "in_progress", event: "fail", to: "failed", money: "release", source: "image-tasks 3" },
  { from: "in_progress", event: "cancel", to: "in_progress", money: "none", source: "contract, Answers" },
  { from: "in_progress", event: "expire", to: "failed", money: "release", source: "contract, Images" },
  { from: "in_progress", event: "markUnknown", to: "unknown", money: "none", source: "contract, Images" },
  { from: "unknown", event: "generate", to: "archiving", money: "none", source: "contract, Images" },
  { from: "unknown", event: "finish", to: "completed", money: "settle", source: "contract, Images" },
  { from: "unknown", event: "fail", to: "failed", money: "release", source: "contract, Images" },
  { from: "unknown", event: "expire", to: "failed", money: "release", source: "contract, Images" },
  { from: "archiving", event: "finish", to: "completed", money: "settle", source: "image-tasks 3" },
  { from: "archiving", event: "fail", to: "failed", money: "release", source: "contract, Money" },
  { from: "archiving", event: "expire", to: "failed", money: "settle", source: "image-tasks 3, rule 1" },
]

/** document-tools 3. A submission starts in `queued` with the fee pre-deducted. */
export const toolSteps: ReadonlyArray<Step<ToolState>> = [
  { from: "queued", event: "start", to: "running", money: "none", source: "document-tools 3" },
  { from: "queued", event: "fail", to: "failed", money: "release", source: "document-tools 3" },
  { from: "queued", event: "cancel", to: "failed", money: "release", source: "contract, Waiting" },
  { from: "queued", event: "expire", to: "failed", money: "release", source: "document-tools 3" },
  { from: "running", event: "finish", to: "succeeded", money: "settle", source: "document-tools 3" },
  { from: "running", event: "fail", to: "failed", money: "release", source: "document-tools 3" },
  { from: "running", event: "expire", to: "failed", money: "release", source: "document-tools 3" },
]

const steps: { readonly [K in TaskKind]: ReadonlyArray<Step> } = { image: imageSteps, tool: toolSteps }

/** The step that an event makes from a state; undefined where the event does not apply. */
export const stepOf = (kind: TaskKind, from: TaskState, event: TaskEvent): Step | undefined =>
  steps[kind].find((step) => step.from === from && step.event === event)

/** Final states never change (image-tasks 3, document-tools 3). */
export const isFinal = (state: TaskState): boolean =>
  state === "completed" || state === "failed" || state === "succeeded"

/** Every state that a task of the kind can have. */
export const statesOf = (kind: TaskKind): ReadonlyArray<TaskState> => {
  const steps: ReadonlyArray<Step> = kind === "image" ? imageSteps : toolSteps
  return [...new Set(steps.flatMap(({ from, to }) => [from, to]))]
}
