import { type Json, sha256 } from "./Fingerprint.ts"
import type { FileId, ImageTaskId, KeyId, TaskId, ToolTaskId, UserId } from "./Ids.ts"
import type { Units } from "./Money.ts"
import type { TaskFailure } from "./TaskFailure.ts"
import type { ImageState, TaskEvent, ToolState } from "./TaskState.ts"

export interface Warning {
  readonly code: string
  readonly message: string
}

/** One step of a task, with the ledger transfers that it made (contract, Waiting: history). Milliseconds. */
export interface HistoryEntry {
  readonly at: number
  readonly event: "submit" | TaskEvent
  readonly from: string | null
  readonly to: string
  readonly transfers: ReadonlyArray<string>
  /** The request that made the step; absent if the service made it on its own. */
  readonly requestId?: string
}

interface TaskBase {
  readonly userId: UserId
  readonly keyId: KeyId
  /** Grows by one with every write; every write names the version that it saw (compare-and-set). */
  readonly version: number
  readonly idempotencyKey: string | null
  /** The request that submitted the task (contract, Later decisions: Answers); null where its caller named none. */
  readonly requestId: string | null
  /** The fee held at submission, and how it was closed. `held = charged + released` once final. */
  readonly held: Units
  readonly charged: Units
  readonly released: Units
  readonly error: TaskFailure | null
  readonly warnings: ReadonlyArray<Warning>
  readonly history: ReadonlyArray<HistoryEntry>
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  /** When the task fails if it is not final (the deadline of its current phase). */
  readonly deadlineAt: number
  /** When the result stops being readable; 0: never. */
  readonly expiresAt: number
}

/** A validated image request, in the service's own terms, as an adapter receives it. */
export interface ImageRequest {
  readonly model: string
  readonly prompt: string
  readonly n: number
  /** Pixels of the wanted image, where the model works in pixels. */
  readonly width: number | null
  readonly height: number | null
  /** As asked, after defaults: `16:9`, `auto`, `1024x1024`. */
  readonly size: string | null
  readonly resolution: string | null
  readonly quality: string | null
  readonly seed: number | null
  /**
   * Reference images: public URLs, or Data URLs where the model takes them. Of a task that was read from its store
   * a Data URL is `imageKeptApart`.
   */
  readonly images: ReadonlyArray<string>
  /** The finished upstream step that this one builds on (artgen: `metadata.job_id`). */
  readonly parentJobId: string | null
  /** Parameters that only one family knows. */
  readonly extra: { readonly [name: string]: Json }
  readonly callbackUrl: string | null
}

/**
 * Placeholder for an image of up to 16 MiB that was sent inside the request: `TaskStore.images` has it. Tasks are read
 * often, up to a hundred at once, and written at every change; the image is needed when it is sent upstream.
 */
export const imageKeptApart = "data:"

/** True for an image that is kept apart from its task. */
export const isKeptApart = (image: string): boolean => image.startsWith(imageKeptApart)

/** What stands in a request for an image that came with it: `HeldImages` has its bytes. No caller can write it. */
export const heldImage = (id: FileId): string => `${held}${id}`
const held = "held:"

/** The file of a held image; undefined for any other reference. */
export const heldFileOf = (image: string): FileId | undefined =>
  image.startsWith(`${held}toolfile_`) ? (image.slice(held.length) as FileId) : undefined

/** The reference images of a request, and its mask. */
export const givenImagesOf = ({ images, extra: { mask } }: ImageRequest): ReadonlyArray<string> =>
  typeof mask === "string" ? [...images, mask] : images

/** One delivered image. `url` is absolute for a passed-through image; an archived one has `blob`, its blob key. */
export interface ImageAsset {
  readonly blob: string | null
  readonly url: string | null
  /** Null where only the upstream knows it. */
  readonly contentType: string | null
  readonly width: number | null
  readonly height: number | null
  readonly bytes: number | null
  /** The blob is of this task alone and goes with it. Absent: other tasks may name it too (archived before 0.2). */
  readonly own?: true
}

