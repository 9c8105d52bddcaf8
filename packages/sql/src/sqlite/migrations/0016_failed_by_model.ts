/**
 * The failed tasks of a model or tool, of all users. Only they are in it: a task that succeeds costs nothing here.
 */
export default "CREATE INDEX tasks_failed_by_model ON tasks (subject) WHERE state = 'failed';"
