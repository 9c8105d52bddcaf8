/**
 * Pages are runs of an index, newest first. On SQLite every index ends in the row's number, which is the sequence;
 * here the index has to name it, or a page sorts all that match or walks through all that do not. Files that
 * wait for their removal are walked by id, without the many that are gone.
 */
export default `
DROP INDEX tasks_by_key;
DROP INDEX tasks_by_subject;
DROP INDEX tasks_by_user;
DROP INDEX tasks_by_state;
DROP INDEX ledger_by_user;
CREATE INDEX tasks_by_key ON tasks (key_id, kind, state, sequence);
CREATE INDEX tasks_by_subject ON tasks (key_id, kind, subject, sequence);
CREATE INDEX tasks_by_user ON tasks (user_id, kind, state, sequence);
CREATE INDEX tasks_by_state ON tasks (kind, state, sequence);
CREATE INDEX ledger_by_user ON ledger (user_id, sequence);
CREATE INDEX tool_files_present ON tool_files (id) WHERE status <> 'deleted';
`
