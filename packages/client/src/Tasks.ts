import { AtelierError, about, ConnectionError, WaitTimeoutError } from "./errors.ts"
import { ServerSentEvents } from "./ServerSentEvents.ts"
import { Deadline, decode, invalidArgument, type Transport } from "./Transport.ts"
import {
  type CallOptions,
  type HistoryEntry,
  type ImageTask,
  isFinal,
  type Task,
  type ToolTask,
  type UpdateOptions,
} from "./types.ts"

/** Which tasks `tasks.list` gives: of one state, or of one model or tool. */
export interface ListOptions extends CallOptions {
  readonly state?: ImageTask["state"] | ToolTask["status"] | undefined
  /** Model or tool id. */
  readonly model?: string | undefined
  /** The id after which the list goes on. */
  readonly after?: string | undefined
  /** Tasks of one request, 1 to 100; 20 by default. The list goes on over all pages. */
  readonly pageSize?: number | undefined
}

/** Longest long poll in seconds, below what proxies cut; half of what a request may take where that is less. */
const pollSecondsMax = 25
/** Failures in a row while waiting: some four minutes, in which a server may be started again. */
const waitFailuresMax = 30
/** A stream on which nothing came for so long is lost: the server sends a comment every 15 seconds. */
const silenceMsMax = 45_000

