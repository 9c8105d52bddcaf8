/**
 * Notices of final tasks for the application that embeds the service. Written with the step itself, whichever process
 * makes it, once an application listens; taken in the transaction in which it hears of the task.
 */
export default `
CREATE TABLE finished_listeners (
  id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;

CREATE TABLE finished_tasks (
  task_id TEXT PRIMARY KEY,
  attempts INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX finished_tasks_created ON finished_tasks (created_at);
CREATE INDEX finished_tasks_due ON finished_tasks (due_at);

CREATE TRIGGER tasks_finished AFTER UPDATE OF finished ON tasks
  WHEN OLD.finished = 0 AND NEW.finished = 1 AND EXISTS (SELECT 1 FROM finished_listeners)
BEGIN
  INSERT INTO finished_tasks (task_id, due_at, created_at)
    VALUES (NEW.id, CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;
`
