/**
 * How soon an idle `atelier serve` is ready, and how much memory it takes then: from source, and from what
 * `npm run build` made, each with and without the code that earlier starts have compiled.
 *
 * `npm run bench -- benchmarks/memory.ts [rounds]`
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { root } from "../scripts/workspace.ts"
import { type Installation, install } from "../test/support/server.ts"
import { median, type Row, report, rounded } from "./support/report.ts"

const rounds = Number(process.argv[2] ?? 5)
/** After this the server has given back what its start took. */
const idleMs = 2_000
const compiled = join(root, "node_modules", ".cache", "atelier")

/** Resident bytes of a process, as Linux counts them. */
const residentBytes = (pid: number): number => {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kib) * 1024
}

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number)

const start = async (installation: Installation, args: ReadonlyArray<string>) => {
  const began = performance.now()
  const child = spawn(process.execPath, [...args, "serve"], {
    cwd: installation.directory,
    env: installation.environment,
    stdio: ["ignore", "pipe", "inherit"],
  })
  await once(child.stdout, "data")
  const ready = performance.now() - began
  await new Promise((resolve) => setTimeout(resolve, idleMs))
  const pid = child.pid ?? 0
  const server = residentBytes(pid)
  const parsing = childrenOf(pid)
    .map(residentBytes)
    .reduce((sum, bytes) => sum + bytes, 0)
  child.kill("SIGTERM")
  await once(child, "close")
  return { ready, server, parsing }
}

const forms = [
  { name: "source", args: ["--conditions=atelier:source", join(root, "packages/cli/src/main.ts")] },
  { name: "dist", args: [join(root, "packages/cli/dist/main.js")] },
].filter(({ args }) => existsSync(args.at(-1) ?? ""))

const rows: Array<Row> = []
for (const { name, args } of forms) {
  for (const cache of ["without", "with"]) {
    const installation = await install()
    await start(installation, args)
    const runs: Array<Awaited<ReturnType<typeof start>>> = []
    for (let round = 0; round < rounds; round++) {
      if (cache === "without") rmSync(compiled, { recursive: true, force: true })
      runs.push(await start(installation, args))
    }
    installation.remove()
    const mebibytes = (of: "server" | "parsing") => rounded(median(runs.map((run) => run[of])) / 2 ** 20)
    rows.push({
      form: name,
      "compiled code": cache,
      "ready ms": rounded(median(runs.map(({ ready }) => ready))),
      "idle RSS MiB": mebibytes("server"),
      "parsing process MiB": mebibytes("parsing"),
    })
  }
}
report({
  name: "memory",
  title: "An idle server: time to ready and memory",
  rows,
  notes: [
    `Median of ${rounds} starts; ready is the time from the start of the process to its line that says so.`,
    `Memory is resident, ${idleMs / 1000} s after that, without a request. The parsing process is a child of its own.`,
  ],
})
