import { WireTask, WireTaskPage } from "@atelier/api"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ApiClient from "../ApiClient.ts"
import { print, table, time } from "../Output.ts"

/** The tasks of the API key, newest first. */
export const list = Effect.fnUntraced(function* (
  input: ApiClient.Target & {
    readonly limit: number
    readonly state: Option.Option<string>
    readonly model: Option.Option<string>
    readonly json: boolean
  },
) {
  const client = yield* ApiClient.make(input)
  const query = new URLSearchParams({ limit: String(input.limit) })
  if (Option.isSome(input.state)) query.set("state", input.state.value)
  if (Option.isSome(input.model)) query.set("model", input.model.value)
  const page = yield* client.json(WireTaskPage, { path: `/v1/tasks?${query}` })
  yield* print(input.json, page, () => [
    ...table(["ID", "STATE", "MODEL OR TOOL", "CREATED", "UNITS"], page.data.map(row)),
    ...(page.has_more ? ["There are more: --limit N"] : []),
  ])
})

export const show = Effect.fnUntraced(function* (
  input: ApiClient.Target & { readonly task: string; readonly json: boolean },
) {
  const client = yield* ApiClient.make(input)
  const task = yield* client.json(WireTask, { path: `/v1/tasks/${encodeURIComponent(input.task)}` })
  yield* print(input.json, task, () => [
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
})

const stateOf = (task: WireTask): string => (task.object === "image.task" ? task.state : task.status)
const subjectOf = (task: WireTask): string => (task.object === "image.task" ? task.model : task.tool_id)

const row = (task: WireTask): ReadonlyArray<string> => [
  task.id,
  stateOf(task),
  subjectOf(task),
  time(task.created_at),
  String(task.billing.charged),
]
