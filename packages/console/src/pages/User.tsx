import { useMemo, useState } from "preact/hooks"
import { query } from "../lib/api.ts"
import { exactTime, usd } from "../lib/format.ts"
import { change, useAction, useLoad, usePages } from "../lib/hooks.ts"
import { hrefOf } from "../lib/router.ts"
import { rememberKey, useRole } from "../lib/session.ts"
import type { AdminTask, Day, Key, List, NewKey, User } from "../lib/wire.ts"
import {
  Check,
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
import { Table } from "../parts/Table.tsx"
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
        {user.failure === undefined ? <Loading /> : <Problem failure={user.failure} retry={user.reload} />}
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
          <Empty title="No key yet">A customer needs one to submit anything.</Empty>
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
          <Empty title="No task yet" />
        ) : (
          <TaskTable rows={tasks.data.slice(0, 20)} />
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

/** The limits of a key as a sentence. */
const limitsOf = (key: Key): string =>
  [
    ...(key.quota_units === null ? [] : [`may spend ${usd(key.quota_units)}, spent ${usd(key.used_units)}`]),
    ...(key.models.length === 0 ? [] : [`models ${key.models.join(", ")}`]),
    ...(key.tools.length === 0 ? [] : [`tools ${key.tools.join(", ")}`]),
    ...(key.rate_per_minute === null ? [] : [`${key.rate_per_minute} requests a minute`]),
    ...(key.ip_allowlist.length === 0 ? [] : [`from ${key.ip_allowlist.join(", ")}`]),
    ...(key.group === null ? [] : [`group ${key.group}`]),
    ...(key.expires_at === null ? [] : [`until ${exactTime(key.expires_at)}`]),
  ].join("; ") || "no limits of its own"

const Keys = ({ rows, reload }: { readonly rows: ReadonlyArray<Key>; readonly reload: () => void }) => {
  const { isOwner } = useRole()
  const [shown, setShown] = useState<NewKey>()
  const toggle = useAction((key: Key) =>
    change("PATCH", `/admin/v1/keys/${key.id}`, { disabled: !key.disabled }),
  )
  const rotate = useAction(async (key: Key) =>
    setShown(await change<NewKey>("POST", `/admin/v1/keys/${key.id}/rotate`, {})),
  )
  return (
    <>
      <Problem failure={toggle.failure ?? rotate.failure} />
      <Table
        caption="API keys"
        rows={rows}
        rowKey={({ id }) => id}
        columns={[
          { name: "Key", cell: ({ name, hint }) => `${name === "" ? "unnamed" : name} (${hint}…)` },
          { name: "Id", minor: true, cell: ({ id }) => <Copy text={id} label="key id" short /> },
          { name: "Limits", cell: limitsOf },
          { name: "Used", right: true, cell: ({ used_units }) => <Money amount={used_units} /> },
          {
            name: "State",
            cell: ({ disabled }) => (
              <State state={disabled ? "disabled" : "done"} word={disabled ? "disabled" : "in use"} />
            ),
          },
          { name: "Made", right: true, minor: true, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            name: "Change",
            cell: (key) =>
              isOwner ? (
                <span class="row">
                  <button type="button" class="plain" onClick={() => rotate.act(key)}>
                    Rotate
                  </button>
                  <button type="button" class="plain" onClick={() => toggle.act(key).then(reload)}>
                    {key.disabled ? "Enable" : "Disable"}
                  </button>
                </span>
              ) : null,
          },
        ]}
      />
      {shown === undefined ? null : (
        <Dialog
          title="The new secret"
          onClose={() => {
            setShown(undefined)
            reload()
          }}
        >
          <Secrets made={shown} />
          <p class="muted">The old secret stays valid for 24 hours.</p>
        </Dialog>
      )}
    </>
  )
}

/** Secrets are in one answer alone. */
const Secrets = ({ made }: { readonly made: NewKey }) => {
  if (made.key !== null) rememberKey(made.key)
  return (
    <>
      <div class="notice warn">
        <strong>Copy it now: it is not shown again.</strong>
        <span>Only its digest is stored.</span>
      </div>
      <dl>
        <dt>API key</dt>
        <dd>
          <Copy text={made.key ?? "shown before"} label="API key" />
        </dd>
        {made.webhook_secret === undefined || made.webhook_secret === null ? null : (
          <>
            <dt>Webhook secret</dt>
            <dd>
              <Copy text={made.webhook_secret} label="webhook secret" />
            </dd>
          </>
        )}
      </dl>
      <a href={hrefOf("/playground")}>Try it in the playground</a>
    </>
  )
}

const Grant = ({ path, onClose }: { readonly path: string; readonly onClose: () => void }) => {
  const [amount, setAmount] = useState("")
  const [reason, setReason] = useState("")
  const grant = useAction(async () => {
    await change("POST", `${path}/grants`, { usd: amount.trim(), reason: reason.trim() })
    onClose()
  })
  const submit = (event: Event) => {
    event.preventDefault()
    grant.act()
  }
  return (
    <Dialog title="Add money" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <Field label="US dollars">
          <Input required inputMode="decimal" value={amount} onValue={setAmount} />
        </Field>
        <Field label="Reason" hint="Kept in the ledger and in the audit log.">
          <Input required maxLength={200} value={reason} onValue={setReason} />
        </Field>
        <Problem failure={grant.failure} />
        <div class="row">
          <button class="primary" type="submit" disabled={grant.running}>
            Add
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const MakeKey = ({ path, onClose }: { readonly path: string; readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const [quota, setQuota] = useState("")
  const [models, setModels] = useState("")
  const [tools, setTools] = useState("")
  const [rate, setRate] = useState("")
  const [limited, setLimited] = useState(false)
  const [made, setMade] = useState<NewKey>()
  const make = useAction(async () => {
    const limits = {
      ...(quota.trim() === "" ? {} : { quota_usd: quota.trim() }),
      ...(models.trim() === "" ? {} : { models: models.trim() }),
      ...(tools.trim() === "" ? {} : { tools: tools.trim() }),
      ...(rate.trim() === "" ? {} : { rate_per_minute: Number(rate) }),
    }
    setMade(await change<NewKey>("POST", `${path}/keys`, { name: name.trim(), ...(limited ? limits : {}) }))
  })
  const submit = (event: Event) => {
    event.preventDefault()
    make.act()
  }
  if (made !== undefined) {
    return (
      <Dialog title="The new key" onClose={onClose}>
        <Secrets made={made} />
        <div>
          <button type="button" onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title="New key" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <Field label="Name">
          <Input maxLength={200} value={name} onValue={setName} placeholder="production" />
        </Field>
        <Check label="With limits of its own" checked={limited} onValue={setLimited} />
        {limited ? (
          <div class="fields">
            <Field label="May spend, in US dollars">
              <Input inputMode="decimal" value={quota} onValue={setQuota} />
            </Field>
            <Field label="Requests a minute">
              <Input inputMode="numeric" value={rate} onValue={setRate} />
            </Field>
            <Field label="Models" hint="By comma; * stands for anything.">
              <Input value={models} onValue={setModels} placeholder="gen-image-*" />
            </Field>
            <Field label="Tools" hint="By comma.">
              <Input value={tools} onValue={setTools} />
            </Field>
          </div>
        ) : null}
        <Problem failure={make.failure} />
        <div class="row">
          <button class="primary" type="submit" disabled={make.running}>
            Create
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  )
}
