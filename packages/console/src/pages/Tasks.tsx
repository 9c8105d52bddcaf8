import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { shortId } from "../lib/format.ts"
import { useMedia, usePages } from "../lib/hooks.ts"
import { go, hrefOf, hrefWith, setQuery, usePlace } from "../lib/router.ts"
import { type AdminTask, heldOf, stateOf, subjectOf } from "../lib/wire.ts"
import { Empty, Field, Head, Input, Loading, Money, Problem, Select, State, Time } from "../parts/basics.tsx"
import { Icon } from "../parts/Icon.tsx"
import { type Column, isWriting, Table } from "../parts/Table.tsx"
import { TaskPage } from "./Task.tsx"

const states: ReadonlyArray<readonly [string, string]> = [
  ["", "any state"],
  ["queued", "queued"],
  ["in_progress", "in progress (images)"],
  ["running", "running (documents)"],
  ["completed", "completed (images)"],
  ["succeeded", "succeeded (documents)"],
  ["failed", "failed"],
  ["unknown", "unknown"],
]
const times: ReadonlyArray<readonly [string, string]> = [
  ["", "any time"],
  ["3600", "the last hour"],
  ["86400", "the last day"],
  ["604800", "the last week"],
]

/** What a text that was typed names, by how it begins. */
const fieldOf = (text: string): "task" | "request_id" | "user" | "key" | "idempotency_key" => {
  if (/^(imgtask|tooltask)_/.test(text)) return "task"
  if (text.startsWith("req_")) return "request_id"
  if (text.startsWith("usr_")) return "user"
  return text.startsWith("key_") ? "key" : "idempotency_key"
}
const names = {
  request_id: "request",
  user: "customer",
  key: "key",
  idempotency_key: "idempotency key",
} as const

/** The list, and beside it on a wide window the task that its address names. A narrower one has a page for each. */
export const Tasks = () => {
  const isWide = useMedia("(min-width: 1200px)")
  const task = usePlace().query.get("task") ?? undefined
  const list = useRef<HTMLDivElement>(null)
  const before = useRef<string>()
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>(
      `a[data-beside="${CSS.escape(before.current ?? "")}"]`,
    )
    if (task === undefined && before.current !== undefined) (link ?? list.current)?.focus()
    before.current = task
  }, [task])
  if (task !== undefined && !isWide) return <TaskPage key={task} id={task} />
  return (
    <div class={task === undefined ? "" : "beside"}>
      <div class="stack apart" ref={list} tabIndex={-1}>
        <TaskList opens={isWide} task={task} />
      </div>
      {task === undefined ? null : (
        <Drawer key={task} label="Task" page={`/tasks/${task}`} onClose={() => setQuery({ task: undefined })}>
          <TaskPage id={task} isBeside />
        </Drawer>
      )}
    </div>
  )
}

/** A part beside the page, which stays in use: Escape closes it, unless something is being written. */
const Drawer = ({
  label,
  page,
  onClose,
  children,
}: {
  readonly label: string
  readonly page: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}) => {
  const element = useRef<HTMLElement>(null)
  useEffect(() => element.current?.focus({ preventScroll: true }), [])
  useEffect(() => {
    const close = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || isWriting(event.target)) return
      event.preventDefault()
      onClose()
    }
    addEventListener("keydown", close)
    return () => removeEventListener("keydown", close)
  }, [onClose])
  return (
    <aside ref={element} class="drawer" aria-label={label} tabIndex={-1}>
      <div class="row between">
        <a href={hrefOf(page)}>Open as a page</a>
        <button type="button" class="plain" onClick={onClose} title="Close (Escape)">
          <Icon name="close" />
          <span class="hidden">Close</span>
        </button>
      </div>
      {children}
    </aside>
  )
}

