import type { Catalog } from "./Catalog.ts"
import { AtelierError, about, TaskFailedError } from "./errors.ts"
import { newIdempotencyKey, submit } from "./submit.ts"
import { isTask, type Tasks } from "./Tasks.ts"
import { decode, invalidArgument, type Transport } from "./Transport.ts"
import type {
  CallOptions,
  SubmitOptions,
  Task,
  ToolFile,
  ToolResult,
  ToolTask,
  UpdateOptions,
} from "./types.ts"

export interface ParseOptions extends SubmitOptions, UpdateOptions<ToolTask> {
  /** Tool id. Absent: the published tool that takes the file's extension and the fewest others. */
  readonly tool?: string | undefined
  /** Name of the file, whose extension tells what it is. Absent: that of the `File` or of the path. */
  readonly filename?: string | undefined
  /** What to make; both by default. */
  readonly formats?: ReadonlyArray<"markdown" | "json"> | undefined
}

export interface ParsedDocument {
  /** Undefined where the format was not asked for. */
  readonly markdown: string | undefined
  readonly json: ToolResult | undefined
  readonly task: ToolTask
}

/** A document: its bytes, or in Node its path. */
export type DocumentSource = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string

/** Converts documents to Markdown. */
export class Documents {
  readonly #transport: Transport
  readonly #tasks: Tasks
  readonly #tools: Catalog

  constructor(transport: Transport, tasks: Tasks, tools: Catalog) {
    this.#transport = transport
    this.#tasks = tasks
    this.#tools = tools
  }

  /**
   * Uploads the document, has it parsed, waits, and answers its Markdown and JSON; the uploaded file is deleted.
   * Throws `TaskFailedError` where the document cannot be parsed; then nothing is charged. With an
   * `idempotencyKey` whose task exists already, nothing is uploaded: that task is waited for.
   */
  async parse(document: DocumentSource, options: ParseOptions = {}): Promise<ParsedDocument> {
    const { onUpdate, timeoutMs, signal, idempotencyKey = newIdempotencyKey() } = options
    const earlier = options.idempotencyKey && (await this.#tasks.find(options.idempotencyKey, { signal }))
    const { id } = earlier || (await this.#begin(document, { ...options, idempotencyKey }))
    const told = onUpdate && ((task: Task) => onUpdate(task as ToolTask))
    const task = await this.#tasks.wait(id, { onUpdate: told, timeoutMs, signal })
    if (task.object !== "tool.task") throw invalidArgument("idempotencyKey", "belongs to an image task")
    // It would expire by itself; until then it takes one of the places that a user has.
    await this.deleteFile(task.file_id, { signal }).catch(() => {})
    if (task.status === "failed") throw new TaskFailedError(task)
    const read = async (format: "markdown" | "json") =>
      task.output_formats.includes(format) ? await this.result(id, format, { signal }) : undefined
    const markdown = await read("markdown")
    const json = await read("json")
    return { markdown, json: json === undefined ? undefined : (JSON.parse(json) as ToolResult), task }
  }

  /** A result of a finished task as text: Markdown, or JSON. It is kept for two hours. */
  async result(taskId: string, format: "markdown" | "json", { signal }: CallOptions = {}): Promise<string> {
    const path = `/tasks/${encodeURIComponent(taskId)}/result?format=${format}`
    const wanted = format === "json" ? "application/json" : "text/markdown"
    const attempt = async () => {
      const reply = await this.#transport.send({ path, signal })
      if (format === "json") decode(reply, (body) => "schema_version" in body)
      else if (!reply.headers.get("content-type")?.startsWith(wanted)) decode(reply, () => false)
      return reply.text
    }
    return this.#transport.retrying(attempt, signal).catch((error: unknown) => {
      throw about(error, { taskId })
    })
  }

  /** Uploads a document for a tool. It costs nothing, and is kept for two hours. */
  async upload(
    document: DocumentSource,
    { tool, filename, signal }: CallOptions & { tool: string; filename?: string | undefined },
  ): Promise<ToolFile> {
    const { blob, name } = await readDocument(document, filename)
    return this.#upload(tool, blob, name, signal)
  }

  /** Has the file deleted. A file that is gone, or that a task still needs, is left to the service. */
  async deleteFile(id: string, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.send({ method: "DELETE", path: `/tool-files/${encodeURIComponent(id)}`, signal })
  }

  async #begin(document: DocumentSource, options: ParseOptions & { idempotencyKey: string }) {
    const { formats = ["markdown", "json"], signal } = options
    const { blob, name } = await readDocument(document, options.filename)
    const tool = options.tool ?? (await this.#tools.toolFor(name, { signal }))
    const file = await this.#upload(tool, blob, name, signal)
    const submission = {
      path: `/tools/${encodeURIComponent(tool)}/invoke`,
      body: { input: { file_id: file.id }, options: { output_formats: formats } },
      isOwn: (task: Task) => task.object === "tool.task" && task.tool_id === tool,
      isAccepted: (body: object) => isTask(body) && "tool_id" in body && body.tool_id === tool,
    }
    try {
      return await submit<ToolTask>(this.#transport, this.#tasks, submission, options)
    } catch (error) {
      // A refusal leaves the file without use; where the outcome is unknown a task may still need it.
      if (error instanceof AtelierError && !error.retryable) await this.deleteFile(file.id).catch(() => {})
      throw error
    }
  }

  /** Repeated after a lost answer: a file that was stored twice costs nothing, and expires by itself. */
  async #upload(tool: string, blob: Blob, name: string, signal: AbortSignal | undefined): Promise<ToolFile> {
    const attempt = async () => {
      const body = new FormData()
      body.append("file", blob, name)
      const path = `/tools/${encodeURIComponent(tool)}/files`
      const reply = await this.#transport.send({ method: "POST", path, body, signal })
      return decode<ToolFile>(reply, (answer) => "object" in answer && answer.object === "tool.file")
    }
    return this.#transport.retrying(attempt, signal)
  }
}

interface FileSystem {
  readonly readFileSync: (path: string) => Uint8Array<ArrayBuffer>
}

const readDocument = async (document: DocumentSource, filename: string | undefined) => {
  const given = typeof document === "string" ? document.split(/[/\\]/).at(-1) : undefined
  const name = filename ?? given ?? (document instanceof File ? document.name : undefined)
  if (!name) throw invalidArgument("filename", "is missing: its extension tells what the document is")
  if (typeof document !== "string") {
    return { blob: document instanceof Blob ? document : new Blob([document]), name }
  }
  return { blob: new Blob([fileSystem().readFileSync(document)]), name }
}

/** Without an import, so that bundles for browsers hold no trace of it. */
const fileSystem = (): FileSystem => {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => FileSystem | undefined }
  }
  const found = process?.getBuiltinModule?.("node:fs")
  if (found === undefined)
    throw invalidArgument("file", "is a path, which only Node 20.16 and later can read here; give its bytes")
  return found
}
