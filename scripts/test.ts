import { relative } from "node:path"
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { startVitest, type TestModule, type Vitest } from "vitest/node"
import { keepDurations } from "./durations.ts"
import { Progress } from "./progress.ts"
import { root } from "./workspace.ts"

/** How a run ended, summed over all test files. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** `N passed, N failed`, and `, N skipped` where any were. */
export const summaryLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`

export interface Selection {
  /** Test files whose path contains one of these words; all without one. */
  readonly words: ReadonlyArray<string>
  /** Tests whose full name matches this pattern. */
  readonly name?: string | undefined
  /** Keeps how long each file took, as what later runs tell. */
  readonly record?: boolean | undefined
}

const none: Counts = { passed: 0, failed: 0, skipped: 0 }

const sum = (one: Counts, other: Counts): Counts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
})

const countModule = (module: TestModule): Counts => {
  // A file that fails to load, or whose hook fails, has errors of its own and perhaps no failed test.
  let failed = module.errors().length
  for (const suite of module.children.allSuites()) failed += suite.errors().length
  const states = [...module.children.allTests()].map((test) => test.result().state)
  const passed = states.filter((state) => state === "passed").length
  const skipped = states.filter((state) => state === "skipped").length
  return { passed, failed: failed + states.length - passed - skipped, skipped }
}

/** Seconds of each file, with what it takes to load it. */
const record = (vitest: Vitest, seconds: number): void => {
  const files = vitest.state.getTestModules().map((module) => {
    const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } =
      module.diagnostic()
    const all = collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration
    return [relative(root, module.moduleId), Math.round(all / 100) / 10] as const
  })
  keepDurations({
    measured: new Date().toISOString().slice(0, 10),
    seconds: Math.round(seconds),
    files: Object.fromEntries(files.toSorted(([a], [b]) => (a < b ? -1 : 1))),
  })
}

const environment = { reporters: [new Progress()], watch: false, run: true }

/** Runs the selected tests. Those that a name leaves out are not counted as skipped. */
export const runTests = async ({ words, name, record: keep }: Selection): Promise<Counts> => {
  const { counts } = await run({ words, name, record: keep })
  return counts
}

const run = async ({ words, name, record: keep }: Selection) => {
  const from = performance.now()
  const named = name === undefined ? {} : { testNamePattern: name }
  const vitest = await startVitest([...words], { ...environment, ...named })
  const modules = vitest.state.getTestModules()
  const unhandled = { ...none, failed: vitest.state.getUnhandledErrors().length }
  const counts = modules.map(countModule).reduce(sum, unhandled)
  const failing = modules.filter((module) => countModule(module).failed > 0)
  if (keep === true && counts.failed === 0) record(vitest, (performance.now() - from) / 1000)
  await vitest.close()
  return {
    counts: {
      ...counts,
      // A run that found no tests has not passed.
      failed: counts.passed + counts.failed === 0 ? 1 : counts.failed,
      skipped: name === undefined ? counts.skipped : 0,
    },
    failing: failing.map(({ moduleId }) => relative(root, moduleId)),
    others: modules
      .filter((module) => !failing.includes(module))
      .map(countModule)
      .reduce(sum, none),
  }
}

/** More failing files than this have a reason in common. */
const triedAgainMax = 3

/**
 * Runs all tests, and the few files that failed once more when nothing else runs: what passes then is named, and
 * counted as passed. It depends on the order or the load, which is a defect of the test or of what it tests.
 */
export const runAllTests = async (): Promise<Counts> => {
  const { counts, failing, others } = await run({ words: [] })
  if (failing.length === 0 || failing.length > triedAgainMax) return counts
  console.log(`once more, alone: ${failing.join(", ")}`)
  const again = await run({ words: failing })
  for (const file of failing) {
    if (!again.failing.includes(file)) console.log(`FLAKY   ${file} failed, and passed alone: find out why`)
  }
  return sum(others, again.counts)
}

const usage = "npm test -- [WORD…] [-t NAME] [--watch] [--record]"

const main = async (): Promise<void> => {
  const { values, positionals: words } = parseArgs({
    allowPositionals: true,
    options: {
      testNamePattern: { type: "string", short: "t" },
      watch: { type: "boolean" },
      record: { type: "boolean" },
    },
  })
  const name = values.testNamePattern
  if (values.watch === true) {
    await startVitest(words, { watch: true, ...(name === undefined ? {} : { testNamePattern: name }) })
    return
  }
  if (values.record === true && words.length + (name === undefined ? 0 : 1) > 0) {
    throw new Error("--record measures the whole suite")
  }
  const counts = await runTests({ words, name, record: values.record })
  console.log(summaryLine(counts))
  process.exitCode = counts.failed === 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main().catch((error: unknown) => {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
    process.exitCode = 2
  })
}
