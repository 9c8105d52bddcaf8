import { useMemo, useState } from "preact/hooks"
import { api } from "../lib/api.ts"
import { setUnitsPerUsd, shortId, usd } from "../lib/format.ts"
import { useAction, useLoad, usePages } from "../lib/hooks.ts"
import {
  type Balance,
  type Callback,
  isFinal,
  type List,
  stateOf,
  subjectOf,
  type Task,
} from "../lib/wire.ts"
import {
  Copy,
  Dialog,
  Empty,
  Field,
  Head,
  Input,
  Loading,
  Money,
  Problem,
  State,
  Time,
} from "../parts/basics.tsx"
import { Chart } from "../parts/Chart.tsx"
import { Logo } from "../parts/Logo.tsx"
import { TaskResult } from "../parts/Result.tsx"
import { Table } from "../parts/Table.tsx"

/** A customer's own page. The key is kept in the page alone: closing or reloading it signs out. */
export const Account = () => {
  const [key, setKey] = useState<string>()
  const [typed, setTyped] = useState("")
  const open = useAction(async () => {
    const { units_per_usd } = await api<Balance>("/v1/balance", { key: typed.trim() })
    setUnitsPerUsd(units_per_usd)
    setKey(typed.trim())
  })
  if (key !== undefined) return <Own apiKey={key} onClose={() => setKey(undefined)} />
  const submit = (event: Event) => {
    event.preventDefault()
    open.act()
  }
  return (
    <main class="center">
      <form class="card" onSubmit={submit}>
        <div class="row">
          <span style={{ width: "32px", height: "32px", display: "block" }}>
            <Logo />
          </span>
          <h1>Your account</h1>
        </div>
        <p class="muted">Your balance, your tasks and what they cost. The key stays in this page.</p>
        <input hidden type="text" autocomplete="username" value="API key" readOnly />
        <Field label="API key">
          <Input type="password" autocomplete="off" required autofocus value={typed} onValue={setTyped} />
        </Field>
        <Problem failure={open.failure} />
        <button class="primary" type="submit" disabled={open.running} style={{ justifyContent: "center" }}>
          Open
        </button>
      </form>
    </main>
  )
}

const Own = ({ apiKey, onClose }: { readonly apiKey: string; readonly onClose: () => void }) => {
  const balance = useLoad<Balance>("/v1/balance", { key: apiKey, everyMs: 5000 })
  const tasks = usePages<Task>("/v1/tasks", {}, { key: apiKey, everyMs: 5000, cursor: "after" })
  const [shown, setShown] = useState<Task>()
  return (
    <main style={{ margin: "0 auto" }}>
      <Head
        title="Your account"
        actions={
          <button type="button" onClick={onClose}>
            Sign out
          </button>
        }
      />
      <Problem failure={balance.failure ?? tasks.failure} />
      {balance.data === undefined ? <Loading /> : <Tiles balance={balance.data} />}
      <Spend tasks={tasks.data ?? []} />
      <section class="card flush">
        <header>
          <h2>Tasks of this key</h2>
        </header>
        {tasks.data === undefined || tasks.data.length === 0 ? (
          <Empty title="No task yet">
            <a href="/docs#images-submit">How to submit one</a>
          </Empty>
        ) : (
          <Table
            caption="Tasks of this key"
            rows={tasks.data}
            rowKey={({ id }) => id}
            more={tasks.more}
            loading={tasks.loading}
            columns={[
              {
                name: "Task",
                cell: (task) => (
                  <button type="button" class="plain mono" onClick={() => setShown(task)} title={task.id}>
                    {shortId(task.id)}
                  </button>
                ),
              },
              { name: "State", cell: (task) => <State state={stateOf(task)} /> },
              { name: "Model or tool", minor: true, cell: subjectOf },
              { name: "Charged", right: true, cell: ({ billing }) => <Money amount={billing.charged} /> },
              { name: "Accepted", right: true, cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
        )}
      </section>
      {shown === undefined ? null : (
        <OneTask apiKey={apiKey} task={shown} onClose={() => setShown(undefined)} />
      )}
    </main>
  )
}

const Tiles = ({ balance }: { readonly balance: Balance }) => (
  <section class="tiles" aria-label="Money">
    {(
      [
        ["To spend", balance.wallet],
        ["Held for unfinished tasks", balance.held],
        ["Spent", balance.spent],
        ["Spent or held by this key", balance.key_used],
      ] as const
    ).map(([name, amount]) => (
      <div key={name} class="card tile">
        <span class="muted">{name}</span>
        <strong>
          <Money amount={amount} />
        </strong>
      </div>
    ))}
  </section>
)

const day = 86_400
const daysShown = 30

const Spend = ({ tasks }: { readonly tasks: ReadonlyArray<Task> }) => {
  const today = Math.floor(Date.now() / 1000 / day) * day
  const times = useMemo(
    () => Array.from({ length: daysShown }, (_, index) => today - (daysShown - 1 - index) * day),
    [today],
  )
  const values = times.map((at) =>
    tasks
      .filter(({ finished_at }) => finished_at !== null && finished_at >= at && finished_at < at + day)
      .reduce((total, { billing }) => total + billing.charged, 0),
  )
  return (
    <section class="card">
      <header>
        <h2>Spend by day</h2>
        <span class="muted">of the tasks below, in UTC</span>
      </header>
      <Chart
        title="Spend by day"
        times={times}
        format={(value) => usd(Math.round(value))}
        lines={[{ name: "charged", color: "--succeeded", values }]}
      />
    </section>
  )
}

const OneTask = ({
  apiKey,
  task,
  onClose,
}: {
  readonly apiKey: string
  readonly task: Task
  readonly onClose: () => void
}) => {
  const callbacks = useLoad<List<Callback>>(`/v1/tasks/${task.id}/callbacks`, { key: apiKey })
  return (
    <Dialog title={subjectOf(task)} onClose={onClose}>
      <dl>
        <dt>Task</dt>
        <dd>
          <Copy text={task.id} label="task id" />
        </dd>
        <dt>State</dt>
        <dd>
          <State state={stateOf(task)} /> {task.error?.message}
        </dd>
        <dt>Charged</dt>
        <dd>
          <Money amount={task.billing.charged} />
        </dd>
        {(callbacks.data?.data ?? []).map(({ id, url, state, attempts_total }) => (
          <>
            <dt key={id}>Callback</dt>
            <dd>
              <State state={state} /> {url}, {attempts_total} attempts
            </dd>
          </>
        ))}
      </dl>
      {isFinal(task) ? (
        <TaskResult task={task} path={`/v1/tasks/${task.id}/result`} apiKey={apiKey} title="The document" />
      ) : null}
    </Dialog>
  )
}
