import { isFinal, type Task } from "@atelier/client"
import { usdOf } from "./usdOf.ts"

const redrawMs = 250
const barCharacters = 24

/**
 * What a waiting command tells on standard error: on a terminal one line that is drawn again, in a pipe a line for
 * each step, with `--json` nothing in a pipe.
 */
export class Progress {
  readonly #startedAt = performance.now()
  readonly #isTerminal = process.stderr.isTTY === true
  readonly #quiet: boolean
  readonly #unitsPerUsd: number | undefined
  #status: ((seconds: number) => string) | undefined
  #last = ""
  #timer: ReturnType<typeof setInterval> | undefined

  /** Costs are in dollars where `unitsPerUsd` is known. */
  constructor({ json }: { readonly json: boolean }, unitsPerUsd: number | undefined) {
    this.#quiet = json && !this.#isTerminal
    this.#unitsPerUsd = unitsPerUsd
  }

  /** What is charged; while it is open, what is held. */
  cost(task: Task): string {
    return costOf(task, this.#unitsPerUsd)
  }

  /** The task has changed. */
  task(task: Task): void {
    const step = `${task.id} ${stateOf(task)}`
    this.status((seconds) => `${step}${details(task)}, ${seconds} s, ${this.cost(task)}`)
    if (this.#isTerminal && !isFinal(task)) return
    if (step !== this.#last) this.line(`${step}${details(task)}, ${this.#seconds} s, ${this.cost(task)}`)
    this.#last = step
  }

  /** What is going on, on a terminal only: drawn again with the seconds. */
  status(text: (seconds: number) => string): void {
    this.#status = text
    if (!this.#isTerminal) return
    this.#timer ??= setInterval(() => this.#draw(), redrawMs).unref()
    this.#draw()
  }

  /** A line that stays. */
  line(text: string): void {
    if (this.#quiet) return
    this.#clear()
    process.stderr.write(`${text}\n`)
  }

  end(): void {
    clearInterval(this.#timer)
    this.#clear()
  }

  get #seconds(): number {
    return Math.round((performance.now() - this.#startedAt) / 1000)
  }

  #draw(): void {
    const text = this.#status?.(this.#seconds) ?? ""
    this.#clear()
    process.stderr.write(text.slice(0, Math.max(0, (process.stderr.columns || 80) - 1)))
  }

  #clear(): void {
    if (this.#isTerminal) process.stderr.write("\r\x1b[K")
  }
}

/** `[#####-----] 50 %` */
export const bar = (part: number): string => {
  const full = Math.round(Math.min(1, Math.max(0, part)) * barCharacters)
  return `[${"#".repeat(full)}${"-".repeat(barCharacters - full)}] ${Math.round(part * 100)} %`
}

export const stateOf = (task: Task): string => (task.object === "image.task" ? task.state : task.status)

/** What is charged; while it is open, what is held. In units where their rate is not known. */
export const costOf = ({ billing, ...task }: Task, unitsPerUsd?: number): string => {
  const held = "held" in billing ? billing.held : billing.pre_deducted
  const units = task.finished_at === null ? held : billing.charged
  return unitsPerUsd === undefined ? `${units} units` : usdOf(units, unitsPerUsd)
}

/** The place in the queue where the service tells it; a bar where there is a percentage. */
const details = (task: Task): string => {
  const { position = null, estimated_seconds: estimate = null } = task.queue ?? {}
  if (position !== null || estimate !== null) {
    const place = position === null ? "" : `, position ${position}`
    return estimate === null ? place : `${place}, about ${estimate} s to go`
  }
  const percent = task.object === "image.task" && !isFinal(task) ? task.progress : 0
  return percent > 0 ? ` ${bar(percent / 100)}` : ""
}
