import { readFile, stat } from "node:fs/promises"
import { basename } from "node:path"
import { type Atelier, AtelierError, type ParsedDocument, type ToolTask } from "@atelier/client"
import { CommandFailed, exitCodes } from "./CommandFailed.ts"
import { conversionKey, type Format, type Job } from "./documentPlan.ts"
import { writing } from "./Outputs.ts"

export interface ParseContext {
  readonly atelier: Atelier
  readonly signal: AbortSignal
  readonly format: Format
  /** Converts also what was converted before. */
  readonly again: boolean
  readonly onUpdate: (task: ToolTask) => void
}

export interface Done {
  readonly task: ToolTask
  /** An earlier run submitted and paid it. */
  readonly isEarlier: boolean
  /** Undefined where the result was stored by an earlier run, and has expired since. */
  readonly text: string | undefined
}

/** Tasks of one content that are told apart within the time for which the service keeps keys. */
const attemptsMax = 20

/**
 * Converts a document and stores the result. The task of an earlier run is taken up: finished, its result is fetched
 * and nothing is paid; under way, it is waited for; failed, and so refunded, the document is submitted again.
 */
export const parseDocument = async (job: Job, context: ParseContext): Promise<Done> => {
  const { format } = context
  const bytes = new Uint8Array(await readFile(job.file))
  const { idempotencyKey, earlier } = await openKey(conversionKey(bytes, job, format), context)
  if (earlier !== undefined && (await isKept(earlier, job)))
    return { task: earlier, isEarlier: true, text: undefined }
  const parse = (): Promise<ParsedDocument> =>
    context.atelier.documents.parse(bytes, {
      tool: job.tool,
      filename: basename(job.file),
      formats: [format],
      idempotencyKey,
      signal: context.signal,
      onUpdate: context.onUpdate,
    })
  // Another run submitted the same content in between: its task is this one's, too.
  const { markdown, json, task } = await parse().catch((error: unknown) => {
    if (error instanceof AtelierError && error.code === "idempotency_key_reused") return parse()
    throw expired(error, job, earlier)
  })
  const text = format === "json" ? `${JSON.stringify(json, null, 2)}\n` : (markdown ?? "")
  if (job.out !== undefined) await writing(job.out, text)
  return { task, isEarlier: earlier !== undefined, text }
}

/** The key of the conversion's task that is to be waited for, or of a new one. */
const openKey = async (
  base: string,
  { atelier, again, signal }: ParseContext,
): Promise<{ readonly idempotencyKey: string; readonly earlier?: ToolTask }> => {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const idempotencyKey = attempt === 1 ? base : `${base}-${attempt}`
    const earlier = await atelier.tasks.find(idempotencyKey, { signal })
    if (earlier?.object !== "tool.task") return { idempotencyKey }
    const isOver = earlier.status === "failed" || (again && earlier.status === "succeeded")
    if (!isOver) return { idempotencyKey, earlier }
  }
  const message = `it was submitted ${attemptsMax} times within the days for which the service keeps keys`
  throw new CommandFailed({ message, exitCode: exitCodes.refused })
}

/** Whether the result of a finished task is where it belongs, and could not be fetched again. */
const isKept = async ({ expires_at, finished_at }: ToolTask, { out }: Job): Promise<boolean> => {
  if (out === undefined || finished_at === null || expires_at > Date.now() / 1000) return false
  const there = await stat(out).catch(() => undefined)
  return there?.isFile() === true && there.size > 0 && there.mtimeMs / 1000 >= finished_at
}

const expired = (error: unknown, { file }: Job, earlier: ToolTask | undefined): unknown => {
  if (!(error instanceof AtelierError) || error.code !== "result_expired") return error
  const message = `${file} was converted by ${earlier?.id ?? error.taskId}, whose result has expired (${error.code}); --again converts and pays it again`
  return new CommandFailed({ message, exitCode: exitCodes.refused })
}
