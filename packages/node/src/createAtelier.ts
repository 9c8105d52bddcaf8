import type { WireHistoryEntry } from "@atelier/api"
import { type FinishedHandler, FinishedTasks, ModelCatalog, ToolCatalog } from "@atelier/core"
import { SettingRefused } from "@atelier/plugin"
import type { ForeignClient } from "@atelier/sql"
import * as Effect from "effect/Effect"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Stream from "effect/Stream"
import { AtelierError } from "./AtelierError.ts"
import {
  type ImageSubmission,
  makeTaskCalls,
  makeUserCalls,
  type Quote,
  quoteImage,
  shown,
  submitImage,
  type TransactionCalls,
} from "./calls.ts"
import {
  type DocumentSubmission,
  type DocumentUpload,
  submitDocument,
  type UploadedFile,
  uploadDocument,
} from "./documents.ts"
import { compose, livingParts, type Parts } from "./Live.ts"
import type { AtelierOptions } from "./Options.ts"
import { type CallOptions, errorOf, Runner } from "./Runner.ts"
import { bodyEffect, makeWithin, runTransaction, type Tx } from "./Transactions.ts"
import {
  cancelTask,
  changesOf,
  type ListOptions,
  listPage,
  readMedia,
  resultOf,
  type TaskResult,
  waitFor,
} from "./taskCalls.ts"
import type { DocumentTask, ImageTask, Task } from "./tasks.ts"

