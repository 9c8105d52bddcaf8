import { useEffect, useState } from "preact/hooks"
import { api, events, query, unique } from "../lib/api.ts"
import { bytes, usd, usdAmount } from "../lib/format.ts"
import { useAction, useLoad } from "../lib/hooks.ts"
import { hrefOf } from "../lib/router.ts"
import { rememberedKey, rememberKey } from "../lib/session.ts"
import {
  heldOf,
  isFinal,
  type List,
  type Model,
  type Quote,
  stateOf,
  type Task,
  type Tool,
  type ToolFile,
} from "../lib/wire.ts"
import { Check, Copy, Empty, Field, Head, Input, Problem, Select, State, Tabs } from "../parts/basics.tsx"
import { TaskResult } from "../parts/Result.tsx"
import { documentSamples, imageSamples, Samples } from "../parts/Samples.tsx"

/** Every model and tool, with a key that is chosen: what it costs first, then what it makes. */
export const Playground = () => {
  const [key, setKey] = useState(rememberedKey)
  const [typed, setTyped] = useState(rememberedKey)
  const [kind, setKind] = useState<"image" | "document">("image")
  const models = useLoad<List<Model>>(key === "" ? null : "/v1/models", { key })
  const tools = useLoad<List<Tool>>(key === "" ? null : "/v1/tools", { key })
  const choose = (event: Event) => {
    event.preventDefault()
    rememberKey(typed.trim())
    setKey(typed.trim())
  }
  return (
    <>
      <Head title="Playground">
        Does it work, and what will it cost? It spends from the wallet of the key's customer.
      </Head>
      <form class="filters" onSubmit={choose}>
        <input hidden type="text" autocomplete="username" value="API key" readOnly />
        <Field label="API key" hint="Kept in this page until it is closed.">
          <Input type="password" autocomplete="off" placeholder="sk-atl-…" value={typed} onValue={setTyped} />
        </Field>
        <div class="field">
          <button type="submit">Use this key</button>
          <small>{"\u00a0"}</small>
        </div>
      </form>
      <Problem failure={models.failure ?? tools.failure} />
      {key === "" ? (
        <Empty title="Choose a key first">
          <span>
            <a href={hrefOf("/users")}>A customer's page</a> makes one; it is filled in here when you come
            from there.
          </span>
        </Empty>
      ) : null}
      {models.data === undefined || tools.data === undefined ? null : (
        <>
          <Tabs
            label="What to try"
            value={kind}
            onValue={setKind}
            options={[
              ["image", "Images"],
              ["document", "Documents"],
            ]}
          />
          {kind === "image" ? (
            <Images key={key} apiKey={key} models={models.data.data} />
          ) : (
            <Documents key={key} apiKey={key} tools={tools.data.data} />
          )}
        </>
      )}
    </>
  )
}

const nothingYet = (
  <Empty title="What comes of it is shown here">
    <span>Its steps while it is made, then the result and what was charged.</span>
  </Empty>
)

type Values = Readonly<Record<string, string>>
type Parameter = Model["parameters"][string]

/** What was typed, as JSON: empty fields are left out. */
const bodyOf = (model: Model, values: Values): Readonly<Record<string, unknown>> => ({
  model: model.id,
  ...Object.fromEntries(
    Object.entries(model.parameters).flatMap(([name, { type }]) => {
      const text = values[name] ?? ""
      return text === "" || name === "model" ? [] : [[name, valueOf(type, text)]]
    }),
  ),
})

