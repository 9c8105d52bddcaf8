/**
 * Where the server's own thread spends its time in closed loops, on SQLite: shares of a CPU profile, by what the time
 * belongs to. It says what is left to gain where an aim is not reached.
 *
 * `npm run bench -- benchmarks/profile.ts [seconds per row]`
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { call, formOf, install, makeAccount, serve, textAt } from "../test/support/server.ts"
import { type Row, report, rounded } from "./support/report.ts"
import { startVendor, vendorConfig } from "./support/vendor.ts"

const seconds = Number(process.argv[2] ?? 8)
const warmMs = 3_000

interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string }
  }>
  readonly startTime: number
  readonly endTime: number
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

/** What a function belongs to, from its name and its file. */
const ownerOf = ({ functionName, url }: Profile["nodes"][number]["callFrame"]): string => {
  if (functionName === "(garbage collector)") return "garbage collection"
  if (functionName === "(idle)") return "idle"
  if (functionName === "(program)") return "native code"
  if (functionName === "fdatasync") return "sync to disk"
  if (/^(writev|writeBuffer|write\w+String|shutdown)$/.test(functionName)) return "writes to sockets"
  if (url === "" && /^(all|get|run|exec|prepare|iterate)$/.test(functionName)) return "SQLite"
  if (/node_modules\/(@effect|effect)\//.test(url)) return "Effect"
  if (/node:(_?http|net|internal\/(stream|http|net))/.test(url)) return "Node's HTTP and streams"
  if (url.startsWith("node:")) return "other of Node"
  return /packages\/([^/]+)\//.exec(url)?.[1] ?? "other"
}

/** Shares of the thread's time from `sinceMs` to the end, without what it was idle; idle as a share of all. */
const sharesOf = (
  { nodes, samples, timeDeltas }: Profile,
  sinceMs: number,
): Readonly<Record<string, number>> => {
  const owners = new Map(nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame)]))
  const micros: Record<string, number> = {}
  let at = 0
  for (const [index, id] of samples.entries()) {
    const delta = timeDeltas[index] ?? 0
    at += delta
    const owner = owners.get(id) ?? "other"
    if (at / 1000 >= sinceMs) micros[owner] = (micros[owner] ?? 0) + delta
  }
  const { idle = 0, ...busy } = micros
  const all = Object.values(busy).reduce((sum, each) => sum + each, 0)
  const shares = Object.entries(busy).map(([owner, each]) => [owner, rounded((100 * each) / all)] as const)
  return { ...Object.fromEntries(shares), idle: rounded((100 * idle) / (all + idle)) }
}

interface Case {
  readonly what: string
  readonly callers: number
  readonly prepare?: (url: string, key: string) => Promise<string>
  readonly once: (url: string, key: string, prepared: string) => Promise<void>
}

/** What was answered; a submission that an overloaded server refuses is sent again. */
const ok = async (...request: Parameters<typeof call>): Promise<unknown> => {
  const { status, body } = await call(...request)
  if (status === 503) return setTimeout(100).then(() => ok(...request))
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}
const image = { model: "gen-image-2", prompt: "a boat", size: "1024x1024" }
const text = "A line of an ordinary note, with some *Markdown* in it.\n".repeat(18)

const cases: ReadonlyArray<Case> = [
  {
    what: "image: submit and wait",
    callers: 64,
    once: async (url, key) => {
      const task = textAt(await ok(`${url}/v1/images/tasks`, { key, json: image }), "task_id")
      await ok(`${url}/v1/tasks/${task}?wait=60`, { key })
    },
  },
  {
    what: "text of 1 kB: upload, invoke, wait, result, delete",
    callers: 4,
    once: async (url, key) => {
      const tool = `${url}/v1/tools/text-md-json`
      const file = textAt(await ok(`${tool}/files`, { key, form: formOf("note.md", text) }), "id")
      const headers = { "idempotency-key": `profile-of-${file}` }
      const json = { input: { file_id: file } }
      const task = textAt(await ok(`${tool}/invoke`, { key, headers, json }), "id")
      await ok(`${url}/v1/tasks/${task}?wait=60`, { key })
      await ok(`${url}/v1/tasks/${task}/result?format=markdown`, { key })
      await ok(`${url}/v1/tool-files/${file}`, { key, method: "DELETE" })
    },
  },
  {
    what: "read a final task",
    callers: 64,
    prepare: async (url, key) => {
      const task = textAt(await ok(`${url}/v1/images/tasks`, { key, json: image }), "task_id")
      await ok(`${url}/v1/tasks/${task}?wait=60`, { key })
      return task
    },
    once: async (url, key, task) => {
      await ok(`${url}/v1/tasks/${task}`, { key })
    },
  },
]

const measured = async ({ what, callers, prepare, once }: Case) => {
  const vendor = await startVendor()
  const { limits, ...config } = vendorConfig(vendor.url)
  const installation = await install({ ...config, limits: { ...limits, tool_files_per_user_max: 1000 } })
  const folder = mkdtempSync(join(tmpdir(), "atelier-profile-"))
  const began = performance.now()
  const server = await serve({
    ...installation,
    environment: { ...installation.environment, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` },
  })
  const { key } = await makeAccount(server.url, 1_000_000)
  const prepared = (await prepare?.(server.url, key)) ?? ""
  let count = 0
  const loop = async (millis: number) => {
    const until = performance.now() + millis
    const caller = async () => {
      for (; performance.now() < until; count++) await once(server.url, key, prepared)
    }
    await Promise.all(Array.from({ length: callers }, caller))
  }
  await loop(warmMs)
  const sinceMs = performance.now() - began
  count = 0
  await loop(seconds * 1000)
  const perSecond = count / seconds
  await server.end("SIGTERM")
  vendor.close()
  const file = readdirSync(folder).find((name) => name.includes(`.${server.process.pid}.0.`)) ?? ""
  const profile: Profile = JSON.parse(readFileSync(join(folder, file), "utf8"))
  rmSync(folder, { recursive: true })
  installation.remove()
  return { what, callers, perSecond, shares: sharesOf(profile, sinceMs) }
}

const results = []
for (const each of cases) results.push(await measured(each))
const owners = [...new Set(results.flatMap(({ shares }) => Object.keys(shares)))].toSorted()
report({
  name: "profile",
  title: "Where the server's thread spends its time",
  rows: results.map(
    ({ what, callers, perSecond, shares }): Row => ({
      what,
      callers,
      "a second": rounded(perSecond),
      ...Object.fromEntries(owners.map((owner) => [`${owner} %`, shares[owner] ?? 0])),
    }),
  ),
  notes: [
    `${seconds} s in closed loops after ${warmMs / 1000} s of warming up, on SQLite. Callers are fetch in a process on the same machine; the profile slows the server.`,
    "Shares of the time in which the thread worked, by the function that ran itself, not those that it called; idle is a share of all time. Packages by their names. Native code: what V8 does not tell apart, system calls of libuv among it.",
  ],
})
