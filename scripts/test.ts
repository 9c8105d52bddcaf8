import { pathToFileURL } from "node:url"
import { startVitest, type Vitest } from "vitest/node"

/** How a run ended, summed over all test files. */
export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** `N passed, N failed`, and `, N skipped` where any were. */
export const summaryLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`

const countTests = (vitest: Vitest): Counts => {
  let passed = 0
  let skipped = 0
  let failed = vitest.state.getUnhandledErrors().length
  for (const module of vitest.state.getTestModules()) {
    // A file that fails to load, or whose hook fails, has errors of its own and perhaps no failed test.
    failed += module.errors().length
    for (const suite of module.children.allSuites()) failed += suite.errors().length
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      if (state === "passed") passed += 1
      else if (state === "skipped") skipped += 1
      else failed += 1
    }
  }
  return { passed, failed, skipped }
}

/** Runs the test files whose path contains one of `filters` (all of them without a filter). */
export const runTests = async (filters: ReadonlyArray<string>): Promise<Counts> => {
  const vitest = await startVitest([...filters], { watch: false, run: true })
  const counts = countTests(vitest)
  await vitest.close()
  // A run that found no tests has not passed.
  return counts.passed + counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const counts = await runTests(process.argv.slice(2))
  console.log(summaryLine(counts))
  process.exitCode = counts.failed === 0 ? 0 : 1
}
