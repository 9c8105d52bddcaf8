import { imageSteps, isFinal, type TaskKind, type TaskQuery, type TaskState, toolSteps } from "@atelier/core"
import type { Param } from "./statement.ts"
import { taskColumns } from "./taskRows.ts"

const statesOf = {
  image: [...new Set(imageSteps.flatMap((step) => [step.from, step.to]))],
  tool: [...new Set(toolSteps.flatMap((step) => [step.from, step.to]))],
}
const kinds: ReadonlyArray<TaskKind> = ["image", "tool"]

const quoted = (words: ReadonlyArray<string>) => words.map((word) => `'${word}'`).join(", ")

/** The states of a kind that are not final, as an SQL list. */
export const unfinishedStates = (kind: TaskKind): string =>
  quoted(statesOf[kind].filter((state) => !isFinal(state)))

/** Sequences between which a page lies, both excluded. */
export interface Between {
  readonly above: number
  readonly below: number
}

/**
 * The query of one page: newest first in the order of acceptance.
 *
 * It merges runs of an index that are each in order already, one for each kind and state: a page costs the
 * same however many tasks there are, and however few of them match.
 */
export const listStatement = (
  query: TaskQuery,
  { above, below }: Between,
): { readonly text: string; readonly params: ReadonlyArray<Param> } => {
  const filters = filtersOf(query)
  const runs = runsOf(query)
  const own = filters.map(([, param]) => param)
  const selects = runs.map((run) => {
    const where = [
      ...filters.map(([condition]) => condition),
      ...run.where,
      "sequence > ?",
      "sequence < ?",
    ].join(" AND ")
    return `SELECT * FROM (SELECT sequence FROM tasks WHERE ${where} ORDER BY sequence DESC LIMIT ?) AS run`
  })
  const merged =
    selects.length === 0 ? "SELECT CAST(NULL AS BIGINT) AS sequence" : selects.join("\n    UNION ALL ")
  return {
    text: `SELECT ${taskColumns} FROM tasks WHERE sequence IN (
    SELECT sequence FROM (${merged}) AS merged ORDER BY sequence DESC LIMIT ?
  ) ORDER BY sequence DESC`,
    params: [...runs.flatMap(({ params }) => [...own, ...params, above, below, query.limit]), query.limit],
  }
}

/** Whether tasks of one model or tool are asked for, of all users: its runs name the subject themselves. */
const isOfModel = ({ keyId, userId, subject, requestId, idempotencyKey }: TaskQuery): boolean =>
  subject !== undefined && [keyId, userId, requestId, idempotencyKey].every((each) => each === undefined)

const filtersOf = (query: TaskQuery): ReadonlyArray<readonly [string, Param]> => {
  const { keyId, userId, requestId, idempotencyKey, from, until } = query
  const subject = isOfModel(query) ? undefined : query.subject
  // `||` keeps the planner from the indexes of these columns, where there is a better one.
  const isNamed = requestId !== undefined || idempotencyKey !== undefined
  const column = (name: string) => (isNamed ? `${name} || ''` : name)
  return [
    ...(requestId === undefined ? [] : [["request_id = ?", requestId] as const]),
    ...(idempotencyKey === undefined
      ? []
      : [
          [
            requestId === undefined ? "idempotency_key = ?" : "idempotency_key || '' = ?",
            idempotencyKey,
          ] as const,
        ]),
    ...(from === undefined ? [] : [["created_at >= ?", from] as const]),
    ...(until === undefined ? [] : [["created_at < ?", until] as const]),
    ...(keyId === undefined ? [] : [[`${column("key_id")} = ?`, keyId] as const]),
    ...(userId === undefined ? [] : [[`${column("user_id")} = ?`, userId] as const]),
    ...(subject === undefined
      ? []
      : [
          [
            `${userId !== undefined && keyId === undefined ? "subject || ''" : column("subject")} = ?`,
            subject,
          ] as const,
        ]),
  ]
}

/** The conditions of a run, beside the filters, and their parameters. */
interface Run {
  readonly where: ReadonlyArray<string>
  readonly params: ReadonlyArray<Param>
}

const runsOf = (query: TaskQuery): ReadonlyArray<Run> => {
  const { keyId, userId, kind, subject, states, tools, requestId, idempotencyKey } = query
  const permitted = kinds.filter((one) => one !== "tool" || !subject || !tools || tools.includes(subject))
  const chosen = permitted.filter((one) => kind === undefined || one === kind)
  const ofKind = (one: TaskKind) =>
    statesOf[one].filter((state) => states === undefined || states.includes(state))
  // A key's tasks for one model or tool are a run as they are; `||` keeps the planner from the runs by state.
  const whole = (one: TaskKind) => [`kind = '${one}'`, `state || '' IN (${quoted(ofKind(one))})`]
  const there = chosen.filter((one) => ofKind(one).length > 0)
  if (keyId !== undefined && subject !== undefined) {
    return there.map((one) => ({ where: whole(one), params: [] }))
  }
  if (subject !== undefined && isOfModel(query)) {
    return there.flatMap((one) => runsOfModel(one, ofKind(one), subject, states === undefined))
  }
  if (requestId !== undefined || idempotencyKey !== undefined) {
    // One index finds them all.
    return there.map((one) => ({
      where: [`kind || '' = '${one}'`, `state || '' IN (${quoted(ofKind(one))})`],
      params: [],
    }))
  }
  if (keyId === undefined && userId === undefined && kind === undefined && states === undefined) {
    return [{ where: [], params: [] }]
  }
  return there.flatMap((one) =>
    one === "tool" && tools !== undefined
      ? [...new Set(tools)].map((tool) => ({ where: ["subject = ?", ...whole(one)], params: [tool] }))
      : ofKind(one).map((state) => ({ where: [`kind = '${one}'`, `state = '${state}'`], params: [] })),
  )
}

/**
 * Of one model: those that failed have an index of their own, those that are not finished are few, and the rest, which
 * most tasks are, comes with the model's whole index. `||` keeps the planner from the other indexes.
 */
const runsOfModel = (
  kind: TaskKind,
  states: ReadonlyArray<TaskState>,
  subject: string,
  isWhole: boolean,
): ReadonlyArray<Run> => {
  const rest = isWhole ? states : states.filter((state) => isFinal(state) && state !== "failed")
  const runs = isWhole ? [] : states.filter((state) => !rest.includes(state))
  return [
    ...runs.map((state) =>
      state === "failed"
        ? { where: ["subject = ?", `kind || '' = '${kind}'`, "state = 'failed'"], params: [subject] }
        : { where: ["subject || '' = ?", `kind = '${kind}'`, `state = '${state}'`], params: [subject] },
    ),
    ...(rest.length === 0
      ? []
      : [
          {
            where: ["subject = ?", `kind || '' = '${kind}'`, `state || '' IN (${quoted(rest)})`],
            params: [subject],
          },
        ]),
  ]
}
