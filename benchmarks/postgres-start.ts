/**
 * How long a job waits for a process that has nothing to do, beside plain graphile-worker and pg-boss on the same
 * Postgres: from the answer to the submission, which is on disk, to the first line of the job's handler. Ours is
 * accepted by another client than it is run by, and the task is marked as started, durably, before its handler is.
 *
 * `npm run bench -- benchmarks/postgres-start.ts [seconds per row] [rounds] [jobs a second]`
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ImageTasks, Workers } from "@atelier/core"
import { Postgres } from "@atelier/sql/postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Logger, run } from "graphile-worker"
import { atelierOver, generation, image, principalWith, TestScript } from "../test/support/atelier.ts"
import { startPostgres } from "../test/support/postgresServer.ts"
import { bareGraphile, peerQueue, pgBoss } from "./support/peers.ts"
import { median, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 6)
const rounds = Number(process.argv[3] ?? 3)
const jobsPerSecond = Number(process.argv[4] ?? 20)
const connections = 10

const startedAt = new Map<string, number>()
const started = (id: string) => {
  if (!startedAt.has(id)) startedAt.set(id, performance.now())
}

interface Contender {
  readonly name: string
  readonly submit: (id: string) => Promise<unknown>
}

const server = await startPostgres({ durable: true })
const folder = mkdtempSync(join(tmpdir(), "atelier-start-"))

const graphileUrl = await server.emptyDatabase()
const graphile = await bareGraphile(graphileUrl, connections)
const idOf = (payload: unknown): string =>
  typeof payload === "object" && payload !== null && "id" in payload ? String(payload.id) : ""
const runner = await run({
  connectionString: graphileUrl,
  concurrency: connections,
  noHandleSignals: true,
  logger: new Logger(() => () => {}),
  taskList: { [peerQueue]: async (payload) => started(idOf(payload)) },
})
const { boss, ...bossPeer } = await pgBoss(await server.emptyDatabase(), connections)
await boss.work(peerQueue, { localConcurrency: connections }, async ([job]) => started(idOf(job?.data)))

const url = await server.emptyDatabase()
const app = () => atelierOver(folder, () => Postgres.layer({ url, connections }))
const accepting = ManagedRuntime.make(app())
const principal = await accepting.runPromise(principalWith("100000"))
const working = ManagedRuntime.make(Workers.layer.pipe(Layer.provideMerge(app())))
const script = await working.runPromise(Effect.service(TestScript))
script.generate = ({ request }) =>
  Effect.sync(() => {
    started(request.prompt)
    return generation([image("a lighthouse")])
  })
const submitTask = (id: string) =>
  accepting.runPromise(
    Effect.gen(function* () {
      const { submit } = yield* ImageTasks
      yield* submit({ principal, body: { model: "test-model", prompt: id }, idempotencyKey: id })
    }),
  )

const contenders: ReadonlyArray<Contender> = [
  { name: "graphile-worker", submit: (id) => graphile.add({ id }) },
  { name: "pg-boss", submit: (id) => bossPeer.add({ id }) },
  { name: "Atelier", submit: submitTask },
]

/** A job that has not started by then counts as this late. */
const lateMs = 5_000

interface Waits {
  readonly answered: ReadonlyArray<number>
  readonly sent: ReadonlyArray<number>
}

/** Sends jobs at a steady rate; gives how long each took to start, from its answer and from before it was sent. */
const measure = async ({ name, submit }: Contender, round: number): Promise<Waits> => {
  const began = performance.now()
  const count = Math.round(seconds * jobsPerSecond)
  const times = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, (index * 1000) / jobsPerSecond))
      const id = `${name}-${round}-${index}`
      const sent = performance.now()
      await submit(id)
      return { id, sent, answered: performance.now() }
    }),
  )
  while (times.some(({ id }) => !startedAt.has(id)) && performance.now() - began < seconds * 1000 + lateMs) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const waits = times.map(({ id, sent, answered }) => {
    const at = startedAt.get(id) ?? answered + lateMs
    // Postgres notifies before it answers the one who commits: a job may start before its submitter hears.
    return { answered: Math.max(0, at - answered), sent: at - sent }
  })
  const sorted = (of: keyof Waits) => waits.map((one) => one[of]).toSorted((a, b) => a - b)
  return { answered: sorted("answered"), sent: sorted("sent") }
}

const results = new Map(contenders.map(({ name }) => [name, [] as Array<Waits>]))
for (const contender of contenders) await measure(contender, -1)
for (let round = 0; round < rounds; round++) {
  for (const contender of contenders) results.get(contender.name)?.push(await measure(contender, round))
}
await accepting.dispose()
await working.dispose()
await runner.stop()
await graphile.close()
await bossPeer.close()
await server.stop()
rmSync(folder, { recursive: true, force: true })

const figure = (name: string, of: keyof Waits, share: number): number =>
  rounded(
    median(
      (results.get(name) ?? []).map((waits) => waits[of][Math.floor((waits[of].length - 1) * share)] ?? NaN),
    ),
    1,
  )
report({
  name: "postgres-start",
  title: "From a job's submission to its start on Postgres",
  rows: contenders.map(({ name }) => ({
    contender: name,
    "p50 ms": figure(name, "answered", 0.5),
    "p99 ms": figure(name, "answered", 0.99),
    "from sending, p50 ms": figure(name, "sent", 0.5),
    "from sending, p99 ms": figure(name, "sent", 0.99),
  })),
  notes: [
    `Medians of ${rounds} rounds of ${seconds} s each, in turn, at ${jobsPerSecond} jobs a second, on one Postgres with its own settings (fsync and synchronous_commit on).`,
    "The first two columns begin when the submission is answered, the last two before it is sent.",
    "pg-boss with its notifications on.",
  ],
})
