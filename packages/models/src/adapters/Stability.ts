import { type ImageBytes, type ImageRequest, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readImage } from "../FetchImage.ts"
import { multipartBody, type Part } from "../http/UpstreamBody.ts"
import { type AdapterSettings, bearerOf, type MakeChannel } from "./Adapter.ts"
import { call, contentRefused, type Refusals, refusalOf } from "./Answers.ts"
import { referenceImage } from "./Reference.ts"

export const baseUrl = "https://api.stability.ai"

const timeoutMs = 5 * 60_000
/** One PNG in Base64. */
const answerBytesMax = 64 * 1024 * 1024

/** `options` of a `stability` channel. */
export const Options = Schema.Struct({
  /** How far an image may go from a reference image, 0 to 1; 0.7 where absent. */
  strength: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))),
})
export type Options = typeof Options.Type

const strengthDefault = 0.7

/**
 * Adapter `stability`: images by Stability AI, `v2beta/stable-image/generate`. The upstream model is `core`, `ultra`,
 * or a model of `sd3`, such as `sd3.5-large`. One request makes one image, of one of nine ratios.
 *
 * The answer comes with the image, and there is no key of ours: a channel is not `repeatable`.
 *
 * | what happens | reason |
 * | --- | --- |
 * | 403 for moderation; an answer that was `CONTENT_FILTERED` | `rejected` |
 * | an answer without an image; any other 4xx; an answer that is too large; a reference that cannot be fetched | `failed` |
 * | 401, 402, 403, 404 | `unavailable`, logged |
 * | 429; 503 with JSON; no connection | `unavailable`, with `Retry-After` |
 * | the request is cut or unanswered; 5xx without JSON | `ambiguous` |
 */
export const make: MakeChannel<Options> = (settings) => ({
  id: settings.channelId,
  repeatable: false,
  generate: Effect.fnUntraced(function* ({ request }) {
    const [reference] = yield* Effect.forEach(request.images.slice(0, 1), (url) =>
      referenceImage(settings, url),
    )
    const model = settings.upstreamModel(request.model)
    const endpoint = isTier(model) ? model : "sd3"
    const answer = yield* call(settings, {
      method: "POST",
      path: `/v2beta/stable-image/generate/${endpoint}`,
      headers: bearerOf(settings),
      body: multipartBody(partsOf(settings, model, request, reference)),
      timeoutMillis: timeoutMs,
      maxResponseBytes: answerBytesMax,
      once: true,
    })
    if (answer.status < 200 || answer.status > 299) {
      return yield* Effect.flip(refusalOf(settings, answer, refusals))
    }
    const { finish_reason: reason, image, seed } = Option.getOrElse(decodeAnswer(answer.json), () => nothing)
    if (reason === "CONTENT_FILTERED") return yield* contentRefused()
    const read = image === undefined ? undefined : readImage(Buffer.from(image, "base64"))
    if (read !== undefined) return { images: [read], jobId: null, text: null, seed: seed ?? null }
    return yield* new UpstreamError({ reason: "failed", message: "The upstream answered without an image." })
  }),
})

const isTier = (model: string): boolean => model === "core" || model === "ultra"

const ratios = ["21:9", "16:9", "3:2", "5:4", "1:1", "4:5", "2:3", "9:16", "9:21"]

const ratioOf = (ratio: string): number => {
  const [width = 1, height = 1] = ratio.split(":").map(Number)
  return Math.log(width / height)
}

/** The nearest ratio that there is. */
const aspectRatio = ({ height, size, width }: ImageRequest): string => {
  const wanted = width !== null && height !== null ? `${width}:${height}` : (size ?? "1:1")
  if (!/^\d+(\.\d+)?:\d+(\.\d+)?$/.test(wanted)) return "1:1"
  const distance = (ratio: string): number => Math.abs(ratioOf(ratio) - ratioOf(wanted))
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best), "1:1")
}

/** The largest seed that Stability takes. */
const seedMax = 4_294_967_294

const partsOf = (
  { options }: AdapterSettings<Options>,
  model: string,
  request: ImageRequest,
  reference: ImageBytes | undefined,
): ReadonlyArray<Part> => {
  const { prompt, seed } = request
  const field = (name: string, content: string): Part => ({ name, content })
  const isEdit = reference !== undefined && model !== "core"
  return [
    field("prompt", prompt),
    field("output_format", "png"),
    ...(isTier(model) ? [] : [field("model", model)]),
    ...(isEdit && !isTier(model)
      ? [field("mode", "image-to-image")]
      : [field("aspect_ratio", aspectRatio(request))]),
    ...(seed === null ? [] : [field("seed", String(seed % (seedMax + 1)))]),
    ...(isEdit
      ? [
          field("strength", String(options?.strength ?? strengthDefault)),
          { name: "image", content: reference.bytes, filename: "image", contentType: reference.contentType },
        ]
      : []),
  ]
}

const decodeAnswer = Schema.decodeUnknownOption(
  Schema.Struct({
    image: Schema.optionalKey(Schema.String),
    finish_reason: Schema.optionalKey(Schema.String),
    seed: Schema.optionalKey(Schema.Int),
  }),
)
const nothing: { readonly image?: string; readonly finish_reason?: string; readonly seed?: number } = {}

const refusals: Refusals = {
  isRejection: ({ status, excerpt, json }) =>
    status === 403 && /moderation/i.test(`${excerpt} ${JSON.stringify(json)}`),
  isMisconfiguration: () => false,
}
