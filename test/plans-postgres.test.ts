import { statementsOf } from "@atelier/sql"
import { Postgres, PostgresClient } from "@atelier/sql/postgres"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { afterAll } from "vitest"
import { startPostgres } from "./support/postgresServer.ts"

const server = await startPostgres()
afterAll(() => server.stop())
const url = await server.database()
await Effect.runPromise(Effect.scoped(Layer.build(Postgres.layer({ url }))))

/** Enough rows for an index to be worth it: of every user and key some, and tasks in every state. */
const rows = `
  INSERT INTO users SELECT 'usr_' || n, 'Ada', 0, n FROM generate_series(1, 2000) AS n;
  INSERT INTO accounts (user_id) SELECT id FROM users;
  INSERT INTO api_keys SELECT 'key_' || n, 'usr_' || (n % 2000 + 1), 'digest ' || n, '', '', '[]', '[]', '[]',
    NULL, NULL, 0, NULL, '', 0, NULL, n FROM generate_series(1, 4000) AS n;
  INSERT INTO tasks (id, kind, user_id, key_id, subject, state, finished, version, held, charged, released,
      created_at, deadline_at, expires_at, file_id, purged, job_id, detail, request_id)
    SELECT 'task_' || n, CASE n % 2 WHEN 0 THEN 'image' ELSE 'tool' END, 'usr_' || (n % 2000 + 1),
      'key_' || (n % 4000 + 1), CASE n % 3 WHEN 0 THEN 'gen-image-2' ELSE 'text-md-json' END,
      states[n / 2 % cardinality(states) + 1], CASE WHEN n % 20 = 0 THEN 0 ELSE 1 END, 1, 0, 0, 0, n, n, n, 'file_' || n, n % 2, 'job_' || n, '{}', 'req_' || n
    FROM generate_series(1, 20000) AS n, (SELECT ARRAY['queued', 'in_progress', 'running', 'archiving',
      'unknown', 'failed', 'completed', 'succeeded'] AS states) AS every;
  INSERT INTO ledger (id, kind, phase, user_id, task_id, debit, credit, amount, reason, at)
    SELECT 'hold:task_' || n, 'hold', 'open', 'usr_' || (n % 2000 + 1), 'task_' || n, 'wallet', 'held', 1, '', n
    FROM generate_series(1, 20000) AS n;
  INSERT INTO tool_files SELECT 'file_' || n, 'text-md-json', 'usr_' || (n % 500 + 1), 'key_1', '', '', 1, '',
    CASE WHEN n % 10 = 0 THEN 'ready' ELSE 'deleted' END, '', n, n FROM generate_series(1, 5000) AS n;
  INSERT INTO idempotency SELECT 'key_' || (n % 4000 + 1), 'once ' || n, '', '', 'task_' || n, 'accepted', NULL,
    NULL, n, n FROM generate_series(1, 5000) AS n;
  INSERT INTO jobs SELECT 'task_' || n, 'image', 'usr_' || (n % 50 + 1), n, 0, 0, 0,
    CASE n % 5 WHEN 0 THEN 'process' END, CASE n % 5 WHEN 0 THEN n END FROM generate_series(1, 5000) AS n;
  INSERT INTO job_users (kind, user_id) SELECT 'image', 'usr_' || n FROM generate_series(1, 2000) AS n;
  INSERT INTO callbacks SELECT 'task_' || n, 'key_1', '', '', 'delivered', '[]', n
    FROM generate_series(1, 5000) AS n;
  INSERT INTO settings SELECT 'model', n, '{}' FROM generate_series(1, 2000) AS n;
  VACUUM ANALYZE`

/**
 * One connection that plans as for every value of the parameters. A sequential scan costs so much to it that one in
 * a plan means that no index serves.
 */
const client = Layer.provideMerge(
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.forEach(rows.split(";"), (text) => sql.unsafe(text).unprepared)
      yield* sql.unsafe("SET plan_cache_mode = force_generic_plan")
      yield* sql.unsafe("SET enable_seqscan = off")
    }),
  ),
  PostgresClient.layer({ url, connections: 1 }),
)

/** One step of a plan, as Postgres tells it. */
interface Step {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Index Cond"?: string
  readonly Plans?: ReadonlyArray<Step>
}

const stepsOf = (step: Step): ReadonlyArray<Step> => [step, ...(step.Plans ?? []).flatMap(stepsOf)]

