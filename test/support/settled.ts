import { expect } from "vitest"
import { type Books, transferFaults } from "./books.ts"
import type { Load, Wish } from "./load.ts"
import { type Account, at, call } from "./server.ts"

const everyFinal = ["completed", "succeeded", "failed"]
/** A task that was interrupted often waits up to a minute for its next run; a request waits no longer either. */
const waits_max = 3

interface Seen {
  readonly status: number
  readonly state: string
  readonly body: unknown
}

const finalTask = async (url: string, { key }: Account, id: string): Promise<Seen> => {
  let seen: Seen = { status: 0, state: "", body: null }
  for (let wait = 0; wait < waits_max && !everyFinal.includes(seen.state); wait++) {
    const { status, body } = await call(`${url}/v1/tasks/${id}?wait=60`, { key })
    seen = { status, state: String(at(body, "state") ?? at(body, "status")), body }
  }
  return seen
}

/** As its prompt asks; a task that was interrupted very often is given up, and refunded. */
const isExpected = (wish: Wish, task: Seen | undefined): boolean => {
  const fails = wish.kind === "image" && /fail|reject/.test(wish.prompt)
  const succeeded = task?.state === "completed" || task?.state === "succeeded"
  return fails !== succeeded || at(task?.body, "error.code") === "worker_failed"
}

const finalSteps = async (url: string, { key }: Account, id: string): Promise<number> => {
  const { body } = await call(`${url}/v1/tasks/${id}/history`, { key })
  const steps = at(body, "data")
  return Array.isArray(steps)
    ? steps.filter((step) => everyFinal.includes(String(at(step, "to")))).length
    : -1
}

/**
 * What holds of a load that has stopped, whatever happened to its servers: every wish has one task, which becomes
 * final, once, as its prompt asks, and whose images can be read. Answers how many tasks ended in each state.
 */
export const expectSettled = async (
  load: Load,
  url: string,
  account: Account,
): Promise<ReadonlyMap<string, number>> => {
  expect(load.faults).toEqual([])
  const accepted = load.wishes.flatMap(({ task }) => task ?? [])
  expect(accepted).toHaveLength(load.wishes.length)
  expect(new Set(accepted).size).toBe(accepted.length)
  const tasks = new Map<string, Seen>()
  for (const id of accepted) tasks.set(id, await finalTask(url, account, id))
  const unknown = [...tasks].filter(([, { status, state }]) => status !== 200 || !everyFinal.includes(state))
  expect(unknown).toEqual([])
  const strange = load.wishes.filter((wish) => !isExpected(wish, tasks.get(wish.task ?? "")))
  expect(strange.map(({ task, prompt }) => [prompt, tasks.get(task ?? "")])).toEqual([])
  for (const id of accepted) expect([id, await finalSteps(url, account, id)]).toEqual([id, 1])
  for (const [, { body }] of tasks) {
    const image = at(body, "result_url")
    if (typeof image === "string") expect((await fetch(image, { method: "HEAD" })).status).toBe(200)
  }
  const states = Map.groupBy([...tasks.values()], ({ state }) => state)
  return new Map([...states].map(([state, all]) => [state, all.length]))
}

/** Nothing is lost, nothing is there twice, and every unit is where it belongs. */
export const expectExact = (books: Books, tasks: number): void => {
  expect(books).toMatchObject({ wrong: [], tasks, unfinished: 0, jobs: 0 })
  expect(transferFaults(books.transfers)).toEqual([])
}
