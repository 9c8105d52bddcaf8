/**
 * Who changed what: named admin tokens, and an audit log that says the credential, the address and the request.
 * Keys have a secret that is on its way out beside the present one, for the overlap of a rotation.
 */
export default `
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

ALTER TABLE audit RENAME COLUMN detail TO after_json;
ALTER TABLE audit ADD COLUMN before_json TEXT NOT NULL DEFAULT 'null';
ALTER TABLE audit ADD COLUMN role TEXT;
ALTER TABLE audit ADD COLUMN ip TEXT;
ALTER TABLE audit ADD COLUMN request_id TEXT;
ALTER TABLE audit ADD COLUMN outcome TEXT NOT NULL DEFAULT 'done' CHECK (outcome IN ('done', 'refused'));
ALTER TABLE audit ADD COLUMN code TEXT;
CREATE INDEX audit_by_actor ON audit (actor);
CREATE INDEX audit_by_target ON audit (target);
CREATE INDEX audit_by_request ON audit (request_id) WHERE request_id IS NOT NULL;

ALTER TABLE api_keys ADD COLUMN previous_digest TEXT;
ALTER TABLE api_keys ADD COLUMN previous_until INTEGER;
ALTER TABLE api_keys ADD COLUMN previous_webhook_secret TEXT;
ALTER TABLE api_keys ADD COLUMN previous_webhook_until INTEGER;
CREATE UNIQUE INDEX api_keys_previous ON api_keys (previous_digest) WHERE previous_digest IS NOT NULL;
`
