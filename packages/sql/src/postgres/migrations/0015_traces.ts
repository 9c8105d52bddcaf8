/** The same as on SQLite. */
export default 'ALTER TABLE jobs ADD COLUMN traceparent TEXT COLLATE "C";'