/** The tasks of the key, of both services. */
export class Tasks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** The task as it is now. */
  async get(id: string, { signal }: CallOptions = {}): Promise<Task> {
    return this.#transport.json<Task>({ path: pathOf(id), signal }, (body) => isTask(body, id))
  }

  /** The task that was submitted under the key; undefined where none was accepted. */
  async find(idempotencyKey: string, { signal }: CallOptions = {}): Promise<Task | undefined> {
    const path = `/tasks?idempotency_key=${encodeURIComponent(idempotencyKey)}`
    try {
      return await this.#transport.json<Task>({ path, signal }, isTask)
    } catch (error) {
      if (error instanceof AtelierError && error.status === 404 && error.code === "task_not_found")
        return undefined
      throw error
    }
  }

  /** Waits until the task is final, and answers it, whether it succeeded or failed. A restart of the server is waited for. */
  async wait(id: string, { timeoutMs, signal, onUpdate }: UpdateOptions<Task> = {}): Promise<Task> {
    const limit = new WaitLimit(id, timeoutMs, signal)
    try {
      const tasks = onUpdate === undefined ? this.#poll(id, limit.signal) : this.watch(id, limit)
      for await (const task of tasks) {
        onUpdate?.(task)
        if (isFinal(task)) return task
      }
      throw new ConnectionError("The task's changes ended before it was final.", {
        code: "unexpected_answer",
        taskId: id,
      })
    } catch (error) {
      throw limit.explain(error)
    } finally {
      limit.clear()
    }
  }

  /** The task now and at every change, until it is final. By event stream; by long polls where streams do not pass. */
  async *watch(id: string, { signal }: CallOptions = {}): AsyncGenerator<Task, void, undefined> {
    let [failures, lastEventId]: [number, string | undefined] = [0, undefined]
    for (;;) {
      try {
        for await (const { id: eventId, task } of this.#events(id, lastEventId, signal)) {
          ;[failures, lastEventId] = [0, eventId]
          yield task
          if (isFinal(task)) return
        }
        failures += 1
      } catch (error) {
        if (!(error instanceof AtelierError) || (error.status !== undefined && !error.retryable))
          throw about(error, { taskId: id })
        if (streamsDoNotPass(error)) return yield* this.#poll(id, signal)
        failures += 1
      }
      if (failures > 2) return yield* this.#poll(id, signal)
      await this.#transport.pause(failures - 1, undefined, signal)
    }
  }

  /**
   * Cancels the task while it is queued, and answers it; a task that is canceled already is answered, too. One that
   * has begun is refused with `task_not_cancelable`.
   */
  async cancel(id: string, { signal }: CallOptions = {}): Promise<Task> {
    const request = { method: "POST", path: `${pathOf(id)}/cancel`, signal } as const
    try {
      // Repeated at will: canceling twice is canceling once.
      return await this.#transport.json<Task>(request, (body) => isTask(body, id))
    } catch (error) {
      const isRefused = error instanceof AtelierError && error.code === "task_not_cancelable"
      const task = isRefused ? await this.get(id, { signal }) : undefined
      if (task?.error?.code === "canceled") return task
      throw error
    }
  }

  /** Every step of the task with its time and what it moved on the account: why it was charged. */
  async history(id: string, { signal }: CallOptions = {}): Promise<ReadonlyArray<HistoryEntry>> {
    const request = { path: `${pathOf(id)}/history`, signal }
    return (await this.#transport.json<{ data: ReadonlyArray<HistoryEntry> }>(request, isList)).data
  }

  /** The key's own tasks, newest first, over all pages. */
  async *list({
    state,
    model,
    after,
    pageSize,
    signal,
  }: ListOptions = {}): AsyncGenerator<Task, void, undefined> {
    interface Page {
      readonly data: ReadonlyArray<Task>
      readonly has_more: boolean
      readonly last_id: string | null
    }
    for (let last = after; ; ) {
      const query = new URLSearchParams()
      if (state !== undefined) query.set("state", state)
      if (model !== undefined) query.set("model", model)
      if (pageSize !== undefined) query.set("limit", String(pageSize))
      if (last !== undefined) query.set("after", last)
      const page = await this.#transport.json<Page>({ path: `/tasks?${query}`, signal }, isList)
      yield* page.data
      if (!page.has_more || page.last_id === null || page.last_id === last) return
      last = page.last_id
    }
  }

  /** By long polls: the task now and whenever it has changed. Rides out failures of the connection and of the server. */
  async *#poll(id: string, signal: AbortSignal | undefined): AsyncGenerator<Task, void, undefined> {
    let last = ""
    let wait = 0
    for (;;) {
      const request = { path: `${pathOf(id)}?wait=${wait}`, signal }
      const attempt = async () =>
        decode<Task>(await this.#transport.send(request), (body) => isTask(body, id))
      const task = await this.#transport
        .retrying(attempt, signal, waitFailuresMax)
        .catch((error: unknown) => {
          throw about(error, { taskId: id })
        })
      const text = JSON.stringify(task)
      if (text !== last) yield task
      if (isFinal(task)) return
      last = text
      wait = Math.min(pollSecondsMax, this.#transport.requestTimeoutMs / 2000)
    }
  }

  async *#events(id: string, lastEventId: string | undefined, signal: AbortSignal | undefined) {
    const deadline = new Deadline(this.#transport.requestTimeoutMs, signal)
    const headers: Record<string, string> = { accept: "text/event-stream" }
    if (lastEventId !== undefined) headers["last-event-id"] = lastEventId
    try {
      const response = await this.#transport.open({ path: `${pathOf(id)}/events`, headers }, deadline.signal)
      if (!response.headers.get("content-type")?.startsWith("text/event-stream") || response.body === null) {
        throw new ConnectionError("The server answered no event stream.", { code: noStream })
      }
      for await (const event of new ServerSentEvents(response.body, () => deadline.extend(silenceMsMax))) {
        if (event.event !== "task") continue
        const reply = { status: 200, headers: response.headers, text: event.data }
        yield { id: event.id, task: decode<Task>(reply, (body) => isTask(body, id)) }
      }
    } catch (cause) {
      throw deadline.explain(cause)
    } finally {
      deadline.clear()
    }
  }
}

const noStream = "no_event_stream"
const streamsDoNotPass = ({ code }: AtelierError): boolean =>
  code === noStream || code === "too_many_connections"

/** The caller's patience with a task: its signal, and a time after which the error names the task. */
class WaitLimit {
  readonly #id: string
  readonly #timeoutMs: number | undefined
  readonly #outer: AbortSignal | undefined
  readonly #deadline: Deadline | undefined

  constructor(id: string, timeoutMs: number | undefined, outer: AbortSignal | undefined) {
    this.#id = id
    this.#timeoutMs = timeoutMs
    this.#outer = outer
    this.#deadline = timeoutMs === undefined ? undefined : new Deadline(timeoutMs, outer)
  }

  get signal(): AbortSignal | undefined {
    return this.#deadline?.signal ?? this.#outer
  }

  explain(error: unknown): unknown {
    if (this.#outer?.aborted || !this.#deadline?.signal.aborted) return about(error, { taskId: this.#id })
    const message = `The task ${this.#id} was not final within ${this.#timeoutMs} ms; it goes on.`
    return new WaitTimeoutError(message, { code: "wait_timeout", taskId: this.#id })
  }

  clear(): void {
    this.#deadline?.clear()
  }
}

const pathOf = (id: string): string => {
  if (!/^[a-z0-9_]+$/.test(id)) throw invalidArgument("id", "must be the id of a task")
  return `/tasks/${id}`
}

/** Whether an answer is a task, and the one that was asked for. */
export const isTask = (body: object, id?: string): boolean =>
  "object" in body &&
  (body.object === "image.task" || body.object === "tool.task") &&
  "id" in body &&
  typeof body.id === "string" &&
  (id === undefined || body.id === id)

export const isList = (body: object): boolean =>
  "object" in body && body.object === "list" && "data" in body && Array.isArray(body.data)
