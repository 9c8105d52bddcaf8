import { useMemo, useState } from "preact/hooks"
import { query } from "../lib/api.ts"
import { usd } from "../lib/format.ts"
import { change, useAction, useLoad, usePages } from "../lib/hooks.ts"
import { hrefOf } from "../lib/router.ts"
import { useRole } from "../lib/session.ts"
import type { AdminTask, Day, Key, List, User } from "../lib/wire.ts"
import { Copy, Empty, Field, Head, Input, Loading, Money, Problem, State } from "../parts/basics.tsx"
import { Chart } from "../parts/Chart.tsx"
import { DialogForm } from "../parts/DialogForm.tsx"
import { Keys, MakeKey } from "./Keys.tsx"
import { TaskTable } from "./Tasks.tsx"

export const UserPage = ({ id }: { readonly id: string }) => {
  const { isOwner, maySupport } = useRole()
  const path = `/admin/v1/users/${encodeURIComponent(id)}`
  const user = useLoad<User>(path, { everyMs: 5000 })
  const keys = useLoad<List<Key>>(`${path}/keys`)
  const tasks = usePages<AdminTask>("/admin/v1/tasks", { user: id }, { everyMs: 5000 })
  const [dialog, setDialog] = useState<"grant" | "key">()
  const toggle = useAction((disabled: boolean) => change("PATCH", path, { disabled }))
  if (user.data === undefined) {
    return (
      <>
        <Head title="Customer" />
        {user.failure === undefined ? (
          <Loading />
        ) : (
          <Problem failure={user.failure} {...(user.failure.status === 404 ? {} : { retry: user.reload })}>
            {user.failure.status === 404 ? <a href={hrefOf("/users")}>Look among all customers</a> : null}
          </Problem>
        )}
      </>
    )
  }
  const { name, balance, held, spent, granted, disabled } = user.data
  const close = () => {
    setDialog(undefined)
    user.reload()
    keys.reload()
  }
  return (
    <>
      <Head
        title={name}
        actions={
          <>
            {maySupport ? (
              <button type="button" onClick={() => setDialog("grant")}>
                Add money
              </button>
            ) : null}
            {isOwner ? (
              <button type="button" class="primary" onClick={() => setDialog("key")}>
                New key
              </button>
            ) : null}
            {isOwner ? (
              <button
                type="button"
                class={disabled ? "" : "danger"}
                onClick={() => toggle.act(!disabled).then(user.reload)}
              >
                {disabled ? "Enable" : "Disable"}
              </button>
            ) : null}
          </>
        }
      >
        <Copy text={id} label="customer id" /> {disabled ? <State state="disabled" /> : null}
      </Head>
      <Problem failure={toggle.failure} />
      <section class="tiles" aria-label="Money">
        {(
          [
            ["Wallet", balance],
            ["Held", held],
            ["Spent", spent],
            ["Granted", granted],
          ] as const
        ).map(([label, amount]) => (
          <div key={label} class="card tile">
            <span class="muted">{label}</span>
            <strong>
              <Money amount={amount} />
            </strong>
          </div>
        ))}
      </section>
      <Spending path={path} />
      <section class="card flush">
        <header>
          <h2>Keys</h2>
        </header>
        <Problem failure={keys.failure} />
        {keys.data === undefined ? null : keys.data.data.length === 0 ? (
          <Empty title="No key yet">
            <span>A customer needs one to submit anything.</span>
            {isOwner ? (
              <button type="button" onClick={() => setDialog("key")}>
                Make the first key
              </button>
            ) : null}
          </Empty>
        ) : (
          <Keys rows={keys.data.data} reload={keys.reload} />
        )}
      </section>
      <section class="card flush">
        <header>
          <h2>Tasks</h2>
          <a href={hrefOf(`/tasks?user=${id}`)}>search these</a>
        </header>
        {tasks.data === undefined || tasks.data.length === 0 ? (
          <Empty title="No task yet">
            <a href={hrefOf("/playground")}>Submit one in the playground, with a key of this customer</a>
          </Empty>
        ) : (
          <TaskTable rows={tasks.data.slice(0, 20)} isOfOne />
        )}
      </section>
      {dialog === "grant" ? <Grant path={path} onClose={close} /> : null}
      {dialog === "key" ? <MakeKey path={path} onClose={close} /> : null}
    </>
  )
}

const day = 86_400
const daysShown = 30

const Spending = ({ path }: { readonly path: string }) => {
  const until = (Math.floor(Date.now() / 1000 / day) + 1) * day
  const from = until - daysShown * day
  const { data, failure } = useLoad<List<Day>>(`${path}/spending${query({ from, until })}`)
  const times = useMemo(() => Array.from({ length: daysShown }, (_, index) => from + index * day), [from])
  const values = times.map((at) => data?.data.find(({ day_at }) => day_at === at)?.charged_units ?? 0)
  return (
    <section class="card">
      <header>
        <h2>Spend by day</h2>
        <span class="muted">{usd(values.reduce((total, value) => total + value, 0))} in 30 days, UTC</span>
      </header>
      <Problem failure={failure} />
      <Chart
        title="Spend by day"
        times={times}
        format={(value) => usd(Math.round(value))}
        lines={[{ name: "charged", color: "--succeeded", values }]}
      />
    </section>
  )
}

const Grant = ({ path, onClose }: { readonly path: string; readonly onClose: () => void }) => {
  const [amount, setAmount] = useState("")
  const [reason, setReason] = useState("")
  const grant = useAction(async () => {
    await change("POST", `${path}/grants`, { usd: amount.trim(), reason: reason.trim() })
    onClose()
  })
  return (
    <DialogForm title="Add money" word="Add" action={grant} onClose={onClose}>
      <Field label="US dollars">
        <Input required inputMode="decimal" value={amount} onValue={setAmount} />
      </Field>
      <Field label="Reason" hint="Kept in the ledger and in the audit log.">
        <Input required maxLength={200} value={reason} onValue={setReason} />
      </Field>
    </DialogForm>
  )
}
