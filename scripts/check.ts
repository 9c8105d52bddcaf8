import { spawnSync } from "node:child_process"
import { runTests, summaryLine } from "./test.ts"

/** All that CI runs. Each step is an npm script, so that any of them can be run by itself; the tests come last. */
const steps: ReadonlyArray<{ readonly name: string; readonly script: string }> = [
  { name: "format and lint", script: "lint" },
  { name: "types", script: "typecheck" },
  { name: "dead files, exports and dependencies", script: "dead" },
  { name: "build", script: "build" },
  { name: "published form of the packages", script: "build:check" },
  { name: "examples", script: "examples" },
]

const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`

/** A passing step prints one line; the output of a failing one is shown in full. */
const runStep = (step: (typeof steps)[number]): boolean => {
  const from = performance.now()
  const result = spawnSync("npm", ["run", "--silent", step.script], { encoding: "utf8", maxBuffer: 2 ** 28 })
  const passed = result.status === 0
  console.log(`${passed ? "ok    " : "FAILED"}  ${step.name} (npm run ${step.script}, ${seconds(from)})`)
  if (!passed) console.log(`${result.stdout}${result.stderr}${result.error?.message ?? ""}`)
  return passed
}

const failures = steps.filter((step) => !runStep(step))
const tests = await runTests({ words: [] })
const failed = tests.failed + failures.length
if (failures.length > 0) console.log(`failed steps: ${failures.map((step) => step.name).join("; ")}`)
console.log(
  summaryLine({ passed: tests.passed + steps.length - failures.length, failed, skipped: tests.skipped }),
)
process.exitCode = failed === 0 ? 0 : 1
