import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Ended, runProgram } from "./program.ts"
import { compiledFolder, root, twoAtATime } from "./workspace.ts"

/**
 * Runs `examples/NAME/main.ts` for every NAME, in its own folder. It must end by itself with exit code 0 within
 * `runSecondsMax`, and print exactly its `expected.txt` where there is one. `--update` rewrites that file.
 * Names given as arguments run only those examples.
 */
const runSecondsMax = 600

const run = (folder: string): Promise<Ended> =>
  runProgram(process.execPath, ["--conditions=atelier:source", "main.ts"], {
    cwd: folder,
    env: { ...process.env, NODE_COMPILE_CACHE: compiledFolder },
    secondsMax: runSecondsMax,
  })

const compare = (folder: string, { stdout }: Ended): string | undefined => {
  const file = join(folder, "expected.txt")
  if (!existsSync(file)) return undefined
  const expected = readFileSync(file, "utf8")
  return stdout === expected ? undefined : `printed\n${stdout}\nexpected\n${expected}`
}

const isExample = (name: string): boolean => existsSync(join(root, "examples", name, "main.ts"))

const names = (wanted: ReadonlyArray<string>): ReadonlyArray<string> =>
  existsSync(join(root, "examples"))
    ? readdirSync(join(root, "examples")).filter(
        (name) => isExample(name) && (wanted.length === 0 || wanted.includes(name)),
      )
    : []

const update = process.argv.includes("--update")
const chosen = names(process.argv.slice(2).filter((argument) => !argument.startsWith("--")))
await twoAtATime(chosen, async (name) => {
  const folder = join(root, "examples", name)
  const result = await run(folder)
  if (update && result.problem === undefined) writeFileSync(join(folder, "expected.txt"), result.stdout)
  const problem = result.problem ?? compare(folder, result)
  console.log(problem === undefined ? `ok      ${name}` : `FAILED  ${name}: ${problem}\n${result.stderr}`)
  if (problem !== undefined) process.exitCode = 1
})
