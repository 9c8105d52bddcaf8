import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { secondsOf, spoken } from "./durations.ts"
import { runProgram } from "./program.ts"
import { type Counts, runTests, summaryLine } from "./test.ts"
import { filesBelow, root } from "./workspace.ts"

/**
 * What a person runs while working, in half a minute: lint of the files that changed, all types, and tests. Changed is
 * what differs from where the branch left `main`, committed or not. Tests are those that changed, then those of the
 * changed packages, the shortest first, as many as fit into the time; what is left out is said.
 */
const testSecondsMax = 45

const git = (...args: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
    .split("\n")
    .filter((line) => line !== "")

/** Where the branch left `main`; the last commit where there is no `main`, or the branch is `main`. */
const base = (): string => {
  for (const main of ["origin/main", "main"]) {
    try {
      return git("merge-base", "HEAD", main)[0] ?? "HEAD"
    } catch {}
  }
  return "HEAD"
}

const changedFiles = (): ReadonlyArray<string> =>
  [
    ...new Set([...git("diff", "--name-only", base()), ...git("ls-files", "--others", "--exclude-standard")]),
  ].filter((file) => existsSync(join(root, file)))

const packageOf = (file: string): string | undefined => /^packages\/[^/]+\//.exec(file)?.[0]
const isTest = (file: string): boolean => file.endsWith(".test.ts")

/** The tests that changed, and those of the packages that did. */
const testsOf = (changed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const own = changed.filter(isTest)
  const packages = [...new Set(changed.flatMap((file) => packageOf(file) ?? []))]
  const near = packages
    .flatMap((folder) => filesBelow(join(root, folder, "test")))
    .map((file) => file.slice(root.length + 1))
    .filter(isTest)
    .toSorted((a, b) => secondsOf(a) - secondsOf(b))
  return [...new Set([...own, ...near])]
}

/** As many as fit; the first always does. */
const fitting = (tests: ReadonlyArray<string>): ReadonlyArray<string> => {
  let left = testSecondsMax
  return tests.filter((file, index) => {
    left -= secondsOf(file)
    return index === 0 || left >= 0
  })
}

const run = async (name: string, command: string, args: ReadonlyArray<string>): Promise<boolean> => {
  const from = performance.now()
  const { stdout, stderr, problem } = await runProgram(command, args, { cwd: root, secondsMax: 600 })
  const passed = problem === undefined
  console.log(`${passed ? "ok    " : "FAILED"}  ${name} (${spoken((performance.now() - from) / 1000)})`)
  if (!passed) console.log(`${problem}\n${stdout}${stderr}`)
  return passed
}

const changed = changedFiles()
const tests = testsOf(changed)
const chosen = fitting(tests)
console.log(`${changed.length} files changed\n`)
const lint = ["check", "--error-on-warnings", "--no-errors-on-unmatched", "--files-ignore-unknown=true"]
const steps = await Promise.all([
  changed.length === 0 ? true : run("format and lint", "biome", [...lint, ...changed]),
  run("types", process.execPath, ["scripts/typecheck.ts"]),
])
const none: Counts = { passed: 0, failed: 0, skipped: 0 }
const counts = chosen.length === 0 ? none : await runTests({ words: chosen })
const leftOut = tests.filter((file) => !chosen.includes(file))
if (leftOut.length > 0) {
  console.log(`left out, for time: ${leftOut.join(" ")}`)
}
console.log(
  "Not run: what tests other packages and the whole (npm test), dead code, build, examples (npm run check).",
)
const failed = counts.failed + steps.filter((passed) => !passed).length
console.log(summaryLine({ ...counts, passed: counts.passed + steps.filter(Boolean).length, failed }))
process.exitCode = failed === 0 ? 0 : 1
