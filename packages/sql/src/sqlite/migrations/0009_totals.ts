/**
 * How many tasks, jobs and transfers there are, and the units of the transfers: kept by triggers, in the transaction
 * that writes the rows, whoever writes them (decision 15). `state` is empty where there is none.
 */
export default `
CREATE TABLE totals (
  counted TEXT NOT NULL CHECK (counted IN ('task', 'job', 'transfer')),
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  count INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (counted, kind, state)
) STRICT, WITHOUT ROWID;

INSERT INTO totals SELECT 'task', kind, state, count(*), 0 FROM tasks GROUP BY kind, state;
INSERT INTO totals SELECT 'job', kind, '', count(*), 0 FROM jobs GROUP BY kind;
INSERT INTO totals SELECT 'transfer', kind, '', count(*), sum(amount) FROM ledger GROUP BY kind;

CREATE TRIGGER tasks_counted_in AFTER INSERT ON tasks BEGIN
  INSERT INTO totals VALUES ('task', NEW.kind, NEW.state, 1, 0) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tasks_counted_over AFTER UPDATE OF state ON tasks WHEN OLD.state <> NEW.state BEGIN
  UPDATE totals SET count = count - 1 WHERE counted = 'task' AND kind = OLD.kind AND state = OLD.state;
  INSERT INTO totals VALUES ('task', NEW.kind, NEW.state, 1, 0) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER tasks_counted_out AFTER DELETE ON tasks BEGIN
  UPDATE totals SET count = count - 1 WHERE counted = 'task' AND kind = OLD.kind AND state = OLD.state;
END;
CREATE TRIGGER jobs_counted_in AFTER INSERT ON jobs BEGIN
  INSERT INTO totals VALUES ('job', NEW.kind, '', 1, 0) ON CONFLICT DO UPDATE SET count = count + 1;
END;
CREATE TRIGGER jobs_counted_out AFTER DELETE ON jobs BEGIN
  UPDATE totals SET count = count - 1 WHERE counted = 'job' AND kind = OLD.kind AND state = '';
END;
CREATE TRIGGER ledger_counted AFTER INSERT ON ledger BEGIN
  INSERT INTO totals VALUES ('transfer', NEW.kind, '', 1, NEW.amount)
    ON CONFLICT DO UPDATE SET count = count + 1, amount = amount + excluded.amount;
END;
`
