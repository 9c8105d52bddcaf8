import { useState } from "preact/hooks"
import { change, useAction, useLoad } from "../lib/hooks.ts"
import { useRole } from "../lib/session.ts"
import type { Channel, List } from "../lib/wire.ts"
import { Dialog, Empty, Field, Head, Input, Loading, Problem, State, Time } from "../parts/basics.tsx"
import { Table } from "../parts/Table.tsx"

/** Which vendor is well, and how to stop one. */
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
                { name: "Channel", cell: ({ id }) => <strong>{id}</strong> },
                { name: "Is", cell: ({ paused, breaker }) => <State state={paused ? "paused" : breaker} /> },
                { name: "Adapter", minor: true, cell: ({ adapter }) => adapter ?? "of the program" },
                { name: "Models", cell: ({ models }) => <span class="clip">{models.join(", ")}</span> },
                { name: "Priority", right: true, minor: true, cell: ({ priority }) => priority },
                { name: "Weight", right: true, minor: true, cell: ({ weight }) => weight },
                {
                  name: "Paused",
                  minor: true,
                  cell: ({ paused_at, reason }) =>
                    paused_at === null ? (
                      ""
                    ) : (
                      <>
                        <Time at={paused_at} /> {reason === null || reason === "" ? "" : `: ${reason}`}
                      </>
                    ),
                },
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

const Pause = ({ channel, onClose }: { readonly channel: Channel; readonly onClose: () => void }) => {
  const [reason, setReason] = useState("")
  const pause = useAction(async () => {
    await change("POST", `/admin/v1/channels/${encodeURIComponent(channel.id)}/pause`, {
      ...(reason.trim() === "" ? {} : { reason: reason.trim() }),
    })
    onClose()
  })
  const submit = (event: Event) => {
    event.preventDefault()
    pause.act()
  }
  return (
    <Dialog title={`Pause ${channel.id}?`} onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <p>It is sent nothing new. Tasks that no other channel serves wait, until they run out of time.</p>
        <Field label="Reason" hint="Kept in the audit log.">
          <Input maxLength={200} value={reason} onValue={setReason} />
        </Field>
        <Problem failure={pause.failure} />
        <div class="row">
          <button class="danger" type="submit" disabled={pause.running}>
            Pause it
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  )
}
