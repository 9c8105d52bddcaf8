import { useState } from "preact/hooks"
import { exactTime, usd, usdOf } from "../lib/format.ts"
import { change, useAction, useLoad } from "../lib/hooks.ts"
import { hrefOf } from "../lib/router.ts"
import { rememberKey, useRole } from "../lib/session.ts"
import type { AdminTask, Key, List, NewKey } from "../lib/wire.ts"
import { Check, Copy, Dialog, Field, Input, Money, Problem, State, Time } from "../parts/basics.tsx"
import { DialogForm } from "../parts/DialogForm.tsx"
import { Table } from "../parts/Table.tsx"

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

export const Keys = ({
  rows,
  reload,
}: {
  readonly rows: ReadonlyArray<Key>
  readonly reload: () => void
}) => {
  const { isOwner, maySupport } = useRole()
  const [shown, setShown] = useState<NewKey>()
  const [editing, setEditing] = useState<Key>()
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
          {
            name: "Key",
            cell: (key) => (
              <>
                {key.name === "" ? "unnamed" : key.name} ({key.hint}…)
                <span class="small">{limitsOf(key)}</span>
              </>
            ),
          },
          { name: "Id", least: true, cell: ({ id }) => <Copy text={id} label="key id" short /> },
          { name: "Limits", minor: true, cell: (key) => <div class="roomy">{limitsOf(key)}</div> },
          { name: "Used", right: true, cell: ({ used_units }) => <Money amount={used_units} /> },
          {
            name: "State",
            cell: ({ disabled }) => (
              <State state={disabled ? "disabled" : "done"} word={disabled ? "disabled" : "in use"} />
            ),
          },
          { name: "Last task", right: true, minor: true, cell: ({ id }) => <LastTask id={id} /> },
          { name: "Made", right: true, least: true, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            name: "Change",
            cell: (key) =>
              maySupport ? (
                <span class="row change">
                  <button type="button" class="plain" onClick={() => setEditing(key)}>
                    Limits<span class="hidden"> of {key.name}</span>
                  </button>
                  {isOwner ? (
                    <>
                      <button type="button" class="plain" onClick={() => rotate.act(key)}>
                        Rotate<span class="hidden"> {key.name}</span>
                      </button>
                      <button type="button" class="plain" onClick={() => toggle.act(key).then(reload)}>
                        {key.disabled ? "Enable" : "Disable"}
                        <span class="hidden"> {key.name}</span>
                      </button>
                    </>
                  ) : null}
                </span>
              ) : null,
          },
        ]}
      />
      {editing === undefined ? null : (
        <EditKey
          of={editing}
          onClose={() => {
            setEditing(undefined)
            reload()
          }}
        />
      )}
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

