/** As on SQLite; the index names the sequence, as those of 0003 do. */
export default `
ALTER TABLE tasks ADD COLUMN request_id TEXT COLLATE "C";
CREATE INDEX tasks_by_request ON tasks (request_id, sequence) WHERE request_id IS NOT NULL;
`
