export * as Atelier from "./Atelier.ts"
export * from "./domain/AdminToken.ts"
export { BoundedCache } from "./domain/BoundedCache.ts"
export * from "./domain/CallbackDelivery.ts"
export * from "./domain/CatalogOverrides.ts"
export * from "./domain/CoreError.ts"
export * from "./domain/DocumentSettings.ts"
export * from "./domain/diskFull.ts"
export * from "./domain/Fingerprint.ts"
export * from "./domain/Ids.ts"
export * from "./domain/Ledger.ts"
export {
  defaults as defaultLimits,
  type Limits as LimitValues,
  Limits,
  queuePositionMax,
} from "./domain/Limits.ts"
export {
  type CounterFamily,
  counter,
  type GaugeFamily,
  gauge,
  histogram,
  Meter,
  makeMeter,
  metrics,
} from "./domain/Metrics.ts"
export * from "./domain/Money.ts"
export * from "./domain/Principal.ts"
export * from "./domain/Task.ts"
export * from "./domain/TaskFailure.ts"
export * from "./domain/TaskState.ts"
export * from "./domain/TokenBuckets.ts"
export * from "./domain/ToolFile.ts"
export { annotateSpan, traceparent, withSpan } from "./domain/Tracing.ts"
export * from "./ports/AdminTokenStore.ts"
export * from "./ports/Blobs.ts"
export * from "./ports/Callback.ts"
export * from "./ports/CallbackStore.ts"
export * from "./ports/Downloads.ts"
export * from "./ports/Executor.ts"
export * from "./ports/FileStore.ts"
export * from "./ports/FinishedTasks.ts"
export * from "./ports/IdempotencyStore.ts"
export * from "./ports/ImageModel.ts"
export * from "./ports/KeyStore.ts"
export * from "./ports/LedgerStore.ts"
export * from "./ports/Queue.ts"
export * from "./ports/RateLimiter.ts"
export * from "./ports/ReferenceImages.ts"
export * from "./ports/SecretBox.ts"
export * from "./ports/SettingsStore.ts"
export * from "./ports/SmallBlobs.ts"
export * from "./ports/TaskSignals.ts"
export * from "./ports/TaskStore.ts"
export * from "./ports/TotalsStore.ts"
export * from "./ports/Transaction.ts"
export { Access, ipAllowed, isAddressRange } from "./services/Access.ts"
export { Admin, type Stats, type UserAccount } from "./services/Admin.ts"
export { AdminTasks, type TaskDetail } from "./services/AdminTasks.ts"
export { AdminTokens } from "./services/AdminTokens.ts"
export { Audit } from "./services/Audit.ts"
export type { KeySettings } from "./services/adminKeys.ts"
export { Callbacks } from "./services/Callbacks.ts"
export { type ChannelEntry, type ChannelPause, Channels } from "./services/Channels.ts"
export type { ChannelPrice } from "./services/channelPrices.ts"
export { Finished } from "./services/Finished.ts"
export { type CompletedGeneration, Generations } from "./services/Generations.ts"
export { type GivenImage, type GivenImages, HeldImages } from "./services/HeldImages.ts"
export { Idempotency, type Outcome } from "./services/Idempotency.ts"
export {
  type ImageEndpoint,
  type ImageSubmission,
  ImageTasks,
  type PricedImageRequest,
} from "./services/ImageTasks.ts"
export {
  imageIdempotencyKeyForm,
  requireIdempotencyKey,
  toolIdempotencyKeyForm,
} from "./services/idempotencyKeys.ts"
export { Media, type StoredImage } from "./services/Media.ts"
export { ModelCatalog, type ModelEntry } from "./services/ModelCatalog.ts"
export { type Hour, type NamedSpender, Overview, type Percentiles } from "./services/Overview.ts"
export { RequestRates } from "./services/RequestRates.ts"
export * as Services from "./services/Services.ts"
export { Storage } from "./services/Storage.ts"
export { isNotCancelable, mayRead, Tasks } from "./services/Tasks.ts"
export { ToolCatalog, type ToolEntry } from "./services/ToolCatalog.ts"
export { fileTooLarge, ToolFiles, type Upload } from "./services/ToolFiles.ts"
export { type Invocation, type OpenedResult, ToolTasks } from "./services/ToolTasks.ts"
export { Transitions } from "./services/Transitions.ts"
export { type Expectation, type QueuePlace, WaitingTimes } from "./services/WaitingTimes.ts"
export { type Account, Wallet } from "./services/Wallet.ts"
export * as Workers from "./workers/Workers.ts"
