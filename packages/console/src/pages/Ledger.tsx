import { useState } from "preact/hooks"
import { api, download, query } from "../lib/api.ts"
import { count, shortId, units, usd } from "../lib/format.ts"
import { useAction, useLoad, usePages } from "../lib/hooks.ts"
import { hrefOf, setQuery, usePlace } from "../lib/router.ts"
import type { Stats, Transfer } from "../lib/wire.ts"
import { Empty, Field, Head, Input, Loading, Money, Problem, State, Time } from "../parts/basics.tsx"
import { StateShape } from "../parts/Icon.tsx"
import { Table } from "../parts/Table.tsx"

/** Does it add up? The sum that must be zero comes first. */
export const Ledger = () => {
  const place = usePlace()
  const user = place.query.get("user") ?? undefined
  const task = place.query.get("task") ?? undefined
  const transfers = usePages<Transfer>("/admin/v1/ledger", { user, task })
  const isFiltered = user !== undefined || task !== undefined
  const save = useAction(() => download(`/admin/v1/ledger.csv${query({ user, task })}`, "ledger.csv"))
  return (
    <>
      <Head
        title="Ledger"
        actions={
          <button type="button" onClick={() => save.act()} disabled={save.running}>
            {save.running ? "Exporting…" : "Export as CSV"}
          </button>
        }
      >
        Every movement of money. Rows are only ever added.
      </Head>
      <Sum />
      <Problem failure={save.failure ?? transfers.failure} />
      <div class="filters">
        <Field label="Customer">
          <Input
            type="search"
            placeholder="usr_… ( / )"
            value={user ?? ""}
            onValue={(value) => setQuery({ user: value.trim() })}
          />
        </Field>
        <Field label="Task">
          <Input
            placeholder="imgtask_…, tooltask_…"
            value={task ?? ""}
            onValue={(value) => setQuery({ task: value.trim() })}
          />
        </Field>
      </div>
      {transfers.data === undefined && transfers.failure === undefined ? <Loading /> : null}
      {transfers.data === undefined ? null : (
        <section class="card flush">
          {transfers.data.length === 0 ? (
            <Empty title={isFiltered ? "No transfer matches" : "No transfer yet"}>
              <a href={hrefOf(isFiltered ? "/ledger" : "/users")}>
                {isFiltered ? "Remove every filter" : "Add money to a customer's wallet"}
              </a>
            </Empty>
          ) : (
            <Table
              caption="Ledger transfers"
              rows={transfers.data}
              rowKey={({ sequence }) => String(sequence)}
              more={transfers.more}
              loading={transfers.loading}
              columns={[
                { name: "Transfer", cell: ({ kind }) => <State state={kind} /> },
                {
                  name: "For",
                  cell: ({ task_id, reason }) =>
                    task_id === null ? (
                      reason
                    ) : (
                      <a href={hrefOf(`/tasks/${task_id}`)} class="mono" title={task_id}>
                        {shortId(task_id)}
                      </a>
                    ),
                },
                {
                  name: "Customer",
                  minor: true,
                  cell: ({ user_id }) => (
                    <a href={hrefOf(`/users/${user_id}`)} class="mono" title={user_id}>
                      {shortId(user_id)}
                    </a>
                  ),
                },
                { name: "From", minor: true, cell: ({ debit }) => debit },
                { name: "To", minor: true, cell: ({ credit }) => credit },
                { name: "Amount", right: true, cell: ({ amount }) => <Money amount={amount} /> },
                { name: "When", right: true, cell: ({ created_at }) => <Time at={created_at} /> },
              ]}
            />
          )}
        </section>
      )}
    </>
  )
}

const Sum = () => {
  const [checked, setChecked] = useState<Stats>()
  const { data, failure } = useLoad<Stats>("/admin/v1/stats", { everyMs: 5000 })
  const check = useAction(async () => setChecked(await api<Stats>("/admin/v1/stats?check=true")))
  if (data === undefined) return <Problem failure={failure} />
  const { granted, balance, held, spent, transfers } = data.ledger
  const sum = granted - balance - held - spent
  const wrong = [
    ...(checked?.ledger_mismatches ?? []),
    ...(checked?.total_mismatches ?? []).map(({ total }) => total),
  ]
  return (
    <section class="card">
      <p class="well">
        <span class={`state ${sum === 0 ? "succeeded" : "failed"}`}>
          <StateShape state={sum === 0 ? "done" : "failed"} />
          {sum === 0 ? "It adds up." : "It does not add up."}
        </span>
        <span>
          granted − wallets − held − spent = <strong title={units(sum)}>{usd(sum)}</strong>
        </span>
      </p>
      <p class="muted number">
        {usd(granted)} − {usd(balance)} − {usd(held)} − {usd(spent)}, in {count(transfers)} transfers
      </p>
      <Problem failure={check.failure} />
      <div class="row">
        <button type="button" onClick={() => check.act()} disabled={check.running}>
          {check.running ? "Counting…" : "Count every transfer again"}
        </button>
        {checked === undefined ? null : (
          <span role="status">
            {wrong.length === 0
              ? "Every balance and every total agrees with the rows."
              : `These differ: ${wrong.join(", ")}.`}
          </span>
        )}
      </div>
    </section>
  )
}