/** When a task was accepted last under the key. */
const LastTask = ({ id }: { readonly id: string }) => {
  const { data } = useLoad<List<AdminTask>>(`/admin/v1/tasks?key=${id}&limit=1`)
  if (data === undefined) return <span class="muted">…</span>
  const [last] = data.data
  return last === undefined ? (
    <span class="muted">never</span>
  ) : (
    <a href={hrefOf(`/tasks?key=${id}`)}>
      <Time at={last.task.created_at} />
    </a>
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

/** What is typed into the fields of a key's limits. */
interface Limits {
  readonly quota: string
  readonly rate: string
  readonly models: string
  readonly tools: string
  readonly addresses: string
  readonly group: string
  /** A local time as browsers take it, `2026-01-31T12:00`. */
  readonly until: string
}

const none: Limits = { quota: "", rate: "", models: "", tools: "", addresses: "", group: "", until: "" }

/** What the API calls them; an empty field takes the limit away. */
const asSettings = ({ quota, rate, models, tools, addresses, group, until }: Limits) => ({
  quota_usd: quota.trim() === "" ? null : quota.trim(),
  rate_per_minute: rate.trim() === "" ? null : Number(rate),
  models: models.trim(),
  tools: tools.trim(),
  ip_allowlist: addresses.split(/[\s,]+/).filter((each) => each !== ""),
  group: group.trim() === "" ? null : group.trim(),
  expires_at: until === "" ? null : Math.floor(new Date(until).getTime() / 1000),
})

const limitsIn = (key: Key): Limits => ({
  quota: key.quota_units === null ? "" : usdOf(key.quota_units),
  rate: key.rate_per_minute === null ? "" : String(key.rate_per_minute),
  models: key.models.join(", "),
  tools: key.tools.join(", "),
  addresses: key.ip_allowlist.join(", "),
  group: key.group ?? "",
  until: key.expires_at === null ? "" : exactTime(key.expires_at).slice(0, 16).replace(" ", "T"),
})

/** The fields of a key's limits: those that support staff may change, and the owner's. */
const LimitFields = ({
  limits,
  onLimits,
}: {
  readonly limits: Limits
  readonly onLimits: (limits: Limits) => void
}) => {
  const { isOwner } = useRole()
  const of = (name: keyof Limits) => ({
    value: limits[name],
    onValue: (value: string) => onLimits({ ...limits, [name]: value }),
  })
  return (
    <div class="fields">
      <Field label="May spend, in US dollars" hint="Empty: as much as the wallet holds.">
        <Input inputMode="decimal" {...of("quota")} />
      </Field>
      <Field label="Requests a minute" hint="Empty: as for every key.">
        <Input inputMode="numeric" {...of("rate")} />
      </Field>
      {isOwner ? (
        <>
          <Field label="Models" hint="By comma; * stands for anything. Empty: all.">
            <Input placeholder="gen-image-*" {...of("models")} />
          </Field>
          <Field label="Tools" hint="By comma. Empty: all.">
            <Input {...of("tools")} />
          </Field>
          <Field label="Only from" hint="Addresses or networks, by comma. Empty: from anywhere.">
            <Input placeholder="203.0.113.0/24" {...of("addresses")} />
          </Field>
          <Field label="Until" hint="Empty: it does not expire.">
            <Input type="datetime-local" {...of("until")} />
          </Field>
          <Field label="Group" hint="Channels may be for some groups alone.">
            <Input maxLength={200} {...of("group")} />
          </Field>
        </>
      ) : null}
    </div>
  )
}

const EditKey = ({ of: key, onClose }: { readonly of: Key; readonly onClose: () => void }) => {
  const [limits, setLimits] = useState(() => limitsIn(key))
  const save = useAction(async () => {
    const before: Readonly<Record<string, unknown>> = asSettings(limitsIn(key))
    // What was not touched is not sent: support staff may change some of them alone.
    const changed = Object.entries(asSettings(limits)).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
    )
    if (changed.length > 0) await change("PATCH", `/admin/v1/keys/${key.id}`, Object.fromEntries(changed))
    onClose()
  })
  return (
    <DialogForm
      title={`Limits of ${key.name === "" ? key.hint : key.name}`}
      word="Save"
      action={save}
      onClose={onClose}
    >
      <p class="muted">It has spent {usd(key.used_units)}. A change counts from the next request on.</p>
      <LimitFields limits={limits} onLimits={setLimits} />
    </DialogForm>
  )
}

export const MakeKey = ({ path, onClose }: { readonly path: string; readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const [limits, setLimits] = useState(none)
  const [limited, setLimited] = useState(false)
  const [made, setMade] = useState<NewKey>()
  const make = useAction(async () => {
    const own = limited ? asSettings(limits) : {}
    setMade(await change<NewKey>("POST", `${path}/keys`, { name: name.trim(), ...own }))
  })
  return (
    <DialogForm
      title={made === undefined ? "New key" : "The new key"}
      word="Create"
      action={make}
      done={made && <Secrets made={made} />}
      onClose={onClose}
    >
      <Field label="Name">
        <Input maxLength={200} value={name} onValue={setName} placeholder="production" />
      </Field>
      <Check label="With limits of its own" checked={limited} onValue={setLimited} />
      {limited ? <LimitFields limits={limits} onLimits={setLimits} /> : null}
    </DialogForm>
  )
}
