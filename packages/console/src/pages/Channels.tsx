import { useState } from "preact/hooks"
import { count, usdAmount } from "../lib/format.ts"
import { change, useAction, useLoad } from "../lib/hooks.ts"
import { hrefOf } from "../lib/router.ts"
import { useRole } from "../lib/session.ts"
import type { Channel, List } from "../lib/wire.ts"
import { Empty, Field, Head, Input, Loading, Problem, State, Time } from "../parts/basics.tsx"
import { DialogForm } from "../parts/DialogForm.tsx"
import { Table } from "../parts/Table.tsx"

/** Which vendor is well, how it failed last, whether it pays, and how to stop one. */
export const Channels = () => {
  const { isOwner } = useRole()
  const { data, failure, reload } = useLoad<List<Channel>>("/admin/v1/channels", { everyMs: 3000 })
  const [pausing, setPausing] = useState<Channel>()
  const resume = useAction(({ id }: Channel) =>
    change("POST", `/admin/v1/channels/${encodeURIComponent(id)}/resume`),
  )
  return (
    <>
      <Head title="Channels">
        Which vendor is well. A paused channel is sent nothing new, in every process; what it has taken goes
        on.
      </Head>
      <Problem failure={failure ?? resume.failure} retry={reload} />
      {data === undefined && failure === undefined ? <Loading /> : null}
      {data === undefined ? null : (
        <section class="card flush">
          {data.data.length === 0 ? (
            <Empty title="No channel">The configuration's `channels` name them.</Empty>
          ) : (
            <Table
              caption="Channels"
              rows={data.data}
              rowKey={({ id }) => id}
              columns={[
                {
                  name: "Channel",
                  cell: ({ adapter, id }) => (
                    <>
                      <strong>{id}</strong>
                      <br />
                      <span class="muted">{adapter ?? "of the program"}</span>
                    </>
                  ),
                },
                { name: "Is", cell: (channel) => <Condition channel={channel} /> },
                {
                  name: "Under way",
                  right: true,
                  cell: ({ concurrency: { in_use, limit } }) => (
                    <>
                      {count(in_use)}
                      <br />
                      <span class="muted">{limit === null ? "no limit" : `of ${count(limit)} at most`}</span>
                    </>
                  ),
                },
                {
                  name: "Last error",
                  minor: true,
                  cell: ({ last_errors: [last] }) => <LastError of={last} />,
                },
                {
                  name: "Left of a price",
                  right: true,
                  minor: true,
                  cell: ({ prices }) => <Least of={prices} />,
                },
                {
                  name: "Models",
                  least: true,
                  minor: true,
                  cell: ({ models }) => <span class="clip">{models.join(", ")}</span>,
                },
                { name: "Priority", right: true, least: true, minor: true, cell: ({ priority }) => priority },
                { name: "Weight", right: true, least: true, minor: true, cell: ({ weight }) => weight },
                {
                  name: "Change",
                  cell: (channel) =>
                    !isOwner ? null : channel.paused ? (
                      <button type="button" onClick={() => resume.act(channel).then(reload)}>
                        Resume<span class="hidden"> {channel.id}</span>
                      </button>
                    ) : (
                      <button type="button" class="danger" onClick={() => setPausing(channel)}>
                        Pause<span class="hidden"> {channel.id}</span>
                      </button>
                    ),
                },
              ]}
            />
          )}
        </section>
      )}
      {data === undefined || data.data.length === 0 ? null : (
        <>
          <LastErrors channels={data.data} />
          <Prices channels={data.data} />
        </>
      )}
      {pausing === undefined ? null : (
        <Pause
          channel={pausing}
          onClose={() => {
            setPausing(undefined)
            reload()
          }}
        />
      )}
    </>
  )
}

const Condition = ({ channel: { breaker, paused, paused_at, reason } }: { readonly channel: Channel }) => (
  <>
    <State state={paused ? "paused" : breaker} />
    {paused_at === null ? null : (
      <>
        <br />
        <span class="muted">
          <Time at={paused_at} />
          {reason === null || reason === "" ? "" : `: ${reason}`}
        </span>
      </>
    )}
  </>
)

const reasons: Readonly<Record<Channel["last_errors"][number]["reason"], string>> = {
  rejected: "refused the content",
  failed: "failed",
  canceled: "canceled",
  unavailable: "did not take it",
  ambiguous: "gave no answer",
}