/** The service inside this process. */
export interface Atelier {
  readonly users: TransactionCalls["users"]
  readonly images: {
    /** Accepts a task: checked, priced, its fee held. It is made by a worker, and paid when it is delivered. */
    readonly submit: <const M extends string>(
      submission: ImageSubmission<M>,
      options?: CallOptions,
    ) => Promise<ImageTask>
    /** What a submission would hold. Nothing is held. */
    readonly quote: <const M extends string>(
      submission: ImageSubmission<M>,
      options?: CallOptions,
    ) => Promise<Quote>
    /** The bytes of an archived image, by its address in a task; undefined where there is none. */
    readonly read: (
      url: string,
      options?: CallOptions,
    ) => Promise<{ readonly data: Uint8Array; readonly contentType: string } | undefined>
    /** The models that there are. */
    readonly models: () => Promise<ReadonlyArray<string>>
  }
  readonly documents: {
    /** Uploads a document and submits it to a tool. */
    readonly submit: (submission: DocumentSubmission, options?: CallOptions) => Promise<DocumentTask>
    /** Uploads a document for a tool, to submit it later, or in a transaction. */
    readonly upload: (upload: DocumentUpload, options?: CallOptions) => Promise<UploadedFile>
    /** The tools that there are. */
    readonly tools: () => Promise<ReadonlyArray<string>>
  }
  readonly tasks: {
    readonly get: (id: string, options?: CallOptions) => Promise<Task>
    /** The task once it is final, however it ended. */
    readonly wait: (id: string, options?: CallOptions) => Promise<Task>
    /** The task now and after every change, the final state last. */
    readonly watch: (id: string, options?: CallOptions) => AsyncIterable<Task>
    /**
     * Ends a task that has not begun, and gives its fee back. One that runs on a channel that can cancel is asked to
     * stop, and comes back as it is. Refuses with `task_not_cancelable` otherwise.
     */
    readonly cancel: (id: string, options?: CallOptions) => Promise<Task>
    /** Every step with its time and its transfers. */
    readonly history: (id: string, options?: CallOptions) => Promise<ReadonlyArray<WireHistoryEntry>>
    /** Newest first, over all pages. */
    readonly list: (options?: ListOptions & CallOptions) => AsyncIterable<Task>
    /** What a finished task made: its images, or its Markdown and JSON. */
    readonly result: (id: string, options?: CallOptions) => Promise<TaskResult>
  }
  /**
   * Runs a body in one transaction: what it does through `tx`, and its own statements, are there with the commit, or
   * nothing is. The body keeps to the database: it has 3 seconds (`transaction_body_ms`), and may run again after a
   * conflict on Postgres.
   */
  readonly transaction: <A>(body: (tx: Tx) => Promise<A>) => Promise<A>
  /**
   * Postgres: the same calls in the transaction that you have begun on your own client. Workers are woken by your
   * commit; your rollback undoes all of it.
   */
  readonly within: (client: ForeignClient) => TransactionCalls
  /**
   * Calls the handler for every final task, in the transaction that makes it final where this process does that, or
   * in one after it. What the handler writes through `tx` is there exactly once; what else it does, at least once.
   * Tasks that were missed, by a restart or because the handler threw, are told later. Returns what ends the calls.
   */
  readonly onFinished: (handler: (task: Task, tx: Tx) => Promise<unknown>) => () => void
  /**
   * Ends the notices of final tasks, for every process on the database, until the next `onFinished`: for an
   * application that has removed its handler. Handlers of this process are called no more.
   */
  readonly forgetFinished: (options?: CallOptions) => Promise<void>
  /** Stops accepting, finishes or hands back what runs, and closes the database. */
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

type Handler = Parameters<Atelier["onFinished"]>[0]

/** Iterates over what a stream gives; leaving the loop ends the stream. */
async function* iterate<A>(
  runner: Runner,
  stream: Stream.Stream<A, unknown>,
  signal: AbortSignal | undefined,
) {
  const iterator = Stream.toAsyncIterable(stream)[Symbol.asyncIterator]()
  let aborted: (() => void) | undefined
  const abortion =
    signal === undefined
      ? undefined
      : new Promise<never>((_, reject) => {
          aborted = () => reject(signal.reason)
          if (signal.aborted) aborted()
          else signal.addEventListener("abort", aborted, { once: true })
        })
  abortion?.catch(() => {})
  try {
    runner.requireCallable()
    for (;;) {
      const next = await (abortion === undefined
        ? iterator.next()
        : Promise.race([iterator.next(), abortion]))
      if (next.done === true) return
      yield next.value
    }
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : errorOf(error)
  } finally {
    if (aborted !== undefined) signal?.removeEventListener("abort", aborted)
    void iterator.return?.()
  }
}

/**
 * Starts the service inside this process. Throws an `AtelierError` with `invalid_setting` where an option is wrong,
 * and with `storage_unavailable` where the database cannot be opened.
 */
export const createAtelier = (options: AtelierOptions): Promise<Atelier> =>
  startAtelier(options, () => livingParts(options))

/** Starts a service of some parts. */
export const startAtelier = async (options: AtelierOptions, partsOf: () => Parts): Promise<Atelier> => {
  const current: { handler: FinishedHandler | undefined } = { handler: undefined }
  const handlers = new Set<Handler>()
  const runtime = ManagedRuntime.make(layerOf(() => compose(options, current, partsOf())))
  const runner = new Runner(runtime)
  const context = await runner.start()
  const { run } = runner

  let listening: Promise<void> | undefined
  const listen = () => {
    listening ??= Effect.runPromiseWith(context)(Effect.flatMap(FinishedTasks, ({ listen }) => listen)).catch(
      (error: unknown) => {
        listening = undefined
        throw errorOf(error)
      },
    )
    return listening
  }

  const onFinished = (handler: Handler) => {
    runner.requireCallable()
    handlers.add(handler)
    current.handler = (task) =>
      Effect.flatMap(shown(task), (object) =>
        bodyEffect(runner, async (tx) => {
          for (const each of handlers) await each(object, tx)
        }),
      ).pipe(Effect.provideContext(context), Effect.mapError(causeOf))
    // A call that does not know whether notices are kept fails, and can be repeated.
    runner.gate = listen
    listen().catch(() => {})
    return () => {
      handlers.delete(handler)
      if (handlers.size === 0) current.handler = undefined
    }
  }

  async function* list({ signal, ...query }: ListOptions & CallOptions = {}): AsyncGenerator<Task> {
    let left = query.limit ?? Number.POSITIVE_INFINITY
    let after: string | undefined
    while (left > 0) {
      const page = await run(listPage(query, after, left), { signal })
      yield* page.tasks
      left -= page.tasks.length
      if (page.isLast) return
      after = page.last
    }
  }

  const forgetFinished = async (given?: CallOptions) => {
    handlers.clear()
    current.handler = undefined
    runner.gate = async () => {}
    listening = undefined
    await run(
      Effect.flatMap(FinishedTasks, ({ unlisten }) => unlisten),
      given,
    )
  }

  const close = () => runner.close()
  return {
    users: makeUserCalls(run),
    images: {
      submit: (submission, given) => run(submitImage(submission), given),
      quote: (submission, given) => run(quoteImage(submission), given),
      read: (url, given) => run(readMedia(url), given),
      models: () =>
        run(
          Effect.flatMap(ModelCatalog, ({ entries }) =>
            Effect.map(entries, (all) => all.filter(({ enabled }) => enabled).map(({ model }) => model.id)),
          ),
        ),
    },
    documents: {
      submit: (submission, given) => run(submitDocument(submission), given),
      upload: (upload, given) => run(uploadDocument(upload), given),
      tools: () =>
        run(
          Effect.flatMap(ToolCatalog, ({ entries }) =>
            Effect.map(entries, (all) =>
              all.filter(({ published }) => published).map(({ executor }) => executor.definition.id),
            ),
          ),
        ),
    },
    tasks: {
      ...makeTaskCalls(run),
      cancel: (id, given) => run(cancelTask(id), given),
      wait: (id, given) => run(waitFor(id), given),
      watch: (id, { signal } = {}) => iterate(runner, Stream.provideContext(changesOf(id), context), signal),
      list,
      result: (id, given) => run(resultOf(id), given),
    },
    transaction: (body) => runTransaction(runner, body),
    within: (client) => makeWithin(runner, context, client),
    onFinished,
    forgetFinished,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const layerOf = <A>(make: () => A): A => {
  try {
    return make()
  } catch (error) {
    if (error instanceof SettingRefused) throw errorOf(error)
    throw error
  }
}

/** What the log says of a handler that failed: what it threw. */
const causeOf = (failure: unknown): unknown =>
  failure instanceof AtelierError ? failure : "thrown" in Object(failure) ? Object(failure).thrown : failure
