import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, normalize } from "node:path"
import { text } from "node:stream/consumers"
import { Api, apiErrorCodes, classOf } from "@atelier/api"
import { defaultLimits } from "@atelier/core"
import * as OpenApi from "effect/http-api/OpenApi"
import { beforeAll, describe, expect, it } from "vitest"
import { compiledFolder, filesBelow, packagesOf, root } from "../scripts/workspace.ts"
import {
  anchorsOf,
  linksOf,
  matches,
  type Page,
  pages,
  rowsOf,
  type Step,
  stepsOf,
} from "./support/markdown.ts"
import { commandsOf, type Installation, install, serve } from "./support/server.ts"

const all = pages()
const page = (path: string): Page => {
  const found = all.find((each) => each.path === path)
  if (found === undefined) throw new Error(`there is no page ${path}`)
  return found
}

describe("docs: what they point at is there", () => {
  it("every link to a file or a heading", () => {
    const broken = all.flatMap((from) =>
      linksOf(from)
        .filter((target) => !resolves(from, target))
        .map((target) => `${from.path}: ${target}`),
    )
    expect(broken).toEqual([])
  })

  it("every snippet of a program is part of the checked file that its fence names", () => {
    const strays = all.flatMap(({ path, blocks }) =>
      blocks
        .filter(({ info: [language = "", file] }) => programs.includes(language) && file !== "run")
        .filter(({ info: [, file], text: snippet }) => !contains(file, snippet))
        .map(({ info, line }) => `${path}:${line}: not in ${info[1] ?? "a named file"}`),
    )
    expect(strays).toEqual([])
  })
})

/** What of a language is shown must be what is compiled, or run. */
const programs = ["ts", "tsx", "js", "python"]

const resolves = (from: Page, target: string): boolean => {
  const [file = "", anchor] = target.split("#")
  const path = file === "" ? from.path : normalize(join(dirname(from.path), file))
  if (!existsSync(join(root, path))) return false
  if (anchor === undefined) return true
  const found = all.find((each) => each.path === path)
  return found !== undefined && anchorsOf(found).includes(anchor)
}

/** Snippets may be indented less than their place in the file. */
const contains = (file: string | undefined, snippet: string): boolean => {
  if (file === undefined || !existsSync(join(root, file))) return false
  const flat = (code: string) => code.replace(/^[ \t]+/gm, "").trim()
  return flat(readFileSync(join(root, file), "utf8")).includes(flat(snippet))
}

/** The names in the backticks of a column, with their rows. */
const byName = (from: Page, column: number): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(rowsOf(from).map((row) => [/^`([^`]+)`$/.exec(row[column] ?? "")?.[1] ?? "", row]))

describe("docs: tables are complete", () => {
  it("every error code has its row, with its status on each surface", () => {
    const rows = byName(page("docs/operate/errors.md"), 1)
    const wrong = apiErrorCodes.filter((code) => {
      const [status = ""] = rows.get(code) ?? []
      const wanted = [classOf(code, "images").status, classOf(code, "tools").status]
      return !wanted.every((each) => status.includes(String(each)))
    })
    expect(wrong).toEqual([])
  })

  it("every limit has its row, with its default", () => {
    const rows = byName(page("docs/operate/settings.md"), 0)
    const wrong = Object.entries(defaultLimits).filter(
      ([name, value]) => rows.get(name)?.[1] !== String(value),
    )
    expect(wrong).toEqual([])
  })

  it("every environment variable that the code names has its row", () => {
    const rows = byName(page("docs/operate/settings.md"), 0)
    const sources = packagesOf(root).flatMap(({ folder }) => filesBelow(join(folder, "src")))
    const named = sources.flatMap(
      (file) => readFileSync(file, "utf8").match(/\bATELIER_[A-Z_]*[A-Z]\b/g) ?? [],
    )
    expect(named.length).toBeGreaterThan(0)
    expect([...new Set(named)].filter((name) => !rows.has(name))).toEqual([])
  })

  it("every path of the API has its row", () => {
    const rows = rowsOf(page("docs/api.md")).map(([path = ""]) => path)
    const missing = Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .map((method) => `\`${method.toUpperCase()} ${path}\``)
        .filter((endpoint) => !rows.includes(endpoint)),
    )
    expect(missing).toEqual([])
  })
})

const documentedUrl = "http://127.0.0.1:8787"
const runMsMax = 120_000
const mark = "\u0001"

const hasTools = ["bash", "curl"].every((tool) => spawnSync(tool, ["--version"]).status === 0)