/** Digits of an image's SHA-256 that begin its name: by them it is checked against its name alone. */
const nameDigestChars = 32

/** The name of an image without its extension: half of its bytes' SHA-256, half of its task's id's. */
export const imageName = (id: ImageTaskId, bytesSha256: string): string =>
  bytesSha256.slice(0, nameDigestChars) + sha256(id).slice(0, nameDigestChars)

/** Whether a blob with this SHA-256 is what its key says. Images of version 0.1 are named by their SHA-256 alone. */
export const isNamedBy = (key: string, bytesSha256: string): boolean =>
  key.includes(`/${bytesSha256.slice(0, nameDigestChars)}`)

export interface ImageResult {
  readonly assets: ReadonlyArray<ImageAsset>
  readonly jobId: string | null
  readonly text: string | null
  readonly seed: number | null
}

/**
 * One image that the upstream made: already archived, or its temporary link; or a link that is never followed,
 * which counts as an image that was not delivered.
 */
export type GeneratedSource =
  | { readonly _tag: "Archived"; readonly asset: ImageAsset }
  | { readonly _tag: "Link"; readonly url: string }
  | { readonly _tag: "Refused" }

/** A finished generation whose images are being copied. Never shown: its links are third-party addresses. */
export interface PendingArchive {
  readonly sources: ReadonlyArray<GeneratedSource>
  readonly jobId: string | null
  readonly text: string | null
  readonly seed: number | null
  /** Rounds of copying that left some image uncopied. */
  readonly failures: number
}

/** Where the task runs upstream. `upstreamId` is saved as soon as the upstream names it. */
export interface UpstreamReference {
  readonly channel: string
  readonly upstreamId: string | null
}

export interface ImageTask extends TaskBase {
  readonly kind: "image"
  readonly id: ImageTaskId
  readonly state: ImageState
  readonly request: ImageRequest
  /** Units to charge for one delivered image, for two, up to all; the last is the hold. */
  readonly fees: ReadonlyArray<Units>
  readonly upstream: UpstreamReference | null
  /** The only channel that can run the task: the one that made the step it builds on. */
  readonly pinnedChannel: string | null
  /** The model's delivery at submission. */
  readonly delivery: "archive" | "passthrough"
  readonly archive: PendingArchive | null
  /** 0 to 100. */
  readonly progress: number
  readonly result: ImageResult | null
}

/** Images that exist as far as is known: refused links do not lead to one. */
export const imagesIn = ({ sources }: PendingArchive): number =>
  sources.filter(({ _tag }) => _tag !== "Refused").length

/** Only delivered images are charged; a result of words alone is a full delivery (contract, Money). */
export const feeFor = (task: ImageTask, delivered: number): Units =>
  delivered === 0 ? task.held : (task.fees[delivered - 1] ?? task.held)

export type OutputFormat = "markdown" | "json"

export interface ToolResult {
  readonly format: OutputFormat
  readonly blob: string
  readonly bytes: number
  readonly contentType: string
}

export interface ToolTask extends TaskBase {
  readonly kind: "tool"
  readonly id: ToolTaskId
  readonly state: ToolState
  readonly toolId: string
  readonly fileId: FileId
  readonly outputFormats: ReadonlyArray<OutputFormat>
  /**
   * Folder of the result blobs, unguessable, fixed at submission, so that a repeated run overwrites its own
   * results.
   */
  readonly resultPrefix: string
  readonly results: ReadonlyArray<ToolResult>
  /** Results were removed after their expiry. */
  readonly purged: boolean
}

export type Task = ImageTask | ToolTask

/** What every log line about a task carries (contract, Later decisions: Answers). */
export const logAnnotationsOf = ({ id, keyId, requestId }: Task): Record<string, string> => ({
  task_id: id,
  key_id: keyId,
  ...(requestId === null ? {} : { request_id: requestId }),
})

/** The model or tool that a task is for. */
export const subjectOf = (task: Task): string => (task.kind === "image" ? task.request.model : task.toolId)

export type { TaskId }
