import * as Schema from "effect/Schema"
import { listOf, pageOf, Units, UnixSeconds } from "./WireCommon.ts"
import { WireImageTask } from "./WireImageTask.ts"
import { WireToolTask } from "./WireToolTask.ts"

/** A task of either service; `object` says which. */
export const WireTask = Schema.Union([WireImageTask, WireToolTask]).annotate({
  identifier: "Task",
  description: "A task of either kind: `object` says which.",
})
export type WireTask = typeof WireTask.Type

export const WireTaskPage = pageOf(WireTask).annotate({ identifier: "TaskPage" })

/** States and statuses by which `GET /v1/tasks` filters. */
export const WireTaskState = Schema.Literals([
  "queued",
  "in_progress",
  "completed",
  "failed",
  "unknown",
  "running",
  "succeeded",
])
export type WireTaskState = typeof WireTaskState.Type

/** One transition with the ledger transfers that it made (contract, Waiting: history). */
export const WireHistoryEntry = Schema.Struct({
  event: Schema.String,
  from: Schema.NullOr(WireTaskState),
  to: WireTaskState,
  transfers: Schema.Array(
    Schema.Struct({ id: Schema.String, kind: Schema.Literals(["hold", "settle", "release"]), amount: Units }),
  ),
  request_id: Schema.NullOr(Schema.String),
  occurred_at: UnixSeconds,
}).annotate({
  identifier: "HistoryEntry",
  examples: [
    {
      event: "submit",
      from: null,
      to: "queued",
      transfers: [{ id: "hold:imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5", kind: "hold", amount: 20000 }],
      request_id: "req_01k8a3v5w2x9y7z4q6r8s1t3v5",
      occurred_at: 1767225600,
    },
  ],
  description:
    "`hold` takes the fee from the wallet, `settle` charges it, `release` gives it back. `request_id`: the request that asked for the step, null if the service made it on its own.",
})
export type WireHistoryEntry = typeof WireHistoryEntry.Type

export const WireHistory = listOf(WireHistoryEntry).annotate({ identifier: "History" })

/** The delivery of a task's final state to its `callback_url`, with its newest attempts (contract, Waiting). */
export const WireCallback = Schema.Struct({
  /** `webhook-id` of every attempt. */
  id: Schema.String,
  object: Schema.Literal("callback"),
  task_id: Schema.String,
  url: Schema.String,
  state: Schema.Literals(["pending", "delivered", "failed"]),
  attempts: Schema.Array(
    Schema.Struct({
      status_code: Schema.NullOr(Schema.Int),
      error: Schema.NullOr(Schema.String),
      duration_ms: Schema.Finite,
      attempted_at: UnixSeconds,
    }),
  ),
  /** Attempts that were made; `attempts` lists the newest of them, oldest first. */
  attempts_total: Schema.Int,
  created_at: UnixSeconds,
}).annotate({ identifier: "Callback" })
export type WireCallback = typeof WireCallback.Type

export const WireCallbackList = listOf(WireCallback).annotate({ identifier: "CallbackList" })