describe.skipIf(!hasTools)("docs: what they show comes out (needs bash and curl)", () => {
  const shown = all.filter((each) => stepsOf(each).length > 0)

  it("there are pages with commands", () => {
    expect(shown.map(({ path }) => path)).toContain("README.md")
  })

  it.each(shown)("$path", { timeout: runMsMax }, async (each) => {
    const installation = await install()
    // As with `npm start`, which makes one itself.
    delete installation.environment["ATELIER_ADMIN_TOKEN"]
    const server = await serve(installation, "dev")
    try {
      const steps = stepsOf(each)
      const { outputs, log } = await runSteps(installation, steps)
      const failures = steps.flatMap((step, index) => check(each, step, outputs[index], installation.url))
      expect(failures, log).toEqual([])
    } finally {
      await server.end("SIGTERM")
      installation.remove()
    }
  })
})

const runnable = all.flatMap(({ path, blocks }) =>
  blocks.flatMap((program, index) =>
    program.info[0] === "ts" && program.info[1] === "run"
      ? [{ place: `${path}:${program.line}`, program: program.text, output: blocks[index + 1]?.text ?? "" }]
      : [],
  ),
)

/** Imports each in turn: what they share is loaded once. None may keep the process from ending. */
const importing = `for (const program of process.argv.slice(2)) {
  process.stdout.write("${mark}")
  await import(program).catch((error) => console.log(error))
}`

const runPrograms = async (programs: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-programs-"))
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  writeFileSync(join(folder, "all.js"), importing)
  const files = programs.map((program, index) => {
    const file = join(folder, `${index}.ts`)
    writeFileSync(file, program)
    return file
  })
  const child = spawn(process.execPath, ["--conditions=atelier:source", join(folder, "all.js"), ...files], {
    cwd: root,
    env: { ...process.env, NODE_COMPILE_CACHE: compiledFolder },
    timeout: runMsMax,
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ])
  rmSync(folder, { recursive: true })
  expect(code, stderr).toBe(0)
  return stdout.split(mark).slice(1)
}

describe("docs: programs print what they show", () => {
  let outputs: ReadonlyArray<string> = []
  beforeAll(async () => {
    outputs = await runPrograms(runnable.map(({ program }) => program))
  })
  it.each(runnable.map((each, index) => ({ ...each, index })))("$place", ({ index, output }) => {
    const printed = outputs[index]?.trim() ?? ""
    expect(matches(output.trim(), printed), printed).toBe(true)
  })

  it("every package has a page of its own, with something to run", () => {
    const without = packagesOf(root).filter(({ folder }) => {
      const own = all.find(({ path }) => join(root, path) === join(folder, "README.md"))
      return !own?.blocks.some(({ info: [, how] }) => how === "run" || how?.startsWith("examples/"))
    })
    expect(without.map(({ manifest }) => manifest.name)).toEqual([])
  })
})

/** What `atelier` is on these pages, and the admin token that `npm start` keeps. */
const prelude = `
set -eo pipefail
atelier() { "${process.execPath}" ${commandsOf().join(" ")} "$@"; }
ADMIN=$(cat data/dev-admin-token)
`

/** Runs all steps in one shell; a step that was not reached or failed has no output. */
const runSteps = async (installation: Installation, steps: ReadonlyArray<Step>) => {
  const script = steps
    .map(({ command }) => `${command.text.replaceAll(documentedUrl, installation.url)}\nprintf '\\001'\n`)
    .join("")
  const file = join(installation.directory, "steps.sh")
  writeFileSync(file, prelude + script)
  const child = spawn("bash", [file], {
    cwd: installation.directory,
    env: installation.environment,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: runMsMax,
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
  return { outputs: stdout.split(mark).slice(0, -1), log: `${stdout}\n${stderr}` }
}

const check = (
  { path }: Page,
  { command, output }: Step,
  got: string | undefined,
  url: string,
): ReadonlyArray<string> => {
  const place = `${path}:${command.line}`
  if (got === undefined) return [`${place}: failed, or was not reached`]
  if (output === undefined) return []
  const wanted = output.text.replaceAll(documentedUrl, url)
  const same =
    output.info[0] === "json" ? covers(JSON.parse(wanted), parsed(got)) : matches(wanted.trim(), got.trim())
  return same ? [] : [`${place}: wanted ${wanted}, got ${got}`]
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Shown JSON is shortened: members and last elements are left out, and `…` in a text stands for anything. */
const covers = (wanted: unknown, got: unknown): boolean => {
  if (typeof wanted === "string") return typeof got === "string" && matches(wanted, got)
  if (typeof wanted !== "object" || wanted === null) return wanted === got
  if (typeof got !== "object" || got === null || Array.isArray(wanted) !== Array.isArray(got)) return false
  return Object.entries(wanted).every(([name, value]) => covers(value, Reflect.get(got, name)))
}
