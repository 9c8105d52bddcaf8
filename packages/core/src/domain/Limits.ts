import * as Context from "effect/Context"

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const MiB = 1024 * 1024

/** Every limit of the service, unit last, with the clause that it comes from. */
export interface Limits {
  /** Image tasks not final this long after acceptance fail with `timeout` (contract, Images). */
  readonly image_task_deadline_ms: number
  /** A task whose upstream state stays unknown fails after this (contract, Images). */
  readonly image_unknown_deadline_ms: number
  /** Copying of generated images is retried this long (contract, Images). */
  readonly image_archive_deadline_ms: number
  /** contract, Later decisions: image tasks of a user that are not final. */
  readonly image_tasks_per_user_max: number
  /** contract, Later decisions: an image that is sent to be edited, and all of a request together. */
  readonly edit_image_bytes_max: number
  readonly edit_images_bytes_max: number
  /** Images of a user's edits that are not final, which are kept until then. */
  readonly held_images_bytes_per_user_max: number
  /** Largest generated image that is archived. */
  readonly image_bytes_max: number
  /** Longest wait of the synchronous endpoint (contract, Images). */
  readonly image_sync_timeout_ms: number
  /** document-tools 8: processing time after acceptance. */
  readonly tool_task_deadline_ms: number
  /** document-tools 8: result retention, from submission. */
  readonly tool_result_retention_ms: number
  /** document-tools 8: file retention, from upload. */
  readonly tool_file_retention_ms: number
  /** document-tools 8: upload size; a tool may set less. */
  readonly tool_file_bytes_max: number
  /** document-tools 8: a single result. */
  readonly tool_result_bytes_max: number
  /** Uploads and results up to this size are held in memory and stored in the database; larger ones in files. */
  readonly small_document_bytes_max: number
  /** document-tools 8: pending-cleanup files per user. */
  readonly tool_files_per_user_max: number
  /** document-tools 8: running or queued tasks per user. */
  readonly tool_tasks_per_user_max: number
  /** document-tools 8: tool task list. */
  readonly tool_task_list_max: number
  /** Longest stored file name (contract, Tools). */
  readonly filename_bytes_max: number
  /** image-tasks 8 and contract, Tools: idempotency record retention. */
  readonly idempotency_retention_ms: number
  /** A key reserved by a process that died stays locked no longer than this (contract, Images). */
  readonly idempotency_reservation_ms: number
  /** contract, Admin credentials: how long the previous secret stays valid after a rotation, by default and at most. */
  readonly rotation_overlap_ms: number
  readonly rotation_overlap_longest_ms: number
  /** How long a sign-in to the console lasts. */
  readonly admin_session_ms: number
  /** Refused credentials from one address: requests a minute and a burst that are answered 401; after that 429. */
  readonly auth_failures_per_minute: number
  readonly auth_failures_burst: number
  /**
   * A worker that is silent this long loses its jobs; short enough that recovery including a restart takes less
   * than 10 s.
   */
  readonly job_lease_ms: number
  /** A task fails when the process that ran its job died this many times. */
  readonly job_losses_max: number
  /**
   * How often the queue polls for jobs that it was not notified of: on SQLite, those of other processes on the same
   * file.
   */
  readonly queue_poll_ms: number
  /** Concurrent jobs of one kind in a process. */
  readonly image_jobs_concurrent_max: number
  readonly tool_jobs_concurrent_max: number
  /** How long a stopping process waits for its jobs before it hands them back (contract, Running it). */
  readonly drain_ms: number
  readonly callback_jobs_concurrent_max: number
  /** Time limit for the body of an application's transaction: on SQLite all other writers wait for it. */
  readonly transaction_body_ms: number
  /** How long a notice of a final task waits for the application that listens. */
  readonly finished_notice_retention_ms: number
  /**
   * How long a task stays after it is final, with its results; then it is removed, and the ledger and the balances stay.
   * 0: forever.
   */
  readonly finished_task_retention_ms: number
  /** contract, Waiting: how long a callback is retried. */
  readonly callback_deadline_ms: number
  /** Attempts of one callback that are kept; older ones are only counted, so that its row does not grow. */
  readonly callback_attempts_kept_max: number
  /** Redeliveries of one task's callback that its key may request, so that one image cannot flood a server. */
  readonly callback_redeliveries_per_minute_max: number
  readonly callback_redeliveries_per_day_max: number
  /** contract, Limits and rates: requests a minute for each key, and its burst. */
  readonly rate_per_minute: number
  readonly rate_burst: number
  /** contract, Limits and rates: JSON bodies. */
  readonly json_body_bytes_max: number
  readonly json_body_blend_bytes_max: number
  /** Limits on the structure of a JSON body: nesting, values of any type, members of all objects, escaped characters. */
  readonly json_depth_max: number
  readonly json_values_max: number
  readonly json_keys_max: number
  readonly json_escapes_max: number
  /**
   * contract, Later decisions (503 `overloaded`): submissions are shed when the delay of the event loop, or of the
   * longest-waiting transaction, stayed above this for the whole window.
   */
  readonly overload_delay_ms: number
  readonly overload_window_ms: number
  /** Waiting transactions; beyond this many, submissions are shed whatever the delay. */
  readonly transactions_waiting_max: number
  /** How long a refusal is delayed when there are many, and how many are delayed at once. */
  readonly refusal_hold_ms: number
  readonly refusals_held_max: number
  /** Memory held by bodies that are arriving or in use: for a process, and for a key. */
  readonly bodies_bytes_max: number
  readonly bodies_bytes_per_key_max: number
  /** Bodies of a key that are arriving at once. */
  readonly bodies_arriving_per_key_max: number
  /** The minimum number of bytes of a body that must arrive in each period of this length. */
  readonly body_window_bytes_min: number
  readonly body_window_ms: number
  /** Time limits for the headers of a request, and for the whole request. */
  readonly headers_ms_max: number
  readonly request_ms_max: number
  /** Open connections: for a process, and for an address that is not a trusted proxy. */
  readonly connections_max: number
  readonly connections_per_address_max: number
  /** Event streams and waiting readers: for a process, and for a key. */
  readonly readers_max: number
  readonly readers_per_key_max: number
  /** Memory for caches: principals, and final tasks as they are sent. 0: nothing is cached. */
  readonly principals_bytes_max: number
  readonly final_tasks_bytes_max: number
}

