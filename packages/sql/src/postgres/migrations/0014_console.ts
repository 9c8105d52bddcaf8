/** The same as on SQLite; an index names the sequence in whose order its rows are read. */
export default `
CREATE TABLE admin_sessions (
  digest TEXT COLLATE "C" PRIMARY KEY,
  token_digest TEXT COLLATE "C" NOT NULL,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL
);
CREATE INDEX admin_sessions_by_token ON admin_sessions (token_digest, created_at);
CREATE INDEX admin_sessions_expiry ON admin_sessions (expires_at);

CREATE INDEX tasks_by_model ON tasks (subject, sequence);
CREATE INDEX tasks_by_idempotency_key ON tasks (idempotency_key, sequence) WHERE idempotency_key IS NOT NULL;
`
