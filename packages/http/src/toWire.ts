import type {
  WireBalance,
  WireCallback,
  WireGeneration,
  WireImageSubmission,
  WireModel,
  WireQuote,
  WireTool,
  WireToolFile,
} from "@atelier/api"
import { seconds, toWireImageTask } from "@atelier/api/rendering"
import {
  type Account,
  type CallbackDelivery,
  type CompletedGeneration,
  formatUsd,
  type ImageModel,
  type ImageTask,
  type PricedImageRequest,
  priceTotal,
  type ToolEntry,
  type ToolFile,
  type Usd,
} from "@atelier/core"

export {
  seconds,
  secondsOrNull,
  storedStates,
  toWireHistory,
  toWireImageTask,
  toWireTask,
  toWireToolTask,
} from "@atelier/api/rendering"

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
