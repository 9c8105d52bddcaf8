import { TaskFailedError } from "./errors.ts"
import { newIdempotencyKey, submit } from "./submit.ts"
import { isTask, type Tasks } from "./Tasks.ts"
import type { Transport } from "./Transport.ts"
import type {
  CallOptions,
  ImageRequest,
  ImageSubmission,
  ImageTask,
  Quote,
  SubmitOptions,
  Task,
  UpdateOptions,
  WaitOptions,
} from "./types.ts"

/** Makes and edits images. */
export class Images {
  readonly #transport: Transport
  readonly #tasks: Tasks

  constructor(transport: Transport, tasks: Tasks) {
    this.#transport = transport
    this.#tasks = tasks
  }

  /** Submits and answers at once, with the task to wait for. The fee is held. */
  async submit(request: ImageRequest, options: SubmitOptions = {}): Promise<ImageSubmission | ImageTask> {
    const isImage = (body: object): boolean => isTask(body) && "model" in body && body.model === request.model
    const isOwn = (task: Task): boolean => task.object === "image.task" && task.model === request.model
    const submission = { path: "/images/tasks", body: request, isOwn, isAccepted: isImage }
    return (await submit<ImageSubmission>(this.#transport, this.#tasks, submission, options)) as
      | ImageSubmission
      | ImageTask
  }

  /** Submits, waits, and answers the completed task. Throws `TaskFailedError` where it failed; then nothing is charged. */
  generate(request: ImageRequest, options: SubmitOptions & WaitOptions = {}): Promise<ImageTask> {
    return this.subscribe(request, options)
  }

  /**
   * As `generate`, and `onUpdate` hears of every change, first of the accepted task: keep its id, and
   * `tasks.wait(id, { onUpdate })` goes on from there in another process.
   */
  async subscribe(
    request: ImageRequest,
    { onUpdate, timeoutMs, ...options }: SubmitOptions & UpdateOptions<ImageTask> = {},
  ): Promise<ImageTask> {
    const { id } = await this.submit(request, {
      ...options,
      idempotencyKey: options.idempotencyKey ?? newIdempotencyKey(),
    })
    const told = onUpdate && ((task: Task) => onUpdate(task as ImageTask))
    const task = await this.#tasks.wait(id, { onUpdate: told, timeoutMs, signal: options.signal })
    if (task.object !== "image.task" || task.state === "failed") throw new TaskFailedError(task)
    return task
  }

  /** What `submit` would hold. Nothing is held. */
  quote(request: ImageRequest, { signal }: CallOptions = {}): Promise<Quote> {
    const isQuote = (body: object): boolean => "quota_units" in body && "usd" in body
    return this.#transport.json<Quote>(
      { method: "POST", path: "/images/quote", body: request, signal },
      isQuote,
    )
  }
}
