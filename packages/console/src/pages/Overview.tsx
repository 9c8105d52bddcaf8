import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useState } from "preact/hooks"
import { events, Failure, query } from "../lib/api.ts"
import { compact, count, duration, usd } from "../lib/format.ts"
import { useLoad } from "../lib/hooks.ts"
import { hrefOf } from "../lib/router.ts"
import type { Channel, Overview as Data, List, Spender } from "../lib/wire.ts"
import { Empty, Head, Loading, Money, Problem, State, Tabs, Time } from "../parts/basics.tsx"
import { Chart, Spark } from "../parts/Chart.tsx"
import { StateShape } from "../parts/Icon.tsx"
import { Table } from "../parts/Table.tsx"

/** The stream of overviews; it is opened again when it ends. */
const useOverview = (): { readonly data: Data | undefined; readonly failure: Failure | undefined } => {
  const [data, setData] = useState<Data>()
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    const abort = new AbortController()
    const watch = async () => {
      while (!abort.signal.aborted) {
        try {
          await events("/admin/v1/overview/events", "overview", { signal: abort.signal }, (event) => {
            setFailure(undefined)
            setData(event as Data)
          })
        } catch (cause) {
          if (!abort.signal.aborted && cause instanceof Failure) setFailure(cause)
        }
        await new Promise((resolve) => setTimeout(resolve, 2000))
      }
    }
    watch()
    return () => abort.abort()
  }, [])
  return { data, failure }
}

const sum = (values: ReadonlyArray<number>) => values.reduce((total, value) => total + value, 0)

export const Overview = () => {
  const { data, failure } = useOverview()
  const channels = useLoad<List<Channel>>("/admin/v1/channels", { everyMs: 10_000 })
  return (
    <>
      <Head title="Overview">The last hour, over all processes. It goes on by itself.</Head>
      <Problem failure={failure} />
      {data === undefined && failure === undefined ? <Loading /> : null}
      {data === undefined ? null : <Numbers data={data} channels={channels.data?.data ?? []} />}
    </>
  )
}

interface Shown {
  readonly data: Data
  readonly channels: ReadonlyArray<Channel>
}

const Numbers = ({ data, channels }: Shown) => {
  const { minutes } = data
  const of = (name: "accepted" | "settled" | "released" | "charged_units" | "returned_units") =>
    minutes.map((minute) => minute[name])
  const waiting = sum(data.queue.filter(({ kind }) => kind !== "callback").map(({ ready }) => ready))
  const failed = sum(data.failures.map((failure) => failure.count))
  const charged = sum(of("charged_units"))
  const times = useMemo(() => minutes.map(({ at }) => at), [minutes])
  return (
    <>
      <Wellness data={data} failed={failed} channels={channels} />
      <section class="tiles" aria-label="The last hour in numbers">
        <Tile
          name="Accepted"
          value={compact(sum(of("accepted")))}
          values={of("accepted")}
          color="--running"
        />
        <Tile
          name="Finished"
          value={compact(sum(of("settled")))}
          values={of("settled")}
          color="--succeeded"
        />
        <Tile
          name="Failed"
          value={failed >= failuresMax ? `${compact(failed)}+` : compact(failed)}
          values={of("released")}
          color="--failed"
          href="/tasks?state=failed"
        />
        <Tile name="Waiting" value={compact(waiting)} color="--queued" href="/tasks?state=queued">
          <OldestWaiting data={data} />
        </Tile>
      </section>
      <div class="columns">
        <section class="card">
          <header>
            <h2>Tasks a minute</h2>
          </header>
          <Chart
            title="Tasks a minute"
            times={times}
            lines={[
              { name: "accepted", color: "--running", values: of("accepted") },
              { name: "finished and charged", color: "--succeeded", values: of("settled") },
              { name: "fee given back", color: "--failed", dashed: true, values: of("released") },
            ]}
          />
        </section>
        <section class="card">
          <header>
            <h2>Money a minute</h2>
            <span class="muted">{usd(charged)} this hour</span>
          </header>
          <Chart
            title="Money a minute"
            times={times}
            format={(value) => usd(Math.round(value))}
            lines={[
              { name: "charged", color: "--succeeded", values: of("charged_units") },
              { name: "given back", color: "--failed", dashed: true, values: of("returned_units") },
            ]}
          />
        </section>
      </div>
      <div class="columns">
        <div class="stack apart">
          <Failures data={data} />
          <Spenders />
          <States data={data} />
        </div>
        <div class="stack apart">
          <Channels channels={channels} />
          <Latencies data={data} />
        </div>
      </div>
    </>
  )
}

