/**
 * What the synchronous endpoint adds to an upstream: a scripted vendor is called directly and through
 * `POST /v1/images/generations`, in turns, in one run. Behind the endpoint stand a durable task, a hold, a
 * settlement and, where the vendor sends bytes, a durable copy.
 *
 * `npm run bench -- benchmarks/synchronous.ts [requests per row]`
 */
import { call, install, makeAccount, serve } from "../test/support/server.ts"
import { median, report, rounded } from "./support/report.ts"
import { startVendor, vendorConfig } from "./support/vendor.ts"

const requests = Number(process.argv[2] ?? 400)

const vendor = await startVendor()
const installation = await install(vendorConfig(vendor.url))
const server = await serve(installation)
const { key } = await makeAccount(server.url, 10_000_000)

const timed = async (work: () => Promise<{ readonly status: number }>): Promise<number> => {
  const begun = performance.now()
  const { status } = await work()
  if (status !== 200) throw new Error(`answered ${status}`)
  return performance.now() - begun
}

const compare = async (name: string, path: string, model: string) => {
  const json = { model: "vendor-model", prompt: "a lighthouse", size: "1024x1024", n: 1 }
  const direct = () => timed(() => call(`${vendor.url}/${path}/images/generations`, { json }))
  const through = () =>
    timed(() => call(`${server.url}/v1/images/generations`, { key, json: { ...json, model } }))
  for (let warm = 0; warm < 50; warm++) await through()
  const times = { direct: [] as Array<number>, through: [] as Array<number> }
  for (let round = 0; round < requests; round++) {
    times.direct.push(await direct())
    times.through.push(await through())
  }
  const p99 = (numbers: ReadonlyArray<number>) =>
    numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.99)] ?? Number.NaN
  const row = (of: string, numbers: ReadonlyArray<number>) => ({
    request: `${name}, ${of}`,
    "median ms": rounded(median(numbers), 2),
    "p99 ms": rounded(p99(numbers), 2),
    "added, median ms": rounded(median(numbers) - median(times.direct), 2),
    "added, p99 ms": rounded(p99(numbers) - p99(times.direct), 2),
  })
  return [row("direct", times.direct), row("through Atelier", times.through)]
}

const rows = [
  ...(await compare("a link, passed through", "link", "gen-image-2")),
  ...(await compare("bytes, archived", "bytes", "gen-image-2.5")),
]
vendor.close()
await server.end("SIGKILL")
installation.remove()
report({
  name: "synchronous",
  title: "The synchronous endpoint against calling the upstream directly",
  rows,
  notes: [
    `${requests} requests a row, one at a time, direct and through in turns.`,
    "The vendor answers at once, from a thread of the measuring process.",
    "Through Atelier a request is made durable twice before it is answered: as it is submitted, which is before anything is sent, and at its end; the image's bytes are written in addition.",
  ],
})
