import { execFileSync, spawnSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { setPriority, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Fault } from "./faults/fault.ts"
import { faults } from "./faults/index.ts"
import { root } from "./workspace.ts"

/**
 * Plants one fault at a time in a copy of the source, runs the tests that must see it, and says which faults
 * survived. The working tree is never touched.
 *
 * `npm run faults [-- WORD...]`: all, or those whose name or file holds one of the words; `--list` names them
 * only. A run of all writes `benchmarks/results/faults.md`. Ends with 1 where a fault survives.
 */

const suite_ms_max = 240_000

/** The tree as it stands, with the dependencies of the original and packages of its own. */
const copyTree = (): string => {
  const copy = mkdtempSync(join(tmpdir(), "atelier-faults-"))
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  })
  for (const file of files.split("\n")) {
    if (file === "" || !existsSync(join(root, file))) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    cpSync(join(root, file), join(copy, file))
  }
  linkModules(copy, "node_modules")
  for (const name of readdirSync(join(root, "packages"))) {
    const folder = join("packages", name, "node_modules")
    if (existsSync(join(root, folder))) linkModules(copy, folder)
  }
  return copy
}

const linkModules = (copy: string, folder: string): void => {
  mkdirSync(join(copy, folder), { recursive: true })
  for (const name of readdirSync(join(root, folder))) {
    if (name === "@atelier") linkPackages(copy, folder)
    else if (name !== ".cache" && name !== ".vite")
      symlinkSync(join(root, folder, name), join(copy, folder, name))
  }
}

const linkPackages = (copy: string, folder: string): void => {
  mkdirSync(join(copy, folder, "@atelier"))
  for (const name of readdirSync(join(root, "packages"))) {
    symlinkSync(join(copy, "packages", name), join(copy, folder, "@atelier", name))
  }
}

const isPassed = (copy: string, suites: ReadonlyArray<string>): boolean => {
  const vitest = join("node_modules", "vitest", "vitest.mjs")
  const run = spawnSync(process.execPath, [vitest, "run", "--bail=1", "--reporter=dot", ...suites], {
    cwd: copy,
    encoding: "utf8",
    timeout: suite_ms_max,
    killSignal: "SIGKILL",
  })
  return run.status === 0
}

/** Whether a test fails with the fault; the copy is as it was afterwards. */
const isFound = (copy: string, { file, original, replacement, suites }: Fault): boolean => {
  const path = join(copy, file)
  const text = readFileSync(path, "utf8")
  writeFileSync(
    path,
    text.replace(original, () => replacement),
  )
  // The likeliest suites alone first: most faults need no more.
  const found = suites.some((suite) => !isPassed(copy, [suite]))
  writeFileSync(path, text)
  return found
}

/** Faults whose text is not in their file exactly once: the list is out of date. */
export const outdated = (list: ReadonlyArray<Fault>): ReadonlyArray<string> =>
  list.flatMap(({ name, file, original }) => {
    const count = existsSync(join(root, file))
      ? readFileSync(join(root, file), "utf8").split(original).length - 1
      : 0
    return count === 1 ? [] : [`${name}: the text is ${count} times in ${file}`]
  })

const writeResult = (found: ReadonlyArray<Fault>, survived: ReadonlyArray<Fault>): void => {
  const row = ({ name, file }: Fault, verdict: string) => `| ${name} | ${file} | ${verdict} |`
  const text = [
    "# Planted faults",
    "",
    `${found.length} of ${found.length + survived.length} faults are found by tests that run in seconds (\`npm run faults\`; the list is in \`scripts/faults\`).`,
    "",
    "| fault | file | |",
    "| --- | --- | --- |",
    ...survived.map((fault) => row(fault, "survived")),
    ...found.map((fault) => row(fault, "found")),
    "",
  ].join("\n")
  writeFileSync(join(root, "benchmarks", "results", "faults.md"), text)
}

const main = (words: ReadonlyArray<string>): number => {
  const chosen = faults.filter(
    ({ name, file }) =>
      words.length === 0 || words.some((word) => name.includes(word) || file.includes(word)),
  )
  const wrong = outdated(chosen)
  for (const line of wrong) console.log(line)
  if (wrong.length > 0 || chosen.length === 0) return 1
  const copy = copyTree()
  try {
    const suites = [...new Set(chosen.flatMap((fault) => fault.suites))]
    const broken = suites.filter((suite) => !isPassed(copy, [suite]) && !isPassed(copy, [suite]))
    if (broken.length > 0) {
      console.log(`these tests fail without a fault: ${broken.join(", ")}`)
      return 1
    }
    const survived: Array<Fault> = []
    for (const [index, fault] of chosen.entries()) {
      const began = performance.now()
      const found = isFound(copy, fault)
      if (!found) survived.push(fault)
      const seconds = ((performance.now() - began) / 1000).toFixed(1)
      console.log(
        `${found ? "found   " : "SURVIVED"}  ${index + 1}/${chosen.length}  ${fault.name} (${fault.file}, ${seconds} s)`,
      )
    }
    const found = chosen.filter((fault) => !survived.includes(fault))
    if (words.length === 0) writeResult(found, survived)
    console.log(`${found.length} of ${chosen.length} faults were found`)
    return survived.length === 0 ? 0 : 1
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const args = process.argv.slice(2)
  setPriority(10)
  if (args.includes("--list")) for (const { name, file } of faults) console.log(`${name} (${file})`)
  else process.exitCode = main(args)
}
