export { Atelier } from "./Atelier.ts"
export type { Catalog, Models } from "./Catalog.ts"
export type { DocumentSource, Documents, ParsedDocument, ParseOptions } from "./Documents.ts"
export {
  AtelierError,
  AuthenticationError,
  BillingError,
  ConnectionError,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  ServerError,
  TaskFailedError,
  UpstreamError,
  WaitTimeoutError,
  WebhookVerificationError,
} from "./errors.ts"
export type { Images } from "./Images.ts"
export type { ListOptions, Tasks } from "./Tasks.ts"
export type { ClientOptions } from "./Transport.ts"
export type * from "./types.ts"
export { isFinal } from "./types.ts"
export { verifyWebhook, type Webhook, type WebhookEvent } from "./webhooks.ts"
