import { Atelier, type Task } from "@atelier/client"
import { controlPaths, type Fault, faults, type Plan } from "./faults.ts"

/** One call of the client, as Node and a browser make it. */
interface ClientCall {
  readonly name: string
  /** Tasks that there are before it. */
  readonly before?: (direct: Atelier) => Promise<string>
  /** Whether it needs a server that begins no task. */
  readonly isBusy?: boolean
  /** Its answer without what differs from run to run. */
  readonly run: (atelier: Atelier, id: string) => Promise<unknown>
  /** Tasks that the account has at the end. */
  readonly tasks: number
}

const text = "# Title\n\nWords of a document.\n"
const image = { model: "gen-image-2", prompt: "a heron at dawn", size: "256x256" }
/** A PNG of one pixel. */
const pixel = Uint8Array.from(
  atob("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="),
  (character) => character.charCodeAt(0),
)
/** Ends at once, and nothing is drawn for it. */
const failing = { model: "test-image", prompt: "[fail]" }
const submitted = async (direct: Atelier) => (await direct.images.submit(failing)).id
const finished = async (direct: Atelier) => (await direct.tasks.wait(await submitted(direct))).id
const stateOf = (task: Task) => (task.object === "image.task" ? task.state : task.status)

const collect = async <A>(items: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const item of items) all.push(item)
  return all
}

/** Every call that sends something. */
export const calls: ReadonlyArray<ClientCall> = [
  {
    name: "images.submit",
    run: async (atelier) => {
      const { id } = await atelier.images.submit(failing)
      return stateOf(await atelier.tasks.wait(id))
    },
    tasks: 1,
  },
  {
    name: "images.generate",
    run: async (atelier) => {
      const { state, assets } = await atelier.images.generate(image)
      return [state, assets?.length]
    },
    tasks: 1,
  },
  {
    name: "images.subscribe",
    run: async (atelier) => {
      const seen: Array<Task> = []
      const onUpdate = (task: Task) => seen.push(task)
      const { id, state } = await atelier.images.subscribe(
        { ...image, prompt: "[slow 0.1s] a heron" },
        { onUpdate },
      )
      return [
        state,
        seen.every((task) => task.id === id),
        seen.filter((task) => stateOf(task) === "completed").length,
      ]
    },
    tasks: 1,
  },
  {
    name: "images.edit",
    run: async (atelier) => {
      const { state, assets } = await atelier.images.edit({ ...image, image: new Blob([pixel]) })
      return [state, assets?.length]
    },
    tasks: 1,
  },
  {
    name: "images.quote",
    run: async (atelier) => (await atelier.images.quote(image)).quota_units,
    tasks: 0,
  },
  {
    name: "documents.parse",
    run: async (atelier) => {
      const { markdown, json, task } = await atelier.documents.parse(new Blob([text]), {
        filename: "note.md",
      })
      return [markdown === text, json?.markdown === text, stateOf(task)]
    },
    tasks: 1,
  },
  {
    name: "tasks.get",
    before: finished,
    run: async (atelier, id) => stateOf(await atelier.tasks.get(id)),
    tasks: 1,
  },
  {
    name: "tasks.wait",
    before: submitted,
    run: async (atelier, id) => stateOf(await atelier.tasks.wait(id)),
    tasks: 1,
  },
  {
    name: "tasks.watch",
    before: submitted,
    run: async (atelier, id) => (await collect(atelier.tasks.watch(id))).map(stateOf).at(-1),
    tasks: 1,
  },
  {
    name: "tasks.cancel",
    isBusy: true,
    before: submitted,
    run: async (atelier, id) => (await atelier.tasks.cancel(id)).error?.code,
    tasks: 1,
  },
  {
    name: "tasks.history",
    before: finished,
    run: async (atelier, id) => (await atelier.tasks.history(id)).map(({ to }) => to).at(-1),
    tasks: 1,
  },
  {
    name: "tasks.list",
    before: async (direct) => {
      for (let count = 0; count < 2; count++) await submitted(direct)
      return await finished(direct)
    },
    run: async (atelier) => (await collect(atelier.tasks.list({ pageSize: 2 }))).length,
    tasks: 3,
  },
  {
    name: "models.list and get",
    run: async (atelier) => {
      const models = await atelier.models.list()
      return [models.length, (await atelier.models.get("gen-image-2")).id]
    },
    tasks: 0,
  },
  {
    name: "tools.list",
    run: async (atelier) => (await atelier.tools.list()).map(({ id }) => id),
    tasks: 0,
  },
  {
    name: "balance",
    before: finished,
    run: async (atelier) => {
      const { wallet, held, spent, granted } = await atelier.balance()
      return [held, wallet + held + spent === granted]
    },
    tasks: 1,
  },
]

