export { AtelierError, type AtelierErrorCode } from "./AtelierError.ts"
export type {
  AnyImageBody,
  ArtgenBody,
  DreamBody,
  GenImageBody,
  ImageBodies,
  ImageBody,
  ImagineImageBody,
} from "./bodies.ts"
export type {
  Balance,
  FileSubmission,
  Grant,
  ImageSubmission,
  Quote,
  TransactionCalls,
  User,
} from "./calls.ts"
export { type Atelier, createAtelier } from "./createAtelier.ts"
export type { DocumentSource, DocumentSubmission, DocumentUpload, UploadedFile } from "./documents.ts"
export type { AtelierOptions, LogEntry } from "./Options.ts"
export type { CallOptions } from "./Runner.ts"
export type { Tx } from "./Transactions.ts"
export type { ListOptions, ResultImage, TaskResult } from "./taskCalls.ts"
export { type DocumentTask, type ImageTask, isFinal, type Task } from "./tasks.ts"
