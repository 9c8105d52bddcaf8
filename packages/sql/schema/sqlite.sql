CREATE TABLE accounts (
  user_id TEXT PRIMARY KEY,
  wallet INTEGER NOT NULL DEFAULT 0 CHECK (wallet >= 0),
  held INTEGER NOT NULL DEFAULT 0 CHECK (held >= 0),
  spent INTEGER NOT NULL DEFAULT 0 CHECK (spent >= 0),
  granted INTEGER NOT NULL DEFAULT 0 CHECK (granted >= 0)
) STRICT, WITHOUT ROWID;

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
) STRICT;

CREATE INDEX api_keys_by_user ON api_keys (user_id);

CREATE TABLE audit (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  detail TEXT NOT NULL
) STRICT;

CREATE TABLE callbacks (
  task_id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL,
  url TEXT NOT NULL,
  event_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts TEXT NOT NULL,
  created_at INTEGER NOT NULL
, attempts_total INTEGER NOT NULL DEFAULT 0 CHECK (attempts_total >= 0), redelivered_at TEXT NOT NULL DEFAULT '[]') STRICT, WITHOUT ROWID;

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

CREATE TABLE jobs (
  task_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('image', 'tool', 'callback')),
  user_id TEXT NOT NULL,
  run_at INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  lost INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  leased_by TEXT,
  leased_until INTEGER,
  CHECK ((leased_by IS NULL) = (leased_until IS NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_leased ON jobs (leased_until) WHERE leased_by IS NOT NULL;

CREATE INDEX jobs_ready ON jobs (kind, run_at) WHERE leased_by IS NULL;

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

CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TABLE settings (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

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

CREATE INDEX tasks_by_job ON tasks (key_id, job_id) WHERE job_id IS NOT NULL;

CREATE INDEX tasks_by_key ON tasks (key_id, kind, state);

CREATE INDEX tasks_by_request ON tasks (request_id) WHERE request_id IS NOT NULL;

CREATE INDEX tasks_by_state ON tasks (kind, state);

CREATE INDEX tasks_by_subject ON tasks (key_id, kind, subject);

CREATE INDEX tasks_by_user ON tasks (user_id, kind, state);

CREATE INDEX tasks_deadline ON tasks (deadline_at) WHERE finished = 0;

CREATE INDEX tasks_expiry ON tasks (expires_at) WHERE purged = 0 AND file_id IS NOT NULL;

CREATE INDEX tasks_of_file ON tasks (file_id) WHERE finished = 0 AND file_id IS NOT NULL;

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

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  disabled INTEGER NOT NULL CHECK (disabled IN (0, 1)),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
