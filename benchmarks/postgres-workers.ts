/**
 * Whether a second process does its share: 300 ms images that wait rather than compute, some at a time in each
 * process, by one process and by two on one Postgres, in turn.
 *
 * `npm run bench -- benchmarks/postgres-workers.ts [images] [rounds]`
 */
import { Client } from "pg"
import { startPostgres } from "../test/support/postgresServer.ts"
import { call, install, makeAccount, serve } from "../test/support/server.ts"
import { median, report, rounded } from "./support/report.ts"

const images = Number(process.argv[2] ?? 160)
const rounds = Number(process.argv[3] ?? 3)
const image_jobs_concurrent = 4
const image_seconds = 0.3
const submitters = 16
const many = 100_000_000

const postgres = await startPostgres({ durable: true })

/** The seconds from the first image's start to the last one's end. */
const measure = async (processes: number): Promise<number> => {
  const url = await postgres.database()
  const config = {
    channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
    limits: { rate_per_minute: many, rate_burst: many, image_jobs_concurrent_max: image_jobs_concurrent },
  }
  const made = await Promise.all(Array.from({ length: processes }, () => install(config)))
  const shared = { ATELIER_DATABASE_URL: url, ATELIER_BLOB_URL: `file:${made[0]?.directory}/blobs` }
  const servers = await Promise.all(
    made.map((one) => serve({ ...one, environment: { ...one.environment, ...shared } })),
  )
  const [first] = servers
  if (first === undefined) throw new Error("no server")
  const { key } = await makeAccount(first.url, 1_000)
  let submitted = 0
  const submitter = async () => {
    while (submitted < images) {
      submitted += 1
      const prompt = `a lighthouse ${submitted} [slow ${image_seconds}s]`
      const json = { model: "gen-image-2", prompt, size: "256x256" }
      const { status } = await call(`${first.url}/v1/images/tasks`, { key, json })
      if (status !== 202) throw new Error(`a submission was answered with ${status}`)
    }
  }
  await Promise.all(Array.from({ length: submitters }, submitter))
  const client = new Client({ connectionString: url })
  await client.connect()
  const unfinished = async () =>
    Number((await client.query("SELECT count(*) AS count FROM tasks WHERE finished = 0")).rows[0].count)
  while ((await unfinished()) > 0) await new Promise((resolve) => setTimeout(resolve, 100))
  const { rows } = await client.query(`SELECT max((detail::json ->> 'finishedAt')::bigint)
    - min((detail::json ->> 'startedAt')::bigint) AS ms FROM tasks`)
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

const perfect = (processes: number) => (processes * image_jobs_concurrent) / image_seconds
const row = (processes: number, seconds: number) => ({
  processes,
  seconds: rounded(seconds, 2),
  "images a second": rounded(images / seconds, 1),
  "of what waiting alone allows": rounded(images / seconds / perfect(processes), 2),
  "times as fast": rounded(median(one) / seconds, 2),
})
report({
  name: "postgres-workers",
  title: "One and two processes at work on one Postgres",
  rows: [row(1, median(one)), row(2, median(two))],
  notes: [
    `Median of ${rounds} rounds in turn, ${images} images that take ${image_seconds} s each, ${image_jobs_concurrent} at a time in a process; all are submitted to the first.`,
    "From the first image's start to the last one's end; every process accepts and works.",
  ],
})
