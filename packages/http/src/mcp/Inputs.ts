import { toolIdempotencyKeyForm } from "@atelier/core"
import * as Schema from "effect/Schema"

/** Seconds that a call waits for its task by default, and at most: clients give up after a minute. */
const waitSecondsDefault = 45
const waitSecondsMax = 55

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))
const integer = (description: string) => Schema.optionalKey(Schema.Int.annotate({ description }))

const waitSeconds = {
  wait_seconds: Schema.optionalKey(
    Schema.Finite.check(
      Schema.isBetween(
        { minimum: 0, maximum: waitSecondsMax },
        { expected: `seconds from 0 to ${waitSecondsMax}` },
      ),
    ).annotate({
      description: `How long to wait for the result, ${waitSecondsDefault} by default; then get_task goes on with the task's id.`,
    }),
  ),
}
const maxCost = {
  max_cost_usd: Schema.optionalKey(
    Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
      description: "Refuse the call if it costs more than this many US dollars.",
    }),
  ),
}
const idempotencyKey = {
  idempotency_key: Schema.optionalKey(
    Schema.String.check(
      Schema.isPattern(toolIdempotencyKeyForm, {
        expected: "8 to 64 letters, digits, hyphens and underscores",
      }),
    ).annotate({
      description:
        "Names the operation: a repetition under the same key is not paid again. By default made of the session and the request's id.",
    }),
  ),
}

const imageFields = {
  prompt: Schema.String.annotate({ description: "What to make, or how to edit." }),
  model: text("Model id; gen-image-2 by default."),
  size: text("A ratio such as 16:9, auto, or WIDTHxHEIGHT where the model allows."),
  resolution: text("Tier: 1K, 2K or 4K."),
  quality: text("As the model has it, such as low, medium, high."),
  n: integer("Number of images; the price is multiplied by it."),
  seed: integer("The same seed makes the same image again, where the model has seeds."),
}

export const GenerateImage = Schema.Struct({ ...imageFields, ...maxCost, ...idempotencyKey, ...waitSeconds })

export const EditImage = Schema.Struct({
  ...imageFields,
  image_urls: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: "Public http or https links of the images to edit.",
    }),
  ),
  images_base64: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: "The images to edit, in Base64, 12 MiB together; instead of image_urls.",
    }),
  ),
  ...maxCost,
  ...idempotencyKey,
  ...waitSeconds,
})

export const ParseDocument = Schema.Struct({
  filename: text("Name with extension; required with content_base64."),
  content_base64: text("The document's bytes in Base64."),
  file_id: text("A file that was uploaded before (toolfile_…), instead of content_base64."),
  tool: text(
    "Tool id; by default the one that takes such files and the fewest others. Required with file_id.",
  ),
  ...maxCost,
  ...idempotencyKey,
  ...waitSeconds,
})

export const GetTask = Schema.Struct({
  task_id: Schema.String.annotate({ description: "imgtask_… or tooltask_…" }),
  ...waitSeconds,
})

export const Quote = Schema.Struct({
  ...imageFields,
  prompt: Schema.optionalKey(Schema.String),
  image_urls: Schema.optionalKey(Schema.Array(Schema.String)),
  tool: text("A document tool instead of an image model: its price for a document."),
})

export const Balance = Schema.Struct({})

/** Seconds that a call waits. */
export const waitSecondsOf = (input: { readonly wait_seconds?: number }): number =>
  input.wait_seconds ?? waitSecondsDefault
