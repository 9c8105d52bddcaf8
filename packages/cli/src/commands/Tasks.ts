import { type HistoryEntry, isFinal, type Task, TaskFailedError } from "@atelier/client"
import * as Option from "effect/Option"
import { asCaller, type Caller } from "../Caller.ts"
import { wrongUsage } from "../CommandFailed.ts"
import type { Target } from "../Login.ts"
import { say, table, time } from "../Output.ts"
import { outputsOf, requireWritable, writing } from "../Outputs.ts"
import { stateOf } from "../Progress.ts"
import { deliver } from "../saveImages.ts"

interface OneTask extends Target {
  readonly task: string
  readonly json: boolean
}

const tasksMax = 100
const states = ["queued", "in_progress", "completed", "failed", "unknown", "running", "succeeded"] as const

/** The tasks of the API key, newest first. */
export const list = (
  input: Target & {
    readonly limit: number
    readonly state: Option.Option<string>
    readonly model: Option.Option<string>
    readonly after: Option.Option<string>
    readonly json: boolean
  },
) =>
  asCaller(input, async ({ atelier, signal }) => {
    const { limit } = input
    if (limit < 1) throw wrongUsage(`--limit: expected at least 1, got ${limit}`)
    const state = states.find((each) => each === Option.getOrUndefined(input.state))
    if (state === undefined && Option.isSome(input.state)) {
      throw wrongUsage(
        `--state: expected one of ${states.join(", ")}, got ${JSON.stringify(input.state.value)}`,
      )
    }
    const [model, after] = [Option.getOrUndefined(input.model), Option.getOrUndefined(input.after)]
    const pageSize = Math.min(limit + 1, tasksMax)
    const found: Array<Task> = []
    for await (const task of atelier.tasks.list({ state, model, after, pageSize, signal })) {
      found.push(task)
      if (found.length > limit) break
    }
    const [data, hasMore] = [found.slice(0, limit), found.length > limit]
    say(input.json, { object: "list", data, has_more: hasMore, last_id: data.at(-1)?.id ?? null }, () => [
      ...table(["ID", "STATE", "MODEL OR TOOL", "CREATED", "UNITS"], data.map(row)),
      ...(hasMore ? [`There are more: --after ${data.at(-1)?.id}`] : []),
    ])
  })

export const get = (input: OneTask) =>
  asCaller(input, async ({ atelier, signal }) => show(await atelier.tasks.get(input.task, { signal }), input))

/** Waits for the task, and prints or stores what it made. */
export const watch = (input: OneTask & { readonly out: Option.Option<string> }) =>
  asCaller(input, async (caller) => {
    const out = Option.getOrUndefined(input.out)
    if (out !== undefined) await requireWritable(outputsOf(out, 1))
    caller.onStop(() => `${input.task} goes on; to come back to it: atelier tasks watch ${input.task}`)
    const progress = await caller.progress(input)
    const onUpdate = (task: Task): void => progress.task(task)
    const task = await caller.atelier.tasks
      .wait(input.task, { signal: caller.signal, onUpdate })
      .finally(() => progress.end())
    if (stateOf(task) === "failed") {
      if (input.json) show(task, input)
      throw new TaskFailedError(task)
    }
    if (out === undefined) return show(task, input)
    if (task.object === "image.task") return await deliver(caller, task, { out, json: input.json })
    await storeResult(caller, task.id, task.output_formats[0] ?? "markdown", out)
    say(input.json, { ...task, files: [out] }, () => [out])
  })

const storeResult = async (caller: Caller, id: string, format: "markdown" | "json", out: string) =>
  writing(out, await caller.atelier.documents.result(id, format, { signal: caller.signal }))

export const cancel = (input: OneTask) =>
  asCaller(input, async ({ atelier, signal }) => {
    const task = await atelier.tasks.cancel(input.task, { signal })
    const what = isFinal(task) ? "is canceled, and its fee was given back" : "is being canceled"
    say(input.json, task, () => [`${task.id} ${what}`])
  })

/** Why the task was charged: every step with what it moved on the account. */
export const history = (input: OneTask) =>
  asCaller(input, async ({ atelier, signal }) => {
    const data = await atelier.tasks.history(input.task, { signal })
    say(input.json, { object: "list", data }, () =>
      table(
        ["TIME", "EVENT", "STATE", "MONEY"],
        data.map((entry) => [time(entry.occurred_at), entry.event, entry.to, money(entry)]),
      ),
    )
  })

const money = ({ transfers }: HistoryEntry): string =>
  transfers.map(({ kind, amount }) => `${kind} ${amount} units`).join(", ") || "-"

const show = (task: Task, { json }: { readonly json: boolean }): void =>
  say(json, task, () => [
    `id        ${task.id}`,
    `state     ${stateOf(task)}`,
    `for       ${subjectOf(task)}`,
    `created   ${time(task.created_at)}`,
    `started   ${time(task.started_at)}`,
    `finished  ${time(task.finished_at)}`,
    `units     ${Object.entries(task.billing)
      .map(([name, units]) => `${name.replace("_", "-")} ${units}`)
      .join(", ")}`,
    ...(task.error === null ? [] : [`error     ${task.error.message} (${task.error.code})`]),
    ...task.warnings.map(({ message }) => `warning   ${message}`),
    ...(task.object === "image.task" ? (task.assets ?? []).map(({ url }) => `image     ${url}`) : []),
  ])

const subjectOf = (task: Task): string => (task.object === "image.task" ? task.model : task.tool_id)

const row = (task: Task): ReadonlyArray<string> => [
  task.id,
  stateOf(task),
  subjectOf(task),
  time(task.created_at),
  String(task.billing.charged),
]
