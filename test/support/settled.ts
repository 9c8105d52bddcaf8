import { type Books, transferFaults } from "./books.ts"
import type { Load, Wish } from "./load.ts"
import type { Outside } from "./outside.ts"
import { type Account, at, call } from "./server.ts"

const everyFinal = ["completed", "succeeded", "failed"]
/** A task that was often interrupted waits up to a minute for its next run; so does a request at most. */
const waitsMax = 3
const callbackWaitsMax = 120
const callbackWaitMs = 500

interface Seen {
  readonly status: number
  readonly state: string
  readonly body: unknown
}

/** What must not happen, whatever happened to the servers; and what was checked. */
export interface Findings {
  /** Accepted, but missing: tasks, results, callbacks. */
  readonly lost: Array<string>
  /** Duplicated: tasks of one key, final states, paid generations, money. */
  readonly doubled: Array<string>
  /** Not final, still held, or not agreeing with the ledger. */
  readonly unsettled: Array<string>
  /** Ended differently from what its request asks. */
  readonly unexpected: Array<string>
  readonly states: Record<string, number>
  readonly looked: {
    tasks: number
    results: number
    callbacks: number
    generations: number
    transfers: number
  }
}

export const noFindings = (): Findings => ({
  lost: [],
  doubled: [],
  unsettled: [],
  unexpected: [],
  states: {},
  looked: { tasks: 0, results: 0, callbacks: 0, generations: 0, transfers: 0 },
})

/** Everything that is wrong, as one list. */
export const faultsIn = ({ lost, doubled, unsettled, unexpected }: Findings): ReadonlyArray<string> => [
  ...lost.map((each) => `lost: ${each}`),
  ...doubled.map((each) => `doubled: ${each}`),
  ...unsettled.map((each) => `unsettled: ${each}`),
  ...unexpected.map((each) => `unexpected: ${each}`),
]

const finalTask = async (url: string, { key }: Account, id: string): Promise<Seen> => {
  let seen: Seen = { status: 0, state: "", body: null }
  for (let wait = 0; wait < waitsMax && !everyFinal.includes(seen.state); wait++) {
    const { status, body } = await call(`${url}/v1/tasks/${id}?wait=60`, { key })
    seen = { status, state: String(at(body, "state") ?? at(body, "status")), body }
  }
  return seen
}

/**
 * As its prompt asks. A task that was interrupted very often is given up, and refunded; so is one where it is unknown
 * whether the vendor accepted it.
 */
const isExpected = (wish: Wish, task: Seen): boolean => {
  const fails = wish.kind === "image" && /fail|reject/.test(wish.prompt)
  const succeeded = task.state === "completed" || task.state === "succeeded"
  const code = String(at(task.body, "error.code"))
  return fails !== succeeded || ["worker_failed", "upstream_unknown"].includes(code)
}

const finalSteps = async (url: string, { key }: Account, id: string): Promise<number> => {
  const { body } = await call(`${url}/v1/tasks/${id}/history`, { key })
  const steps = at(body, "data")
  return Array.isArray(steps)
    ? steps.filter((step) => everyFinal.includes(String(at(step, "to")))).length
    : -1
}

/** Every result of a task that succeeded can be read. */
const lookAtResults = async (findings: Findings, url: string, { key }: Account, id: string, task: Seen) => {
  if (task.state === "failed") return
  const assets = at(task.body, "assets")
  const links = Array.isArray(assets)
    ? assets.map((asset) => String(at(asset, "url")))
    : [`${url}/v1/tasks/${id}/result`]
  for (const link of links) {
    const { status } = await fetch(link, { headers: { authorization: `Bearer ${key}` } })
    findings.looked.results += 1
    if (status !== 200) findings.lost.push(`${link} of ${id} answers ${status}`)
  }
}

/**
 * The invariants of a load that has stopped: every request has one task, which becomes final, once, as its prompt asks,
 * and whose results can be read.
 */
export const settle = async (load: Load, url: string, account: Account): Promise<Findings> => {
  const findings = noFindings()
  findings.doubled.push(...load.faults.filter((fault) => fault.includes("two tasks")))
  findings.unexpected.push(...load.faults.filter((fault) => !fault.includes("two tasks")))
  const owners = new Map<string, Wish>()
  for (const wish of load.wishes) {
    if (wish.task === undefined) findings.lost.push(`${wish.idempotencyKey} never got a task`)
    else if (owners.has(wish.task)) findings.doubled.push(`${wish.task} has two keys`)
    else owners.set(wish.task, wish)
  }
  for (const [id, wish] of owners) {
    const task = await finalTask(url, account, id)
    findings.looked.tasks += 1
    findings.states[task.state] = (findings.states[task.state] ?? 0) + 1
    if (task.status !== 200) findings.lost.push(`${id} answers ${task.status}`)
    else if (!everyFinal.includes(task.state)) findings.unsettled.push(`${id} is ${task.state}`)
    else if (!isExpected(wish, task))
      findings.unexpected.push(`${id} (${wish.prompt}): ${JSON.stringify(task.body)}`)
    const steps = await finalSteps(url, account, id)
    if (steps !== 1) findings.doubled.push(`${id} became final ${steps} times`)
    await lookAtResults(findings, url, account, id, task)
  }
  return findings
}

/** A vendor without a client-side key is asked at most once; a callback comes, and always tells the same. */
export const settleOutside = async (findings: Findings, load: Load, outside: Outside): Promise<void> => {
  for (const [prompt, count] of outside.generations) {
    findings.looked.generations += count
    if (count > 1) findings.doubled.push(`${prompt} was asked for ${count} times`)
  }
  const awaited = load.wishes.flatMap(({ callbackUrl, kind, task }) =>
    callbackUrl === undefined || kind === "tool" ? [] : (task ?? []),
  )
  const missing = () => awaited.filter((task) => !outside.callbacks.has(task))
  for (let wait = 0; wait < callbackWaitsMax && missing().length > 0; wait++) {
    await new Promise((resolve) => setTimeout(resolve, callbackWaitMs))
  }
  findings.lost.push(...missing().map((task) => `the callback of ${task}`))
  for (const [task, delivered] of outside.callbacks) {
    findings.looked.callbacks += delivered.length
    const told = new Set(delivered.map(({ event, type }) => `${event} ${type}`))
    if (told.size !== 1) findings.doubled.push(`${task} was told as ${[...told].join(", ")}`)
  }
}

/** Nothing is lost, nothing is duplicated, and every unit is where it belongs. */
export const settleBooks = (findings: Findings, books: Books, tasks: number): void => {
  findings.looked.transfers += books.transfers.length
  if (books.tasks < tasks) findings.lost.push(`${tasks} tasks were accepted, and ${books.tasks} are there`)
  if (books.tasks > tasks) findings.doubled.push(`${tasks} tasks were accepted, and ${books.tasks} are there`)
  if (books.unfinished > 0) findings.unsettled.push(`${books.unfinished} tasks are not final`)
  if (books.jobs > 0) findings.unsettled.push(`${books.jobs} jobs are left`)
  findings.unsettled.push(...books.wrong.map((user) => `the ledger disagrees with ${user}`))
  findings.unsettled.push(
    ...books.totalDifferences.map(
      ({ total, kept, counted }) => `the total ${total} is ${kept}, counted ${counted}`,
    ),
  )
  findings.unsettled.push(...transferFaults(books.transfers))
}