const valueOf = (type: Parameter["type"], text: string): unknown => {
  if (type === "integer" || type === "number") return Number(text)
  if (type === "boolean") return text === "true"
  if (type === "array") return text.split(/\s*\n\s*|\s*,\s*/).filter((entry) => entry !== "")
  if (type !== "object") return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Long enough that a price is not asked for at every letter. */
const quoteAfterMs = 300

const useQuote = (apiKey: string, json: string) => {
  const [quote, setQuote] = useState<Quote>()
  const ask = useAction(async (body: string) =>
    setQuote(await api<Quote>("/v1/images/quote", { method: "POST", key: apiKey, body: JSON.parse(body) })),
  )
  useEffect(() => {
    const timer = setTimeout(() => {
      setQuote(undefined)
      ask.act(json)
    }, quoteAfterMs)
    return () => clearTimeout(timer)
  }, [json])
  return { quote, failure: ask.failure }
}

const Images = ({ apiKey, models }: { readonly apiKey: string; readonly models: ReadonlyArray<Model> }) => {
  const usable = models.filter(({ endpoints }) => endpoints.includes("/v1/images/tasks"))
  const [id, setId] = useState(usable[0]?.id ?? "")
  const [values, setValues] = useState<Values>({ prompt: "a lighthouse at dusk" })
  const [task, setTask] = useState<string>()
  const model = usable.find((each) => each.id === id)
  const body = model === undefined ? { model: id } : bodyOf(model, values)
  const { quote, failure } = useQuote(apiKey, JSON.stringify(body))
  const run = useAction(async () => {
    const { task_id } = await api<{ readonly task_id: string }>("/v1/images/tasks", {
      method: "POST",
      key: apiKey,
      body,
      headers: { "idempotency-key": unique() },
    })
    setTask(task_id)
  })
  if (model === undefined) return <Empty title="This key may use no image model" />
  const submit = (event: Event) => {
    event.preventDefault()
    run.act()
  }
  return (
    <div class="columns wide play">
      <form class="card" onSubmit={submit}>
        <Field label="Model">
          <Select value={id} onValue={setId} options={usable.map((each) => [each.id, each.id] as const)} />
        </Field>
        <Parameters model={model} values={values} onValues={setValues} />
        <Problem failure={run.failure} />
        <div class="row">
          <button class="primary" type="submit" disabled={run.running || quote === undefined}>
            {quote === undefined ? "Generate" : `Generate for ${usdAmount(quote.usd)}`}
          </button>
          <span class="muted" aria-live="polite">
            {quote === undefined
              ? ""
              : quote.breakdown
                  .map(
                    ({ description, quantity, amount }) =>
                      `${quantity} × ${description}: ${usdAmount(amount)}`,
                  )
                  .join("; ")}
          </span>
        </div>
        {run.failure === undefined ? <Problem failure={failure} /> : null}
      </form>
      {task === undefined ? nothingYet : <Running key={task} apiKey={apiKey} id={task} title="" />}
      <Samples samples={imageSamples(body)} />
    </div>
  )
}

/** A control for each parameter that the model names. */
const Parameters = ({
  model,
  values,
  onValues,
}: {
  readonly model: Model
  readonly values: Values
  readonly onValues: (values: Values) => void
}) => {
  const [all, setAll] = useState(false)
  const set = (name: string) => (value: string) => onValues({ ...values, [name]: value })
  const entries = Object.entries(model.parameters).filter(([name]) => !["model", "prompt"].includes(name))
  const usual = entries.filter(
    ([name, { enum: allowed, type }]) =>
      allowed !== undefined || name === "n" || type === "boolean" || name === "size",
  )
  return (
    <>
      {"prompt" in model.parameters ? (
        <Field label="prompt">
          <textarea
            value={values["prompt"] ?? ""}
            onInput={(event) => set("prompt")(event.currentTarget.value)}
          />
        </Field>
      ) : null}
      <div class="fields">
        {(all ? entries : usual).map(([name, parameter]) => (
          <Field key={name} label={name} hint={parameter.description}>
            <Control parameter={parameter} value={values[name] ?? ""} onValue={set(name)} />
          </Field>
        ))}
      </div>
      {entries.length > usual.length ? (
        <Check label={`All ${entries.length} parameters`} checked={all} onValue={setAll} />
      ) : null}
    </>
  )
}

const Control = ({
  parameter,
  value,
  onValue,
}: {
  readonly parameter: Parameter
  readonly value: string
  readonly onValue: (value: string) => void
}) => {
  const byDefault = parameter.default === undefined ? "" : `default: ${parameter.default}`
  if (parameter.type === "boolean" || parameter.enum !== undefined) {
    const options = parameter.enum ?? ["true", "false"]
    return (
      <Select
        value={value}
        onValue={onValue}
        options={[["", byDefault || "–"], ...options.map((option) => [option, option] as const)]}
      />
    )
  }
  const isNumber = parameter.type === "integer" || parameter.type === "number"
  return (
    <Input
      type={isNumber ? "number" : "text"}
      placeholder={byDefault || (parameter.type === "array" ? "by comma" : parameter.type)}
      {...(isNumber && parameter.minimum !== undefined ? { min: parameter.minimum } : {})}
      {...(isNumber && parameter.maximum !== undefined ? { max: parameter.maximum } : {})}
      value={value}
      onValue={onValue}
    />
  )
}

const Documents = ({ apiKey, tools }: { readonly apiKey: string; readonly tools: ReadonlyArray<Tool> }) => {
  const [id, setId] = useState(tools[0]?.id ?? "")
  const [file, setFile] = useState<File>()
  const [task, setTask] = useState<string>()
  const tool = tools.find((each) => each.id === id)
  const run = useAction(async () => {
    if (file === undefined) return
    const form = new FormData()
    form.append("file", file, file.name)
    const uploaded = await api<ToolFile>(`/v1/tools/${id}/files`, { method: "POST", key: apiKey, body: form })
    const invoked = await api<Task>(`/v1/tools/${id}/invoke`, {
      method: "POST",
      key: apiKey,
      body: { input: { file_id: uploaded.id } },
      headers: { "idempotency-key": unique() },
    })
    setTask(invoked.id)
  })
  if (tool === undefined) return <Empty title="This key may use no tool" />
  const submit = (event: Event) => {
    event.preventDefault()
    run.act()
  }
  return (
    <div class="columns wide play">
      <form class="card" onSubmit={submit}>
        <Field label="Tool" hint={tool.description}>
          <Select value={id} onValue={setId} options={tools.map((each) => [each.id, each.name] as const)} />
        </Field>
        <Field label="Document" hint={`${tool.extensions.join(" ")}, at most ${bytes(tool.max_file_bytes)}`}>
          <input
            type="file"
            required
            accept={tool.extensions.join(",")}
            onChange={(event) => setFile(event.currentTarget.files?.[0])}
          />
        </Field>
        <Problem failure={run.failure} />
        <div>
          <button class="primary" type="submit" disabled={run.running || file === undefined}>
            {run.running ? "Uploading…" : `Parse for ${usdAmount(tool.pricing_display.unit_price)}`}
          </button>
        </div>
      </form>
      {task === undefined ? (
        nothingYet
      ) : (
        <Running key={task} apiKey={apiKey} id={task} title={file?.name ?? "The document"} />
      )}
      <Samples samples={documentSamples(id, file?.name ?? "document")} />
    </div>
  )
}

/** A task from its submission to its result. */
const Running = ({
  apiKey,
  id,
  title,
}: {
  readonly apiKey: string
  readonly id: string
  readonly title: string
}) => {
  const [task, setTask] = useState<Task>()
  const watch = useAction(async (signal: AbortSignal) => {
    await events(`/v1/tasks/${id}/events`, "task", { key: apiKey, signal }, (event) => setTask(event as Task))
    setTask(await api<Task>(`/v1/tasks/${id}${query({})}`, { key: apiKey, signal }))
  })
  useEffect(() => {
    const abort = new AbortController()
    watch.act(abort.signal)
    return () => abort.abort()
  }, [])
  return (
    <div class="stack apart">
      <section class="card">
        <header>
          <h2>The task</h2>
          <span role="status">{task === undefined ? "Submitted" : <State state={stateOf(task)} />}</span>
        </header>
        <dl>
          <dt>Id</dt>
          <dd>
            <Copy text={id} label="task id" />
          </dd>
          <dt>Held</dt>
          <dd>{task === undefined ? "" : usd(heldOf(task))}</dd>
          <dt>Charged</dt>
          <dd>{task === undefined || !isFinal(task) ? "–" : usd(task.billing.charged)}</dd>
        </dl>
        {task?.error == null ? null : (
          <p>
            {task.error.message} <code>{task.error.code}</code>
          </p>
        )}
        <a href={hrefOf(`/tasks/${id}`)}>What happened, and what it cost</a>
        <Problem failure={watch.failure} />
      </section>
      {task === undefined ? null : (
        <TaskResult task={task} path={`/v1/tasks/${id}/result`} apiKey={apiKey} title={title} />
      )}
    </div>
  )
}
