import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import {
  BadGateway,
  BadRequest,
  Conflict,
  ContentTooLarge,
  EndpointSurface,
  Forbidden,
  GatewayTimeout,
  UnsupportedMediaType,
} from "./ApiError.ts"
import { Authentication } from "./Authentication.ts"
import { replayedHeader } from "./WireCommon.ts"
import {
  WireGeneration,
  WireGenerationRequest,
  WireImageRequest,
  WireImageSubmission,
  WireQuote,
} from "./WireImageTask.ts"

const accepted = HttpApiSchema.WithHeaders(WireImageSubmission.pipe(HttpApiSchema.status(202)), {
  location: Schema.String.annotate({ description: "`/v1/tasks/{task_id}`" }),
  "retry-after": Schema.String.annotate({ description: "Seconds to wait before polling." }),
  ...replayedHeader,
})

const bodyErrors = [BadRequest, ContentTooLarge, UnsupportedMediaType] as const

const EditForm = Schema.StructWithRest(
  Schema.Struct({
    model: Schema.String.annotate({ description: "A model that takes reference images." }),
    prompt: Schema.String.annotate({ description: "How to edit." }),
    image: Schema.optionalKey(
      Schema.String.annotate({ format: "binary", description: "The image to edit, at most 20 MiB." }),
    ),
    "image[]": Schema.optionalKey(
      Schema.Array(Schema.String.annotate({ format: "binary" })).annotate({
        description: "Several images, as many as the model takes; 50 MiB together.",
      }),
    ),
    mask: Schema.optionalKey(
      Schema.String.annotate({
        format: "binary",
        description: "Its transparent parts may change; for models that take masks.",
      }),
    ),
    n: Schema.optionalKey(Schema.Int.annotate({ description: "Number of images." })),
    size: Schema.optionalKey(Schema.String.annotate({ description: "As for `/v1/images/tasks`." })),
    response_format: Schema.optionalKey(
      Schema.Literals(["url", "b64_json"]).annotate({
        description: "Links, by default, or the images in Base64.",
      }),
    ),
  }),
  [Schema.Record(Schema.String, Schema.Json)],
).pipe(HttpApiSchema.asMultipartStream())

/**
 * image-tasks 4.1, 4.3, 4.5. Every endpoint refuses, in this order:
 * 1. what `Authentication` refuses
 * 2. 415 `unsupported_media_type` (not JSON, or compressed)
 * 3. 413 `request_too_large` (16 MiB for `blend`, else 256 KiB); while the bytes arrive 429
 *    `too_many_connections`, 503 `overloaded` and 408 `request_timeout`
 * 4. 400 `invalid_json`, then 400 `invalid_parameter` (not an object)
 * 5. 400 `invalid_idempotency_key` (two headers that differ; not 1 to 128 printable ASCII characters)
 * 6. 409 `idempotency_key_reused`, 409 `idempotency_request_in_progress`
 * 7. 400 `invalid_parameter` (model), 400 `model_not_found`, 403 `model_not_allowed`,
 *    400 `model_not_supported_on_endpoint`
 * 8. 400 `invalid_parameter`, 400 `max_cost_exceeded`, 400 `reference_image_unavailable`
 * 9. 403 `insufficient_balance`, 429 `too_many_tasks`
 *
 * `generate` has no key (5, 6) unless the configuration has `synchronous_idempotency`. After the task has ended it
 * answers 400 `upstream_rejected`, 502 `result_archive_failed`, 502 `upstream_failed` or 504 `generation_timeout`.
 * Where too many requests wait it refuses with 429 `too_many_connections` and 503 `overloaded`, after 5.
 * `edit` takes a form, and with `Prefer: respond-async` goes on as `submit`: at 3 instead 413 `request_too_large` and `file_too_large` (20 MiB an image, 50 MiB together) and
 * 400 `invalid_parameter` (a broken form, no image); then as `generate`, with `image` or `mask` as `param` at 8.
 * `quote` has no key (5, 6), fetches no reference image and holds nothing (9).
 */
export class ImagesGroup extends HttpApiGroup.make("images")
  .add(
    HttpApiEndpoint.post("submit", "/v1/images/tasks", {
      headers: {
        "idempotency-key": Schema.optionalKey(
          Schema.String.annotate({
            description:
              "1 to 128 printable ASCII characters, kept 7 days. A repetition with the same body gets the first answer again.",
          }),
        ),
        "x-idempotency-key": Schema.optionalKey(
          Schema.String.annotate({ description: "Legacy name of `Idempotency-Key`." }),
        ),
      },
      payload: WireImageRequest,
      success: accepted,
      error: [...bodyErrors, Forbidden, Conflict],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Submit an image task",
        description:
          "Accepts a generation or editing request and answers at once with the task to poll. The fee is held; success charges it, failure refunds it.",
      }),
    ),
    HttpApiEndpoint.post("generate", "/v1/images/generations", {
      headers: {
        "idempotency-key": Schema.optionalKey(
          Schema.String.annotate({
            description:
              "Ignored, unless the service is configured with `synchronous_idempotency`: then the rules of `/v1/images/tasks` apply here too, and the two endpoints share the key.",
          }),
        ),
      },
      payload: WireGenerationRequest,
      success: HttpApiSchema.WithHeaders(WireGeneration, replayedHeader),
      error: [...bodyErrors, Forbidden, Conflict, BadGateway, GatewayTimeout],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Generate images and wait",
        description:
          "Makes the same task as a submission, and answers when its images are ready. An `Idempotency-Key` is ignored here by default: for safe repetition, submit to `/v1/images/tasks`. Content that the upstream refuses is 400 `upstream_rejected`, and nothing is charged. On 502 `result_archive_failed` and 504 `generation_timeout` poll the task that the answer names; do not submit again.",
      }),
    ),
    HttpApiEndpoint.post("edit", "/v1/images/edits", {
      headers: {
        "idempotency-key": Schema.optionalKey(
          Schema.String.annotate({
            description:
              "As for `/v1/images/generations`; with `Prefer: respond-async` as for `/v1/images/tasks`.",
          }),
        ),
        prefer: Schema.optionalKey(
          Schema.String.annotate({
            description: "`respond-async`: answers 202 with the task to poll, as `/v1/images/tasks`.",
          }),
        ),
      },
      payload: EditForm,
      success: [HttpApiSchema.WithHeaders(WireGeneration, replayedHeader), accepted],
      error: [...bodyErrors, Forbidden, Conflict, BadGateway, GatewayTimeout],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Edit images and wait",
        description:
          "The images come as files of a form, as OpenAI's clients send them; it answers and bills as `/v1/images/generations`. The files are private, and removed when the task ends. With `Prefer: respond-async` it answers at once with the task, and an `Idempotency-Key` is honoured. Fields of the JSON endpoints are taken too; those that are ignored are named in `warnings`.",
      }),
    ),
    HttpApiEndpoint.post("quote", "/v1/images/quote", {
      payload: WireImageRequest,
      success: WireQuote,
      error: [...bodyErrors, Forbidden],
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Price a submission",
        description: "The fee that a submission with this body would hold. Nothing is held.",
      }),
    ),
  )
  .middleware(Authentication)
  .annotateMerge(OpenApi.annotations({ title: "Images", description: "Price, submit and download images." }))
  .annotateEndpoints(EndpointSurface, "images") {}
