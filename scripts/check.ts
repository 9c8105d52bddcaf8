import { runProgram } from "./program.ts"
import { runAllTests, summaryLine } from "./test.ts"
import { twoAtATime } from "./workspace.ts"

interface Step {
  readonly name: string
  readonly script: string
}

/**
 * All that CI runs, but for the tests. Each step is an npm script, so that any of them can be run by itself. The steps
 * of a list are run in turn, and two lists at once.
 */
const first: ReadonlyArray<ReadonlyArray<Step>> = [
  // What tests run as it would be published.
  [{ name: "build", script: "build" }],
  // They read every file of the repository, and tests make some for a while.
  [
    { name: "format and lint", script: "lint" },
    { name: "dead files, exports and dependencies", script: "dead" },
  ],
]

/** Beside the tests, which often wait for timers and processes. */
const beside: ReadonlyArray<ReadonlyArray<Step>> = [
  [{ name: "published form of the packages", script: "build:check" }],
  [
    { name: "types", script: "typecheck" },
    { name: "examples", script: "examples" },
  ],
]

const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`

/** Many times what the longest takes on a slow machine: a step that hangs is named. */
const stepSecondsMax = 1_800

/** A passing step prints one line; the output of a failing one is shown in full. */
const runStep = async ({ name, script }: Step): Promise<boolean> => {
  const from = performance.now()
  const { stdout, stderr, problem } = await runProgram("npm", ["run", "--silent", script], {
    secondsMax: stepSecondsMax,
  })
  const passed = problem === undefined
  console.log(`${passed ? "ok    " : "FAILED"}  ${name} (npm run ${script}, ${seconds(from)})`)
  if (!passed) console.log(`${problem}\n${stdout}${stderr}`)
  return passed
}

const failures: Array<Step> = []
const runSteps = (lists: ReadonlyArray<ReadonlyArray<Step>>): Promise<void> =>
  twoAtATime(lists, async (list) => {
    for (const step of list) if (!(await runStep(step))) failures.push(step)
  })

await runSteps(first)
const [tests] = await Promise.all([runAllTests(), runSteps(beside)])
const steps = [...first, ...beside].flat()
const failed = tests.failed + failures.length
if (failures.length > 0) console.log(`failed steps: ${failures.map((step) => step.name).join("; ")}`)
console.log(
  summaryLine({ passed: tests.passed + steps.length - failures.length, failed, skipped: tests.skipped }),
)
process.exitCode = failed === 0 ? 0 : 1
