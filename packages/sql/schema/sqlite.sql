CREATE TABLE accounts (
  user_id TEXT PRIMARY KEY,
  wallet INTEGER NOT NULL DEFAULT 0 CHECK (wallet >= 0),
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
  granted INTEGER NOT NULL DEFAULT 0 CHECK (granted >= 0)
, image_tasks INTEGER NOT NULL DEFAULT 0 CHECK (image_tasks >= 0)) STRICT, WITHOUT ROWID;

CREATE TABLE admin_sessions (
  digest TEXT PRIMARY KEY,
  token_digest TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX admin_sessions_by_token ON admin_sessions (token_digest, created_at);

CREATE INDEX admin_sessions_expiry ON admin_sessions (expires_at);

CREATE TABLE admin_tokens (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'support', 'read')),
  digest TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  previous_digest TEXT,
  previous_until INTEGER,
  disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
  expires_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX admin_tokens_previous ON admin_tokens (previous_digest) WHERE previous_digest IS NOT NULL;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  digest TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  name TEXT NOT NULL,
  models TEXT NOT NULL,
  tools TEXT NOT NULL,
  ip_allowlist TEXT NOT NULL,
  group_name TEXT,
  quota_units INTEGER,
  used_units INTEGER NOT NULL CHECK (used_units >= 0),
  rate_per_minute INTEGER,
  webhook_secret TEXT NOT NULL,
  disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
  expires_at INTEGER,
  created_at INTEGER NOT NULL
, previous_digest TEXT, previous_until INTEGER, previous_webhook_secret TEXT, previous_webhook_until INTEGER) STRICT;

CREATE INDEX api_keys_by_user ON api_keys (user_id);

CREATE UNIQUE INDEX api_keys_previous ON api_keys (previous_digest) WHERE previous_digest IS NOT NULL;

CREATE TRIGGER api_keys_changed AFTER UPDATE OF id, user_id, digest, hint, name, models, tools, ip_allowlist,
  group_name, quota_units, rate_per_minute, webhook_secret, disabled, expires_at, created_at, previous_digest,
  previous_until, previous_webhook_secret, previous_webhook_until ON api_keys
BEGIN
  UPDATE principals_version SET version = version + 1 WHERE id = 1;
END;

CREATE TRIGGER api_keys_removed AFTER DELETE ON api_keys
BEGIN
  UPDATE principals_version SET version = version + 1 WHERE id = 1;
END;

CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  after_json TEXT NOT NULL
, before_json TEXT NOT NULL DEFAULT 'null', role TEXT, ip TEXT, request_id TEXT, outcome TEXT NOT NULL DEFAULT 'done' CHECK (outcome IN ('done', 'refused')), code TEXT) STRICT;

CREATE INDEX audit_by_actor ON audit (actor);

CREATE INDEX audit_by_request ON audit (request_id) WHERE request_id IS NOT NULL;

CREATE INDEX audit_by_target ON audit (target);

CREATE TABLE callbacks (
  task_id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL,
  url TEXT NOT NULL,
  event_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts TEXT NOT NULL,
  created_at INTEGER NOT NULL
, attempts_total INTEGER NOT NULL DEFAULT 0 CHECK (attempts_total >= 0), redelivered_at TEXT NOT NULL DEFAULT '[]') STRICT, WITHOUT ROWID;

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

CREATE TABLE idempotency (
  key_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  operation TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  task_id TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('reserved', 'accepted', 'refused')),
  reserved_until INTEGER,
  error TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  UNIQUE (key_id, idempotency_key)
) STRICT;

CREATE INDEX idempotency_expiry ON idempotency (expires_at);

CREATE TABLE job_users (
  turn INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  user_id TEXT NOT NULL,
  running INTEGER NOT NULL CHECK (running >= 0),
  due_at INTEGER,
  due INTEGER NOT NULL DEFAULT 0 CHECK (due IN (0, 1) AND (due = 0 OR due_at IS NOT NULL)),
  UNIQUE (kind, user_id)
) STRICT;

CREATE INDEX job_users_later ON job_users (kind, due_at) WHERE due = 0 AND due_at IS NOT NULL;

CREATE INDEX job_users_next ON job_users (kind, running, turn) WHERE due = 1;

