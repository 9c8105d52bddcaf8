import type { KeyId, TaskId } from "./Ids.ts"

/** One delivery attempt. Unix milliseconds; `status` is null where no answer came. */
export interface CallbackAttempt {
  readonly at: number
  readonly status: number | null
  readonly error: string | null
  readonly durationMs: number
}

/** The delivery of a task's final state to its `callback_url` (contract, Waiting: callbacks). */
export interface CallbackDelivery {
  readonly taskId: TaskId
  readonly keyId: KeyId
  readonly url: string
  /** The same in every attempt: receivers recognise repetitions by it (`webhook-id`). */
  readonly eventId: `evt_${string}`
  readonly state: "pending" | "delivered" | "failed"
  /** The newest `callback_attempts_kept_max`, oldest first. */
  readonly attempts: ReadonlyArray<CallbackAttempt>
  /** The number of all attempts, including those that are not kept. */
  readonly attemptsTotal: number
  /** When the customer asked for redelivery, oldest first; only the last 24 hours count. */
  readonly redeliveredAt: ReadonlyArray<number>
  readonly createdAt: number
}
