import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ModelPrice } from "../domain/CatalogOverrides.ts"
import type { CoreError } from "../domain/CoreError.ts"
import type { Json } from "../domain/Fingerprint.ts"
import type { TaskId } from "../domain/Ids.ts"
import type { PriceLine } from "../domain/Money.ts"
import type { ImageRequest, Warning } from "../domain/Task.ts"

/** One parameter as `GET /v1/models` lists it (contract, Images). */
export interface ParameterSpec {
  readonly type: "string" | "integer" | "number" | "boolean" | "array" | "object"
  readonly enum?: ReadonlyArray<string>
  readonly default?: string | number | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly description?: string
}

/** Readable price; clients do not evaluate it. */
export interface PricingDisplay {
  readonly unit: string
  readonly currency: "USD"
  readonly table: ReadonlyArray<{ readonly [column: string]: string | number }>
}

/** A request body after JSON parsing: known to be an object, nothing more. */
export type RequestBody = { readonly [field: string]: Json }

/** A live model: one declaration serves listing, validation and price, so that they cannot differ. */
export interface ImageModel {
  readonly id: string
  readonly ownedBy: string
  /** Unix seconds. */
  readonly created: number
  readonly endpoints: ReadonlyArray<"/v1/images/tasks" | "/v1/images/generations">
  readonly parameters: { readonly [name: string]: ParameterSpec }
  readonly limits: { readonly n: number; readonly reference_images: number; readonly prompt_chars: number }
  readonly pricing: PricingDisplay
  /** `archive`: results are copied to permanent storage; `passthrough`: upstream links are handed on. */
  readonly delivery: "archive" | "passthrough"
  /** True where no operator may change the delivery (image-tasks 1.5: `dream-*`, `alt-dream-*`). */
  readonly deliveryFixed?: boolean
  /**
   * What `POST /v1/images/generations` may be asked for; absent: everything that it offers. Without `b64Json`,
   * `stream: true` and `response_format: "b64_json"` are refused with `unsupported_parameter` (image-tasks 4.3).
   */
  readonly synchronous?: { readonly b64Json: boolean }
  /** True where `POST /v1/images/edits` may bring a mask; channels find its Data URL in `extra.mask`. */
  readonly masks?: boolean
  /**
   * Validates a body and fills in defaults. Refusals are `invalid_parameter` with the field as `param`,
   * naming the value and what is allowed. Fields that no image model knows become warnings.
   */
  readonly parse: (
    body: RequestBody,
  ) => Effect.Effect<{ readonly request: ImageRequest; readonly warnings: ReadonlyArray<Warning> }, CoreError>
  /** The columns of a price table that a request falls under; absent: its own resolution and quality. */
  readonly tier?: (request: ImageRequest) => Pick<ImageRequest, "resolution" | "quality">
  /** What the request costs, exactly; rounded up once when it is held. */
  readonly price: (request: ImageRequest) => ReadonlyArray<PriceLine>
}

/** An image whose header was verified: type and size match its bytes. Pixels. */
export interface ImageBytes {
  readonly bytes: Uint8Array
  readonly contentType: string
  readonly width: number
  readonly height: number
}

/** What an upstream made: bytes, which are always archived, or a link that may expire. */
export type GeneratedImage = ImageBytes | { readonly url: string }

export interface Generation {
  readonly images: ReadonlyArray<GeneratedImage>
  readonly jobId: string | null
  readonly text: string | null
  readonly seed: number | null
  /** What the caller should know of these images, for the task's `warnings`. */
  readonly warnings?: ReadonlyArray<Warning>
}

