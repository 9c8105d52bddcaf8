/** The trace in which a job was added goes on where it runs. */
export default "ALTER TABLE jobs ADD COLUMN traceparent TEXT;"
