import { TaskFailedError } from "./errors.ts"
import { newIdempotencyKey, type Submission, submit } from "./submit.ts"
import { isTask, type Tasks } from "./Tasks.ts"
import type { Transport } from "./Transport.ts"
import type {
  CallOptions,
  ImageEdit,
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
  submit(request: ImageRequest, options: SubmitOptions = {}): Promise<ImageSubmission | ImageTask> {
    return this.#submit(request.model, { path: "/images/tasks", body: request }, options)
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
    const { id } = await this.submit(request, keyed(options))
    return this.#finished(id, { onUpdate, timeoutMs, signal: options.signal })
  }

  /**
   * Edits images that are sent as bytes: submits them under a key, waits, and answers the completed task, as
   * `subscribe`. The service keeps the images until the task ends.
   */
  async edit(
    request: ImageEdit,
    { onUpdate, timeoutMs, ...options }: SubmitOptions & UpdateOptions<ImageTask> = {},
  ): Promise<ImageTask> {
    // Without the preference the answer would be the images, and the key would be ignored.
    const submission = { path: "/images/edits", body: formOf(request), headers: { prefer: "respond-async" } }
    const { id } = await this.#submit(request.model, submission, keyed(options))
    return this.#finished(id, { onUpdate, timeoutMs, signal: options.signal })
  }

  /** What `submit` would hold. Nothing is held. */
  quote(request: ImageRequest, { signal }: CallOptions = {}): Promise<Quote> {
    const isQuote = (body: object): boolean => "quota_units" in body && "usd" in body
    return this.#transport.json<Quote>(
      { method: "POST", path: "/images/quote", body: request, signal },
      isQuote,
    )
  }

  async #submit(
    model: string,
    submission: Pick<Submission, "path" | "body" | "headers">,
    options: SubmitOptions,
  ): Promise<ImageSubmission | ImageTask> {
    const isAccepted = (body: object): boolean => isTask(body) && "model" in body && body.model === model
    const isOwn = (task: Task): boolean => task.object === "image.task" && task.model === model
    return (await submit<ImageSubmission>(
      this.#transport,
      this.#tasks,
      { ...submission, isOwn, isAccepted },
      options,
    )) as ImageSubmission | ImageTask
  }

  async #finished(id: string, { onUpdate, timeoutMs, signal }: UpdateOptions<ImageTask>): Promise<ImageTask> {
    const told = onUpdate && ((task: Task) => onUpdate(task as ImageTask))
    const task = await this.#tasks.wait(id, { onUpdate: told, timeoutMs, signal })
    if (task.object !== "image.task" || task.state === "failed") throw new TaskFailedError(task)
    return task
  }
}

const keyed = (options: SubmitOptions): SubmitOptions => ({
  ...options,
  idempotencyKey: options.idempotencyKey ?? newIdempotencyKey(),
})

const formOf = ({ image, ...fields }: ImageEdit): FormData => {
  const form = new FormData()
  for (const each of [image].flat()) form.append("image[]", each, "image")
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Blob) form.append(name, value, name)
    else if (value !== undefined) form.append(name, String(value))
  }
  return form
}
