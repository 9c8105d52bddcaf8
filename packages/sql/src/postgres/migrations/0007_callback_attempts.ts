/**
 * A callback keeps its newest attempts and counts them all; and knows when another delivery was asked for, so that
 * this is bounded. Both are written by whoever holds the row's lock.
 */
export default `
ALTER TABLE callbacks ADD COLUMN attempts_total INTEGER NOT NULL DEFAULT 0 CHECK (attempts_total >= 0);
ALTER TABLE callbacks ADD COLUMN redelivered_at TEXT NOT NULL DEFAULT '[]';
UPDATE callbacks SET attempts_total = json_array_length(attempts::json);
`
