import { useEffect, useState } from "preact/hooks"
import { send } from "../lib/api.ts"
import { bytes } from "../lib/format.ts"
import { useAction } from "../lib/hooks.ts"
import { isFinal, stateOf, type Task } from "../lib/wire.ts"
import { Empty, Problem } from "./basics.tsx"
import { Markdown } from "./Markdown.tsx"

/** What a task made: its images, or its document's Markdown, with the whole of it to download. */
export const TaskResult = ({
  task,
  path,
  apiKey,
  title,
}: {
  readonly task: Task
  /** Where a document's result is read. */
  readonly path: string
  readonly apiKey?: string | undefined
  readonly title: string
}) => {
  if (task.object === "tool.task") return <Document task={task} path={path} apiKey={apiKey} title={title} />
  const assets = task.assets ?? []
  const text = task.data?.text
  if (!isFinal(task)) return <Waiting progress={task.progress} />
  if (assets.length === 0 && text === undefined) return null
  return (
    <section class="card">
      <header>
        <h2>{assets.length === 1 ? "The image" : `${assets.length} images`}</h2>
      </header>
      <Images assets={assets} />
      {text === undefined ? null : <p>{text}</p>}
    </section>
  )
}

const Waiting = ({ progress }: { readonly progress: number }) => (
  <section class="card">
    <header>
      <h2>Not finished yet</h2>
      <span class="muted">{progress} %</span>
    </header>
    <progress class="progress" max={100} value={progress} aria-label="Progress" />
  </section>
)

interface Asset {
  readonly url: string
  readonly width: number | null
  readonly height: number | null
  readonly bytes: number | null
}

/** Archived images are shown; those that stay on an upstream's server are only named, since nothing is asked of it. */
const Images = ({ assets }: { readonly assets: ReadonlyArray<Asset> }) => (
  <div class={`images ${assets.length === 1 ? "one" : ""}`}>
    {assets.map(({ url, width, height, bytes: size }, index) => (
      <a key={url} href={url} target="_blank" rel="noreferrer">
        {size === null ? (
          <span class="picture">image {index + 1}, on the upstream's server</span>
        ) : (
          <img
            src={url}
            alt={`Result ${index + 1}`}
            {...(width === null || height === null ? {} : { width, height })}
          />
        )}
        <span class="muted">
          {width === null ? "" : `${width} × ${height}`} {size === null ? "" : `· ${bytes(size)}`}
        </span>
      </a>
    ))}
  </div>
)

const save = (text: string, name: string): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([text]))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

const Document = ({
  task,
  path,
  apiKey,
  title,
}: {
  readonly task: Extract<Task, { readonly object: "tool.task" }>
  readonly path: string
  readonly apiKey: string | undefined
  readonly title: string
}) => {
  const succeeded = stateOf(task) === "succeeded"
  const [text, setText] = useState<string>()
  const read = async (format: string) => (await send(`${path}?format=${format}`, { key: apiKey })).text()
  const hasMarkdown = task.output_formats.includes("markdown")
  const load = useAction(async () => setText(await read(hasMarkdown ? "markdown" : "json")))
  const get = useAction(async (format: string) =>
    save(await read(format), `${task.id}.${format === "json" ? "json" : "md"}`),
  )
  useEffect(() => {
    if (succeeded) load.act()
  }, [succeeded])
  return (
    <section class="card">
      <header>
        <h2>{title}</h2>
        {succeeded ? (
          <span class="row">
            {task.output_formats.map((format) => (
              <button key={format} type="button" class="plain" onClick={() => get.act(format)}>
                Save {format === "json" ? "JSON" : "Markdown"}
              </button>
            ))}
          </span>
        ) : null}
      </header>
      <Problem failure={load.failure ?? get.failure} />
      {succeeded ? null : <p class="muted">{isFinal(task) ? "There is no result." : "Not finished yet."}</p>}
      {text === "" ? <Empty title="The result is empty" /> : null}
      {text === undefined || text === "" ? null : hasMarkdown ? <Markdown text={text} /> : <pre>{text}</pre>}
    </section>
  )
}
