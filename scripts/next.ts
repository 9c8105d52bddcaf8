import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { pngOf, scan } from "../benchmarks/support/scans.ts"
import { tryOut } from "../examples/frameworks/tryOut.ts"
import { pack } from "./packed.ts"
import { packagesOf, root } from "./workspace.ts"

/**
 * Installs the Next.js example outside of the repository from packed packages, builds it, and runs its standalone
 * output with the project gone: an image with its picture, and documents by each kind of reader. Needs `npm run build`
 * and a package registry; no part of the check (decision 44).
 */
const versions = {
  next: "16.4.6",
  react: "19.3.1",
  "react-dom": "19.3.1",
  effect: "4.1.0",
  typescript: "5.9.3",
  "@types/node": "24.19.2",
  "@types/react": "19.3.0",
}

const example = join(root, "examples/nextjs-embedded")
const commands = { NEXT_TELEMETRY_DISABLED: "1", npm_config_audit: "false", npm_config_fund: "false" }

/** What an application with PDFs and scans installs. */
const wanted = ["@atelier/node", "@atelier/executor-convert", "@atelier/executor-scan"]

const withBelow = (names: ReadonlyArray<string>): ReadonlySet<string> => {
  const packages = packagesOf(root)
  const found = new Set<string>()
  const visit = (name: string): void => {
    const manifest = packages.find((each) => each.manifest.name === name)?.manifest
    if (manifest === undefined || found.has(name)) return
    found.add(name)
    for (const below of Object.keys(manifest.dependencies ?? {})) visit(below)
  }
  names.forEach(visit)
  return found
}

/** The example as a project of its own, with nothing installed. */
const makeProject = (project: string, packed: string): void => {
  const names = withBelow(wanted)
  const archives = pack(
    packagesOf(root).filter(({ manifest }) => names.has(manifest.name)),
    packed,
  )
  mkdirSync(project)
  for (const name of ["app", "lib", "next.config.ts"]) {
    cpSync(join(example, name), join(project, name), { recursive: true })
  }
  const service = join(project, "lib/atelier.ts")
  const published = 'createAtelier({ tools: { "scan-md-json": { published: true } }, '
  writeFileSync(service, readFileSync(service, "utf8").replace("createAtelier({ ", published))
  const ours = Object.fromEntries([...archives].map(([name, archive]) => [name, `file:${archive}`]))
  const manifest = { private: true, type: "module", dependencies: { ...versions, ...ours } }
  writeFileSync(join(project, "package.json"), JSON.stringify(manifest))
  const compilerOptions = {
    target: "es2024",
    lib: ["dom", "esnext"],
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
  }
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions }))
}

const timed = <A>(what: string, work: () => A): A => {
  const from = performance.now()
  const result = work()
  console.log(`${what}: ${((performance.now() - from) / 1000).toFixed(1)} s`)
  return result
}

/** What a command prints is of interest where it fails. */
const run = (cwd: string, command: string, ...args: ReadonlyArray<string>): void => {
  const env = { ...process.env, ...commands }
  const { status, stderr, stdout } = spawnSync(command, args, { cwd, env, encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}:\n${stdout}${stderr}`)
}

const megabytesIn = (folder: string): number => {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  const bytes = files.reduce((sum, { name, parentPath }) => sum + statSync(join(parentPath, name)).size, 0)
  return Math.round(bytes / 1e6)
}

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, "127.0.0.1")
  await once(probe, "listening")
  const address = probe.address()
  probe.close()
  await once(probe, "close")
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}

/** A page of text as a scanner gives it. */
const page = () =>
  pngOf(scan(["Harbour office"], { font: "sans", size: 12, skew: 0, noise: 0, resolution: 200 }, [220, 110]))

/** What the application reads, by tool, and words that must be in its Markdown. */
const documents = () => [
  { tool: "text-md-json", name: "note.md", bytes: Buffer.from("# Title\n\nWords.\n"), words: "Words." },
  {
    tool: "file-md-json",
    name: "harbour.pdf",
    bytes: readFileSync(join(root, "packages/executor-convert/test/pdf/fixtures/harbour.pdf")),
    words: "arbour",
  },
  { tool: "scan-md-json", name: "page.png", bytes: page(), words: "Harbour office" },
]

const tryDocuments = async (url: string): Promise<void> => {
  for (const { bytes, name, tool, words } of documents()) {
    const form = new FormData()
    form.set("file", new File([bytes], name))
    form.set("tool", tool)
    form.set("order", `order of ${name}`)
    const answer = await fetch(`${url}/documents`, { method: "POST", body: form })
    const text = await answer.text()
    if (!text.includes(words)) throw new Error(`${tool} answered ${answer.status}: ${text.slice(0, 500)}`)
    console.log(`${tool}: read`)
  }
}

const startTriesMax = 300

const reachable = async (url: string, server: ChildProcess): Promise<void> => {
  for (let tries = 0; server.exitCode === null && tries < startTriesMax; tries++) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      return
    await setTimeout(100)
  }
  throw new Error("the standalone server does not answer")
}

/** Runs the standalone output, with nothing beside it. */
const tryStandalone = async (standalone: string): Promise<void> => {
  const port = await freePort()
  const env = {
    ...process.env,
    PORT: String(port),
    HOSTNAME: "127.0.0.1",
    ATELIER_DATABASE: "sqlite::memory:",
  }
  const server = spawn(process.execPath, ["server.js"], {
    cwd: standalone,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  })
  try {
    const url = `http://127.0.0.1:${port}`
    await reachable(url, server)
    await tryOut((path, init) => fetch(url + path, init))
    await tryDocuments(url)
  } finally {
    server.kill("SIGKILL")
  }
}

const folder = mkdtempSync(join(tmpdir(), "atelier-next-"))
const [project, standalone] = [join(folder, "project"), join(folder, "standalone")]
try {
  makeProject(project, join(folder, "packed"))
  timed("npm install", () => run(project, "npm", "install"))
  console.log(`installed: ${megabytesIn(join(project, "node_modules"))} MB`)
  timed("next build", () => run(project, "npx", "next", "build"))
  cpSync(join(project, ".next/standalone"), standalone, { recursive: true, verbatimSymlinks: true })
  rmSync(project, { recursive: true })
  console.log(`standalone: ${megabytesIn(standalone)} MB`)
  await tryStandalone(standalone)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
