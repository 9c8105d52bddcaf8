import { useState } from "preact/hooks"
import { bytes, usdAmount } from "../lib/format.ts"
import { change, useAction, useLoad } from "../lib/hooks.ts"
import { useRole } from "../lib/session.ts"
import type { AdminModel, AdminTool, List } from "../lib/wire.ts"
import { Check, Empty, Field, Head, Input, Loading, Problem, State } from "../parts/basics.tsx"
import { DialogForm } from "../parts/DialogForm.tsx"
import { Table } from "../parts/Table.tsx"

type Tier = AdminModel["pricing_display"]["table"][number]

/** What is sold, for how much. */
export const Catalog = () => {
  const { isOwner } = useRole()
  const models = useLoad<List<AdminModel>>("/admin/v1/models")
  const tools = useLoad<List<AdminTool>>("/admin/v1/tools")
  const [model, setModel] = useState<AdminModel>()
  const [tool, setTool] = useState<AdminTool>()
  return (
    <>
      <Head title="Catalog">
        What is sold, and for how much. A change holds for what is accepted from then on.
      </Head>
      <Problem failure={models.failure ?? tools.failure} />
      {models.data === undefined && models.failure === undefined ? <Loading /> : null}
      <section class="card flush">
        <header>
          <h2>Image models</h2>
        </header>
        {models.data?.data.length === 0 ? <Empty title="No channel serves a model" /> : null}
        <Table
          caption="Image models"
          rows={models.data?.data ?? []}
          rowKey={({ id }) => id}
          columns={[
            { name: "Model", cell: ({ id }) => <strong>{id}</strong> },
            {
              name: "Price of an image",
              cell: ({ pricing_display }) => <Tiers table={pricing_display.table} />,
            },
            {
              name: "Images are",
              minor: true,
              cell: ({ delivery }) => (delivery === "archive" ? "archived" : "passed on"),
            },
            {
              name: "Sold",
              cell: ({ enabled }) => (
                <State state={enabled ? "done" : "disabled"} word={enabled ? "yes" : "no"} />
              ),
            },
            {
              name: "Change",
              cell: (entry) =>
                isOwner ? (
                  <button type="button" class="plain" onClick={() => setModel(entry)}>
                    Change<span class="hidden"> {entry.id}</span>
                  </button>
                ) : null,
            },
          ]}
        />
      </section>
      <section class="card flush">
        <header>
          <h2>Document tools</h2>
        </header>
        <Table
          caption="Document tools"
          rows={tools.data?.data ?? []}
          rowKey={({ id }) => id}
          columns={[
            { name: "Tool", cell: ({ id }) => <strong>{id}</strong> },
            { name: "Price of a document", right: true, cell: ({ unit_price }) => usdAmount(unit_price) },
            {
              name: "Largest file",
              right: true,
              minor: true,
              cell: ({ max_file_bytes }) => bytes(max_file_bytes),
            },
            {
              name: "Published",
              cell: ({ published }) => (
                <State state={published ? "done" : "disabled"} word={published ? "yes" : "no"} />
              ),
            },
            {
              name: "Change",
              cell: (entry) =>
                isOwner ? (
                  <button type="button" class="plain" onClick={() => setTool(entry)}>
                    Change<span class="hidden"> {entry.id}</span>
                  </button>
                ) : null,
            },
          ]}
        />
      </section>
      {model === undefined ? null : (
        <ChangeModel
          model={model}
          onClose={() => {
            setModel(undefined)
            models.reload()
          }}
        />
      )}
      {tool === undefined ? null : (
        <ChangeTool
          tool={tool}
          onClose={() => {
            setTool(undefined)
            tools.reload()
          }}
        />
      )}
    </>
  )
}

/** What a tier is for; a column that only counts is told by its name. */
const tierName = (tier: Tier): string =>
  Object.entries(tier)
    .filter(([name]) => name !== "usd")
    .map(([name, value]) =>
      typeof value === "number" || /^\d+$/.test(value) ? `each ${name.replaceAll("_", " ")}` : value,
    )
    .join(", ")

const priceOf = (tier: Tier): number => Number(tier["usd"] ?? 0)

/** More tiers than this are folded. */
const tiersShown = 12

