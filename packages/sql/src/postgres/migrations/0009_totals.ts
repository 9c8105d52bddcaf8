/**
 * As on SQLite, but a row that every submission changes would make them wait for each other: each change adds a row
 * of its own to `total_deltas`, and what is there is folded into `total_sums` now and then (decision 15).
 */
export default `
CREATE TABLE total_sums (
  counted TEXT COLLATE "C" NOT NULL CHECK (counted IN ('task', 'job', 'transfer')),
  kind TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  count BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  PRIMARY KEY (counted, kind, state)
);
CREATE TABLE total_deltas (
  counted TEXT COLLATE "C" NOT NULL,
  kind TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL,
  count BIGINT NOT NULL,
  amount BIGINT NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
CREATE VIEW totals AS SELECT * FROM total_sums UNION ALL SELECT * FROM total_deltas;

CREATE FUNCTION count_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO total_deltas VALUES ('task', NEW.kind, NEW.state, 1, 0);
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO total_deltas VALUES ('task', OLD.kind, OLD.state, -1, 0);
  ELSE
    INSERT INTO total_deltas VALUES ('task', OLD.kind, OLD.state, -1, 0), ('task', NEW.kind, NEW.state, 1, 0);
  END IF;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_job() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO total_deltas VALUES ('job', NEW.kind, '', 1, 0);
  ELSE
    INSERT INTO total_deltas VALUES ('job', OLD.kind, '', -1, 0);
  END IF;
  RETURN NULL;
END
$$;
CREATE FUNCTION count_transfer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO total_deltas VALUES ('transfer', NEW.kind, '', 1, NEW.amount);
  RETURN NULL;
END
$$;

CREATE TRIGGER tasks_counted AFTER INSERT OR DELETE ON tasks FOR EACH ROW EXECUTE FUNCTION count_task();
CREATE TRIGGER tasks_counted_over AFTER UPDATE OF state ON tasks FOR EACH ROW
  WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION count_task();
CREATE TRIGGER jobs_counted AFTER INSERT OR DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION count_job();
CREATE TRIGGER ledger_counted AFTER INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION count_transfer();

INSERT INTO total_sums SELECT 'task', kind, state, count(*), 0 FROM tasks GROUP BY kind, state;
INSERT INTO total_sums SELECT 'job', kind, '', count(*), 0 FROM jobs GROUP BY kind;
INSERT INTO total_sums SELECT 'transfer', kind, '', count(*), sum(amount) FROM ledger GROUP BY kind;
`