const planOf = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient.SqlClient
  const parameters = new Set(text.match(/\$\d+/g))
  const values = parameters.size === 0 ? "" : `(${Array.from(parameters, () => "NULL").join(", ")})`
  yield* sql.unsafe(`PREPARE planned AS ${text}`).unprepared
  const [row] = yield* sql.unsafe<{ readonly "QUERY PLAN": ReadonlyArray<{ readonly Plan: Step }> }>(
    `EXPLAIN (FORMAT JSON) EXECUTE planned${values}`,
  ).unprepared
  yield* sql.unsafe("DEALLOCATE planned").unprepared
  return stepsOf(row?.["QUERY PLAN"][0]?.Plan ?? assert.fail(`no plan of ${text}`))
})

const planNamed = (name: string) =>
  planOf(statements.find((one) => one.name === name)?.text ?? assert.fail(`no statement ${name}`))

const statements = statementsOf("postgres")
const isOurs = (step: Step) => new RegExp(`\\b${step["Relation Name"]}\\b`).test(rows)

/** Walks through all leases, of which there are as many as jobs that run. */
const wholeIndexes: ReadonlyArray<string | undefined> = ["jobs_leased"]

/** The index of each search of many rows; pages need one that has their order. */
const searches: ReadonlyArray<readonly [name: string, index: string]> = [
  ["tasks.countUnfinishedImages", "tasks_by_user"],
  ["tasks.hasUnfinishedForFile", "tasks_of_file"],
  ["tasks.findByJobId", "tasks_by_job"],
  ["tasks.pastDeadline", "tasks_deadline"],
  ["tasks.pastExpiry", "tasks_expiry"],
  ["idempotency.removeExpired", "idempotency_expiry"],
]
const pages: ReadonlyArray<readonly [name: string, index: string]> = [
  ["list of a key", "tasks_by_key"],
  ["list of a key by kind", "tasks_by_key"],
  ["list of a key by state", "tasks_by_key"],
  ["list of a key by subject", "tasks_by_subject"],
  ["list of a key by subject and state", "tasks_by_subject"],
  ["list of a key with tools", "tasks_by_subject"],
  ["list of a user", "tasks_by_user"],
  ["list of a user by state", "tasks_by_user"],
  ["list by state", "tasks_by_state"],
  ["list by kind", "tasks_by_state"],
  ["list of a request", "tasks_by_request"],
  ["list of a request by user and state", "tasks_by_request"],
  ["ledger.listOfUser", "ledger_by_user"],
]

layer(client, { excludeTestServices: true })("Postgres: plans", (it) => {
  it.effect("every statement finds its rows by an index", () =>
    Effect.gen(function* () {
      for (const { name, text } of statements) {
        const whole = (yield* planOf(text)).filter(
          (step) =>
            isOurs(step) &&
            (step["Node Type"] === "Seq Scan" ||
              (/^Index (Only )?Scan$/.test(step["Node Type"]) &&
                step["Index Cond"] === undefined &&
                !wholeIndexes.includes(step["Index Name"]))),
        )
        assert.deepStrictEqual(whole, [], `${name}\n${text}`)
      }
    }),
  )

  it.effect.each([...searches])("%s uses the index that was made for it", ([name, index]) =>
    Effect.gen(function* () {
      const used = (yield* planNamed(name)).flatMap((step) => step["Index Name"] ?? [])
      assert.include(used, index)
    }),
  )

  it.effect.each([...pages])("%s is a walk along its index, whatever else the table holds", ([name, index]) =>
    Effect.gen(function* () {
      const walks = (yield* planNamed(name)).filter((step) => step["Index Name"] !== undefined)
      const runs = walks.filter((step) => !/^\(sequence = /.test(step["Index Cond"] ?? ""))
      assert.isNotEmpty(runs)
      for (const run of runs) {
        assert.strictEqual(run["Index Name"], index)
        assert.match(run["Index Cond"] ?? "", /\(sequence < \$\d+\)/)
        assert.match(run["Node Type"], /^Index (Only )?Scan$/)
      }
    }),
  )

  it.effect("files to remove are found without those that are gone", () =>
    Effect.gen(function* () {
      const used = (yield* planNamed("files.removable")).flatMap((step) => step["Index Name"] ?? [])
      assert.notInclude(used, "tool_files_pkey")
    }),
  )
})
