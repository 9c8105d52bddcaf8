import { Worker } from "node:worker_threads"
import { locateModule, siblingModule } from "@atelier/intake"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { PictureOrder, SheetOrder } from "./Picture.ts"
import type { RenderReply, RenderRequest } from "./RenderWorker.ts"

/** The picture could not be made; `retryable` if the thread was terminated from outside. */
export class RenderFailed extends Schema.TaggedError<RenderFailed>()("RenderFailed", {
  message: Schema.String,
  retryable: Schema.Boolean,
}) {}

/** Makes PNG pictures in a thread of its own, so that neither drawing nor compression blocks the event loop. */
export interface Renderer {
  readonly render: (order: PictureOrder | SheetOrder) => Effect.Effect<Uint8Array, RenderFailed>
}

type Waiting = Map<number, (reply: RenderReply) => void>

interface Thread {
  readonly worker: Worker
  readonly waiting: Waiting
}

/** URL of what draws in a thread. */
export const drawingModule = siblingModule("RenderWorker", import.meta.url)

/** The thread starts with the first picture, is replaced when it dies, and ends with the scope. */
export const make: Effect.Effect<Renderer, never, Scope.Scope> = Effect.gen(function* () {
  const program = new URL(yield* locateModule("drawing", drawingModule))
  let thread: Thread | undefined
  let orders = 0
  yield* Effect.addFinalizer(() =>
    Effect.promise(async () => {
      thread?.worker.ref()
      await thread?.worker.terminate()
    }),
  )

  const start = (): Thread => {
    const waiting: Waiting = new Map()
    const worker = new Worker(program, { execArgv: [] })
    const started = { worker, waiting }
    const end = (error: string, retryable: boolean) => {
      if (thread === started) thread = undefined
      for (const [id, answer] of waiting) answer({ id, error, retryable })
      waiting.clear()
    }
    worker.on("message", (reply: RenderReply) => {
      const answer = waiting.get(reply.id)
      waiting.delete(reply.id)
      // An idle thread keeps no process alive. The answer comes last: it may order another picture.
      if (waiting.size === 0) worker.unref()
      answer?.(reply)
    })
    worker.on("error", (error) => end(String(error), false))
    worker.on("exit", () => end("the drawing thread ended", true))
    return started
  }

  return {
    render: (order) =>
      Effect.callback<Uint8Array, RenderFailed>((resume) => {
        thread ??= start()
        const { waiting, worker } = thread
        const id = ++orders
        waiting.set(id, (reply) =>
          resume(
            "png" in reply
              ? Effect.succeed(reply.png)
              : Effect.fail(new RenderFailed({ message: reply.error, retryable: reply.retryable })),
          ),
        )
        worker.ref()
        worker.postMessage({ id, order } satisfies RenderRequest)
        return Effect.sync(() => void waiting.delete(id))
      }),
  }
})
