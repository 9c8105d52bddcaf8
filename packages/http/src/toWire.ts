import type {
  WireBalance,
  WireCallback,
  WireGeneration,
  WireHistoryEntry,
  WireImageAsset,
  WireImageSubmission,
  WireImageTask,
  WireModel,
  WireQueue,
  WireQuote,
  WireTask,
  WireTaskState,
  WireTool,
  WireToolFile,
  WireToolTask,
} from "@atelier/api"
import {
  type Account,
  type CallbackDelivery,
  type CompletedGeneration,
  formatUsd,
  type HistoryEntry,
  type ImageAsset,
  type ImageModel,
  type ImageState,
  type ImageTask,
  type PricedImageRequest,
  priceTotal,
  type QueuePlace,
  type Task,
  type ToolEntry,
  type ToolFile,
  type ToolTask,
  transferKindOf,
  type Usd,
} from "@atelier/core"

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

/** The answer of a submission: what it was when it was accepted, also for a repetition (image-tasks 4.5). */
export const toWireSubmission = (task: ImageTask): WireImageSubmission => ({
  task_id: task.id,
  id: task.id,
  object: "image.task",
  state: "queued",
  status: "SUBMITTED",
  model: task.request.model,
  created_at: seconds(task.createdAt),
})

/** image-tasks 4.3: the images in order, as links or in Base64. */
export const toWireGeneration = ({ task, bytes }: CompletedGeneration, mediaUrl: string): WireGeneration => {
  const { created_at, assets = [], usage, warnings, expires_at } = toWireImageTask(task, mediaUrl)
  return {
    created: created_at,
    data:
      bytes === null
        ? assets.map(({ url }) => ({ url }))
        : bytes.map((image) => ({ b64_json: Buffer.from(image).toString("base64") })),
    task_id: task.id,
    expires_at,
    usage,
    warnings,
  }
}

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

export const toWireCallback = (delivery: CallbackDelivery): WireCallback => ({
  id: delivery.eventId,
  object: "callback",
  task_id: delivery.taskId,
  url: delivery.url,
  state: delivery.state,
  attempts: delivery.attempts.map(({ at, status, error, durationMs }) => ({
    status_code: status,
    error,
    duration_ms: durationMs,
    attempted_at: seconds(at),
  })),
  attempts_total: delivery.attemptsTotal,
  created_at: seconds(delivery.createdAt),
})

/** A file that callers see is never `uploading`. */
export const toWireFile = (file: ToolFile): WireToolFile => ({
  id: file.id,
  object: "tool.file",
  tool_id: file.toolId,
  filename: file.filename,
  content_type: file.contentType,
  bytes: file.bytes,
  sha256: file.sha256,
  status: file.status === "uploading" ? "deleting" : file.status,
  created_at: seconds(file.createdAt),
  expires_at: seconds(file.expiresAt),
})

export const toWireTool = ({ executor: { definition }, unitPrice, maxFileBytes }: ToolEntry): WireTool => ({
  id: definition.id,
  object: "tool",
  name: definition.name,
  description: definition.description,
  extensions: definition.extensions,
  max_file_bytes: maxFileBytes,
  timeout_seconds: definition.timeoutSeconds,
  output_formats: definition.outputFormats,
  pricing_display: {
    unit_price: usdNumber(unitPrice),
    currency: "USD",
    unit: "document",
    text: `$${formatUsd(unitPrice)} per document`,
  },
})

export const toWireModel = (model: ImageModel): WireModel => ({
  id: model.id,
  object: "model",
  created: model.created,
  owned_by: model.ownedBy,
  type: "image",
  endpoints:
    model.limits.reference_images > 0 && model.endpoints.includes("/v1/images/generations")
      ? [...model.endpoints, "/v1/images/edits"]
      : model.endpoints,
  parameters: model.parameters,
  limits: model.limits,
  pricing_display: model.pricing,
  delivery: model.delivery,
})

export const toWireQuote = ({ units, usd, lines }: PricedImageRequest): WireQuote => ({
  quota_units: units,
  usd: usdNumber(usd),
  breakdown: lines.map((line) => ({
    description: line.description,
    quantity: line.quantity,
    unit_price: usdNumber(line.unitPriceUsd),
    amount: usdNumber(priceTotal([line])),
  })),
})

export const toWireBalance = ({ wallet, held, spent, granted, ...account }: Account): WireBalance => ({
  object: "balance",
  wallet,
  held,
  spent,
  granted,
  key_quota: account.keyQuota,
  key_used: account.keyUsed,
  units_per_usd: account.unitsPerUsd,
})

/** A decimal for display: JSON numbers are shown, never calculated with. */
export const usdNumber = (amount: Usd): number => Number(formatUsd(amount))
