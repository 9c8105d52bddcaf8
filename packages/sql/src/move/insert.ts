import { addJob, addUser, waitingCountedMax } from "../postgres/queueQueries.ts"
import { list, quoted, type Relation } from "./Relation.ts"

/** Adds the rows of a JSON array of objects, its one parameter. */
export const insertText = (table: Relation): string => {
  const insert = `INSERT INTO ${quoted(table.name)} (${list(table.columns)})
    SELECT ${list(table.columns)} FROM json_populate_recordset(NULL::${quoted(table.name)}, $1::text::json)`
  return table.name === "jobs" ? insertJobs(insert) : insert
}

/**
 * Every job waits, so that graphile-worker has one for each, with the priority that it would have had: a user's
 * k-th comes after the first k - 1 of everybody else.
 */
const insertJobs = (
  insert: string,
): string => `WITH added AS (${insert} RETURNING task_id, kind, user_id, run_at),
  users AS (${addUser("added")}),
  placed AS (
    SELECT task_id, kind, run_at, least(${waitingCountedMax},
      row_number() OVER (PARTITION BY user_id, kind ORDER BY run_at, task_id) - 1
        + (SELECT count(*) FROM (SELECT 1 FROM jobs WHERE leased_by IS NULL
            AND jobs.user_id = added.user_id AND jobs.kind = added.kind LIMIT ${waitingCountedMax}) AS counted)
    )::int AS place FROM added
  )
  SELECT job.id FROM placed, ${addJob("placed", "placed.place")}`