const Tiers = ({ table }: { readonly table: ReadonlyArray<Tier> }) => {
  const list = (
    <span class="tiers number">
      {table.map((tier) => (
        <>
          <span>{tierName(tier) || "every image"}</span>
          <span>{usdAmount(priceOf(tier))}</span>
        </>
      ))}
    </span>
  )
  if (table.length <= tiersShown) return list
  const prices = table.map(priceOf)
  return (
    <details>
      <summary>
        {table.length} tiers, {usdAmount(Math.min(...prices))} to {usdAmount(Math.max(...prices))}
      </summary>
      {list}
    </details>
  )
}

const decimal = /^\d{1,12}(\.\d{1,12})?$/

/** A price before and after, by tier. */
const Preview = ({ table, price }: { readonly table: ReadonlyArray<Tier>; readonly price: number }) => (
  <section class="card flush" aria-label="What the change does">
    <Table
      caption="Prices before and after the change"
      rows={table}
      rowKey={(tier) => JSON.stringify(tier)}
      columns={[
        { name: "Tier", cell: (tier) => tierName(tier) || "every image" },
        { name: "Before", right: true, cell: (tier) => usdAmount(priceOf(tier)) },
        { name: "After", right: true, cell: () => usdAmount(price) },
        {
          name: "Difference",
          right: true,
          cell: (tier) => {
            const before = priceOf(tier)
            if (before === price) return "none"
            const share =
              before === 0
                ? ""
                : ` (${price > before ? "+" : "−"}${Math.abs(Math.round((price / before - 1) * 100))} %)`
            return `${price > before ? "+" : "−"}${usdAmount(Math.abs(price - before))}${share}`
          },
        },
      ]}
    />
  </section>
)

const ChangeModel = ({ model, onClose }: { readonly model: AdminModel; readonly onClose: () => void }) => {
  const [price, setPrice] = useState("")
  const [enabled, setEnabled] = useState(model.enabled)
  const save = useAction(async () => {
    await change("PATCH", `/admin/v1/models/${encodeURIComponent(model.id)}`, {
      ...(enabled === model.enabled ? {} : { enabled }),
      ...(price.trim() === "" ? {} : { price: price.trim() }),
    })
    onClose()
  })
  return (
    <DialogForm title={`Change ${model.id}`} word="Change it" action={save} onClose={onClose}>
      <Check label="Sold to customers" checked={enabled} onValue={setEnabled} />
      <Field
        label="Price of every image, in US dollars"
        hint="One price takes the place of all tiers. Empty: no change."
      >
        <Input inputMode="decimal" value={price} onValue={setPrice} />
      </Field>
      {decimal.test(price.trim()) ? (
        <Preview table={model.pricing_display.table} price={Number(price)} />
      ) : null}
      <p class="muted">
        It meets every key that may use {model.id}, from the next request on. Accepted tasks keep the fee that
        was held.
      </p>
    </DialogForm>
  )
}

const ChangeTool = ({ tool, onClose }: { readonly tool: AdminTool; readonly onClose: () => void }) => {
  const [price, setPrice] = useState("")
  const [size, setSize] = useState("")
  const [published, setPublished] = useState(tool.published)
  const save = useAction(async () => {
    await change("PATCH", `/admin/v1/tools/${encodeURIComponent(tool.id)}`, {
      ...(published === tool.published ? {} : { published }),
      ...(price.trim() === "" ? {} : { unit_price: price.trim() }),
      ...(size.trim() === "" ? {} : { max_file_bytes: Number(size) }),
    })
    onClose()
  })
  return (
    <DialogForm title={`Change ${tool.id}`} word="Change it" action={save} onClose={onClose}>
      <Check label="Published" checked={published} onValue={setPublished} />
      <Field label="Price of a document, in US dollars" hint="Empty: no change.">
        <Input inputMode="decimal" value={price} onValue={setPrice} />
      </Field>
      <Field label="Largest file, in bytes" hint={`Now ${tool.max_file_bytes}. Empty: no change.`}>
        <Input inputMode="numeric" value={size} onValue={setSize} />
      </Field>
      {decimal.test(price.trim()) ? (
        <Preview table={[{ usd: tool.unit_price }]} price={Number(price)} />
      ) : null}
      <p class="muted">
        It meets every key that may use {tool.id}, from the next request on. Accepted tasks keep the fee that
        was held.
      </p>
    </DialogForm>
  )
}
