/**
 * What accepting a task costs on Postgres, beside a bare job of graphile-worker and of pg-boss: transactions that
 * are on disk when they are answered, on the same server, in turn. Ours writes the task, its hold in the ledger,
 * the balances, the idempotency record and the job.
 *
 * `npm run bench -- benchmarks/postgres-submission.ts [seconds per row] [rounds]`
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defaultLimits, ImageTasks, Limits } from "@atelier/core"
import { Postgres } from "@atelier/sql/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { atelierOver, principalWith } from "../test/support/atelier.ts"
import { startPostgres } from "../test/support/postgresServer.ts"
import { install, makeAccount, serve } from "../test/support/server.ts"
import { load } from "./support/load.ts"
import { type Add, bareGraphile, pgBoss } from "./support/peers.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 1)
const rounds = Number(process.argv[3] ?? 5)
const submittersAll = [1, 8, 32]
const submittersMax = Math.max(...submittersAll)
/** Connections of one process of ours, which its peers get too. */
const connections = 10
const many = 100_000_000

interface Contender {
  readonly name: string
  /** One submission by a submitter of that number. */
  readonly submit: (submitter: number) => Promise<unknown>
}

const server = await startPostgres({ durable: true })
const folder = mkdtempSync(join(tmpdir(), "atelier-submission-"))

const peerUrl = await server.emptyDatabase()
const bareWide = await bareGraphile(peerUrl, submittersMax)
const bareSame = await bareGraphile(peerUrl, connections)
const boss = await pgBoss(await server.emptyDatabase(), connections)

const url = await server.emptyDatabase()
const limits = Layer.succeed(Limits, { ...defaultLimits, image_tasks_per_user_max: many })
const runtime = ManagedRuntime.make(
  Layer.provide(
    atelierOver(folder, () => Postgres.layer({ url, connections })),
    limits,
  ),
)
const principals = await Promise.all(
  Array.from({ length: submittersMax }, () => runtime.runPromise(principalWith("100000"))),
)
let sent = 0
const body = { model: "test-model", prompt: "a lighthouse at dusk" }
const submitTask = (user: number) =>
  runtime.runPromise(
    Effect.gen(function* () {
      const principal = principals[user]
      if (principal === undefined) return yield* Effect.die("no such user")
      sent += 1
      const { submit } = yield* ImageTasks
      yield* submit({ principal, body, idempotencyKey: `submission-${sent}` })
    }),
  )

const payload = { task_id: "imgtask_00000000000000000000000000" }
const peer = (name: string, add: Add): Contender => ({ name, submit: () => add(payload) })
const bare = peer("add_job in a transaction, a connection each", bareWide.add)
const contenders: ReadonlyArray<Contender> = [
  bare,
  peer(`add_job in a transaction, ${connections} connections`, bareSame.add),
  peer(`pg-boss send, ${connections} connections`, boss.add),
  { name: `Atelier, a user each, ${connections} connections`, submit: submitTask },
  { name: `Atelier, one user, ${connections} connections`, submit: () => submitTask(0) },
]

/** Submissions a second by this many clients, each of which sends its next when the last is answered. */
const measure = async ({ submit }: Contender, submitters: number, ms: number): Promise<number> => {
  const began = performance.now()
  let done = 0
  const submitter = async (_: unknown, index: number) => {
    while (performance.now() - began < ms) {
      await submit(index)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: submitters }, submitter))
  return (done / (performance.now() - began)) * 1000
}

/** Over HTTP, by a server of its own that runs one job, which sleeps. */
const overHttp = async (): Promise<number> => {
  const made = await install({
    channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
    limits: {
      rate_per_minute: many,
      rate_burst: many,
      image_tasks_per_user_max: many,
      image_jobs_concurrent_max: 1,
    },
  })
  const environment = { ...made.environment, ATELIER_DATABASE_URL: await server.emptyDatabase() }
  const http = await serve({ ...made, environment })
  const { key } = await makeAccount(http.url, 10_000_000)
  const order = {
    url: `${http.url}/v1/images/tasks`,
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gen-image-2", prompt: "a lighthouse [slow 1h]", size: "1024x1024" }),
    keyed: true,
    connections: submittersMax,
    seconds: 2,
  } as const
  const rates: Array<number> = []
  for (let round = 0; round < 3; round++) rates.push((await load(order)).perSecond)
  await http.end("SIGKILL")
  made.remove()
  return median(rates)
}

const rates = new Map(contenders.map(({ name }) => [name, submittersAll.map((): Array<number> => [])]))
for (const contender of contenders) await measure(contender, submittersMax, 500)
for (let round = 0; round < rounds; round++) {
  for (const [column, submitters] of submittersAll.entries()) {
    // Alternating forwards and backwards, so that other load on the machine affects all equally.
    for (const contender of round % 2 === 0 ? contenders : contenders.toReversed()) {
      rates.get(contender.name)?.[column]?.push(await measure(contender, submitters, seconds * 1000))
    }
  }
}
const http = await overHttp()
await runtime.dispose()
for (const one of [bareWide, bareSame, boss]) await one.close()
await server.stop()
rmSync(folder, { recursive: true, force: true })

const ratesOf = (name: string, column: number): ReadonlyArray<number> => rates.get(name)?.[column] ?? []
/** How many times as many the bare contender did in the same round, in the middle. */
const timesSlower = (name: string, column: number): number => {
  const own = ratesOf(name, column)
  return median(ratesOf(bare.name, column).map((reference, round) => reference / (own[round] ?? Number.NaN)))
}
const labelled = (values: ReadonlyArray<number>, prefix: string, digits: number) =>
  Object.fromEntries(
    values.map((value, column) => [`${prefix}${submittersAll[column]} at once`, rounded(value, digits)]),
  )
report({
  name: "postgres-submission",
  title: "Submissions on Postgres, a second, beside bare jobs",
  rows: contenders.map(({ name }) => {
    const own = submittersAll.map((_, column) => median(ratesOf(name, column)))
    const times = submittersAll.map((_, column) => timesSlower(name, column))
    return { contender: name, ...labelled(own, "", 0), ...labelled(times, "times slower, ", 2) }
  }),
  notes: [
    `Median of ${rounds} rounds of ${seconds} s each, in turn, on one Postgres with its own settings (fsync and synchronous_commit on).`,
    "Times slower: how many times as many the first row's contender did in the same round; the median of all.",
    "graphile-worker and ours notify at each commit, and Postgres commits such transactions one after another.",
    `Ours over HTTP, from ${submittersMax} connections, one user: ${rounded(http)} a second.`,
  ],
})
