/**
 * The first request of each kind after the start against the hundredth: what the first client after a deployment
 * waits for.
 *
 * `npm run bench -- benchmarks/cold.ts [starts]`
 */
import { adminToken, at, call, formOf, install, makeAccount, serve, textAt } from "../test/support/server.ts"
import { median, report, rounded } from "./support/report.ts"
import { startVendor, vendorConfig } from "./support/vendor.ts"

const starts = Number(process.argv[2] ?? 5)
const requests = 100

const vendor = await startVendor()
const image = { model: "gen-image-2", prompt: "a lighthouse", size: "1024x1024" }
type Request = (url: string, key: string) => Promise<{ readonly status: number }>

const post =
  (path: string, json: object): Request =>
  (url, key) =>
    call(`${url}${path}`, { key, json })
const get =
  (path: string): Request =>
  (url, key) =>
    call(`${url}${path}`, { key: path.startsWith("/admin") ? adminToken : key })

/** In the order in which they are asked after a start: what comes later finds warm what it shares with the earlier. */
const kinds: ReadonlyArray<readonly [string, Request]> = [
  ["list models", get("/v1/models")],
  ["quote", post("/v1/images/quote", image)],
  ["submit an image", post("/v1/images/tasks", image)],
  ["synchronous image", post("/v1/images/generations", image)],
  ["list tasks", get("/v1/tasks")],
  [
    "a small text, to its result",
    async (url, key) => {
      const file = await call(`${url}/v1/tools/text-md-json/files`, { key, form: formOf("a.txt", "hello") })
      if (file.status !== 201) throw new Error(JSON.stringify(file.body))
      const json = { input: { file_id: at(file.body, "id") } }
      const headers = { "Idempotency-Key": crypto.randomUUID() }
      const task = await call(`${url}/v1/tools/text-md-json/invoke`, { key, json, headers })
      const final = await call(`${url}/v1/tasks/${textAt(task.body, "id")}?wait=20`, { key })
      if (at(final.body, "status") !== "succeeded") throw new Error(JSON.stringify([file, task, final]))
      await call(`${url}/v1/tool-files/${textAt(file.body, "id")}`, { key, method: "DELETE" })
      return final
    },
  ],
  ["statistics", get("/admin/v1/stats")],
  ["OpenAPI", get("/openapi.json")],
  ["reference", get("/docs")],
]

const times = kinds.map(() => ({ first: [] as Array<number>, warm: [] as Array<number> }))
for (let start = 0; start < starts; start++) {
  const config = vendorConfig(vendor.url)
  // Files are deleted within a second, in which more than twenty texts are read.
  const limits = { ...config.limits, tool_files_per_user_max: 1000 }
  const installation = await install({ ...config, limits })
  const server = await serve(installation)
  const { key } = await makeAccount(server.url, 1000)
  for (const [index, [name, request]] of kinds.entries()) {
    const timed = async () => {
      const began = performance.now()
      const { status } = await request(server.url, key)
      if (status >= 300) throw new Error(`${name}: ${status}`)
      return performance.now() - began
    }
    times[index]?.first.push(await timed())
    const next: Array<number> = []
    for (let count = 1; count < requests; count++) next.push(await timed())
    times[index]?.warm.push(median(next.slice(-20)))
  }
  await server.end("SIGTERM")
  installation.remove()
}
vendor.close()

report({
  name: "cold",
  title: "The first request of each kind after a start",
  rows: kinds.map(([request], index) => {
    const { first = [], warm = [] } = times[index] ?? {}
    return {
      request,
      "first, ms": rounded(median(first), 1),
      "hundredth, ms": rounded(median(warm), 1),
      ratio: rounded(median(first) / median(warm), 1),
    }
  }),
  notes: [
    `Medians of ${starts} starts; the hundredth is the median of the last twenty of a hundred. One caller, its own process warm from the second start on.`,
    "Kinds are asked in the order of the table, a hundred times each: what a kind shares with those above it is warm.",
  ],
})
