/**
 * Sessions of the console, and what its search needs: tasks by model or tool, and by idempotency key, of all users.
 */
export default `
CREATE TABLE admin_sessions (
  digest TEXT PRIMARY KEY,
  token_digest TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX admin_sessions_by_token ON admin_sessions (token_digest, created_at);
CREATE INDEX admin_sessions_expiry ON admin_sessions (expires_at);

CREATE INDEX tasks_by_model ON tasks (subject);
CREATE INDEX tasks_by_idempotency_key ON tasks (idempotency_key) WHERE idempotency_key IS NOT NULL;
`