const LastError = ({ of }: { readonly of: Channel["last_errors"][number] | undefined }) =>
  of === undefined ? (
    <span class="muted">none</span>
  ) : (
    <>
      {reasons[of.reason]}
      <br />
      <span class="muted">
        <Time at={of.at} />
      </span>
    </>
  )

/** What the tier that pays least leaves, of all models of a channel. */
const Least = ({ of }: { readonly of: Channel["prices"] }) => {
  const margins = of.flatMap(({ margin_usd_least }) => margin_usd_least ?? [])
  return margins.length === 0 ? <span class="muted">–</span> : <Margin usd={Math.min(...margins)} />
}

const Margin = ({ usd }: { readonly usd: number }) =>
  usd < 0 ? <State state="failed" word={`${usdAmount(usd)}, below cost`} /> : <span>{usdAmount(usd)}</span>

const LastErrors = ({ channels }: { readonly channels: ReadonlyArray<Channel> }) => {
  const errors = channels
    .flatMap(({ id, last_errors }) => last_errors.map((error) => ({ ...error, channel: id })))
    .toSorted((a, b) => b.at - a.at)
  return (
    <section class="card flush">
      <header>
        <h2>Last errors</h2>
        <span class="muted">since this process started</span>
      </header>
      {errors.length === 0 ? (
        <Empty title="No channel failed" />
      ) : (
        <Table
          caption="Last errors of channels"
          rows={errors}
          rowKey={({ at, channel, task_id }) => `${channel} ${task_id} ${at}`}
          columns={[
            {
              name: "When",
              cell: ({ at, task_id }) => (
                <a href={hrefOf(`/tasks/${task_id}`)}>
                  <Time at={at} />
                </a>
              ),
            },
            { name: "Channel", cell: ({ channel }) => channel },
            { name: "What it did", minor: true, cell: ({ reason }) => reasons[reason] },
            { name: "What it said", cell: ({ message }) => <span class="roomy">{message}</span> },
          ]}
        />
      )}
    </section>
  )
}

const Prices = ({ channels }: { readonly channels: ReadonlyArray<Channel> }) => {
  const rows = channels.flatMap(({ id, prices }) =>
    prices.some(({ cost_usd }) => cost_usd !== null)
      ? prices.map((price) => ({ ...price, channel: id }))
      : [],
  )
  return (
    <section class="card flush">
      <header>
        <h2>Cost against price</h2>
        <span class="muted">of an image, from the lowest tier to the highest</span>
      </header>
      {rows.length === 0 ? (
        <Empty title="No channel says what it costs">
          <span>
            Give a channel its <code>costs</code> in the configuration, such as{" "}
            <code>{'"costs": { "gen-image-2": "0.02" }'}</code>, and see here what each price leaves.
          </span>
        </Empty>
      ) : (
        <Table
          caption="What images cost and bring"
          rows={rows}
          rowKey={({ channel, model }) => `${channel} ${model}`}
          columns={[
            { name: "Channel", cell: ({ channel }) => channel },
            { name: "Model", cell: ({ model }) => <strong>{model}</strong> },
            { name: "Costs", right: true, minor: true, cell: ({ cost_usd }) => <Range of={cost_usd} /> },
            { name: "Sold for", right: true, minor: true, cell: ({ price_usd }) => <Range of={price_usd} /> },
            {
              name: "Left, at least",
              right: true,
              cell: ({ margin_usd_least }) =>
                margin_usd_least === null ? <span class="muted">–</span> : <Margin usd={margin_usd_least} />,
            },
          ]}
        />
      )}
    </section>
  )
}

const Range = ({ of }: { readonly of: Channel["prices"][number]["cost_usd"] }) =>
  of === null ? (
    <span class="muted">no cost given</span>
  ) : (
    <span>
      {of.least === of.most ? usdAmount(of.least) : `${usdAmount(of.least)} – ${usdAmount(of.most)}`}
    </span>
  )

const Pause = ({ channel, onClose }: { readonly channel: Channel; readonly onClose: () => void }) => {
  const [reason, setReason] = useState("")
  const pause = useAction(async () => {
    await change("POST", `/admin/v1/channels/${encodeURIComponent(channel.id)}/pause`, {
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
    })
    onClose()
  })
  return (
    <DialogForm title={`Pause ${channel.id}?`} word="Pause it" danger action={pause} onClose={onClose}>
      <p>It is sent nothing new. Tasks that no other channel serves wait, until they run out of time.</p>
      <Field label="Reason" hint="Kept in the audit log.">
        <Input maxLength={200} value={reason} onValue={setReason} />
      </Field>
    </DialogForm>
  )
}
