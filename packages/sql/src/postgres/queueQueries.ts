import { queuePositionMax } from "@atelier/core"
import { ahead, countRunning, waitingOf } from "../queueOrder.ts"

/**
 * The clock of leases is the database's, in milliseconds: the machines of its processes need not agree. It is the
 * start of the statement, which an index can be searched for.
 */
const now = "(extract(epoch FROM statement_timestamp()) * 1000)::bigint"

/** graphile-worker rounds a time to microseconds and may be this much ahead of ours. */
const earlyMs = 2

/** What fell due so recently may have done so between two looks. */
const justDueMs = 500

/** A user's waiting jobs that are counted; all beyond have the same, lowest priority. */
export const waitingCountedMax = 100

/**
 * The priority of `source`'s row: how many jobs of its user and kind wait already. It is about the order in which
 * `take` would have the jobs, so that it seldom takes another one than graphile-worker names.
 */
const priority = (source: string) =>
  `(SELECT count(*)::int FROM (SELECT 1 FROM jobs AS waiting WHERE waiting.leased_by IS NULL
    AND waiting.user_id = ${source}.user_id AND waiting.kind = ${source}.kind
    LIMIT ${waitingCountedMax}) AS counted)`

/** Users with due jobs among whom the next one is looked for. */
const usersConsideredMax = 200

/** Lets the users of `source`'s due rows take turns with the others. */
export const addUser = (source: string) => `INSERT INTO job_users (kind, user_id)
      SELECT DISTINCT kind, user_id FROM ${source} WHERE run_at <= ${now} + ${earlyMs} ON CONFLICT DO NOTHING`

const anotherIsDue = `EXISTS (SELECT 1 FROM jobs WHERE jobs.leased_by IS NULL AND jobs.kind = taken.kind
      AND jobs.user_id = taken.user_id AND jobs.run_at <= ${now} AND jobs.task_id <> taken.task_id)`

const held = "task_id = ? AND epoch = ? AND leased_by = ?"

/** Adds the job of `source`'s row to graphile-worker; one of the task that it has already is replaced. */
export const addJob = (source: string, priority: string) =>
  `graphile_worker.add_job(
      identifier => 'atelier_' || ${source}.kind,
      payload => json_build_object('task_id', ${source}.task_id),
      run_at => to_timestamp(${source}.run_at / 1000.0),
      job_key => ${source}.task_id,
      priority => ${priority}
    ) AS job`

/**
 * Texts of the queue on Postgres. graphile-worker's own functions are asked for columns: their rows as a whole are
 * composites, which the driver does not read.
 */
