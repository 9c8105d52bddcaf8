import { exactTime, usd } from "../lib/format.ts"
import { usePages } from "../lib/hooks.ts"
import { hrefOf, setQuery, usePlace } from "../lib/router.ts"
import type { AuditEntry } from "../lib/wire.ts"
import { Copy, Empty, Field, Head, Input, Loading, Problem, Select, State, Time } from "../parts/basics.tsx"
import { Table } from "../parts/Table.tsx"

/** Who changed what. */
export const Audit = () => {
  const { query } = usePlace()
  const given = (name: string) => query.get(name) ?? undefined
  const filter = { target: given("target"), actor: given("actor"), outcome: given("outcome") }
  const entries = usePages<AuditEntry>("/admin/v1/audit", filter)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  return (
    <>
      <Head title="Audit">Who changed what, or tried to, from where; newest first.</Head>
      <div class="filters">
        <Field label="What was changed">
          <Input
            type="search"
            placeholder="an id of a customer, key, model … ( / )"
            value={filter.target ?? ""}
            onValue={(target) => setQuery({ target: target.trim() })}
          />
        </Field>
        <Field label="Who">
          <Input value={filter.actor ?? ""} onValue={(actor) => setQuery({ actor: actor.trim() })} />
        </Field>
        <Field label="Outcome">
          <Select
            value={filter.outcome ?? ""}
            onValue={(outcome) => setQuery({ outcome })}
            options={[
              ["", "any"],
              ["done", "done"],
              ["refused", "refused"],
            ]}
          />
        </Field>
      </div>
      <Problem failure={entries.failure} retry={entries.reload} />
      {entries.data === undefined && entries.failure === undefined ? <Loading /> : null}
      {entries.data === undefined ? null : (
        <section class="card flush">
          {entries.data.length === 0 ? (
            <Empty title={isFiltered ? "No change matches" : "Nothing was changed yet"}>
              {isFiltered ? <a href={hrefOf("/audit")}>Remove every filter</a> : null}
            </Empty>
          ) : (
            <Table
              caption="Changes by operators"
              rows={entries.data}
              rowKey={({ id }) => id}
              more={entries.more}
              loading={entries.loading}
              columns={[
                {
                  name: "What",
                  cell: ({ action, target }) => (
                    <>
                      <strong>{action}</strong>
                      <br />
                      <Copy text={target} label="target" short />
                    </>
                  ),
                },
                {
                  name: "Outcome",
                  minor: true,
                  cell: ({ outcome, code }) => (
                    <>
                      <State state={outcome} /> <span class="muted">{code}</span>
                    </>
                  ),
                },
                { name: "Change", cell: ({ before, after }) => <Difference before={before} after={after} /> },
                {
                  name: "Who",
                  minor: true,
                  cell: ({ actor, role }) => `${actor}${role === null ? "" : ` (${role})`}`,
                },
                { name: "From", least: true, cell: ({ ip }) => ip ?? "" },
                { name: "When", right: true, cell: ({ at }) => <Time at={at} /> },
              ]}
            />
          )}
        </section>
      )}
    </>
  )
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}

/** What a thing that is new has none of. */
const isNone = (value: unknown): boolean =>
  value === null || value === false || (Array.isArray(value) && value.length === 0)

/** A value as it is read: moments as times, units as money. Names tell which they are. */
const textOf = (name: string, value: unknown): string => {
  if (typeof value !== "number") return JSON.stringify(value) ?? "none"
  if (name.endsWith("_at")) return exactTime(value)
  if (name === "at") return exactTime(value / 1000)
  return /(^|_)units$/.test(name) ? usd(value) : String(value)
}

/** Only what differs, as it was and as it became. */
const Difference = ({ before, after }: { readonly before: unknown; readonly after: unknown }) => {
  const [old, now] = [fieldsOf(before), fieldsOf(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]) && (name in old || !isNone(now[name])),
  )
  return (
    <div class="mono roomy">
      {names.map((name) => (
        <span key={name}>
          {name}: {name in old ? `${textOf(name, old[name])} → ` : ""}
          {name in now ? textOf(name, now[name]) : "removed"}
        </span>
      ))}
    </div>
  )
}
