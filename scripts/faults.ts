import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
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
 * only. `--every=N`: every Nth of them. A run without words writes `benchmarks/results/faults.md`. Ends with 1 where a
 * fault survives.
 */

const suiteMsMax = 240_000
const copiesCount = 2

/** A copy of the tree that shares the original's dependencies and links its own packages. */
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

const isPassed = async (copy: string, suite: string): Promise<boolean> => {
  const vitest = join("node_modules", "vitest", "vitest.mjs")
  const child = spawn(
    process.execPath,
    [vitest, "run", "--bail=1", "--no-isolate", "--reporter=dot", suite],
    {
      cwd: copy,
      stdio: "ignore",
      timeout: suiteMsMax,
      killSignal: "SIGKILL",
    },
  )
  const [code] = await once(child, "close")
  return code === 0
}

/** Whether a test fails with the fault; the copy is restored afterwards. */
const isFound = async (
  copy: string,
  { file, original, replacement }: Fault,
  suites: ReadonlyArray<string>,
) => {
  const path = join(copy, file)
  const text = readFileSync(path, "utf8")
  writeFileSync(
    path,
    text.replace(original, () => replacement),
  )
  let found = false
  // One suite after the other: for most faults the first is enough.
  for (const suite of suites) found ||= !(await isPassed(copy, suite))
  writeFileSync(path, text)
  return found
}

/** Works through the items, one at a time in each copy. */
const inCopies = async <A>(
  copies: ReadonlyArray<string>,
  items: ReadonlyArray<A>,
  work: (copy: string, item: A) => Promise<void>,
) => {
  const iterator = items[Symbol.iterator]()
  const lane = async (copy: string) => {
    for (let next = iterator.next(); next.done !== true; next = iterator.next()) await work(copy, next.value)
  }
  await Promise.all(copies.map(lane))
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
    `${found.length} of ${found.length + survived.length} faults are found by tests that run in seconds (\`npm run faults\`; the list of ${faults.length} is in \`scripts/faults\`).`,
    "",
    "| fault | file | |",
    "| --- | --- | --- |",
    ...survived.map((fault) => row(fault, "survived")),
    ...found.map((fault) => row(fault, "found")),
    "",
  ].join("\n")
  writeFileSync(join(root, "benchmarks", "results", "faults.md"), text)
}

/** The suites that pass without a fault: only those can detect one. */
const soundSuites = async (
  copies: ReadonlyArray<string>,
  suites: ReadonlyArray<string>,
): Promise<ReadonlySet<string>> => {
  const sound = new Set<string>()
  await inCopies(copies, suites, async (copy, suite) => {
    // On a machine that is busy with other work, a test may time out.
    if ((await isPassed(copy, suite)) || (await isPassed(copy, suite))) sound.add(suite)
    else console.log(`fails without a fault: ${suite}`)
  })
  return sound
}

const main = async (words: ReadonlyArray<string>, every: number): Promise<number> => {
  const chosen = faults
    .filter(
      ({ name, file }) =>
        words.length === 0 || words.some((word) => name.includes(word) || file.includes(word)),
    )
    .filter((_, index) => index % every === 0)
  const wrong = outdated(chosen)
  for (const line of wrong) console.log(line)
  if (wrong.length > 0 || chosen.length === 0) return 1
  const copies = Array.from({ length: copiesCount }, copyTree)
  const suites = [...new Set(chosen.flatMap((fault) => fault.suites))]
  const sound = await soundSuites(copies, suites)
  const found: Array<Fault> = []
  const survived: Array<Fault> = []
  await inCopies(copies, chosen, async (copy, fault) => {
    const began = performance.now()
    const isSeen = await isFound(
      copy,
      fault,
      fault.suites.filter((suite) => sound.has(suite)),
    )
    ;(isSeen ? found : survived).push(fault)
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    const count = `${found.length + survived.length}/${chosen.length}`
    console.log(`${isSeen ? "found   " : "SURVIVED"}  ${count}  ${fault.name} (${fault.file}, ${seconds} s)`)
  })
  for (const copy of copies) rmSync(copy, { recursive: true, force: true })
  const order = (list: ReadonlyArray<Fault>) => chosen.filter((fault) => list.includes(fault))
  if (words.length === 0) writeResult(order(found), order(survived))
  console.log(`${found.length} of ${chosen.length} faults were found`)
  return survived.length === 0 && sound.size === suites.length ? 0 : 1
}

if (import.meta.main) {
  const args = process.argv.slice(2)
  setPriority(10)
  if (args.includes("--list")) for (const { name, file } of faults) console.log(`${name} (${file})`)
  else {
    const every = args.find((arg) => arg.startsWith("--every="))?.slice("--every=".length)
    process.exitCode = await main(
      args.filter((arg) => !arg.startsWith("--")),
      Number(every ?? 1),
    )
  }
}
