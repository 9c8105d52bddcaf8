import { type ImageRequest, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { jsonBody } from "../http/UpstreamBody.ts"
import type { UpstreamHeaders } from "../http/UpstreamRequest.ts"
import type { AdapterSettings, MakeChannel } from "./Adapter.ts"
import { call, contentRefused, type Refusals, refusalOf } from "./Answers.ts"
import { generationOfLinks } from "./ImagesAnswer.ts"
import { done, type Look, lookAt, missing, pending, pollUntil } from "./Polling.ts"

export const baseUrl = "https://api.bfl.ai/v1"

const submitTimeoutMs = 120_000
const answerBytesMax = 1024 * 1024

/** `options` of a `bfl` channel. */
export const Options = Schema.Struct({
  /** Input of every request, in the model's own names, such as `safety_tolerance` and `output_format`. */
  input: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
})
export type Options = typeof Options.Type

/**
 * Adapter `bfl`: FLUX by Black Forest Labs. The upstream model is an endpoint, such as `flux-pro-1.1`. One request
 * makes one image.
 *
 * The API takes no key of ours, so a channel is not `repeatable`. The request's id is saved before anything else
 * happens, and polled at `get_result` of the same `base_url`; links last ten minutes and are archived at once.
 *
 * | what happens | reason |
 * | --- | --- |
 * | 2xx with an id | accepted |
 * | `Request Moderated`, `Content Moderated` | `rejected` |
 * | `Error`, `Failed`; a result without an image; any other 4xx to the submission | `failed` |
 * | 401, 402, 403, 404 to the submission | `unavailable`, logged |
 * | 429; no connection | `unavailable`, with `Retry-After` |
 * | the submission is cut or unanswered; 5xx without JSON; an answer without an id | `ambiguous` |
 * | `Task not found`, 404 for two minutes | `failed` |
 * | looks fail for five minutes | `unavailable`, in 60 s; polled again |
 */
export const make: MakeChannel<Options> = (settings) => ({
  id: settings.channelId,
  repeatable: false,
  generate: Effect.fnUntraced(function* ({ onAccepted, onProgress, request, upstreamId }) {
    const id = upstreamId ?? (yield* submit(settings, request))
    if (upstreamId === null) yield* onAccepted(id)
    return yield* pollUntil(lookAtResult(settings, id), onProgress)
  }),
})

const keyOf = ({ apiKey }: AdapterSettings): UpstreamHeaders =>
  Redacted.value(apiKey) === "" ? {} : { "x-key": apiKey }

/** Reference images are `input_image`, `input_image_2` and so on. */
const bodyOf = ({ options }: AdapterSettings<Options>, request: ImageRequest) => {
  const { height, images, prompt, seed, size, width } = request
  const references = images.map((image, index) => [
    index === 0 ? "input_image" : `input_image_${index + 1}`,
    image,
  ])
  const ratio = /^\d+:\d+$/.test(size ?? "") ? { aspect_ratio: size } : {}
  return {
    ...options?.input,
    prompt,
    ...(seed === null ? {} : { seed }),
    ...(width === null || height === null ? ratio : { width, height }),
    ...Object.fromEntries(references),
  }
}

const decodeAccepted = Schema.decodeUnknownOption(
  Schema.Struct({ id: Schema.String.check(Schema.isNonEmpty()) }),
)

const submit = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  request: ImageRequest,
): Effect.fn.Return<string, UpstreamError> {
  const answer = yield* call(settings, {
    method: "POST",
    path: `/${encodeURIComponent(settings.upstreamModel(request.model))}`,
    headers: keyOf(settings),
    body: jsonBody(bodyOf(settings, request)),
    timeoutMillis: submitTimeoutMs,
    maxResponseBytes: answerBytesMax,
    once: true,
  })
  if (answer.status < 200 || answer.status > 299) {
    return yield* Effect.flip(refusalOf(settings, answer, refusals))
  }
  const accepted = decodeAccepted(answer.json)
  if (Option.isSome(accepted)) return accepted.value.id
  return yield* new UpstreamError({ reason: "ambiguous", message: "The upstream's answer has no id." })
})

const refusals: Refusals = {
  isRejection: ({ excerpt }) => /moderat/i.test(excerpt),
  isMisconfiguration: () => false,
}

const decodeResult = Schema.decodeUnknownOption(
  Schema.Struct({
    status: Schema.String,
    progress: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
    result: Schema.optionalKey(
      Schema.NullOr(
        Schema.Struct({
          sample: Schema.optionalKey(Schema.Unknown),
          seed: Schema.optionalKey(Schema.Unknown),
        }),
      ),
    ),
  }),
)

const lookAtResult = (settings: AdapterSettings<Options>, id: string): Effect.Effect<Look, UpstreamError> =>
  lookAt(
    settings,
    { path: `/get_result?id=${encodeURIComponent(id)}`, headers: keyOf(settings) },
    Effect.fnUntraced(function* ({ json }) {
      const answer = decodeResult(json)
      if (Option.isNone(answer)) return pending()
      const { progress, result, status } = answer.value
      switch (status) {
        case "Ready": {
          const generation = yield* generationOfLinks(settings, [result?.sample], 1)
          const seed = result?.seed
          return done({ ...generation, seed: Number.isSafeInteger(seed) ? Number(seed) : null })
        }
        case "Request Moderated":
        case "Content Moderated":
          return yield* contentRefused()
        case "Error":
        case "Failed":
          return yield* new UpstreamError({
            reason: "failed",
            message: "The upstream could not make the image.",
          })
        case "Task not found":
          return missing
        default:
          // A part of the whole, from 0 to 1.
          return pending(progress === null || progress === undefined ? undefined : Math.floor(progress * 100))
      }
    }),
  )
