/**
 * What the sandbox of parsing processes costs: from the upload of a small deck to its Markdown, without one and
 * with the strongest that the system offers, for one caller and for sixteen.
 *
 * `npm run bench -- benchmarks/sandbox.ts [seconds per row] [rounds]`
 */
import { call, formOf, install, makeAccount, serve, textAt } from "../test/support/server.ts"
import { deckOf, plainSlides } from "./support/deck.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 5)
const rounds = Number(process.argv[3] ?? 5)
const many = 100_000_000
const deck = new Uint8Array(await deckOf(plainSlides(3)))

/** A server, and what takes one deck from the upload to its Markdown, in milliseconds. */
const start = async (sandbox: "auto" | "off") => {
  const limits = {
    rate_per_minute: many,
    rate_burst: many,
    tool_tasks_per_user_max: 1_000,
    tool_files_per_user_max: many,
  }
  const installation = await install({ limits })
  installation.environment["ATELIER_SANDBOX"] = sandbox
  const server = await serve(installation)
  const { key } = await makeAccount(server.url, 10_000)
  let submitted = 0
  const once = async (): Promise<number> => {
    const begin = performance.now()
    const form = formOf("deck.pptx", deck)
    const upload = await call(`${server.url}/v1/tools/pptx-md-json/files`, { key, form })
    submitted += 1
    const headers = { "idempotency-key": `deck-${submitted}-of-sandbox` }
    const json = { input: { file_id: textAt(upload.body, "id") } }
    const task = await call(`${server.url}/v1/tools/pptx-md-json/invoke`, { key, headers, json })
    const url = `${server.url}/v1/tasks/${textAt(task.body, "id")}`
    await call(`${url}?wait=60`, { key })
    const result = await call(`${url}/result?format=markdown`, { key })
    if (result.status !== 200) throw new Error(`a deck ended in ${result.status}`)
    return performance.now() - begin
  }
  const end = async (): Promise<void> => {
    await server.end("SIGTERM")
    installation.remove()
  }
  return { once, end }
}

/** Each caller sends the next deck when it has the Markdown of the last. */
const closedLoop = async (once: () => Promise<number>, callers: number): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  const until = performance.now() + seconds * 1000
  const caller = async (): Promise<void> => {
    while (performance.now() < until) times.push(await once())
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return times
}

const services = { off: await start("off"), auto: await start("auto") }
for (const { once } of Object.values(services)) await closedLoop(once, 4)

const rows = []
for (const callers of [1, 16]) {
  const medians: Record<keyof typeof services, Array<number>> = { off: [], auto: [] }
  for (let round = 0; round < rounds; round++) {
    for (const name of ["off", "auto"] as const) {
      medians[name].push(median(await closedLoop(services[name].once, callers)))
    }
  }
  const [off, auto] = [median(medians.off), median(medians.auto)]
  rows.push({
    callers,
    "p50 ms, off": rounded(off, 1),
    "p50 ms, auto": rounded(auto, 1),
    "auto / off": rounded(auto / off, 2),
  })
}
for (const { end } of Object.values(services)) await end()

report({
  name: "sandbox",
  title: "From upload to Markdown, without and with the sandbox of parsing processes",
  rows,
  notes: [
    `Medians of ${rounds} rounds of ${seconds} s each in turn, after as long to warm up: a deck of three slides, four requests for each.`,
  ],
})
