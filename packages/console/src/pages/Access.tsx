import { useState } from "preact/hooks"
import { change, useAction, usePages } from "../lib/hooks.ts"
import { useRole } from "../lib/session.ts"
import type { AdminToken } from "../lib/wire.ts"
import { Copy, Empty, Field, Head, Input, Loading, Problem, Select, State, Time } from "../parts/basics.tsx"
import { DialogForm } from "../parts/DialogForm.tsx"
import { Table } from "../parts/Table.tsx"

const roles = [
  ["read", "read: looks, and changes nothing"],
  ["support", "support: also grants, cancels, delivers again, limits keys"],
  ["owner", "owner: everything"],
] as const

/** Who may sign in here. */
export const Access = () => {
  const { isOwner } = useRole()
  const tokens = usePages<AdminToken>("/admin/v1/tokens", {})
  const [adding, setAdding] = useState(false)
  const toggle = useAction(({ id, disabled }: AdminToken) =>
    change("PATCH", `/admin/v1/tokens/${id}`, { disabled: !disabled }),
  )
  const add = (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      New admin token
    </button>
  )
  return (
    <>
      <Head title="Access" actions={isOwner ? add : undefined}>
        Who may sign in here. Every person and program gets a token of their own, so that the audit log tells
        them apart.
      </Head>
      <Problem failure={tokens.failure ?? toggle.failure} />
      {tokens.data === undefined && tokens.failure === undefined ? <Loading /> : null}
      {tokens.data === undefined ? null : (
        <section class="card flush">
          {tokens.data.length === 0 ? (
            <Empty title="Only ATELIER_ADMIN_TOKEN">
              <span>Give everybody a token of their own, so that the audit log tells them apart.</span>
              {isOwner ? add : null}
            </Empty>
          ) : (
            <Table
              caption="Admin tokens"
              rows={tokens.data}
              rowKey={({ id }) => id}
              more={tokens.more}
              loading={tokens.loading}
              columns={[
                { name: "Name", cell: ({ name, hint }) => `${name} (${hint}…)` },
                { name: "Id", minor: true, cell: ({ id }) => <Copy text={id} label="token id" short /> },
                { name: "Role", cell: ({ role }) => role },
                {
                  name: "State",
                  cell: ({ disabled }) => (
                    <State state={disabled ? "disabled" : "done"} word={disabled ? "disabled" : "in use"} />
                  ),
                },
                {
                  name: "Ends",
                  right: true,
                  minor: true,
                  cell: ({ expires_at }) => <Time at={expires_at} />,
                },
                { name: "Made", right: true, cell: ({ created_at }) => <Time at={created_at} /> },
                {
                  name: "Change",
                  cell: (token) =>
                    isOwner ? (
                      <button
                        type="button"
                        class="plain"
                        onClick={() => toggle.act(token).then(tokens.reload)}
                      >
                        {token.disabled ? "Enable" : "Disable"}
                        <span class="hidden"> {token.name}</span>
                      </button>
                    ) : null,
                },
              ]}
            />
          )}
        </section>
      )}
      {adding ? (
        <NewToken
          onClose={() => {
            setAdding(false)
            tokens.reload()
          }}
        />
      ) : null}
    </>
  )
}

const NewToken = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const [role, setRole] = useState("read")
  const [token, setToken] = useState<string | null>()
  const make = useAction(async () => {
    const made = await change<{ readonly token: string | null }>("POST", "/admin/v1/tokens", {
      name: name.trim(),
      role,
    })
    setToken(made.token)
  })
  const done = token !== undefined && (
    <>
      <div class="notice warn">
        <strong>Copy it now: it is not shown again.</strong>
      </div>
      <Copy text={token ?? "shown before"} label="admin token" />
    </>
  )
  return (
    <DialogForm
      title="New admin token"
      word="Create"
      action={make}
      done={done || undefined}
      onClose={onClose}
    >
      <Field label="Name">
        <Input required maxLength={200} value={name} onValue={setName} placeholder="Ada, support" />
      </Field>
      <Field label="Role">
        <Select value={role} options={roles} onValue={setRole} />
      </Field>
    </DialogForm>
  )
}