/** The server counts the newest failures of each kind, so many at most. */
const failuresMax = 100

/** A task that waits longer than this is worth a look. */
const waitsLongSeconds = 60

/** What is not well, each with the page that has more of it. */
const Wellness = ({ data, failed, channels }: Shown & { readonly failed: number }) => {
  const waited =
    data.at - Math.min(data.at, ...data.oldest_queued.map(({ accepted_at }) => accepted_at ?? data.at))
  const unwell = channels.filter(({ breaker, paused }) => breaker !== "closed" || paused)
  const troubles = [
    ...(waited > waitsLongSeconds
      ? [["/tasks?state=queued", `the oldest task has waited ${duration(waited * 1000)}`] as const]
      : []),
    ...(failed > 0
      ? [
          [
            "/tasks?state=failed",
            failed >= failuresMax
              ? `${count(failed)} tasks or more failed`
              : `${count(failed)} ${failed === 1 ? "task" : "tasks"} failed`,
          ] as const,
        ]
      : []),
    ...unwell.map(
      ({ id, paused }) =>
        ["/channels", `the channel ${id} is ${paused ? "paused" : "stopped after failures"}`] as const,
    ),
  ]
  const isWell = troubles.length === 0
  return (
    <p class="well" aria-live="polite">
      <span class={`state ${isWell ? "succeeded" : "queued"}`}>
        <StateShape state={isWell ? "done" : "pending"} />
        {isWell ? "All is well." : "Look here:"}
      </span>
      <span>
        {isWell ? "Nothing failed this hour, and nothing waits for long." : null}
        {troubles.map(([path, text], index) => (
          <>
            {index === 0 ? "" : "; "}
            <a href={hrefOf(path)}>{text}</a>
          </>
        ))}
      </span>
    </p>
  )
}

const Tile = ({
  name,
  value,
  values,
  color,
  href,
  children,
}: {
  readonly name: string
  readonly value: string
  readonly values?: ReadonlyArray<number>
  readonly color: string
  readonly href?: string
  readonly children?: ComponentChildren
}) => (
  <div class="card tile">
    <span class="muted">{href === undefined ? name : <a href={hrefOf(href)}>{name}</a>}</span>
    <strong>{value}</strong>
    {values === undefined ? children : <Spark values={values} color={color} />}
  </div>
)

const OldestWaiting = ({ data }: { readonly data: Data }) => {
  const waits = data.oldest_queued.filter(({ accepted_at }) => accepted_at !== null)
  if (waits.length === 0) return <span class="muted">no task waits</span>
  return (
    <span class="muted">
      {waits.map(({ kind, accepted_at }) => (
        <span key={kind} style={{ display: "block" }}>
          oldest of {kindNames[kind]}: <Time at={accepted_at} />
        </span>
      ))}
    </span>
  )
}

const kindNames: Readonly<Record<string, string>> = {
  image: "images",
  tool: "documents",
  callback: "callbacks",
}

const Channels = ({ channels }: { readonly channels: ReadonlyArray<Channel> }) => (
  <section class="card flush">
    <header>
      <h2>Channels</h2>
      <a href={hrefOf("/channels")}>pause or resume one</a>
    </header>
    {channels.length === 0 ? (
      <Empty title="No channel" />
    ) : (
      <Table
        caption="Channels"
        rows={channels}
        rowKey={({ id }) => id}
        columns={[
          { name: "Channel", cell: ({ id }) => <a href={hrefOf("/channels")}>{id}</a> },
          {
            name: "State",
            cell: ({ breaker, paused }) => <State state={paused ? "paused" : breaker} />,
          },
          { name: "Under way", right: true, cell: ({ concurrency }) => count(concurrency.in_use) },
          {
            name: "Last error",
            right: true,
            minor: true,
            cell: ({ last_errors: [last] }) => <Time at={last?.at ?? null} />,
          },
        ]}
      />
    )}
  </section>
)

