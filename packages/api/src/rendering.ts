import {
  type HistoryEntry,
  type ImageAsset,
  type ImageState,
  type ImageTask,
  type Task,
  type ToolTask,
  transferKindOf,
} from "@atelier/core"
import type { WireQueue } from "./WireCommon.ts"
import type { WireImageAsset, WireImageTask } from "./WireImageTask.ts"
import type { WireHistoryEntry, WireTask, WireTaskState } from "./WireTask.ts"
import type { WireToolTask } from "./WireToolTask.ts"

/** Where a queued task stands. */
interface QueuePlace {
  readonly position: number | null
  readonly estimatedSeconds: number | null
}

/** Unix milliseconds to the Unix seconds of every body (contract, Names). */
export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)
export const secondsOrNull = (milliseconds: number | null): number | null =>
  milliseconds === null ? null : seconds(milliseconds)

/** `archiving` is the part of `in_progress` in which images are copied (image-tasks 3). */
const imageStates: { readonly [S in ImageState]: WireImageTask["state"] } = {
  queued: "queued",
  in_progress: "in_progress",
  archiving: "in_progress",
  unknown: "unknown",
  completed: "completed",
  failed: "failed",
}

/** The status for older clients (contract, Images). */
const imageStatuses: { readonly [S in ImageState]: WireImageTask["status"] } = {
  queued: "QUEUED",
  in_progress: "IN_PROGRESS",
  archiving: "IN_PROGRESS",
  unknown: "UNKNOWN",
  completed: "SUCCESS",
  failed: "FAILURE",
}

/** Stored states that a wire state stands for. */
export const storedStates = (state: WireTaskState): ReadonlyArray<string> =>
  state === "in_progress" ? ["in_progress", "archiving"] : [state]

const wireState = (task: Task, state: string): WireTaskState =>
  (task.kind === "image" ? imageStates[state as ImageState] : state) as WireTaskState

/**
 * A task of either service. `mediaUrl` is where links to archived images start; `place` is where it stands, if it is
 * queued.
 */
export const toWireTask = (task: Task, mediaUrl: string, place?: QueuePlace): WireTask =>
  task.kind === "image" ? toWireImageTask(task, mediaUrl, place) : toWireToolTask(task, place)

const queueOf = (place: QueuePlace | undefined): { readonly queue: WireQueue } | undefined =>
  place === undefined
    ? undefined
    : { queue: { position: place.position, estimated_seconds: place.estimatedSeconds } }

export const toWireImageTask = (task: ImageTask, mediaUrl: string, place?: QueuePlace): WireImageTask => ({
  id: task.id,
  task_id: task.id,
  object: "image.task",
  model: task.request.model,
  state: imageStates[task.state],
  status: imageStatuses[task.state],
  progress: task.progress,
  ...queueOf(place),
  ...(task.state === "completed" ? imageResult(task, mediaUrl) : undefined),
  error: task.error,
  usage: { images: task.result?.assets.length ?? 0, input_images: task.request.images.length },
  billing: { held: task.held, charged: task.charged, released: task.released },
  warnings: task.warnings,
  created_at: seconds(task.createdAt),
  started_at: secondsOrNull(task.startedAt),
  finished_at: secondsOrNull(task.finishedAt),
  expires_at: seconds(task.expiresAt),
})

/** No address is shown before the task is completed: until then copies may be missing (image-tasks 3). */
const imageResult = ({ result }: ImageTask, mediaUrl: string) => {
  if (result === null) return undefined
  const assets = result.assets.map((asset) => toWireAsset(asset, mediaUrl))
  const first = assets[0]
  return {
    ...(first === undefined ? undefined : { result_url: first.url }),
    assets,
    data: {
      results: assets,
      ...(result.jobId === null ? undefined : { job_id: result.jobId }),
      ...(result.text === null ? undefined : { text: result.text }),
      ...(result.seed === null ? undefined : { seed: result.seed }),
    },
  }
}

const toWireAsset = (asset: ImageAsset, mediaUrl: string): WireImageAsset => ({
  url: asset.blob === null ? (asset.url ?? "") : `${mediaUrl}/${asset.blob}`,
  content_type: asset.contentType,
  width: asset.width,
  height: asset.height,
  bytes: asset.bytes,
})

export const toWireToolTask = (task: ToolTask, place?: QueuePlace): WireToolTask => ({
  id: task.id,
  task_id: task.id,
  object: "tool.task",
  tool_id: task.toolId,
  file_id: task.fileId,
  output_formats: task.outputFormats,
  status: task.state,
  ...queueOf(place),
  error: task.error,
  warnings: task.warnings,
  billing: { pre_deducted: task.held, charged: task.charged, refunded: task.released },
  created_at: seconds(task.createdAt),
  started_at: secondsOrNull(task.startedAt),
  finished_at: secondsOrNull(task.finishedAt),
  expires_at: seconds(task.expiresAt),
})

/** The amount of each transfer follows from the task (contract, Money). */
export const toWireHistory = (task: Task, entry: HistoryEntry): WireHistoryEntry => ({
  event: entry.event,
  from: entry.from === null ? null : wireState(task, entry.from),
  to: wireState(task, entry.to),
  transfers: entry.transfers.flatMap((id) => {
    const kind = transferKindOf(id)
    if (kind === undefined || kind === "grant") return []
    return [{ id, kind, amount: { hold: task.held, settle: task.charged, release: task.released }[kind] }]
  }),
  request_id: entry.requestId ?? null,
  occurred_at: seconds(entry.at),
})
