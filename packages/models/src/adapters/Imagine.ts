import type { ImageChannel, ImageRequest, Json } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { jsonBody } from "../http/UpstreamBody.ts"
import { type AdapterSettings, bearerOf, type MakeChannel } from "./Adapter.ts"
import { type Answer, call, errorIn, refusalOf } from "./Answers.ts"
import { generationOf } from "./ImagesAnswer.ts"

/** `options` of an `imagine` channel. */
export const Options = Schema.Struct({
  /** The upstream honours `Idempotency-Key`; xAI documents no such header, some gateways do. */
  idempotency_key: Schema.optionalKey(Schema.Boolean),
  /** How long a generation may take; 300 where absent. */
  timeout_seconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3600 }))),
  /** False: `quality` is not sent, for models that know none. */
  quality: Schema.optionalKey(Schema.Boolean),
})
export type Options = typeof Options.Type

const timeoutSecondsDefault = 300
/** Links, where the upstream does as asked; Base64 where it does not. */
const answerBytesMax = 128 * 1024 * 1024

/**
 * xAI's images API: `POST /images/generations`, and with reference images `POST /images/edits`, both JSON. The
 * upstream fetches references itself, and answers with links that expire.
 *
 * Reasons are those of `OpenAiImages.ts`, but for its refusals: 400 and 403 that name the usage guidelines or
 * a safety check are `rejected`; 400 with `Incorrect API key provided` is the operator's fault, like 401 and
 * every other 403; an image with `respect_moderation: false` is left out.
 */
export const make: MakeChannel<Options> = (settings): ImageChannel => {
  const { channelId, options = {} } = settings
  const repeatable = options.idempotency_key === true
  return {
    id: channelId,
    repeatable,
    generate: Effect.fnUntraced(function* ({ reference, request }) {
      const answer = yield* call(settings, {
        method: "POST",
        path: request.images.length === 0 ? "/images/generations" : "/images/edits",
        body: jsonBody(bodyOf(settings, request)),
        headers: {
          ...bearerOf(settings),
          ...(repeatable ? { "idempotency-key": reference } : {}),
        },
        timeoutMillis: (options.timeout_seconds ?? timeoutSecondsDefault) * 1000,
        maxResponseBytes: answerBytesMax,
        once: true,
      })
      if (answer.status < 200 || answer.status > 299) {
        return yield* Effect.flip(refusalOf(settings, answer, refusals))
      }
      return yield* generationOf(settings, answer, request.n)
    }),
  }
}

/**
 * `auto` is left out: the upstream's own choice. One reference is `image`; several, and one that the prompt
 * names by a placeholder, are `images`.
 */
const bodyOf = (
  { options = {}, upstreamModel }: AdapterSettings<Options>,
  { images, model, n, prompt, quality, resolution, size }: ImageRequest,
): { readonly [field: string]: Json } => {
  const references = images.map((url) => ({ type: "image_url", url }))
  const [first] = references
  const isSingle = references.length === 1 && !prompt.includes("<IMAGE_")
  return {
    model: upstreamModel(model),
    prompt,
    n,
    response_format: "url",
    ...(size === null || size === "auto" ? {} : { aspect_ratio: size }),
    ...(resolution === null ? {} : { resolution: resolution.toLowerCase() }),
    ...(quality === null || options.quality === false ? {} : { quality }),
    ...(first === undefined ? {} : isSingle ? { image: first } : { images: references }),
  }
}

const messageOf = ({ json }: Answer): string => errorIn(json).message ?? ""

const refusals = {
  isRejection: (answer: Answer) =>
    (answer.status === 400 || answer.status === 403) &&
    /violates usage guidelines|SAFETY_CHECK_TYPE|content moderation/i.test(messageOf(answer)),
  isMisconfiguration: (answer: Answer) =>
    answer.status === 400 && messageOf(answer).startsWith("Incorrect API key"),
}
