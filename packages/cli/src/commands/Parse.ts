import { isFinal, type ToolTask } from "@atelier/client"
import * as Option from "effect/Option"
import { asCaller, type Caller } from "../Caller.ts"
import { CommandFailed, exitCodes } from "../CommandFailed.ts"
import { type Format, type Job, planOf } from "../documentPlan.ts"
import { failureOf } from "../failureOf.ts"
import type { Target } from "../Login.ts"
import { bar, type Progress } from "../Progress.ts"
import { type Done, parseDocument } from "../parseDocument.ts"

interface ParseInput extends Target {
  readonly files: ReadonlyArray<string>
  readonly tool: Option.Option<string>
  readonly out: Option.Option<string>
  readonly format: Format
  readonly jobs: number
  readonly again: boolean
  readonly json: boolean
}

/**
 * A place in the queue or among the files may be long in coming: refusals for too many tasks are repeated, each
 * after the time that the service asks for.
 */
const patientRetries = 100

/**
 * Converts documents, several at a time, and prints or stores their results. Tools, sizes and outputs are checked
 * before anything is uploaded. One that fails does not stop the others.
 */
export const parse = (input: ParseInput) =>
  asCaller(input, async (caller) => {
    const [tool, out] = [Option.getOrUndefined(input.tool), Option.getOrUndefined(input.out)]
    const tools = await caller.atelier.tools.list({ signal: caller.signal })
    const jobs = await planOf(input.files, tools, { tool, out, format: input.format })
    const batch = new Batch(jobs, input, caller, await caller.progress(input))
    await batch.run()
  })

/** The end of one document. */
interface End {
  readonly job: Job
  readonly done?: Done
  readonly failure?: CommandFailed
}

class Batch {
  readonly #jobs: ReadonlyArray<Job>
  readonly #input: ParseInput
  readonly #caller: Caller
  readonly #progress: Progress
  readonly #open = new Map<Job, ToolTask | undefined>()
  readonly #ends = new Map<Job, End>()

  constructor(jobs: ReadonlyArray<Job>, input: ParseInput, caller: Caller, progress: Progress) {
    this.#jobs = jobs
    this.#input = input
    this.#caller = caller
    this.#progress = progress
  }

  async run(): Promise<void> {
    this.#caller.onStop(() => this.#leaving())
    const waiting = this.#jobs.values()
    const lane = async (): Promise<void> => {
      for (const job of waiting) await this.#one(job)
    }
    try {
      await Promise.all(Array.from({ length: Math.min(this.#input.jobs, this.#jobs.length) }, lane))
    } finally {
      this.#progress.end()
    }
    this.#report()
  }

  async #one(job: Job): Promise<void> {
    const { signal, login } = this.#caller
    const { format, again } = this.#input
    const atelier = this.#caller.client({ maxRetries: patientRetries })
    const onUpdate = (task: ToolTask): void => this.#update(job, task)
    this.#open.set(job, undefined)
    this.#draw()
    try {
      const done = await parseDocument(job, { atelier, signal, format, again, onUpdate })
      this.#ends.set(job, { job, done })
      this.#told(job, done)
    } catch (error) {
      if (signal.aborted) throw signal.reason
      const failure = failureOf(error, login.url)
      this.#ends.set(job, { job, failure })
      if (this.#jobs.length > 1) this.#progress.line(`${job.file}: ${failure.message}`)
    } finally {
      if (!signal.aborted) this.#open.delete(job)
      this.#draw()
    }
  }

  #update(job: Job, task: ToolTask): void {
    this.#open.set(job, task)
    if (this.#jobs.length === 1) this.#progress.task(task)
    else this.#draw()
  }

  #draw(): void {
    if (this.#jobs.length === 1) return
    const [done, count] = [this.#ends.size, this.#jobs.length]
    this.#progress.status(
      (seconds) => `${bar(done / count)} ${done} of ${count}, ${this.#open.size} under way, ${seconds} s`,
    )
  }

  #told(job: Job, { task, isEarlier }: Done): void {
    if (this.#jobs.length === 1) return
    const what = isEarlier ? "of an earlier run, paid then" : this.#progress.cost(task)
    this.#progress.line(`${job.file} -> ${job.out}: ${task.id}, ${what}`)
  }

  /** Results, and the exit code: the highest of all documents. */
  #report(): void {
    const ends = this.#jobs.flatMap((job) => this.#ends.get(job) ?? [])
    if (this.#input.json) console.log(JSON.stringify(ends.map(toJson), null, 2))
    else for (const { job, done } of ends) this.#print(job, done)
    const failures = ends.flatMap(({ failure }) => failure ?? [])
    if (failures.length === 0) return
    const exitCode = Math.max(...failures.map((failure) => failure.exitCode ?? exitCodes.failed))
    const [first] = failures
    const message = `${failures.length} of ${ends.length} documents failed; the same command tries only those again`
    throw new CommandFailed({ message: ends.length === 1 ? (first?.message ?? "") : message, exitCode })
  }

  #print({ out }: Job, done: Done | undefined): void {
    if (done === undefined) return
    if (out !== undefined) console.log(out)
    else process.stdout.write(withLineEnd(done.text ?? ""))
  }

  #leaving(): string {
    const tasks = [...this.#open.values()].flatMap((task) => task ?? []).filter((task) => !isFinal(task))
    const ids = tasks.map(({ id }) => id).join(", ")
    const going = tasks.length === 0 ? "no task is known to be under way" : `under way: ${ids}`
    return `stopped, ${this.#ends.size} of ${this.#jobs.length} done; ${going}; the same command goes on from here and pays nothing twice`
  }
}

/** What follows on a terminal, or of another command, begins on a line of its own. */
const withLineEnd = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`)

const toJson = ({ job, done, failure }: End) => ({
  file: job.file,
  out: job.out ?? null,
  task: done?.task ?? null,
  ...(job.out === undefined && done !== undefined ? { text: done.text } : {}),
  error:
    failure === undefined
      ? null
      : { message: failure.message, exit_code: failure.exitCode ?? exitCodes.failed },
})
