import { residentBytesOf, treeOf } from "./processes.ts"
import {
  type Answer,
  at,
  call,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "./server.ts"

/** The result of one document that was submitted to the service. */
export type Ending =
  /** At upload. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** At its task. */
  | { readonly kind: "failed"; readonly code: string; readonly message: string }
  | { readonly kind: "succeeded"; readonly warnings: ReadonlyArray<string>; readonly markdown: string }
  /** What must never happen: a 5xx answer, a crash, a task past its deadline, a refusal without a known code. */
  | { readonly kind: "broken"; readonly what: string }

/** Codes with which a document may be turned away (contract, Errors). */
const refusalCodes = [
  "invalid_file",
  "file_type_not_accepted",
  "file_encrypted",
  "file_macro",
  "file_not_utf8",
  "file_corrupt",
  "archive_limit_exceeded",
  "file_too_large",
  "no_text_layer",
]

/** Codes with which a task may fail because of its document. */
const failureCodes = [...refusalCodes, "result_too_large"]

/** Recognising a page may take as long as it takes, which depends on the machine. */
const scanFailureCodes = [...failureCodes, "timeout"]

const many = 100_000_000

/** A separate server for more documents than any customer may submit. */
export class DocumentService {
  /** The peak memory of the server and its parsing processes together, as sampled. */
  peakBytes = 0
  readonly #installation: Installation
  readonly #server: Server
  readonly #key: string
  readonly #sampler: NodeJS.Timeout
  #count = 0

  /** @param settings of the configuration, beside the limits */
  static async start(settings: object = {}): Promise<DocumentService> {
    const installation = await install({
      ...settings,
      limits: {
        rate_per_minute: many,
        rate_burst: many,
        tool_files_per_user_max: many,
        tool_tasks_per_user_max: many,
      },
    })
    const server = await serve(installation)
    return new DocumentService(installation, server, (await makeAccount(server.url, 10_000)).key)
  }

  private constructor(installation: Installation, server: Server, key: string) {
    this.#installation = installation
    this.#server = server
    this.#key = key
    this.#sampler = setInterval(() => {
      const together = treeOf(server.process.pid ?? 0).map(residentBytesOf)
      this.peakBytes = Math.max(
        this.peakBytes,
        together.reduce((sum, bytes) => sum + bytes, 0),
      )
    }, 50)
  }

  /** What the server holds now, without its parsing processes, which are replaced when they hold much. */
  serverBytes(): number {
    return residentBytesOf(this.#server.process.pid ?? 0)
  }

  /** Uploads, invokes, waits, reads the result, and asks for the file's deletion. */
  async process(tool: string, filename: string, bytes: Uint8Array<ArrayBuffer>): Promise<Ending> {
    try {
      return await this.#process(tool, filename, bytes)
    } catch (error) {
      return { kind: "broken", what: String(error) }
    }
  }

  async #process(tool: string, filename: string, bytes: Uint8Array<ArrayBuffer>): Promise<Ending> {
    const form = new FormData()
    form.append("file", new Blob([bytes]), filename)
    const upload = await this.#call(`/v1/tools/${tool}/files`, { form })
    if (upload.status !== 201) return refusalOf(upload)
    const file = textAt(upload.body, "id")
    this.#count += 1
    const invoked = await this.#call(`/v1/tools/${tool}/invoke`, {
      headers: { "idempotency-key": `document-${this.#count}` },
      json: { input: { file_id: file } },
    })
    const id = textAt(invoked.body, "id")
    const task = await this.#final(id)
    await this.#call(`/v1/tool-files/${file}`, { method: "DELETE" })
    if (at(task, "status") !== "succeeded") return failureOf(task, tool)
    const result = await this.#call(`/v1/tasks/${id}/result?format=json`)
    const markdown = textAt(result.body, "markdown")
    const stray = strayPart(result.body, markdown.length)
    if (stray !== undefined) return { kind: "broken", what: stray }
    const warnings = at(result.body, "warnings")
    return {
      kind: "succeeded",
      markdown,
      warnings: Array.isArray(warnings) ? warnings.map((warning) => textAt(warning, "code")) : [],
    }
  }

  async #final(id: string): Promise<unknown> {
    for (;;) {
      const { body } = await this.#call(`/v1/tasks/${id}?wait=60`)
      if (["succeeded", "failed"].includes(textAt(body, "status"))) return body
    }
  }

  #call(path: string, request: Parameters<typeof call>[1] = {}): Promise<Answer> {
    return call(`${this.#server.url}${path}`, { key: this.#key, ...request })
  }

  /** Ends with what the server printed. */
  async stop(): Promise<string> {
    clearInterval(this.#sampler)
    await this.#server.end("SIGTERM")
    this.#installation.remove()
    return this.#server.output()
  }
}

const refusalOf = ({ status, body }: Answer): Ending => {
  const code = at(body, "error.code")
  const message = String(at(body, "error.message"))
  return typeof code === "string" && refusalCodes.includes(code) && status < 500
    ? { kind: "refused", code, message }
    : { kind: "broken", what: `upload answered ${status} ${JSON.stringify(body).slice(0, 500)}` }
}

/** What is wrong with the places of pages, slides or sheets, where the result has them. */
const strayPart = (result: unknown, length: number): string | undefined => {
  for (const kind of ["pages", "slides", "sheets"]) {
    const parts = at(result, kind)
    let before = 0
    for (const [index, part] of (Array.isArray(parts) ? parts : []).entries()) {
      const [number, start, end] = ["number", "start", "end"].map((field) => Number(at(part, field)))
      const isWhole = number === index + 1 && before <= Number(start) && Number(start) <= Number(end)
      if (!isWhole || Number(end) > length) return `${kind} ${JSON.stringify(part)} after ${before}`
      before = Number(end)
    }
  }
  return undefined
}

const failureOf = (task: unknown, tool: string): Ending => {
  const code = textAt(task, "error.code")
  const message = textAt(task, "error.message")
  return (tool === "scan-md-json" ? scanFailureCodes : failureCodes).includes(code)
    ? { kind: "failed", code, message }
    : { kind: "broken", what: `the task failed with ${code}: ${message}` }
}

/** Runs `work` on every item, at most `width` at once. */
export const inParallel = async <A>(
  items: Iterable<A>,
  width: number,
  work: (item: A) => Promise<void>,
): Promise<void> => {
  const iterator = items[Symbol.iterator]()
  const lane = async (): Promise<void> => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: width }, lane))
}