/** One of each way in which the client uses its runtime: `fetch` with retries, event streams, forms, lists. */
export const ways = calls.filter(({ name }) =>
  ["images.submit", "tasks.watch", "documents.parse", "tasks.list"].includes(name),
)

/** The suite against a proxy. */
export class Suite {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /** What a call asks and answers where nothing fails. */
  async undisturbed(
    call: ClientCall,
  ): Promise<{ readonly log: ReadonlyArray<string>; readonly answer: unknown }> {
    const { log, answer } = await this.#run(call, [])
    return { log, answer }
  }

  /** What is wrong after a call under faults; undefined where it ends as if nothing had happened. */
  async problem(
    call: ClientCall,
    plans: ReadonlyArray<Plan>,
    expected: unknown,
  ): Promise<string | undefined> {
    const what = `${call.name}, ${plans.map(({ at, fault }) => `${fault} at ${at}`).join(", ")}`
    try {
      const { answer, tasks, log } = await this.#run(call, plans)
      const said = (value: unknown) => JSON.stringify(value)
      if (said(answer) !== said(expected))
        return `${what}: ${said(answer)} in place of ${said(expected)} (${log})`
      return tasks === call.tasks ? undefined : `${what}: ${tasks} tasks in place of ${call.tasks} (${log})`
    } catch (error) {
      return `${what}: ${String(error)}`
    }
  }

  async #run(call: ClientCall, plans: ReadonlyArray<Plan>) {
    const url = call.isBusy === true ? `${this.#url}/busy` : this.#url
    const control = async (path: string, body: unknown = {}) =>
      (await fetch(url + path, { method: "POST", body: JSON.stringify(body) })).json()
    const key = String(await control(controlPaths.account))
    const direct = new Atelier({ apiKey: key, baseURL: url })
    const id = (await call.before?.(direct)) ?? ""
    await control(controlPaths.reset, { key, plans })
    const atelier = new Atelier({
      apiKey: key,
      baseURL: `${url}/v1/`,
      retryDelayMs: 1,
      // What is waited for: a fault that is silent, or a machine that is slow.
      requestTimeoutMs: plans.some(({ fault }) => fault === "silent") ? 1500 : 60_000,
    })
    const answer = await call.run(atelier, id)
    const log = (await control(controlPaths.log, { key })) as ReadonlyArray<string>
    await control(controlPaths.reset, { key, plans: [] })
    return { answer, log, tasks: (await collect(direct.tasks.list({ pageSize: 100 }))).length }
  }
}

/** Runs every row of the retry table for a call, some at a time; what is wrong. */
export const problemsOf = async (suite: Suite, call: ClientCall): Promise<ReadonlyArray<string>> => {
  const { log, answer } = await suite.undisturbed(call)
  const rows = [...table(log), ...twice(log, "lost"), ...twice(log, "gateway-after")].values()
  const problems: Array<string> = []
  const worker = async (): Promise<void> => {
    for (const plans of rows) {
      const problem = await suite.problem(call, plans, answer)
      if (problem !== undefined) problems.push(problem)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return problems
}

/** Fewer than the connections that a browser opens to one host. */
const atOnce = 4

/** Every request of a call with every fault: the retry table. */
const table = (log: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<Plan>> =>
  log.flatMap((_, at) => faults.map((fault) => [{ at, fault }]))

/** The same fault twice in a row, for what is asked again. */
const twice = (log: ReadonlyArray<string>, fault: Fault): ReadonlyArray<ReadonlyArray<Plan>> =>
  log.map((_, at) => [
    { at, fault },
    { at: at + 1, fault },
  ])
