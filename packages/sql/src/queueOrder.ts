import { type JobKind, queuePositionMax, type Turns, type UserId } from "@atelier/core"

/** Queries of both dialects by which the queue tells its order. */

export const countRunning = "SELECT count(*) AS count FROM jobs WHERE leased_by IS NOT NULL AND kind = ?"

/** The due jobs of `source`'s user and kind that wait. */
export const waitingOf = (source: string, now: string): string => `(SELECT count(*) FROM (
      SELECT 1 FROM jobs WHERE leased_by IS NULL AND jobs.kind = ${source}.kind
        AND jobs.user_id = ${source}.user_id AND run_at <= ${now} LIMIT ${queuePositionMax}) AS part)`

export const ahead = `SELECT (SELECT count(*) FROM (
      SELECT 1 FROM jobs WHERE jobs.leased_by IS NULL AND jobs.kind = own.kind AND jobs.user_id = own.user_id
        AND (jobs.run_at, jobs.task_id) < (own.run_at, own.task_id) LIMIT ${queuePositionMax}) AS part) AS count
  FROM jobs AS own WHERE own.task_id = ? AND own.leased_by IS NULL`

export interface WaitingRow {
  readonly user_id: UserId
  readonly running: number
  readonly waiting: number
}

export const toTurns = (
  running: ReadonlyArray<{ readonly count: number }>,
  users: ReadonlyArray<WaitingRow>,
): Turns => ({
  running: running[0]?.count ?? 0,
  users: users.map(({ user_id: userId, running, waiting }) => ({ userId, running, waiting })),
})

export interface OldestRow {
  readonly kind: JobKind
  readonly waited: number
}

/** Only what is due has waited. */
export const toOldest = (rows: ReadonlyArray<OldestRow>): ReadonlyMap<JobKind, number> =>
  new Map(rows.flatMap(({ kind, waited }) => (waited >= 0 ? [[kind, waited] as const] : [])))
