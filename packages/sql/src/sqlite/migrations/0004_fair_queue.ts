/**
 * Whose turn it is: a row for each user with jobs of a kind, kept by triggers on `jobs`. `running` counts leased
 * jobs, `due_at` is when the user's first waiting job falls due; `due` tells the users for whom that may have come,
 * so that those who wait for later are not walked through. `turn` grows for all: a user who comes, or of whom a job
 * is begun, goes behind all others.
 *
 * `accounts.image_tasks`: image tasks of the user whose hold is open, which are the unfinished ones.
 */
export default `
ALTER TABLE accounts ADD COLUMN image_tasks INTEGER NOT NULL DEFAULT 0 CHECK (image_tasks >= 0);
UPDATE accounts SET image_tasks =
  (SELECT count(*) FROM tasks WHERE tasks.user_id = accounts.user_id AND kind = 'image' AND finished = 0);

CREATE TABLE job_users (
  turn INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  user_id TEXT NOT NULL,
  running INTEGER NOT NULL CHECK (running >= 0),
  due_at INTEGER,
  due INTEGER NOT NULL DEFAULT 0 CHECK (due IN (0, 1) AND (due = 0 OR due_at IS NOT NULL)),
  UNIQUE (kind, user_id)
) STRICT;

CREATE INDEX job_users_next ON job_users (kind, running, turn) WHERE due = 1;
CREATE INDEX job_users_later ON job_users (kind, due_at) WHERE due = 0 AND due_at IS NOT NULL;

INSERT INTO job_users (kind, user_id, running, due_at)
SELECT kind, user_id, sum(leased_by IS NOT NULL), min(CASE WHEN leased_by IS NULL THEN run_at END)
FROM jobs GROUP BY kind, user_id ORDER BY min(run_at);

DROP INDEX jobs_ready;
CREATE INDEX jobs_waiting ON jobs (kind, user_id, run_at) WHERE leased_by IS NULL;

CREATE TRIGGER jobs_added AFTER INSERT ON jobs
BEGIN
  INSERT INTO job_users (kind, user_id, running, due_at)
  VALUES (NEW.kind, NEW.user_id, NEW.leased_by IS NOT NULL, CASE WHEN NEW.leased_by IS NULL THEN NEW.run_at END)
  ON CONFLICT (kind, user_id) DO UPDATE SET running = running + excluded.running,
    due_at = min(coalesce(due_at, excluded.due_at), coalesce(excluded.due_at, due_at));
END;

-- A user whose next job falls due within this one's lease counts as one who may be due.
CREATE TRIGGER jobs_taken AFTER UPDATE OF leased_by ON jobs WHEN OLD.leased_by IS NULL AND NEW.leased_by IS NOT NULL
BEGIN
  UPDATE job_users SET (due_at, due, running, turn) = (
    SELECT min(run_at), coalesce(min(run_at) <= NEW.leased_until, 0),
      running + 1, (SELECT max(turn) + 1 FROM job_users)
    FROM jobs WHERE kind = NEW.kind AND user_id = NEW.user_id AND leased_by IS NULL
  ) WHERE kind = NEW.kind AND user_id = NEW.user_id;
END;

CREATE TRIGGER jobs_given_back AFTER UPDATE OF leased_by ON jobs
WHEN OLD.leased_by IS NOT NULL AND NEW.leased_by IS NULL
BEGIN
  UPDATE job_users SET running = running - 1, due_at = min(coalesce(due_at, NEW.run_at), NEW.run_at)
  WHERE kind = NEW.kind AND user_id = NEW.user_id;
END;

CREATE TRIGGER jobs_ended AFTER DELETE ON jobs WHEN OLD.leased_by IS NOT NULL
BEGIN
  DELETE FROM job_users WHERE kind = OLD.kind AND user_id = OLD.user_id AND running = 1 AND due_at IS NULL;
  UPDATE job_users SET running = running - 1 WHERE kind = OLD.kind AND user_id = OLD.user_id;
END;

CREATE TRIGGER jobs_withdrawn AFTER DELETE ON jobs WHEN OLD.leased_by IS NULL
BEGIN
  UPDATE job_users SET (due_at, due) = (
    SELECT min(run_at), CASE WHEN min(run_at) IS NULL THEN 0 ELSE due END
    FROM jobs WHERE kind = OLD.kind AND user_id = OLD.user_id AND leased_by IS NULL
  ) WHERE kind = OLD.kind AND user_id = OLD.user_id;
  DELETE FROM job_users WHERE kind = OLD.kind AND user_id = OLD.user_id AND running = 0 AND due_at IS NULL;
END;
`
