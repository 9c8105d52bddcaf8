import { type Fault, faultsOf } from "./fault.ts"

const stores = ["packages/sql/test/stores", "packages/sql/test/failAt", "test/services"]

/** What the stores write, and who may. */
export const sql: ReadonlyArray<Fault> = [
  ...faultsOf("packages/sql/src/SqlTaskStore.ts", stores, [
    [
      "a task is written over a newer version",
      "WHERE id = ? AND version = ? AND (finished = 0 OR state = ?)",
      "WHERE id = ? AND ? >= 0 AND (finished = 0 OR state = ?)",
    ],
    [
      "a final state changes",
      "AND (finished = 0 OR state = ?) RETURNING version",
      "AND ? <> '' RETURNING version",
    ],
    [
      "final tasks are found past their deadline",
      "WHERE finished = 0 AND deadline_at <= ?",
      "WHERE deadline_at <= ?",
    ],
    ["a job id of another key is found", "WHERE key_id = ? AND job_id = ?", "WHERE ? <> '' AND job_id = ?"],
    [
      "a final task keeps its file",
      "WHERE finished = 0 AND file_id = ? LIMIT 1",
      "WHERE file_id = ? LIMIT 1",
    ],
  ]),
  ...faultsOf("packages/sql/src/ledgerPosting.ts", stores, [
    [
      "a wallet goes below zero",
      "image_tasks = image_tasks + ? WHERE user_id = ? AND wallet >= ?",
      "image_tasks = image_tasks + ? WHERE user_id = ? AND ? >= 0",
    ],
    [
      "more is settled than is held",
      "spent = spent + ?, image_tasks = image_tasks + ? WHERE user_id = ? AND held >= ?",
      "spent = spent + ?, image_tasks = image_tasks + ? WHERE user_id = ? AND ? >= 0",
    ],
    [
      "a released fee stays counted against the key",
      'if (keyId !== null && kind === "release") yield* giveBackKey([amount, keyId])',
      "",
    ],
    [
      "a key's quota is not looked at",
      "WHERE id = ? AND (quota_units IS NULL OR used_units + ? <= quota_units) RETURNING id",
      "WHERE id = ? AND ? >= 0 RETURNING id",
    ],
    ["transfers are not appended", "yield* append(entryParams(transfer))", ""],
  ]),
  ...faultsOf("packages/sql/src/SqlLedgerStore.ts", stores, [
    ["a refused key keeps the wallet's money", "yield* release(transfer)\n", ""],
  ]),
  ...faultsOf("packages/sql/src/SqlIdempotencyStore.ts", stores, [
    ["a record is kept forever", "idempotency_key = ? AND expires_at > ?", "idempotency_key = ? AND ? > 0"],
    [
      "a reservation is kept forever",
      "AND (reserved_until IS NULL OR reserved_until > ?)",
      "AND (reserved_until IS NULL OR ? > 0)",
    ],
    [
      "another request's reservation is taken over",
      "OR (idempotency.outcome = 'reserved' AND idempotency.task_id = excluded.task_id)",
      "OR idempotency.outcome = 'reserved'",
    ],
    ["an accepted record is released", "AND task_id = ? AND outcome = 'reserved'`", "AND task_id = ?`"],
  ]),
  ...faultsOf("packages/sql/src/SqlFileStore.ts", stores, [
    [
      "a file's status changes whatever it was",
      "SET status = ? WHERE id = ? AND status = ? RETURNING id",
      "SET status = ? WHERE id = ? AND ? <> '' RETURNING id",
    ],
    ["an upload that is complete is discarded", "WHERE id = ? AND status = 'uploading'\",", 'WHERE id = ?",'],
    [
      "files of others are counted",
      "count(*) AS count FROM tool_files WHERE status <> 'deleted' AND user_id = ?",
      "count(*) AS count FROM tool_files WHERE status <> 'deleted' AND ? <> ''",
    ],
    [
      "held images of others are counted",
      "AS bytes FROM tool_files WHERE status <> 'deleted' AND user_id = ?",
      "AS bytes FROM tool_files WHERE status <> 'deleted' AND ? <> ''",
    ],
  ]),
  ...faultsOf("packages/sql/src/sqlite/SqliteQueue.ts", stores, [
    [
      "a lease's epoch does not count",
      'const held = "task_id = ? AND epoch = ? AND leased_by = ?"',
      'const held = "task_id = ? AND ? >= 0 AND leased_by = ?"',
    ],
    ["a takeover keeps the epoch", "leased_until = ?, epoch = epoch + 1,", "leased_until = ?,"],
    [
      "a lease is extended for another process",
      "WHERE leased_by = ? AND task_id IN (SELECT value FROM json_each(?))",
      "WHERE ? <> '' AND task_id IN (SELECT value FROM json_each(?))",
    ],
    ["users do not take turns", "ORDER BY running, turn LIMIT 1`", "ORDER BY due_at LIMIT 1`"],
    ["losses are not counted", "lost = lost + (leased_by IS NOT NULL)", "lost = lost"],
    [
      "an application's transaction begins the task that it submits",
      'kind === "callback" || depth !== 0',
      'kind === "callback"',
      ["packages/sql/test/leasedAsAdded"],
    ],
    [
      "a place is not given back where the lease of a new job is undone",
      "connection.onUndone(server.leave)",
      "",
      ["packages/sql/test/leasedAsAdded"],
    ],
  ]),
]
