import { addJob, addUser } from "../postgres/queueQueries.ts"
import { list, quoted, type Relation } from "./Relation.ts"

/** Adds the rows of a JSON array of objects, its one parameter. */
export const insertText = (table: Relation): string => {
  const insert = `INSERT INTO ${quoted(table.name)} (${list(table.columns)})
    SELECT ${list(table.columns)} FROM json_populate_recordset(NULL::${quoted(table.name)}, $1::text::json)`
  return table.name === "jobs" ? insertJobs(insert) : insert
}

/** Every job waits, so that graphile-worker has one for each. */
const insertJobs = (
  insert: string,
): string => `WITH added AS (${insert} RETURNING task_id, kind, user_id, run_at, epoch),
  users AS (${addUser("added")})
  SELECT job.id FROM added, ${addJob("added")}`
