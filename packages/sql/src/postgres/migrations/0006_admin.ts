/** The same as on SQLite; an index names the sequence in whose order its rows are read. */
export default `
CREATE TABLE admin_tokens (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  role TEXT COLLATE "C" NOT NULL CHECK (role IN ('owner', 'support', 'read')),
  digest TEXT COLLATE "C" NOT NULL UNIQUE,
  hint TEXT COLLATE "C" NOT NULL,
  previous_digest TEXT COLLATE "C",
  previous_until BIGINT,
  disabled BIGINT NOT NULL CHECK (disabled IN (0, 1)),
  expires_at BIGINT,
  created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX admin_tokens_previous ON admin_tokens (previous_digest) WHERE previous_digest IS NOT NULL;

ALTER TABLE audit RENAME COLUMN detail TO after_json;
ALTER TABLE audit ADD COLUMN before_json TEXT COLLATE "C" NOT NULL DEFAULT 'null';
ALTER TABLE audit ADD COLUMN role TEXT COLLATE "C";
ALTER TABLE audit ADD COLUMN ip TEXT COLLATE "C";
ALTER TABLE audit ADD COLUMN request_id TEXT COLLATE "C";
ALTER TABLE audit ADD COLUMN outcome TEXT COLLATE "C" NOT NULL DEFAULT 'done' CHECK (outcome IN ('done', 'refused'));
ALTER TABLE audit ADD COLUMN code TEXT COLLATE "C";
CREATE INDEX audit_by_actor ON audit (actor, sequence);
CREATE INDEX audit_by_target ON audit (target, sequence);
CREATE INDEX audit_by_request ON audit (request_id, sequence) WHERE request_id IS NOT NULL;

ALTER TABLE api_keys ADD COLUMN previous_digest TEXT COLLATE "C";
ALTER TABLE api_keys ADD COLUMN previous_until BIGINT;
ALTER TABLE api_keys ADD COLUMN previous_webhook_secret TEXT COLLATE "C";
ALTER TABLE api_keys ADD COLUMN previous_webhook_until BIGINT;
CREATE UNIQUE INDEX api_keys_previous ON api_keys (previous_digest) WHERE previous_digest IS NOT NULL;
`
