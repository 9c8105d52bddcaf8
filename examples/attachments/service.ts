import { setTimeout as sleep } from "node:timers/promises"

/** The fields of a catalog tool that a site needs. */
export interface Tool {
  readonly id: string
  readonly extensions: ReadonlyArray<string>
  readonly max_file_bytes: number
  readonly pricing_display: { readonly unit_price: number }
}

export interface Task {
  readonly id: string
  readonly status: "queued" | "running" | "succeeded" | "failed"
  readonly error: { readonly code: string } | null
}

export interface Result {
  readonly markdown: string
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly message: string }>
}

/** The service refused, and would refuse again. Its message is for the site's developers, not for its visitors. */
export class Refusal extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export interface Connection {
  readonly url: string
  readonly key: string
  readonly fetch?: typeof fetch
  /** Ends every wait and request, as the end of the process would. */
  readonly signal: AbortSignal
}

const catalogMs = 60_000
const retryMsMax = 60_000

/** The document tools of Atelier, for the back end of a site. */
export class DocumentService {
  readonly #connection: Connection
  #catalog: { readonly tools: ReadonlyArray<Tool>; readonly until: number } | undefined

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The current catalog. Prices, sizes and formats change, so it is fetched again every minute. */
  async tools(): Promise<ReadonlyArray<Tool>> {
    if (this.#catalog === undefined || this.#catalog.until < Date.now()) {
      const { data }: { readonly data: ReadonlyArray<Tool> } = await this.#json("/v1/tools")
      this.#catalog = { tools: data, until: Date.now() + catalogMs }
    }
    return this.#catalog.tools
  }

  /** The file's id. Uploading is free: after a lost answer it is simply done again. */
  async upload(tool: string, name: string, content: Uint8Array<ArrayBuffer>): Promise<string> {
    const body = new FormData()
    body.append("file", new Blob([content]), name)
    const file: { readonly id: string } = await this.#json(`/v1/tools/${tool}/files`, {
      method: "POST",
      body,
    })
    return file.id
  }

  /** The task's id. The same `idempotencyKey` is the same task, paid once, however often this is called. */
  async invoke(tool: string, fileId: string, idempotencyKey: string): Promise<string> {
    const task: Task = await this.#json(`/v1/tools/${tool}/invoke`, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": idempotencyKey },
      body: JSON.stringify({ input: { file_id: fileId }, options: { output_formats: ["json"] } }),
    })
    return task.id
  }

  /** The task at its end. */
  async finished(taskId: string): Promise<Task> {
    for (;;) {
      const task: Task = await this.#json(`/v1/tasks/${taskId}?wait=30`)
      if (task.status === "succeeded" || task.status === "failed") return task
    }
  }

  result(taskId: string): Promise<Result> {
    return this.#json(`/v1/tasks/${taskId}/result?format=json`)
  }

  async remove(fileId: string): Promise<void> {
    await this.#json(`/v1/tool-files/${fileId}`, { method: "DELETE" })
  }

  /** Repeats the request until it is answered. No answer, 429 and 5xx are temporary; a refusal is final. */
  async #json<A>(path: string, request: RequestInit = {}): Promise<A> {
    for (let retryMs = 1_000; ; retryMs = Math.min(2 * retryMs, retryMsMax)) {
      const response = await this.#ask(path, request)
      if (response?.ok === true) return (await response.json()) as A
      if (response !== undefined && response.status !== 429 && response.status < 500) {
        throw await refusalOf(response)
      }
      const wishedSeconds = Number(response?.headers.get("retry-after") ?? 0)
      await sleep(wishedSeconds > 0 ? wishedSeconds * 1_000 : retryMs, undefined, {
        signal: this.#connection.signal,
      })
    }
  }

  /** Undefined where no answer came. */
  async #ask(path: string, request: RequestInit): Promise<Response | undefined> {
    const { url, key, signal, fetch: send = fetch } = this.#connection
    const headers = { ...request.headers, authorization: `Bearer ${key}` }
    try {
      return await send(url + path, { ...request, headers, signal })
    } catch (error) {
      if (signal.aborted) throw error
      return undefined
    }
  }
}

const refusalOf = async (response: Response): Promise<Refusal> => {
  const { error }: { readonly error: { readonly code: string; readonly message: string } } = Object(
    await response.json(),
  )
  return new Refusal(error.code, error.message)
}

/** The cheapest tool that takes a file of this name; a more expensive one is never tried in its place. */
export const toolFor = (tools: ReadonlyArray<Tool>, name: string): Tool | undefined =>
  tools
    .filter(({ extensions }) => extensions.some((extension) => name.toLowerCase().endsWith(extension)))
    .toSorted((a, b) => a.pricing_display.unit_price - b.pricing_display.unit_price)[0]