export const defaults: Limits = {
  image_task_deadline_ms: hour,
  image_unknown_deadline_ms: day,
  image_archive_deadline_ms: day,
  image_tasks_per_user_max: 1000,
  edit_image_bytes_max: 20 * MiB,
  edit_images_bytes_max: 50 * MiB,
  held_images_bytes_per_user_max: 1024 * MiB,
  image_bytes_max: 64 * MiB,
  image_sync_timeout_ms: 300 * second,
  tool_task_deadline_ms: 300 * second,
  tool_result_retention_ms: 2 * hour,
  tool_file_retention_ms: 2 * hour,
  tool_file_bytes_max: 10 * MiB,
  tool_result_bytes_max: 20 * MiB,
  small_document_bytes_max: 64 * 1024,
  tool_files_per_user_max: 20,
  tool_tasks_per_user_max: 4,
  tool_task_list_max: 100,
  filename_bytes_max: 255,
  idempotency_retention_ms: 7 * day,
  idempotency_reservation_ms: 30 * second,
  rotation_overlap_ms: day,
  rotation_overlap_longest_ms: 30 * day,
  admin_session_ms: 12 * hour,
  auth_failures_per_minute: 60,
  auth_failures_burst: 120,
  job_lease_ms: 6 * second,
  job_losses_max: 10,
  queue_poll_ms: second,
  image_jobs_concurrent_max: 16,
  tool_jobs_concurrent_max: 8,
  callback_jobs_concurrent_max: 16,
  transaction_body_ms: 3 * second,
  finished_notice_retention_ms: 30 * day,
  finished_task_retention_ms: 0,
  callback_deadline_ms: day,
  callback_attempts_kept_max: 20,
  callback_redeliveries_per_minute_max: 5,
  callback_redeliveries_per_day_max: 20,
  drain_ms: 8 * second,
  rate_per_minute: 600,
  rate_burst: 120,
  json_body_bytes_max: 256 * 1024,
  json_body_blend_bytes_max: 16 * MiB,
  json_depth_max: 64,
  json_values_max: 10_000,
  json_keys_max: 1000,
  json_escapes_max: 500_000,
  overload_delay_ms: 200,
  overload_window_ms: 300,
  transactions_waiting_max: 1000,
  refusal_hold_ms: second,
  refusals_held_max: 1024,
  bodies_bytes_max: 48 * MiB,
  bodies_bytes_per_key_max: 32 * MiB,
  bodies_arriving_per_key_max: 128,
  body_window_bytes_min: 8 * 1024,
  body_window_ms: 10 * second,
  headers_ms_max: 10 * second,
  request_ms_max: 300 * second,
  connections_max: 4096,
  connections_per_address_max: 1024,
  readers_max: 2048,
  readers_per_key_max: 128,
  principals_bytes_max: 8 * MiB,
  final_tasks_bytes_max: 16 * MiB,
}

/**
 * Limits on what an upstream or a tool may write into a task: pages read up to a hundred tasks at once, and
 * channels and executors may be plugins.
 */
export const failureMessageCharsMax = 1000
export const warningsMax = 100
export const generatedImagesMax = 64
export const generatedTextCharsMax = 100_000
/** An upstream's id of a task or a step; Postgres can index at most about 2,700 bytes. */
export const upstreamIdCharsMax = 512
/** Longest delay that an upstream or a tool may ask for before a retry. */
export const retryDelayMillisMax = hour

/** A handler of final tasks that failed is called again after the first of these, doubled each time up to the second. */
export const finishedRetryMillisMin = second
export const finishedRetryMillisMax = hour
/** Sessions of one admin token; opening another one ends the oldest. */
export const adminSessionsMax = 100

/** How soon every process knows that an operator paused or resumed a channel. */
export const pausesStaleMillis = second

/** contract, Waiting: the last position in the queue that is told; beyond it the position is null. */
export const queuePositionMax = 100
/** contract, Waiting: the longest `Retry-After` of a task that is not final. */
export const pollSecondsMax = 30

/** Longest request id: this service's own have 30 characters; embedders may use their own. */
export const requestIdCharsMax = 128

/** The limits in force: the defaults unless the operator's configuration lowers or raises one. */
export const Limits = Context.Reference<Limits>("@atelier/core/domain/Limits", {
  defaultValue: () => defaults,
})