const Latencies = ({ data }: { readonly data: Data }) => {
  const rows = data.latencies.flatMap(({ kind, tasks, waiting_ms, running_ms }) => [
    { id: `${kind} waiting`, name: `${kindNames[kind]}, waiting`, tasks, times: waiting_ms },
    { id: `${kind} running`, name: `${kindNames[kind]}, running`, tasks, times: running_ms },
  ])
  return (
    <section class="card flush">
      <header>
        <h2>How long it takes</h2>
        <span class="muted">the newest finished tasks</span>
      </header>
      <Table
        caption="Waiting and running times"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { name: "What", cell: ({ name }) => name },
          { name: "p50", right: true, cell: ({ times }) => duration(times.p50) },
          { name: "p90", right: true, minor: true, cell: ({ times }) => duration(times.p90) },
          { name: "p99", right: true, cell: ({ times }) => duration(times.p99) },
          { name: "Tasks", right: true, minor: true, cell: ({ tasks }) => count(tasks) },
        ]}
      />
    </section>
  )
}

const Failures = ({ data }: { readonly data: Data }) => (
  <section class="card flush">
    <header>
      <h2>Why tasks failed</h2>
      <a href={hrefOf("/tasks?state=failed")}>all failed tasks</a>
    </header>
    {data.failures.length === 0 ? (
      <Empty title="No task failed this hour" />
    ) : (
      <Table
        caption="Failures by code"
        rows={data.failures}
        rowKey={({ code }) => code}
        columns={[
          { name: "Code", cell: ({ code, task_id }) => <a href={hrefOf(`/tasks/${task_id}`)}>{code}</a> },
          { name: "Tasks", right: true, cell: (failure) => count(failure.count) },
          {
            name: "The last one",
            cell: ({ message }) => <span title={message}>{message.slice(0, 90)}</span>,
            minor: true,
          },
          { name: "When", right: true, cell: ({ finished_at }) => <Time at={finished_at} /> },
        ]}
      />
    )}
  </section>
)

const day = 86_400

const Spenders = () => {
  const [which, setWhich] = useState<"today" | "yesterday">("today")
  const today = Math.floor(Date.now() / 1000 / day) * day
  const from = which === "today" ? today : today - day
  const { data, failure } = useLoad<List<Spender>>(
    `/admin/v1/spenders${query({ from, until: from + day })}`,
    {
      everyMs: 30_000,
    },
  )
  return (
    <section class="card flush">
      <header>
        <h2>Who spent most</h2>
        <Tabs
          label="Day"
          value={which}
          onValue={setWhich}
          options={[
            ["today", "today"],
            ["yesterday", "yesterday"],
          ]}
        />
      </header>
      <Problem failure={failure} />
      {data === undefined && failure === undefined ? <Loading /> : null}
      {data === undefined ? null : data.data.length === 0 ? (
        <Empty title={`Nothing was charged ${which}`}>
          <span>Days are counted in UTC.</span>
        </Empty>
      ) : (
        <Table
          caption={`Who was charged most ${which}, in UTC`}
          rows={data.data.slice(0, 8)}
          rowKey={({ user_id }) => user_id}
          columns={[
            {
              name: "Customer",
              cell: ({ user_id, name }) => <a href={hrefOf(`/users/${user_id}`)}>{name || user_id}</a>,
            },
            { name: "Tasks", right: true, cell: ({ tasks }) => count(tasks) },
            { name: "Charged", right: true, cell: ({ charged_units }) => <Money amount={charged_units} /> },
          ]}
        />
      )}
    </section>
  )
}

const States = ({ data }: { readonly data: Data }) => (
  <section class="card flush">
    <header>
      <h2>All tasks by state</h2>
      <a href={hrefOf("/tasks")}>tasks</a>
    </header>
    {data.tasks.length === 0 ? (
      <Empty title="No task yet">
        <a href={hrefOf("/playground")}>Try one in the playground</a>
      </Empty>
    ) : (
      <Table
        caption="All tasks by kind and state"
        rows={data.tasks}
        rowKey={({ kind, state }) => `${kind} ${state}`}
        columns={[
          { name: "State", cell: ({ state }) => <State state={state} /> },
          { name: "Kind", cell: ({ kind }) => kindNames[kind] },
          { name: "Tasks", right: true, cell: (total) => count(total.count) },
        ]}
      />
    )}
  </section>
)
