import { useState } from "preact/hooks"
import { change, useAction, usePages } from "../lib/hooks.ts"
import { go, hrefOf } from "../lib/router.ts"
import { useRole } from "../lib/session.ts"
import type { User } from "../lib/wire.ts"
import { Copy, Empty, Field, Head, Input, Loading, Money, Problem, State, Time } from "../parts/basics.tsx"
import { DialogForm } from "../parts/DialogForm.tsx"
import { Table } from "../parts/Table.tsx"

export const Users = () => {
  const { isOwner } = useRole()
  const users = usePages<User>("/admin/v1/users", {})
  const [adding, setAdding] = useState(false)
  const [text, setText] = useState("")
  const shown = users.data?.filter(({ id, name }) =>
    `${id} ${name}`.toLowerCase().includes(text.toLowerCase()),
  )
  const add = (
    <button type="button" class="primary" onClick={() => setAdding(true)}>
      New customer
    </button>
  )
  return (
    <>
      <Head title="Customers" actions={isOwner ? add : undefined}>
        Who has how much. Each has a wallet, and keys that spend from it.
      </Head>
      <Problem failure={users.failure} retry={users.reload} />
      {users.data === undefined && users.failure === undefined ? <Loading /> : null}
      {shown === undefined ? null : (
        <>
          <div class="filters">
            <Field label="Find among those shown">
              <Input type="search" placeholder="name or id ( / )" value={text} onValue={setText} />
            </Field>
          </div>
          <section class="card flush">
            {shown.length === 0 ? (
              <Empty title={text === "" ? "No customer yet" : "No customer matches"}>
                {text === "" ? (
                  isOwner ? (
                    add
                  ) : (
                    "An owner makes them here."
                  )
                ) : (
                  <button type="button" onClick={() => setText("")}>
                    Show all
                  </button>
                )}
              </Empty>
            ) : (
              <Table
                caption="Customers"
                rows={shown}
                rowKey={({ id }) => id}
                more={users.more}
                loading={users.loading}
                columns={[
                  {
                    name: "Customer",
                    cell: ({ id, name }) => (
                      <a href={hrefOf(`/users/${id}`)} class="roomy">
                        {name || "unnamed"}
                      </a>
                    ),
                  },
                  { name: "Id", minor: true, cell: ({ id }) => <Copy text={id} label="customer id" short /> },
                  { name: "Wallet", right: true, cell: ({ balance }) => <Money amount={balance} /> },
                  { name: "Held", right: true, minor: true, cell: ({ held }) => <Money amount={held} /> },
                  { name: "Spent", right: true, cell: ({ spent }) => <Money amount={spent} /> },
                  {
                    name: "State",
                    minor: true,
                    cell: ({ disabled }) => (disabled ? <State state="disabled" /> : ""),
                  },
                  {
                    name: "Since",
                    right: true,
                    minor: true,
                    cell: ({ created_at }) => <Time at={created_at} />,
                  },
                ]}
              />
            )}
          </section>
        </>
      )}
      {adding ? <NewUser onClose={() => setAdding(false)} /> : null}
    </>
  )
}

const NewUser = ({ onClose }: { readonly onClose: () => void }) => {
  const [name, setName] = useState("")
  const [usd, setUsd] = useState("10")
  const make = useAction(async () => {
    const user = await change<User>("POST", "/admin/v1/users", {
      name: name.trim(),
      ...(usd.trim() === "" ? {} : { balance_usd: usd.trim() }),
    })
    go(`/users/${user.id}`)
  })
  return (
    <DialogForm title="New customer" word="Create" action={make} onClose={onClose}>
      <Field label="Name">
        <Input required maxLength={200} value={name} onValue={setName} />
      </Field>
      <Field label="Wallet, in US dollars" hint="Given as a grant, with a transfer in the ledger.">
        <Input inputMode="decimal" value={usd} onValue={setUsd} />
      </Field>
    </DialogForm>
  )
}
