import * as Schema from "effect/Schema"
import { Bytes, Units, UnixSeconds, WireQueue, WireTaskError, WireWarning } from "./WireCommon.ts"

/** image-tasks 3. */
export const WireImageState = Schema.Literals(["queued", "in_progress", "completed", "failed", "unknown"])
/** For older clients (image-tasks 2.4). */
export const WireImageStatus = Schema.Literals([
  "SUBMITTED",
  "QUEUED",
  "IN_PROGRESS",
  "SUCCESS",
  "FAILURE",
  "UNKNOWN",
])

export const WireImageAsset = Schema.Struct({
  url: Schema.String,
  content_type: Schema.NullOr(Schema.String),
  width: Schema.NullOr(Schema.Int),
  height: Schema.NullOr(Schema.Int),
  bytes: Schema.NullOr(Bytes),
}).annotate({ identifier: "ImageAsset", description: "One delivered image." })
export type WireImageAsset = typeof WireImageAsset.Type

/** image-tasks 2.4 and contract, Images. `result_url`, `assets` and `data` are absent until known. */
export const WireImageTask = Schema.Struct({
  id: Schema.String,
  task_id: Schema.String,
  object: Schema.Literal("image.task"),
  model: Schema.String,
  state: WireImageState,
  status: WireImageStatus,
  progress: Schema.Int,
  queue: Schema.optionalKey(WireQueue),
  result_url: Schema.optionalKey(Schema.String),
  assets: Schema.optionalKey(Schema.Array(WireImageAsset)),
  data: Schema.optionalKey(
    Schema.Struct({
      results: Schema.Array(WireImageAsset),
      job_id: Schema.optionalKey(Schema.String),
      text: Schema.optionalKey(Schema.String),
      seed: Schema.optionalKey(Schema.Int),
    }),
  ),
  error: Schema.NullOr(WireTaskError),
  usage: Schema.Struct({ images: Schema.Int, input_images: Schema.Int }),
  billing: Schema.Struct({ held: Units, charged: Units, released: Units }),
  warnings: Schema.Array(WireWarning),
  created_at: UnixSeconds,
  started_at: Schema.NullOr(UnixSeconds),
  finished_at: Schema.NullOr(UnixSeconds),
  expires_at: UnixSeconds,
}).annotate({
  identifier: "ImageTask",
  description:
    "An image task. `expires_at` 0: this service removes no result. With the warning `result_not_archived` the images stay on the upstream's server, whose links may expire: download them soon.",
  examples: [
    {
      id: "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5",
      task_id: "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5",
      object: "image.task",
      model: "gen-image-2",
      state: "completed",
      status: "SUCCESS",
      progress: 100,
      result_url: "https://media.example.com/media/3f1c….png",
      assets: [
        {
          url: "https://media.example.com/media/3f1c….png",
          content_type: "image/png",
          width: 1360,
          height: 768,
          bytes: 182044,
        },
      ],
      data: {
        results: [
          {
            url: "https://media.example.com/media/3f1c….png",
            content_type: "image/png",
            width: 1360,
            height: 768,
            bytes: 182044,
          },
        ],
        seed: 1437387645,
      },
      error: null,
      usage: { images: 1, input_images: 0 },
      billing: { held: 20000, charged: 20000, released: 0 },
      warnings: [],
      created_at: 1767225600,
      started_at: 1767225601,
      finished_at: 1767225609,
      expires_at: 0,
    },
  ],
})
export type WireImageTask = typeof WireImageTask.Type

/** The 202 answer of a submission (contract, Images). */
export const WireImageSubmission = Schema.Struct({
  task_id: Schema.String,
  id: Schema.String,
  object: Schema.Literal("image.task"),
  state: WireImageState,
  status: WireImageStatus,
  model: Schema.String,
  created_at: UnixSeconds,
}).annotate({
  identifier: "ImageSubmission",
  examples: [
    {
      task_id: "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5",
      id: "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5",
      object: "image.task",
      state: "queued",
      status: "SUBMITTED",
      model: "gen-image-2",
      created_at: 1767225600,
    },
  ],
})
export type WireImageSubmission = typeof WireImageSubmission.Type

