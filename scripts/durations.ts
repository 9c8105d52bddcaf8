import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./workspace.ts"

/**
 * How many test files run at once on two cores: two more than cores, because files wait for processes that they start
 * and for their timers. With three the cores were busy for 67 % of the time, with four for 78 % and more; five took no
 * less time than four.
 */
export const workersCount = 4

/** What the last measurement found: `npm test -- --record` on a machine that does nothing else. */
export interface Durations {
  /** `YYYY-MM-DD`. */
  readonly measured: string
  /** Of all test files, from the first to the last. */
  readonly seconds: number
  /** Of each test file, by its path from the repository's root. */
  readonly files: Readonly<Record<string, number>>
}

const path = join(root, "test", "durations.json")

export const durations: Durations = JSON.parse(readFileSync(path, "utf8"))

export const keepDurations = (measured: Durations): void =>
  writeFileSync(path, `${JSON.stringify(measured, null, 2)}\n`)

/** A file that was never measured counts as an average one. */
const unmeasuredSeconds = 5

export const secondsOf = (file: string): number => durations.files[file] ?? unmeasuredSeconds

/** How long the files take together, from the first to the last. */
export const secondsTogether = (files: ReadonlyArray<string>): number => {
  const each = files.map(secondsOf)
  const sum = each.reduce((total, seconds) => total + seconds, 0)
  return Math.max(sum / workersCount, ...each, 0)
}

/** `40 s`, `7 min`. */
export const spoken = (seconds: number): string =>
  seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`
