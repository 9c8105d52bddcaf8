/**
 * Whether a second worker does its share: 300 ms images that wait rather than compute, some at a time in each
 * worker, by one worker and by two on one Postgres, in turn. A further process accepts them.
 *
 * `npm run bench -- benchmarks/postgres-workers.ts [images] [rounds]`
 */
import { Client } from "pg"
import { startPostgres } from "../test/support/postgresServer.ts"
import { call, install, makeAccount, serve } from "../test/support/server.ts"
import { median, report, rounded } from "./support/report.ts"

const images = Number(process.argv[2] ?? 240)
const rounds = Number(process.argv[3] ?? 3)
const imageJobsConcurrent = 4
const imageSeconds = 0.3
/** Images of each worker before those that count: a process that has just started compiles first. */
const imagesBefore = 40
const submitters = 16
const many = 100_000_000

const postgres = await startPostgres({ durable: true })

/** The seconds from the first image's start to the last one's end, with this many workers. */
const measure = async (workers: number): Promise<number> => {
  const url = await postgres.emptyDatabase()
  const config = {
    channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
    limits: {
      rate_per_minute: many,
      rate_burst: many,
      image_tasks_per_user_max: many,
      image_jobs_concurrent_max: imageJobsConcurrent,
    },
  }
  const made = await Promise.all(Array.from({ length: 1 + workers }, () => install(config)))
  const shared = {
    ATELIER_DATABASE_URL: url,
    ATELIER_BLOB_URL: `file:${made[0]?.directory}/blobs`,
    ATELIER_PUBLIC_URL: "http://127.0.0.1",
  }
  const servers = await Promise.all(
    made.map((one, at) =>
      serve({ ...one, environment: { ...one.environment, ...shared } }, "serve", [
        "--role",
        at === 0 ? "api" : "worker",
      ]),
    ),
  )
  const [first] = servers
  if (first === undefined) throw new Error("no server")
  const { key } = await makeAccount(first.url, 1_000)
  const client = new Client({ connectionString: url })
  await client.connect()
  const unfinished = async () =>
    Number((await client.query("SELECT count(*) AS count FROM tasks WHERE finished = 0")).rows[0].count)
  const make = async (count: number) => {
    let submitted = 0
    const submitter = async () => {
      while (submitted < count) {
        submitted += 1
        const prompt = `a lighthouse ${submitted} [slow ${imageSeconds}s]`
        const json = { model: "gen-image-2", prompt, size: "256x256" }
        const { status } = await call(`${first.url}/v1/images/tasks`, { key, json })
        if (status !== 202) throw new Error(`a submission was answered with ${status}`)
      }
    }
    await Promise.all(Array.from({ length: submitters }, submitter))
    while ((await unfinished()) > 0) await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await make(imagesBefore * workers)
  const before = Date.now()
  await make(images)
  const { rows } = await client.query(
    `SELECT max((detail::json ->> 'finishedAt')::bigint) - min((detail::json ->> 'startedAt')::bigint) AS ms
      FROM tasks WHERE (detail::json ->> 'startedAt')::bigint >= $1`,
    [before],
  )
  await client.end()
  await Promise.all(servers.map((server) => server.end("SIGTERM")))
  for (const installation of made) installation.remove()
  return Number(rows[0].ms) / 1000
}

const one: Array<number> = []
const two: Array<number> = []
for (let round = 0; round < rounds; round++) {
  one.push(await measure(1))
  two.push(await measure(2))
}
await postgres.stop()

const perfect = (workers: number) => (workers * imageJobsConcurrent) / imageSeconds
const row = (workers: number, seconds: number) => ({
  workers,
  seconds: rounded(seconds, 2),
  "images a second": rounded(images / seconds, 1),
  "of what waiting alone allows": rounded(images / seconds / perfect(workers), 2),
  "times as fast": rounded(median(one) / seconds, 2),
})
report({
  name: "postgres-workers",
  title: "One and two workers on one Postgres",
  rows: [row(1, median(one)), row(2, median(two))],
  notes: [
    `Median of ${rounds} rounds in turn, ${images} images that take ${imageSeconds} s each, ${imageJobsConcurrent} at a time in a worker, after ${imagesBefore} each that do not count.`,
    "From the first image's start to the last one's end. A process of its own accepts them meanwhile.",
  ],
})