const submissionFields = {
  model: Schema.String.annotate({ description: "Identifier of a live model." }),
  prompt: Schema.optionalKey(Schema.String.annotate({ description: "What to make, or how to edit." })),
  size: Schema.optionalKey(
    Schema.String.annotate({
      description: "A ratio (`16:9`), `auto`, or WIDTHxHEIGHT where the model allows.",
    }),
  ),
  quality: Schema.optionalKey(Schema.String),
  resolution: Schema.optionalKey(Schema.String.annotate({ description: "Tier: `1K`, `2K`, `4K`." })),
  images: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Reference images, each publicly downloadable." }),
  ),
  image_urls: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "The same as `images`." }),
  ),
  n: Schema.optionalKey(Schema.Int.annotate({ description: "Number of images." })),
  seed: Schema.optionalKey(Schema.Int),
  callback_url: Schema.optionalKey(
    Schema.String.annotate({ description: "Public HTTPS address that is notified of the final state." }),
  ),
  max_cost_usd: Schema.optionalKey(
    Schema.Finite.annotate({ description: "Refuse the request if its fee is higher." }),
  ),
  mode: Schema.optionalKey(Schema.String.annotate({ description: "`artgen` only: `fast` or `turbo`." })),
  generation_type: Schema.optionalKey(
    Schema.String.annotate({ description: "`artgen` only: the operation." }),
  ),
  metadata: Schema.optionalKey(
    Schema.Struct({
      job_id: Schema.optionalKey(Schema.String),
      mask: Schema.optionalKey(Schema.String),
    }).annotate({ description: "`artgen` only." }),
  ),
}

/** image-tasks 2.1. Fields that no image model knows are ignored and become warnings of the task. */
export const WireImageRequest = Schema.StructWithRest(Schema.Struct(submissionFields), [
  Schema.Record(Schema.String, Schema.Json),
]).annotate({
  identifier: "ImageRequest",
  description: "What to make. Which values a model takes stands in `GET /v1/models`.",
  examples: [{ model: "gen-image-2", prompt: "a lighthouse at dusk", size: "16:9" }],
})

/** image-tasks 4.3: the submission, and what OpenAI clients send. */
export const WireGenerationRequest = Schema.StructWithRest(
  Schema.Struct({
    ...submissionFields,
    stream: Schema.optionalKey(Schema.Boolean.annotate({ description: "`false`; streaming is refused." })),
    response_format: Schema.optionalKey(Schema.Literals(["url", "b64_json"])),
    user: Schema.optionalKey(Schema.String),
  }),
  [Schema.Record(Schema.String, Schema.Json)],
).annotate({
  identifier: "GenerationRequest",
  description: "The same, and what clients of OpenAI send.",
  examples: [{ model: "gen-image-2", prompt: "a lighthouse at dusk", size: "16:9" }],
})

export const WireGeneration = Schema.Struct({
  created: UnixSeconds,
  data: Schema.Array(
    Schema.Union([Schema.Struct({ url: Schema.String }), Schema.Struct({ b64_json: Schema.String })]),
  ),
  task_id: Schema.String,
  expires_at: UnixSeconds,
  usage: Schema.Struct({ images: Schema.Int, input_images: Schema.Int }),
  warnings: Schema.Array(WireWarning),
}).annotate({
  identifier: "Generation",
  examples: [
    {
      created: 1767225609,
      data: [{ url: "https://media.example.com/media/3f1c….png" }],
      task_id: "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5",
      expires_at: 0,
      usage: { images: 1, input_images: 0 },
      warnings: [],
    },
  ],
})
export type WireGeneration = typeof WireGeneration.Type

/** What a submission would hold (contract, Waiting: quote). */
export const WireQuote = Schema.Struct({
  quota_units: Units,
  usd: Schema.Finite,
  breakdown: Schema.Array(
    Schema.Struct({
      description: Schema.String,
      quantity: Schema.Int,
      unit_price: Schema.Finite,
      amount: Schema.Finite,
    }),
  ),
}).annotate({
  identifier: "Quote",
  description: "A fee; amounts but `quota_units` are US dollars.",
  examples: [
    {
      quota_units: 20000,
      usd: 0.04,
      breakdown: [{ description: "image, 1K, medium", quantity: 1, unit_price: 0.04, amount: 0.04 }],
    },
  ],
})
export type WireQuote = typeof WireQuote.Type
