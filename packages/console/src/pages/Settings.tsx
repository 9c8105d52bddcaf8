import { useState } from "preact/hooks"
import { useLoad } from "../lib/hooks.ts"
import type { List, Setting } from "../lib/wire.ts"
import { Check, Empty, Field, Head, Input, Loading, Problem } from "../parts/basics.tsx"
import { Table } from "../parts/Table.tsx"

const sources = { default: "default", environment: "environment", file: "configuration file" }

/** A name that breaks between its words, where it has to. */
const breakable = (name: string) =>
  name.split(/(?<=[_.])/).map((part) => (
    <>
      {part}
      <wbr />
    </>
  ))

/** What is in force, and where it comes from. */
export const Settings = () => {
  const { data, failure, reload } = useLoad<List<Setting>>("/admin/v1/settings")
  const [text, setText] = useState("")
  const [given, setGiven] = useState(false)
  const rows = (data?.data ?? []).filter(
    ({ name, source }) => name.toLowerCase().includes(text.toLowerCase()) && (!given || source !== "default"),
  )
  return (
    <>
      <Head title="Settings">
        What is in force in the process that answers, and where it comes from. Never a secret.
      </Head>
      <Problem failure={failure} retry={reload} />
      {data === undefined && failure === undefined ? <Loading /> : null}
      {data === undefined ? null : (
        <>
          <div class="filters">
            <Field label="Find">
              <Input type="search" placeholder="a name ( / )" value={text} onValue={setText} />
            </Field>
            <Check label="Only what was set" checked={given} onValue={setGiven} />
          </div>
          <section class="card flush">
            {rows.length === 0 ? (
              <Empty title="No such setting">Clear what is searched for to see all of them.</Empty>
            ) : (
              <Table
                caption="Settings in force"
                rows={rows}
                rowKey={({ name }) => name}
                columns={[
                  { name: "Setting", cell: ({ name }) => <code>{breakable(name)}</code> },
                  { name: "Value", cell: ({ value }) => <code>{value}</code> },
                  { name: "From", cell: ({ source }) => sources[source] },
                ]}
              />
            )}
          </section>
        </>
      )}
    </>
  )
}
