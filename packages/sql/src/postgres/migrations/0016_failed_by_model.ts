/** The same as on SQLite; the index names the sequence in whose order its rows are read. */
export default "CREATE INDEX tasks_failed_by_model ON tasks (subject, sequence) WHERE state = 'failed';"
