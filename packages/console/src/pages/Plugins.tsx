import { useLoad } from "../lib/hooks.ts"
import { hrefOf } from "../lib/router.ts"
import type { List, Plugin } from "../lib/wire.ts"
import { Empty, Head, Loading, Problem } from "../parts/basics.tsx"
import { Table } from "../parts/Table.tsx"

/** What plugins add to this process. */
export const Plugins = () => {
  const { data, failure, reload } = useLoad<List<Plugin>>("/admin/v1/plugins")
  return (
    <>
      <Head title="Plugins">
        Packages that add tools, adapters and models. They are loaded when a process starts, and run with its
        rights.
      </Head>
      <Problem failure={failure} retry={reload} />
      {data === undefined && failure === undefined ? <Loading /> : null}
      {data === undefined ? null : (
        <section class="card flush">
          {data.data.length === 0 ? (
            <Empty title="No plugin">
              <span>
                The configuration's <code>plugins</code> name them: packages, or paths. After the next start
                they are here, and their tools in the <a href={hrefOf("/catalog")}>catalog</a>.
              </span>
            </Empty>
          ) : (
            <Table
              caption="Plugins"
              rows={data.data}
              rowKey={({ name }) => name}
              columns={[
                { name: "Plugin", cell: ({ name }) => <strong>{name}</strong> },
                { name: "From", minor: true, cell: ({ source }) => <code>{source}</code> },
                { name: "Tools", cell: ({ tools }) => names(tools) },
                { name: "Adapters", cell: ({ adapters }) => names(adapters) },
                { name: "Models", cell: ({ models }) => names(models) },
              ]}
            />
          )}
        </section>
      )}
    </>
  )
}

const names = (list: ReadonlyArray<string>) =>
  list.length === 0 ? <span class="muted">none</span> : list.join(", ")