const TaskList = ({ opens, task }: { readonly opens: boolean; readonly task: string | undefined }) => {
  const { query } = usePlace()
  const given = (name: string) => query.get(name) ?? undefined
  const [text, setText] = useState("")
  const seconds = given("within")
  const [now] = useState(() => Math.floor(Date.now() / 1000))
  const filter = {
    state: given("state"),
    model: given("model"),
    user: given("user"),
    key: given("key"),
    request_id: given("request_id"),
    idempotency_key: given("idempotency_key"),
    from: seconds === undefined ? undefined : String(now - Number(seconds)),
  }
  const tasks = usePages<AdminTask>("/admin/v1/tasks", filter, { everyMs: 3000 })
  const search = (event: Event) => {
    event.preventDefault()
    const found = text.trim()
    if (found === "") return
    const field = fieldOf(found)
    if (field === "task") return go(`/tasks/${encodeURIComponent(found)}`)
    setText("")
    setQuery({ [field]: found })
  }
  const chips = (Object.keys(names) as Array<keyof typeof names>).filter((name) => given(name) !== undefined)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <Head title="Tasks">What was asked for, newest first. It looks again every three seconds.</Head>
      <form class="filters" onSubmit={search}>
        <Field label="Search">
          <Input
            type="search"
            placeholder="any id, or an idempotency key ( / )"
            value={text}
            onValue={setText}
          />
        </Field>
        <Field label="State">
          <Select value={given("state") ?? ""} options={states} onValue={(state) => setQuery({ state })} />
        </Field>
        <Field label="Model or tool">
          <Input
            value={given("model") ?? ""}
            placeholder="gen-image-2"
            onValue={(model) => setQuery({ model: model.trim() })}
          />
        </Field>
        <Field label="Accepted within">
          <Select value={seconds ?? ""} options={times} onValue={(within) => setQuery({ within })} />
        </Field>
        <button type="submit" class="hidden">
          Search
        </button>
      </form>
      {chips.length === 0 ? null : (
        <div class="row">
          {chips.map((name) => (
            <button key={name} type="button" class="chip" onClick={() => setQuery({ [name]: undefined })}>
              {names[name]}: {given(name)} <span aria-hidden="true">×</span>
              <span class="hidden">remove this filter</span>
            </button>
          ))}
        </div>
      )}
      <Problem failure={tasks.failure} retry={tasks.reload} />
      {tasks.data === undefined && tasks.failure === undefined ? <Loading /> : null}
      {tasks.data === undefined ? null : (
        <section class="card flush">
          {tasks.data.length > 0 ? (
            <TaskTable
              rows={tasks.data}
              more={tasks.more}
              loading={tasks.loading}
              opens={opens}
              current={task}
            />
          ) : (
            <Empty title={isFiltered ? "No task matches" : "No task yet"}>
              <a href={hrefOf(isFiltered ? "/tasks" : "/playground")}>
                {isFiltered ? "Remove every filter" : "Submit one in the playground"}
              </a>
            </Empty>
          )}
        </section>
      )}
    </>
  )
}

const customer: Column<AdminTask> = {
  name: "Customer",
  least: true,
  cell: ({ user_id }) => (
    <a href={hrefOf(`/users/${user_id}`)} class="mono" title={user_id}>
      {shortId(user_id)}
    </a>
  ),
}

export const TaskTable = ({
  rows,
  more,
  loading,
  opens = false,
  current,
  isOfOne = false,
}: {
  readonly rows: ReadonlyArray<AdminTask>
  readonly more?: (() => void) | undefined
  readonly loading?: boolean
  /** Whether a task opens beside the list. */
  readonly opens?: boolean
  readonly current?: string | undefined
  /** Whether all are of one customer, who needs no column. */
  readonly isOfOne?: boolean
}) => (
  <Table
    caption="Tasks"
    rows={rows}
    rowKey={({ task }) => task.id}
    more={more}
    loading={loading ?? false}
    columns={[
      {
        name: "Task",
        cell: ({ task }) =>
          opens ? (
            <a
              href={hrefWith({ task: task.id })}
              data-beside={task.id}
              aria-current={task.id === current ? "true" : undefined}
              class="mono"
              title={task.id}
            >
              {shortId(task.id)}
            </a>
          ) : (
            <a href={hrefOf(`/tasks/${task.id}`)} class="mono" title={task.id}>
              {shortId(task.id)}
            </a>
          ),
      },
      { name: "State", cell: ({ task }) => <State state={stateOf(task)} /> },
      { name: "Model or tool", minor: true, cell: ({ task }) => subjectOf(task) },
      ...(isOfOne ? [] : [customer]),
      {
        name: "Why it failed",
        minor: true,
        cell: ({ task }) =>
          task.error === null ? "" : <span title={task.error.message}>{task.error.code}</span>,
      },
      { name: "Held", right: true, least: true, cell: ({ task }) => <Money amount={heldOf(task)} /> },
      { name: "Charged", right: true, cell: ({ task }) => <Money amount={task.billing.charged} /> },
      { name: "Accepted", right: true, cell: ({ task }) => <Time at={task.created_at} /> },
    ]}
  />
)