CREATE TABLE jobs (
  task_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('image', 'tool', 'callback')),
  user_id TEXT NOT NULL,
  run_at INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  leased_by TEXT,
  leased_until INTEGER, traceparent TEXT,
  CHECK ((leased_by IS NULL) = (leased_until IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_leased ON jobs (leased_until) WHERE leased_by IS NOT NULL;

CREATE INDEX jobs_waiting ON jobs (kind, user_id, run_at) WHERE leased_by IS NULL;

CREATE TRIGGER jobs_added AFTER INSERT ON jobs
BEGIN
  INSERT INTO job_users (kind, user_id, running, due_at)
  VALUES (NEW.kind, NEW.user_id, NEW.leased_by IS NOT NULL, CASE WHEN NEW.leased_by IS NULL THEN NEW.run_at END)
  ON CONFLICT (kind, user_id) DO UPDATE SET running = running + excluded.running,
    due_at = min(coalesce(due_at, excluded.due_at), coalesce(excluded.due_at, due_at));
END;

CREATE TRIGGER jobs_counted_in AFTER INSERT ON jobs BEGIN
  INSERT INTO totals VALUES ('job', NEW.kind, '', 1, 0) ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER jobs_counted_out AFTER DELETE ON jobs BEGIN
  UPDATE totals SET count = count - 1 WHERE counted = 'job' AND kind = OLD.kind AND state = '';
END;

CREATE TRIGGER jobs_ended AFTER DELETE ON jobs WHEN OLD.leased_by IS NOT NULL
BEGIN
  DELETE FROM job_users WHERE kind = OLD.kind AND user_id = OLD.user_id AND running = 1 AND due_at IS NULL;
  UPDATE job_users SET running = running - 1 WHERE kind = OLD.kind AND user_id = OLD.user_id;
END;

CREATE TRIGGER jobs_given_back AFTER UPDATE OF leased_by ON jobs
WHEN OLD.leased_by IS NOT NULL AND NEW.leased_by IS NULL
BEGIN
  UPDATE job_users SET running = running - 1, due_at = min(coalesce(due_at, NEW.run_at), NEW.run_at)
  WHERE kind = NEW.kind AND user_id = NEW.user_id;
END;

CREATE TRIGGER jobs_taken AFTER UPDATE OF leased_by ON jobs WHEN OLD.leased_by IS NULL AND NEW.leased_by IS NOT NULL
BEGIN
  UPDATE job_users SET (due_at, due, running, turn) = (
    SELECT min(run_at), coalesce(min(run_at) <= NEW.leased_until, 0),
      running + 1, (SELECT max(turn) + 1 FROM job_users)
    FROM jobs WHERE kind = NEW.kind AND user_id = NEW.user_id AND leased_by IS NULL
  ) WHERE kind = NEW.kind AND user_id = NEW.user_id;
END;

CREATE TRIGGER jobs_withdrawn AFTER DELETE ON jobs WHEN OLD.leased_by IS NULL
BEGIN
  UPDATE job_users SET (due_at, due) = (
    SELECT min(run_at), CASE WHEN min(run_at) IS NULL THEN 0 ELSE due END
    FROM jobs WHERE kind = OLD.kind AND user_id = OLD.user_id AND leased_by IS NULL
  ) WHERE kind = OLD.kind AND user_id = OLD.user_id;
  DELETE FROM job_users WHERE kind = OLD.kind AND user_id = OLD.user_id AND running = 0 AND due_at IS NULL;
END;

CREATE TABLE ledger (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  phase TEXT CHECK (phase IN ('open', 'close', 'remainder')),
  user_id TEXT NOT NULL,
  key_id TEXT,
  task_id TEXT,
  debit TEXT NOT NULL,
  credit TEXT NOT NULL,
  amount INTEGER NOT NULL CHECK (amount >= 0),
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  CHECK (
    CASE kind
      WHEN 'grant' THEN debit = 'granted' AND credit = 'wallet'
      WHEN 'hold' THEN debit = 'wallet' AND credit = 'held' AND phase = 'open' AND id = 'hold:' || task_id
      WHEN 'settle' THEN debit = 'held' AND credit = 'spent'
      WHEN 'release' THEN debit = 'held' AND credit = 'wallet'
      ELSE 0
    END
  ),
  CHECK ((phase IS NULL) = (task_id IS NULL))
) STRICT;

CREATE INDEX ledger_by_user ON ledger (user_id);

CREATE UNIQUE INDEX ledger_id ON ledger (id) WHERE kind <> 'hold';

CREATE UNIQUE INDEX ledger_once ON ledger (task_id, phase) WHERE phase IS NOT NULL;

CREATE TRIGGER ledger_counted AFTER INSERT ON ledger BEGIN
  INSERT INTO totals VALUES ('transfer', NEW.kind, '', 1, NEW.amount)
    ON CONFLICT DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
END;

CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE principals_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;

CREATE TABLE settings (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE small_blobs (
  key TEXT PRIMARY KEY,
  content TEXT NOT NULL
) STRICT;

CREATE TABLE task_images (
  task_id TEXT PRIMARY KEY,
  images TEXT NOT NULL
) STRICT;

CREATE TABLE tasks (
  sequence INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('image', 'tool')),
  user_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  subject TEXT NOT NULL,
  state TEXT NOT NULL,
  finished INTEGER NOT NULL CHECK (finished IN (0, 1)),
  version INTEGER NOT NULL,
  idempotency_key TEXT,
  held INTEGER NOT NULL,
  charged INTEGER NOT NULL,
  released INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  deadline_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  file_id TEXT,
  purged INTEGER NOT NULL CHECK (purged IN (0, 1)),
  job_id TEXT,
  detail TEXT NOT NULL
, request_id TEXT) STRICT;

CREATE INDEX tasks_by_idempotency_key ON tasks (idempotency_key) WHERE idempotency_key IS NOT NULL;

CREATE INDEX tasks_by_job ON tasks (key_id, job_id) WHERE job_id IS NOT NULL;

CREATE INDEX tasks_by_key ON tasks (key_id, kind, state);

CREATE INDEX tasks_by_model ON tasks (subject);

CREATE INDEX tasks_by_request ON tasks (request_id) WHERE request_id IS NOT NULL;

CREATE INDEX tasks_by_state ON tasks (kind, state);

CREATE INDEX tasks_by_subject ON tasks (key_id, kind, subject);

CREATE INDEX tasks_by_user ON tasks (user_id, kind, state);

CREATE INDEX tasks_deadline ON tasks (deadline_at) WHERE finished = 0;

CREATE INDEX tasks_expiry ON tasks (expires_at) WHERE purged = 0 AND file_id IS NOT NULL;

CREATE INDEX tasks_failed_by_model ON tasks (subject) WHERE state = 'failed';

CREATE INDEX tasks_of_file ON tasks (file_id) WHERE finished = 0 AND file_id IS NOT NULL;

CREATE TRIGGER tasks_counted_in AFTER INSERT ON tasks BEGIN
  INSERT INTO totals VALUES ('task', NEW.kind, NEW.state, 1, 0) ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER tasks_counted_out AFTER DELETE ON tasks BEGIN
  UPDATE totals SET count = count - 1 WHERE counted = 'task' AND kind = OLD.kind AND state = OLD.state;
END;

CREATE TRIGGER tasks_counted_over AFTER UPDATE OF state ON tasks WHEN OLD.state <> NEW.state BEGIN
  UPDATE totals SET count = count - 1 WHERE counted = 'task' AND kind = OLD.kind AND state = OLD.state;
  INSERT INTO totals VALUES ('task', NEW.kind, NEW.state, 1, 0) ON CONFLICT DO UPDATE SET count = count + 1;
END;

CREATE TRIGGER tasks_finished AFTER UPDATE OF finished ON tasks
  WHEN OLD.finished = 0 AND NEW.finished = 1 AND EXISTS (SELECT 1 FROM finished_listeners)
BEGIN
  INSERT INTO finished_tasks (task_id, due_at, created_at)
    VALUES (NEW.id, CAST(unixepoch('subsec') * 1000 AS INTEGER), CAST(unixepoch('subsec') * 1000 AS INTEGER));
END;

CREATE TABLE tool_files (
  id TEXT PRIMARY KEY,
  tool_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('uploading', 'ready', 'deleting', 'deleted')),
  blob TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX tool_files_cleanup ON tool_files (status, expires_at) WHERE status <> 'deleted';

CREATE INDEX tool_files_pending ON tool_files (user_id) WHERE status <> 'deleted';

CREATE TABLE totals (
  counted TEXT NOT NULL CHECK (counted IN ('task', 'job', 'transfer')),
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (counted, kind, state)
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER users_changed AFTER UPDATE ON users
BEGIN
  UPDATE principals_version SET version = version + 1 WHERE id = 1;
END;

CREATE TRIGGER users_removed AFTER DELETE ON users
BEGIN
  UPDATE principals_version SET version = version + 1 WHERE id = 1;
END;