/** Why an upstream call ended without images, and whether it may be retried. */
export class UpstreamError extends Schema.TaggedError<UpstreamError>()("UpstreamError", {
  /**
   * `rejected`: refused for its content or parameters, final. `failed`: the upstream says that it failed,
   * final. `canceled`: the upstream says that it was canceled, final. `unavailable`: certainly not accepted, safe to
   * repeat. `ambiguous`: unknown whether it was accepted.
   */
  reason: Schema.Literals(["rejected", "failed", "canceled", "unavailable", "ambiguous"]),
  message: Schema.String,
  /** When an `unavailable` upstream wants to be asked again. */
  retryAfterMillis: Schema.optionalKey(Schema.Number),
}) {}

/**
 * A channel to an upstream. `repeatable`: a repeated submission with the same reference makes no second paid
 * generation (the upstream takes a client-side key, or making is free and deterministic).
 */
export interface ImageChannel {
  readonly id: string
  readonly repeatable: boolean
  /** Absent: it has no circuit breaker. */
  readonly breaker?: Effect.Effect<Breaker>
  /** Absent: they are not counted yet. */
  readonly calls?: Effect.Effect<ChannelCalls>
  /** Submits, and waits until the images are there. `onAccepted` saves the upstream's id as soon as it is known. */
  readonly generate: (input: {
    readonly reference: TaskId
    readonly request: ImageRequest
    /** The id saved by an earlier run: poll it instead of submitting again. */
    readonly upstreamId: string | null
    readonly onAccepted: (upstreamId: string) => Effect.Effect<void, UpstreamError>
    /** 0 to 100. */
    readonly onProgress: (progress: number) => Effect.Effect<void>
  }) => Effect.Effect<Generation, UpstreamError>
  /**
   * Asks the upstream to stop a generation that it accepted; false if it is too late. `generate`, wherever it polls,
   * then fails with `canceled`. Absent: what runs cannot be canceled. A process that stops cancels nothing.
   */
  readonly cancel?: (upstreamId: string) => Effect.Effect<boolean, UpstreamError>
}

/** A channel's circuit: `open` sends nothing, `half_open` lets one generation try again. */
export type Breaker = "closed" | "open" | "half_open"

/** A generation that a channel's upstream ended without images. */
export interface ChannelError {
  /** Unix milliseconds. */
  readonly at: number
  readonly reason: UpstreamError["reason"]
  readonly message: string
  readonly taskId: TaskId
}

/** What a channel has under way in this process, and how its upstream failed last. */
export interface ChannelCalls {
  readonly inUse: number
  /** The most at once; null: any number. */
  readonly limit: number | null
  /** The newest first. */
  readonly errors: ReadonlyArray<ChannelError>
}

/** A configured channel, for operators. */
export interface ChannelListing {
  readonly id: string
  /** What it speaks, such as `openai-images`; null where an embedder made the channel. */
  readonly adapter: string | null
  /** Models that it serves, by id or glob. */
  readonly models: ReadonlyArray<string>
  /** Lower ones are tried first. */
  readonly priority: number
  /** Share among channels of equal priority. */
  readonly weight: number
  /** What the upstream takes, by model id or glob, in the form of a model's price. */
  readonly costs: { readonly [modelOrGlob: string]: ModelPrice }
  /** In this process. */
  readonly breaker: Effect.Effect<Breaker>
  readonly calls: Effect.Effect<ChannelCalls>
}

/** The models that this process offers, and which channel serves each. */
export class ImageModels extends Context.Service<
  ImageModels,
  {
    /** Every live model, for the listing. */
    readonly models: ReadonlyArray<ImageModel>
    readonly find: (id: string) => ImageModel | undefined
    /** The successor of a closed model (image-tasks 9.4). */
    readonly successorOf: (id: string) => string | undefined
    /** Every channel, in the order of the configuration. */
    readonly channels: ReadonlyArray<ChannelListing>
    /** Channels that serve the model, in the order in which to try them now; at least one. */
    readonly channelsFor: (model: string) => Effect.Effect<ReadonlyArray<ImageChannel>>
    /** The channel that a task began on. */
    readonly channel: (id: string) => ImageChannel | undefined
  }
>()("@atelier/core/ports/ImageModel") {}
