import { AssertionError } from "node:assert"
import { Callback, Downloads, Executors, ImageModels, ReferenceImages, Workers } from "@atelier/core"
import { ParsingPool } from "@atelier/intake"
import { Catalog, Outgoing } from "@atelier/models"
import { imageFamilies, loadPlugins } from "@atelier/plugin"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Atelier, startAtelier } from "../createAtelier.ts"
import { type Parts, toolsOf } from "../Live.ts"
import type { AtelierOptions } from "../Options.ts"
import { isFinal, type Task } from "../tasks.ts"
import { type Assertions, makeAssertions } from "./assertions.ts"
import {
  type DocumentAnswer,
  type DocumentRequest,
  scriptedTool,
  type UploadAnswer,
} from "./documentTools.ts"
import { makeDrain } from "./drain.ts"
import { Parked } from "./Parked.ts"
import { Script } from "./Script.ts"
import { makeReadSubmitted, type SubmittedTask } from "./submitted.ts"
import { JumpClock, type Span } from "./TestClock.ts"
import { scriptedChannel, type UpstreamAnswer, type UpstreamRequest } from "./upstream.ts"

/** Options of the application under test; without those of storage and upstreams, which a test has none of. */
export interface TestAtelierOptions
  extends Pick<
    AtelierOptions,
    "plugins" | "tools" | "models" | "limits" | "unitsPerUsd" | "mediaUrl" | "directory" | "log"
  > {
  /** Users that there are, with their opening balances in US dollars: `{ "customer-42": "10" }`. */
  readonly users?: { readonly [id: string]: string | number }
  /** What the clock shows at the start; the time of the machine where absent. */
  readonly now?: Date
}

/** What a `drain` did. */
export interface Drained {
  /** Tasks that became final, in that order. */
  readonly finished: ReadonlyArray<Task>
  /** Tasks that are not final: they wait for a later time, or for an answer that does not come. */
  readonly waiting: ReadonlyArray<Task>
}

/** The service of `createAtelier`, all in memory: what upstreams and tools answer is in the test's hands, and the time. */
export interface TestAtelier extends Atelier, Assertions {
  /** What the upstreams of all models answer, and what was asked of them. A white image of the asked size by default. */
  readonly upstream: Script<UpstreamRequest, UpstreamAnswer>
  /** What the document tools make, and what they were given. A heading with the file's name by default. */
  readonly documentTools: Script<DocumentRequest, DocumentAnswer>
  /** Which uploads the document tools accept: all by default. */
  readonly uploads: Script<DocumentRequest, UploadAnswer>
  readonly clock: {
    readonly now: () => Date
    /** Moves the time forward in one jump; what is due by then is run by the next `drain`. */
    readonly advance: (span: Span) => void
  }
  /**
   * Runs everything that is due: accepted tasks, callbacks, deadlines, clean-ups, `onFinished`. Nothing runs without
   * it, except that `tasks.wait` drains. Throws what a handler of `onFinished` threw; the task stays final, and the
   * handler is called again by a `drain` after a second of the clock.
   */
  readonly drain: () => Promise<Drained>
  /** Every task that was submitted, the first one first, with what was asked for. */
  readonly submitted: () => Promise<ReadonlyArray<SubmittedTask>>
}

/** Everything is small, and nothing needs a file. */
const inMemoryBytesMax = 64 * 1024 * 1024

/** Every callback is delivered, to no server. */
const callbacks = Layer.succeed(Callback, { check: () => Effect.void, post: () => Effect.succeed(204) })
const offline = Layer.mergeAll(callbacks, Downloads.layerOffline, ReferenceImages.layerUnchecked)

