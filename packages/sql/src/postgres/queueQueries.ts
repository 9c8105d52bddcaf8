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

/** Users with due jobs among whom the next one is looked for. */
const usersConsideredMax = 200

/** Lets the users of `source`'s due rows take turns with the others. */
export const addUser = (source: string) => `INSERT INTO job_users (kind, user_id)
      SELECT DISTINCT kind, user_id FROM ${source} WHERE run_at <= ${now} + ${earlyMs} ON CONFLICT DO NOTHING`

const anotherIsDue = `EXISTS (SELECT 1 FROM jobs WHERE jobs.leased_by IS NULL AND jobs.kind = taken.kind
      AND jobs.user_id = taken.user_id AND jobs.run_at <= ${now} AND jobs.task_id <> taken.task_id)`

const held = "task_id = ? AND epoch = ? AND leased_by = ?"

/** graphile-worker's key of a row's job: each time that the row waits it has another one. */
const jobKey = (source: string) => `${source}.task_id || ':' || ${source}.epoch`

/** Processes are told here which kind of job was added; graphile-worker's own channel does not say. */
export const jobsChannel = "atelier:jobs"

/** The kind that a message names. The rest is there because Postgres delivers equal messages of a transaction once. */
export const toldKind = (message = ""): string => message.slice(0, message.indexOf(":"))

/** Adds a job for `source`'s row to graphile-worker, and tells the processes. */
export const addJob = (source: string) =>
  `graphile_worker.add_job(
      identifier => 'atelier_' || ${source}.kind,
      payload => json_build_object('task_id', ${source}.task_id),
      run_at => to_timestamp(${source}.run_at / 1000.0),
      job_key => ${jobKey(source)}
    ) AS job, pg_notify('${jobsChannel}', ${source}.kind || ':' || ${jobKey(source)}) AS told`

/**
 * Texts of the queue on Postgres. graphile-worker's own functions are asked for columns: their rows as a whole are
 * composites, which the driver does not read.
 */
