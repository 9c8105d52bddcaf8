/** As on SQLite. */
export default `
CREATE TABLE finished_listeners (
  id BIGINT PRIMARY KEY CHECK (id = 1)
);

CREATE TABLE finished_tasks (
  task_id TEXT COLLATE "C" PRIMARY KEY,
  attempts BIGINT NOT NULL DEFAULT 0,
  due_at BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);
CREATE INDEX finished_tasks_created ON finished_tasks (created_at);
CREATE INDEX finished_tasks_due ON finished_tasks (due_at);

CREATE FUNCTION note_finished() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  now_ms BIGINT := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
BEGIN
  IF EXISTS (SELECT 1 FROM finished_listeners) THEN
    INSERT INTO finished_tasks (task_id, due_at, created_at) VALUES (NEW.id, now_ms, now_ms);
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER tasks_finished AFTER UPDATE OF finished ON tasks
FOR EACH ROW WHEN (OLD.finished = 0 AND NEW.finished = 1) EXECUTE FUNCTION note_finished();
`
