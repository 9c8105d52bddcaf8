import { useEffect, useState } from "preact/hooks"
import { bytes, duration, usd } from "../lib/format.ts"
import { change, useAction, useLoad } from "../lib/hooks.ts"
import { hrefOf } from "../lib/router.ts"
import { useRole } from "../lib/session.ts"
import { type AdminTaskDetail, heldOf, isFinal, releasedOf, stateOf, subjectOf } from "../lib/wire.ts"
import { Copy, Head, Loading, Money, Problem, State, Time } from "../parts/basics.tsx"
import { TaskResult } from "../parts/Result.tsx"
import { Table } from "../parts/Table.tsx"

interface Shown {
  readonly detail: AdminTaskDetail
  readonly reload: () => void
}

/** What happened to a task, and why it cost what it cost; a page of its own, or beside the list. */
export const TaskPage = ({ id, isBeside = false }: { readonly id: string; readonly isBeside?: boolean }) => {
  const [over, setOver] = useState(false)
  const path = `/admin/v1/tasks/${encodeURIComponent(id)}`
  const { data, failure, reload } = useLoad<AdminTaskDetail>(path, over ? {} : { everyMs: 2000 })
  const isOver = data !== undefined && isFinal(data.task) && data.callback?.state !== "pending"
  useEffect(() => setOver(isOver), [isOver])
  if (data !== undefined) return <Detail detail={data} reload={reload} isBeside={isBeside} />
  return (
    <>
      <Head title="Task" isBeside={isBeside} />
      {failure === undefined ? (
        <Loading />
      ) : (
        <Problem failure={failure} {...(failure.status === 404 ? {} : { retry: reload })}>
          {failure.status === 404 ? <a href={hrefOf("/tasks")}>Look for it among all tasks</a> : null}
        </Problem>
      )}
    </>
  )
}

const Detail = ({ detail, reload, isBeside }: Shown & { readonly isBeside: boolean }) => {
  const { task, file } = detail
  return (
    <>
      <Head title={subjectOf(task)} isBeside={isBeside} actions={<Actions detail={detail} reload={reload} />}>
        <State state={stateOf(task)} /> · accepted <Time at={task.created_at} />
      </Head>
      <Names detail={detail} />
      {task.error === null ? null : (
        <div class="notice bad">
          <strong>{task.error.message}</strong>
          <span class="muted">
            The task failed with <code>{task.error.code}</code>. {whatBecameOfTheFee(detail)}
          </span>
        </div>
      )}
      {task.warnings.map(({ code, message }) => (
        <div key={code} class="notice warn">
          <span>{message}</span>
          <code class="muted">{code}</code>
        </div>
      ))}
      <div class="columns wide">
        <div class="stack apart">
          <TaskResult
            task={task}
            path={`/admin/v1/tasks/${task.id}/result`}
            title={file === null ? "The document" : `${file.filename}, ${bytes(file.bytes)}`}
          />
          <Request detail={detail} />
        </div>
        <div class="stack apart">
          <Price detail={detail} />
          <Timeline detail={detail} />
          <Callback detail={detail} reload={reload} />
        </div>
      </div>
    </>
  )
}

const Actions = ({ detail, reload }: Shown) => {
  const { maySupport } = useRole()
  const { task } = detail
  const cancel = useAction(() => change("POST", `/admin/v1/tasks/${task.id}/cancel`))
  const [copied, setCopied] = useState(false)
  const curl = `curl ${location.origin}/v1/tasks/${task.id} -H "Authorization: Bearer $ATELIER_API_KEY"`
  const copy = async () => {
    await navigator.clipboard?.writeText(curl).catch(() => {})
    setCopied(true)
  }
  return (
    <>
      <button type="button" onClick={copy} title={curl}>
        {copied ? "Copied" : "Copy as curl"}
      </button>
      {stateOf(task) === "queued" && maySupport ? (
        <button
          type="button"
          class="danger"
          disabled={cancel.running}
          onClick={() => cancel.act().then(reload)}
        >
          Cancel and refund
        </button>
      ) : null}
      <Problem failure={cancel.failure} />
    </>
  )
}