export const queries = {
  enqueue: `WITH added AS (
      INSERT INTO jobs (task_id, kind, user_id, run_at, attempt, lost, epoch) VALUES (?, ?, ?, ?, 0, 0, 0)
      RETURNING task_id, kind, user_id, run_at
    ), users AS (
      ${addUser("added")}
    )
    SELECT job.id FROM added, ${addJob("added", priority("added"))}`,
  // A named job whose holder went silent is taken. For any other one, users take turns: the one who runs the fewest
  // jobs, of those the one who waited longest for a turn. If that is not the named job's user, the named job gets
  // another of graphile-worker's, also where nothing is taken; what is taken has one left, which finds the lease taken.
  take: `WITH named AS (
      SELECT task_id, kind, user_id, run_at, leased_by IS NOT NULL AS lapsed FROM jobs
      WHERE task_id = ? AND kind = ? AND run_at <= ${now} + ${earlyMs}
        AND (leased_by IS NULL OR leased_until <= ${now})
    ), first AS MATERIALIZED (
      (SELECT user_id, turn FROM job_users WHERE kind = ? ORDER BY turn LIMIT ${usersConsideredMax})
      UNION ALL SELECT user_id, ${Number.MAX_SAFE_INTEGER} FROM named
    ), running AS MATERIALIZED (
      SELECT user_id, count(*) AS jobs FROM jobs WHERE leased_by IS NOT NULL AND kind = ? GROUP BY user_id
    ), users AS MATERIALIZED (
      SELECT first.user_id, coalesce(running.jobs, 0) AS running, first.turn
      FROM first LEFT JOIN running ON running.user_id = first.user_id
    ), chosen AS (
      SELECT own.task_id FROM users CROSS JOIN LATERAL (
        SELECT jobs.task_id FROM jobs WHERE jobs.leased_by IS NULL AND jobs.kind = ?
          AND jobs.user_id = users.user_id AND jobs.run_at <= ${now} + ${earlyMs}
        ORDER BY jobs.run_at, jobs.task_id LIMIT 1 FOR UPDATE SKIP LOCKED
      ) AS own
      WHERE EXISTS (SELECT 1 FROM named WHERE NOT lapsed)
      ORDER BY users.running, users.turn LIMIT 1
    ), target AS (
      SELECT task_id FROM named WHERE lapsed UNION ALL SELECT task_id FROM chosen
    ), taken AS (
      UPDATE jobs SET leased_by = ?, leased_until = ${now} + ?, epoch = epoch + 1, attempt = attempt + 1,
        lost = lost + CASE WHEN leased_by IS NULL THEN 0 ELSE 1 END
      WHERE task_id = (SELECT task_id FROM target) AND (leased_by IS NULL OR leased_until <= ${now})
      RETURNING task_id, kind, user_id, run_at, epoch, attempt, lost
    ), served AS (
      INSERT INTO job_users (kind, user_id) SELECT kind, user_id FROM taken WHERE ${anotherIsDue}
      ON CONFLICT (kind, user_id) DO UPDATE SET turn = excluded.turn
    ), ended AS (
      DELETE FROM job_users USING taken WHERE job_users.kind = taken.kind
        AND job_users.user_id = taken.user_id AND NOT ${anotherIsDue}
    ), passed AS (
      SELECT * FROM named WHERE NOT EXISTS (SELECT 1 FROM taken WHERE taken.task_id = named.task_id)
    ), put_back AS MATERIALIZED (
      SELECT job.id FROM passed, ${addJob("passed", priority("passed"))}
    )
    SELECT task_id, epoch, attempt, lost, (SELECT lapsed FROM named) AS lapsed
    FROM (SELECT count(*) FROM put_back) AS passed LEFT JOIN taken ON true`,
  again: `SELECT job.id FROM jobs, ${addJob("jobs", priority("jobs"))} WHERE jobs.task_id = ? AND leased_by IS NULL`,
  // What has been due for a while, workers know of, or will when they have a place.
  nextDue: `SELECT min(at) - ${now} AS wait_ms FROM (
    SELECT min(run_at) AS at FROM jobs WHERE leased_by IS NULL AND kind = ? AND run_at > ${now} - ${justDueMs}
    UNION ALL
    SELECT min(leased_until) AS at FROM jobs WHERE leased_by IS NOT NULL AND kind = ? AND leased_until > ${now} - ${justDueMs}
  ) AS times`,
  heartbeat: `UPDATE jobs SET leased_until = ${now} + ?
    WHERE leased_by = ? AND task_id IN (SELECT value FROM json_each(?)) RETURNING task_id`,
  verify: `SELECT task_id FROM jobs WHERE ${held} FOR UPDATE`,
  complete: `DELETE FROM jobs WHERE ${held} RETURNING task_id`,
  release: `WITH released AS (
      UPDATE jobs SET leased_by = NULL, leased_until = NULL, run_at = ? WHERE ${held}
      RETURNING task_id, kind, user_id, run_at
    ), users AS (
      ${addUser("released")}
    )
    SELECT job.id FROM released, ${addJob("released", priority("released"))}`,
  // What is leased, graphile-worker has dispatched and deletes by itself; where it has not, it will, to no effect.
  remove: `WITH removed AS (DELETE FROM jobs WHERE task_id = ? RETURNING task_id, leased_by)
    SELECT job.id FROM removed, graphile_worker.remove_job(removed.task_id) AS job
    WHERE removed.leased_by IS NULL`,
  counts: `SELECT kind, count(*) FILTER (WHERE leased_by IS NULL) AS ready,
      count(*) FILTER (WHERE leased_by IS NOT NULL) AS leased,
      count(*) FILTER (WHERE CASE WHEN leased_by IS NULL THEN run_at ELSE leased_until END <= ${now}) AS due
    FROM jobs GROUP BY kind ORDER BY kind`,
  oldest: `SELECT kinds.kind, ${now} - first.run_at AS waited
    FROM (VALUES ('image'), ('tool'), ('callback')) AS kinds (kind) CROSS JOIN LATERAL (
      SELECT run_at FROM jobs WHERE leased_by IS NULL AND jobs.kind = kinds.kind ORDER BY run_at LIMIT 1
    ) AS first`,
  turns: `WITH running AS MATERIALIZED (
      SELECT user_id, count(*) AS jobs FROM jobs WHERE leased_by IS NOT NULL AND kind = ? GROUP BY user_id
    ), users AS MATERIALIZED (
      SELECT job_users.kind, job_users.user_id, coalesce(running.jobs, 0) AS running, job_users.turn
      FROM job_users LEFT JOIN running ON running.user_id = job_users.user_id
      WHERE job_users.kind = ? AND EXISTS (
        SELECT 1 FROM jobs WHERE jobs.leased_by IS NULL AND jobs.kind = job_users.kind
          AND jobs.user_id = job_users.user_id AND jobs.run_at <= ${now}
      ) ORDER BY 3, 4 LIMIT ${queuePositionMax}
    )
    SELECT user_id, running, ${waitingOf("users", now)} AS waiting FROM users ORDER BY running, turn`,
  countRunning,
  ahead,
  // Lapsed leases, and jobs that are due for so long that graphile-worker may have lost sight of them; of both
  // those that it is not about to dispatch: it deleted the job, or a dead process of its has locked it.
  recover: `WITH overdue AS (
      (SELECT task_id FROM jobs WHERE leased_by IS NOT NULL AND kind = ? AND leased_until <= ${now}
        ORDER BY leased_until LIMIT ?)
      UNION ALL
      (SELECT task_id FROM jobs WHERE leased_by IS NULL AND kind = ? AND run_at <= ${now} - ?
        ORDER BY run_at LIMIT ?)
    ), missing AS (
      SELECT jobs.task_id, jobs.kind, jobs.user_id, jobs.run_at
      FROM overdue JOIN jobs ON jobs.task_id = overdue.task_id
        LEFT JOIN graphile_worker.jobs AS queued ON queued.key = jobs.task_id
      WHERE queued.id IS NULL OR queued.attempts >= queued.max_attempts
        OR queued.run_at > statement_timestamp()
        OR queued.locked_at < statement_timestamp() - ?::bigint * interval '1 millisecond'
      FOR UPDATE OF jobs SKIP LOCKED
    )
    SELECT job.id FROM missing, ${addJob("missing", priority("missing"))}`,
  unlock: `SELECT 1 AS done FROM graphile_worker.force_unlock_workers(
    ARRAY(SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE task_identifier = ?
      AND locked_at < statement_timestamp() - ?::bigint * interval '1 millisecond'))`,
  // Every job of ours has a key until it is replaced or removed.
  forget: `SELECT id FROM graphile_worker.complete_jobs(
    ARRAY(SELECT id FROM graphile_worker.jobs WHERE task_identifier = ? AND key IS NULL AND locked_at IS NULL))`,
}
