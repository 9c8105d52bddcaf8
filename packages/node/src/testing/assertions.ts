import type { Balance } from "../calls.ts"
import type { ImageTask } from "../tasks.ts"
import { type Expected, fail, matches, shown } from "./match.ts"
import type { SubmittedTask } from "./submitted.ts"

/** Which tasks are meant: every field that is named must match. */
export interface TaskMatch {
  readonly user?: Expected<string>
  readonly model?: Expected<string>
  readonly tool?: Expected<string>
  readonly requestId?: Expected<string>
  /** Such as `queued`, `completed`, `succeeded`, `failed`. */
  readonly state?: Expected<ImageTask["state"] | "running" | "succeeded">
  /** Fields of the request after defaults: `{ prompt: /lighthouse/, n: 2 }`. */
  readonly request?: Expected<Readonly<Record<string, unknown>>>
  /** Fields of the task object. */
  readonly task?: Expected<object>
}

/** Parts of a balance: units, or US dollars as a decimal such as `"0.04"`. */
export type BalanceMatch = { readonly [K in keyof Balance]?: number | string }

/** Each fails with what there is instead. */
export interface Assertions {
  /** That a task was submitted; exactly so many with `count`. Answers the matching ones, the first one first. */
  readonly assertSubmitted: (
    match: TaskMatch,
    options?: { readonly count?: number },
  ) => Promise<readonly [SubmittedTask, ...ReadonlyArray<SubmittedTask>]>
  /** That no such task was submitted; none at all without `match`. */
  readonly assertNotSubmitted: (match?: TaskMatch) => Promise<void>
  /** A user's money: `assertBalance("customer-42", { held: 0, spent: "0.04" })`. */
  readonly assertBalance: (user: string, expected: BalanceMatch) => Promise<void>
}

const unitsPerUsdDefault = 500_000

const stateOf = ({ task }: SubmittedTask): string => (task.object === "image.task" ? task.state : task.status)

const isMeant = (submitted: SubmittedTask, { state, ...match }: TaskMatch): boolean =>
  matches(submitted, match) && (state === undefined || matches(stateOf(submitted), state))

const lineOf = (submitted: SubmittedTask): string => {
  const { model, request, task, tool, user } = submitted
  const what = model === undefined ? `tool ${tool}` : `model ${model}, prompt ${shown(request["prompt"])}`
  return `  ${task.id}: user ${shown(user)}, ${what}, ${stateOf(submitted)}${task.error === null ? "" : ` (${task.error.code})`}`
}

const listOf = (all: ReadonlyArray<SubmittedTask>): string =>
  all.length === 0 ? "Nothing was submitted." : `Submitted:\n${all.map(lineOf).join("\n")}`

export const makeAssertions = ({
  balance,
  submitted,
  unitsPerUsd = unitsPerUsdDefault,
}: {
  readonly balance: (user: string) => Promise<Balance>
  readonly submitted: () => Promise<ReadonlyArray<SubmittedTask>>
  readonly unitsPerUsd: number | undefined
}): Assertions => {
  const usdOf = (units: number): string =>
    `${units} units (${(units / unitsPerUsd).toFixed(6).replace(/\.?0+$/, "")} USD)`

  const assertSubmitted: Assertions["assertSubmitted"] = async (match, { count } = {}) => {
    const all = await submitted()
    const [first, ...others] = all.filter((each) => isMeant(each, match))
    const found = first === undefined ? 0 : others.length + 1
    if (first !== undefined && (count === undefined || count === found)) return [first, ...others]
    const wanted = count === undefined ? "a task" : `${count} ${count === 1 ? "task" : "tasks"}`
    const message = `Expected ${wanted} with ${shown(match)}, found ${found}. ${listOf(all)}`
    return fail(
      message,
      all.map(({ task }) => task),
      match,
      assertSubmitted,
    )
  }

  const assertNotSubmitted: Assertions["assertNotSubmitted"] = async (match = {}) => {
    const all = await submitted()
    const found = all.filter((each) => isMeant(each, match))
    if (found.length === 0) return
    const message = `Expected no task with ${shown(match)}, found ${found.length}. ${listOf(all)}`
    fail(
      message,
      found.map(({ task }) => task),
      match,
      assertNotSubmitted,
    )
  }

  const assertBalance: Assertions["assertBalance"] = async (user, expected) => {
    const actual = await balance(user)
    const wrong = (Object.keys(expected) as ReadonlyArray<keyof Balance>).flatMap((account) => {
      const given = expected[account]
      if (given === undefined) return []
      const units = typeof given === "string" ? Math.round(Number(given) * unitsPerUsd) : given
      if (units === actual[account]) return []
      return [`  ${account}: expected ${usdOf(units)}, found ${usdOf(actual[account])}`]
    })
    if (wrong.length === 0) return
    fail(`The balance of ${shown(user)} is another:\n${wrong.join("\n")}`, actual, expected, assertBalance)
  }

  return { assertSubmitted, assertNotSubmitted, assertBalance }
}