const whatBecameOfTheFee = ({ task }: AdminTaskDetail): string => {
  const { charged } = task.billing
  const back = releasedOf(task)
  if (charged === 0 && back === 0) return "Nothing was held."
  if (charged === 0) return `${usd(back)} was given back, nothing charged.`
  return `${usd(charged)} was charged${back === 0 ? "" : `, ${usd(back)} given back`}.`
}

/** The sentence that answers "why was I charged". */
const whyThisPrice = (detail: AdminTaskDetail): string => {
  const { task, fees } = detail
  const held = usd(heldOf(task))
  if (task.object === "tool.task") {
    const rule = `One document with ${task.tool_id} costs ${held}: held when it was accepted, charged when it succeeds, given back when it fails.`
    return isFinal(task) ? `${rule} ${whatBecameOfTheFee(detail)}` : rule
  }
  const asked = fees.length
  const asking = `${asked} ${asked === 1 ? "image was" : "images were"} asked for, ${usd(fees[0] ?? 0)} for ${asked === 1 ? "it" : "the first"}: ${held} was held.`
  if (!isFinal(task)) return `${asking} What is delivered will be charged.`
  const made = task.usage.images
  const delivered = made === asked ? "All were delivered" : `${made} of ${asked} were delivered`
  return task.state === "completed"
    ? `${asking} ${asked === 1 && made === 1 ? "It was delivered" : delivered}. ${whatBecameOfTheFee(detail)}`
    : `${asking} ${whatBecameOfTheFee(detail)}`
}

const Price = ({ detail }: { readonly detail: AdminTaskDetail }) => (
  <section class="card">
    <header>
      <h2>Why this price</h2>
    </header>
    <p>{whyThisPrice(detail)}</p>
    <dl>
      <dt>Held</dt>
      <dd>
        <Money amount={heldOf(detail.task)} />
      </dd>
      <dt>Charged</dt>
      <dd>
        <strong>
          <Money amount={detail.task.billing.charged} />
        </strong>
      </dd>
      <dt>Given back</dt>
      <dd>
        <Money amount={releasedOf(detail.task)} />
      </dd>
    </dl>
  </section>
)

const eventNames: Readonly<Record<string, string>> = {
  submit: "Accepted",
  start: "Started",
  generate: "Made, now being copied",
  finish: "Finished",
  fail: "Failed",
  cancel: "Canceled",
  expire: "Ran out of time",
  markUnknown: "It is unknown whether the upstream took it",
}

const Timeline = ({ detail }: { readonly detail: AdminTaskDetail }) => (
  <section class="card">
    <header>
      <h2>What happened</h2>
    </header>
    <ol class="timeline">
      {detail.steps.map((step, index) => (
        <li key={`${step.event} ${index}`}>
          <div class="row between">
            <strong>{eventNames[step.event] ?? step.event}</strong>
            <span class="muted">
              {index === 0 ? <Time at={step.occurred_at} /> : `+ ${duration(step.elapsed_ms)}`}
            </span>
          </div>
          <State state={step.to} />
          {step.event === "start" && detail.channel !== null ? (
            <span class="muted">
              on the channel <a href={hrefOf("/channels")}>{detail.channel.id}</a>
              {detail.channel.upstream_id === null ? null : (
                <>
                  {" as "}
                  <Copy text={detail.channel.upstream_id} label="upstream id" short />
                </>
              )}
            </span>
          ) : null}
          {step.transfers.map((transfer) => (
            <div key={transfer.id} class="money">
              <State state={transfer.kind} />
              <Money amount={transfer.amount} />
            </div>
          ))}
        </li>
      ))}
    </ol>
    <details>
      <summary>
        {detail.transfers.length === 1 ? "1 ledger transfer" : `${detail.transfers.length} ledger transfers`}
      </summary>
      <Table
        caption="Ledger transfers of this task"
        rows={detail.transfers}
        rowKey={({ id }) => id}
        columns={[
          { name: "Transfer", cell: ({ kind }) => <State state={kind} /> },
          { name: "From", cell: ({ debit }) => debit },
          { name: "To", cell: ({ credit }) => credit },
          { name: "Amount", right: true, cell: ({ amount }) => <Money amount={amount} /> },
        ]}
      />
    </details>
  </section>
)

