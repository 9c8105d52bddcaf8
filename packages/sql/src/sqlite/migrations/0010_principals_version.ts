/**
 * Grows with every change that can change what a key may do, whoever makes it: a principal that was read is good while
 * it stands. Counted in the transaction of the change. Only `used_units` is not of a principal: it changes with every
 * submission, and nobody asks a principal for it.
 */
export default `
CREATE TABLE principals_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO principals_version (id, version) VALUES (1, 1);

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

CREATE TRIGGER users_changed AFTER UPDATE ON users
BEGIN
  UPDATE principals_version SET version = version + 1 WHERE id = 1;
END;

CREATE TRIGGER users_removed AFTER DELETE ON users
BEGIN
  UPDATE principals_version SET version = version + 1 WHERE id = 1;
END;
`