/** A service for tests: in memory, without files, processes and network. */
export const createTestAtelier = async ({
  users = {},
  now = new Date(),
  ...given
}: TestAtelierOptions = {}): Promise<TestAtelier> => {
  const options: AtelierOptions = {
    ...given,
    database: "sqlite::memory:",
    limits: { small_document_bytes_max: inMemoryBytesMax, ...given.limits },
  }
  const clock = new JumpClock(now.getTime())
  const parked = new Parked()
  const upstream = new Script<UpstreamRequest, UpstreamAnswer>({})
  const documentTools = new Script<DocumentRequest, DocumentAnswer>({})
  const uploads = new Script<DocumentRequest, UploadAnswer>({})
  const channel = { channel: scriptedChannel(upstream, parked), models: ["*"] }

  const tools = Effect.map(toolsOf(options), (all) =>
    all.map(({ definition }) => scriptedTool(definition, documentTools, uploads, parked)),
  )
  const models = Effect.gen(function* () {
    const plugins = yield* loadPlugins(options.plugins ?? [], options.directory ?? ".")
    const families = yield* imageFamilies({ models: options.models ?? {}, plugins })
    return Catalog.make({ families, channels: [channel] })
  })
  let drainAll: Effect.Effect<void, unknown> = Effect.void
  let readAll: Effect.Effect<ReadonlyArray<SubmittedTask>, unknown> = Effect.succeed([])
  const parts: Parts = {
    executors: Layer.provide(Layer.effect(Executors, tools), ParsingPool.layerIdle),
    models: Layer.effect(ImageModels, models),
    outgoing: Layer.merge(Outgoing.layer({ allowPrivate: [] }), offline),
    workers: Layer.effectDiscard(
      Effect.gen(function* () {
        drainAll = yield* makeDrain(parked)
        readAll = yield* makeReadSubmitted
      }),
    ).pipe(Layer.provide(Workers.RunJob.layer)),
    clock: Layer.succeed(Clock.Clock, clock),
  }

  const atelier = await startAtelier(options, () => parts)
  for (const [id, balanceUsd] of Object.entries(users)) await atelier.users.ensure(id, { balanceUsd })
  const submitted = () => Effect.runPromise(readAll)
  const thrown: Array<unknown> = []

  const drainOnce = async (): Promise<Drained> => {
    const before = await submitted()
    const open = new Set(before.filter(({ task }) => !isFinal(task)).map(({ task }) => task.id))
    await Effect.runPromise(drainAll)
    const tasks = (await submitted()).map(({ task }) => task)
    const known = new Set(before.map(({ task }) => task.id))
    return {
      finished: tasks.filter((task) => isFinal(task) && (open.has(task.id) || !known.has(task.id))),
      waiting: tasks.filter((task) => !isFinal(task)),
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  const drainInTurn = (): Promise<Drained> => {
    const next = last.then(drainOnce)
    last = next.catch(() => {})
    return next
  }

  return {
    ...atelier,
    ...makeAssertions({ submitted, balance: atelier.users.balance, unitsPerUsd: options.unitsPerUsd }),
    upstream,
    documentTools,
    uploads,
    submitted,
    clock: { now: () => new Date(clock.currentTimeMillisUnsafe()), advance: (span) => clock.jump(span) },
    drain: async () => {
      const drained = await drainInTurn()
      if (thrown.length > 0) throw thrown.splice(0)[0]
      return drained
    },
    onFinished: (handler) =>
      atelier.onFinished(async (task, tx) => {
        try {
          await handler(task, tx)
        } catch (error) {
          thrown.push(error)
          throw error
        }
      }),
    tasks: {
      ...atelier.tasks,
      wait: async (id, given) => {
        await drainInTurn()
        const task = await atelier.tasks.get(id, given)
        if (isFinal(task)) return task
        throw new AssertionError({ message: notFinal(task), operator: "wait" })
      },
      watch: (id, given) => {
        void drainInTurn().catch(() => {})
        return atelier.tasks.watch(id, given)
      },
    },
  }
}

const notFinal = (task: Task): string =>
  `${task.id} waits for a later time, or for an answer that does not come: it is still ${
    task.object === "image.task" ? task.state : task.status
  } after everything that is due was run. Move the clock (\`clock.advance("1 minute")\`) and \`drain\`.`
