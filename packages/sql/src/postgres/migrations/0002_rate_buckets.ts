/**
 * What every key has left of its rate, and the policy, the wish and the outcome of its last take. SQLite needs
 * none: its one process counts in memory. UNLOGGED, since a take must not wait for the disk: after a crash of
 * Postgres the table is empty, and every bucket full.
 */
export default `
CREATE UNLOGGED TABLE rate_buckets (
  key_id TEXT COLLATE "C" PRIMARY KEY,
  per_minute DOUBLE PRECISION NOT NULL,
  burst DOUBLE PRECISION NOT NULL,
  wanted BIGINT NOT NULL,
  granted BIGINT NOT NULL,
  tokens DOUBLE PRECISION NOT NULL,
  at BIGINT NOT NULL
);
`