export const queries = {
  enqueue: `WITH added AS (
      INSERT INTO jobs (task_id, kind, user_id, run_at, attempt, lost, epoch, traceparent)
      VALUES (?, ?, ?, ?, 0, 0, 0, ?)
      RETURNING task_id, kind, user_id, run_at, epoch
    ), users AS (
      ${addUser("added")}
    )
    SELECT job.id FROM added, ${addJob("added")}`,
  enqueueLeased: `INSERT INTO jobs
      (task_id, kind, user_id, run_at, attempt, lost, epoch, traceparent, leased_by, leased_until)
    VALUES (?, ?, ?, ?, 1, 0, 1, ?, ?, ${now} + ?)`,
  // A job whose holder went silent comes first. Then users take turns: the one who runs the fewest jobs, of those the
  // one who waited longest for a turn, and of that user's jobs the one that is due longest. It need not be the named
  // one: graphile-worker has as many due jobs as rows are due, and which of them it gives does not matter. `missed`:
  // one that is due and was not taken, because others have locked what was looked at, or its user has no turn yet: it
  // is to be named next.
  take: `WITH named AS (
      SELECT kind, user_id FROM jobs
      WHERE task_id = ? AND kind = ? AND run_at <= ${now} + ${earlyMs} AND leased_by IS NULL
    ), first AS MATERIALIZED (
      (SELECT user_id, turn FROM job_users WHERE kind = ? ORDER BY turn LIMIT ${usersConsideredMax})
      UNION ALL SELECT user_id, ${Number.MAX_SAFE_INTEGER} FROM named
    ), running AS MATERIALIZED (
      SELECT user_id, count(*) AS jobs FROM jobs WHERE leased_by IS NOT NULL AND kind = ? GROUP BY user_id
    ), users AS MATERIALIZED (
      SELECT first.user_id FROM first LEFT JOIN running ON running.user_id = first.user_id
      ORDER BY coalesce(running.jobs, 0), first.turn
    ), lapsed AS MATERIALIZED (
      SELECT task_id FROM jobs WHERE leased_by IS NOT NULL AND kind = ? AND leased_until <= ${now}
      ORDER BY leased_until LIMIT 1 FOR UPDATE SKIP LOCKED
    ), chosen AS MATERIALIZED (
      SELECT own.task_id FROM users CROSS JOIN LATERAL (
        SELECT jobs.task_id FROM jobs WHERE jobs.leased_by IS NULL AND jobs.kind = ?
          AND jobs.user_id = users.user_id AND jobs.run_at <= ${now} + ${earlyMs}
        ORDER BY jobs.run_at, jobs.task_id LIMIT 1 FOR UPDATE SKIP LOCKED
      ) AS own
      WHERE NOT EXISTS (SELECT 1 FROM lapsed) LIMIT 1
    ), target AS (
      SELECT task_id FROM lapsed UNION ALL SELECT task_id FROM chosen
    ), taken AS (
      UPDATE jobs SET leased_by = ?, leased_until = ${now} + ?, epoch = epoch + 1, attempt = attempt + 1,
        lost = lost + CASE WHEN leased_by IS NULL THEN 0 ELSE 1 END
      WHERE task_id = (SELECT task_id FROM target) AND (leased_by IS NULL OR leased_until <= ${now})
      RETURNING task_id, kind, user_id, run_at, epoch, attempt, lost, traceparent
    ), served AS (
      INSERT INTO job_users (kind, user_id) SELECT kind, user_id FROM taken WHERE ${anotherIsDue}
      ON CONFLICT (kind, user_id) DO UPDATE SET turn = excluded.turn
    ), ended AS (
      DELETE FROM job_users USING taken WHERE job_users.kind = taken.kind
        AND job_users.user_id = taken.user_id AND NOT ${anotherIsDue}
    ), passed AS (
      INSERT INTO job_users (kind, user_id) SELECT kind, user_id FROM named
      WHERE user_id NOT IN (SELECT user_id FROM taken) ON CONFLICT DO NOTHING
    ), missed AS (
      SELECT task_id FROM jobs
      WHERE leased_by IS NULL AND kind = ? AND run_at <= ${now} + ${earlyMs}
        AND NOT EXISTS (SELECT 1 FROM taken) ORDER BY run_at LIMIT 1
    )
    SELECT taken.task_id, epoch, attempt, lost, traceparent, EXISTS (SELECT 1 FROM lapsed) AS lapsed, others.missed
    FROM (SELECT min(task_id) AS missed FROM missed) AS others LEFT JOIN taken ON true`,
  // For another process: the named row's job, or one more where that row waits no longer and another does.
  again: `WITH named AS (
      SELECT task_id, kind, run_at, epoch::text AS epoch FROM jobs WHERE task_id = ? AND leased_by IS NULL
    ), due AS (
      SELECT task_id, kind, run_at, gen_random_uuid()::text AS epoch FROM jobs
      WHERE kind = ? AND leased_by IS NULL AND run_at <= ${now} AND NOT EXISTS (SELECT 1 FROM named)
      ORDER BY run_at LIMIT 1
    ), added AS (SELECT * FROM named UNION ALL SELECT * FROM due)
    SELECT job.id FROM added, ${addJob("added")}`,
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
      RETURNING task_id, kind, user_id, run_at, epoch
    ), users AS (
      ${addUser("released")}
    )
    SELECT job.id FROM released, ${addJob("released")}`,
  // A leased row has no job at graphile-worker.
  remove: `WITH removed AS (DELETE FROM jobs WHERE task_id = ? RETURNING task_id, epoch, leased_by)
    SELECT job.id FROM removed, graphile_worker.remove_job(${jobKey("removed")}) AS job
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
      SELECT jobs.task_id, jobs.kind, jobs.run_at, jobs.epoch
      FROM overdue JOIN jobs ON jobs.task_id = overdue.task_id
        LEFT JOIN graphile_worker.jobs AS queued ON queued.key = ${jobKey("jobs")}
      WHERE queued.id IS NULL OR queued.attempts >= queued.max_attempts
        OR queued.run_at > statement_timestamp()
        OR queued.locked_at < statement_timestamp() - ?::bigint * interval '1 millisecond'
      FOR UPDATE OF jobs SKIP LOCKED
    )
    SELECT job.id FROM missing, ${addJob("missing")}`,
  unlock: `SELECT 1 AS done FROM graphile_worker.force_unlock_workers(
    ARRAY(SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE task_identifier = ?
      AND locked_at < statement_timestamp() - ?::bigint * interval '1 millisecond'))`,
  // A user whose last waiting job was removed, or put off, has no turn. One who gets a job meanwhile gets a turn with it.
  forgetUsers: `DELETE FROM job_users WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM job_users WHERE kind = ? AND NOT EXISTS (
        SELECT 1 FROM jobs WHERE jobs.leased_by IS NULL AND jobs.kind = job_users.kind
          AND jobs.user_id = job_users.user_id AND jobs.run_at <= ${now}
      ) FOR UPDATE SKIP LOCKED))`,
  // Every job of ours has a key until it is replaced or removed.
  forget: `SELECT id FROM graphile_worker.complete_jobs(
    ARRAY(SELECT id FROM graphile_worker.jobs WHERE task_identifier = ? AND key IS NULL AND locked_at IS NULL))`,
}