const Names = ({ detail }: { readonly detail: AdminTaskDetail }) => (
  <dl class="names">
    <div>
      <dt>Task</dt>
      <dd>
        <Copy text={detail.task.id} label="task id" short />
      </dd>
    </div>
    <div>
      <dt>Customer</dt>
      <dd>
        <a href={hrefOf(`/users/${detail.user_id}`)}>{detail.user_name ?? "removed"}</a>{" "}
        <Copy text={detail.user_id} label="customer id" short />
      </dd>
    </div>
    <div>
      <dt>API key</dt>
      <dd>
        <span class="written">{detail.key_name}</span> <Copy text={detail.key_id} label="key id" short />
      </dd>
    </div>
    {detail.request_id === null ? null : (
      <div>
        <dt>Request</dt>
        <dd>
          <Copy text={detail.request_id} label="request id" short />
        </dd>
      </div>
    )}
    {detail.idempotency_key === null ? null : (
      <div>
        <dt>Idempotency key</dt>
        <dd>
          <Copy text={detail.idempotency_key} label="idempotency key" short />
        </dd>
      </div>
    )}
  </dl>
)

const Callback = ({ detail, reload }: Shown) => {
  const { maySupport } = useRole()
  const { callback } = detail
  const again = useAction(() => change("POST", `/admin/v1/tasks/${detail.task.id}/redeliver`))
  if (callback === null) return null
  return (
    <section class="card">
      <header>
        <h2>Callback</h2>
        <State state={callback.state} />
      </header>
      <p class="mono">{callback.url}</p>
      {callback.attempts.length === 0 ? (
        <p class="muted">Not tried yet.</p>
      ) : (
        <Table
          caption="Attempts to deliver the callback"
          rows={callback.attempts}
          rowKey={({ attempted_at, duration_ms }) => `${attempted_at} ${duration_ms}`}
          columns={[
            { name: "Answer", cell: ({ status_code, error }) => status_code ?? error ?? "none" },
            { name: "Took", right: true, cell: ({ duration_ms }) => duration(duration_ms) },
            { name: "When", right: true, cell: ({ attempted_at }) => <Time at={attempted_at} /> },
          ]}
        />
      )}
      <Problem failure={again.failure} />
      {maySupport ? (
        <div>
          <button type="button" disabled={again.running} onClick={() => again.act().then(reload)}>
            Deliver again
          </button>
        </div>
      ) : null}
    </section>
  )
}

/** A parameter as callers write it. */
const wireName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const Request = ({ detail }: { readonly detail: AdminTaskDetail }) => {
  if (detail.request === null || typeof detail.request !== "object") return null
  const { prompt, ...rest } = detail.request as { readonly prompt?: string }
  const given = Object.entries(rest).filter(
    ([, value]) => value !== null && !["[]", "{}"].includes(JSON.stringify(value)),
  )
  return (
    <section class="card">
      <header>
        <h2>What was asked</h2>
      </header>
      {prompt === undefined || prompt === "" ? null : <p class="prompt">{prompt}</p>}
      <Table
        caption="Parameters of the request"
        rows={given}
        rowKey={([name]) => name}
        columns={[
          { name: "Parameter", cell: ([name]) => wireName(name) },
          {
            name: "Value",
            cell: ([, value]) => <code>{typeof value === "string" ? value : JSON.stringify(value)}</code>,
          },
        ]}
      />
    </section>
  )
}
