import { type ImageBytes, type ImageRequest, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { readImage } from "../FetchImage.ts"
import { jsonBody } from "../http/UpstreamBody.ts"
import type { UpstreamHeaders } from "../http/UpstreamRequest.ts"
import type { AdapterSettings, MakeChannel } from "./Adapter.ts"
import { call, contentRefused, type Refusals, refusalOf } from "./Answers.ts"
import { referenceImage } from "./Reference.ts"

export const baseUrl = "https://generativelanguage.googleapis.com/v1beta"

const timeoutMs = 10 * 60_000
/** An image of 4K in Base64, with thoughts and words. */
const answerBytesMax = 128 * 1024 * 1024

/** `options` of a `gemini` channel. */
export const Options = Schema.Struct({
  /** Sizes that the model can make; absent: the model takes no `imageSize`. */
  sizes: Schema.optionalKey(Schema.Boolean),
})
export type Options = typeof Options.Type

/**
 * Adapter `gemini`: images by Google's Gemini API, `generateContent`. The upstream model is its name, such as
 * `gemini-2.5-flash-image`. One request makes one image; reference images are fetched here and sent along.
 *
 * The answer comes with the images, and there is no key of ours: a channel is not `repeatable`.
 *
 * | what happens | reason |
 * | --- | --- |
 * | a `blockReason`; a candidate that ended for safety, recitation or a prohibited content, without an image | `rejected` |
 * | an answer without an image; any other 4xx; an answer that is too large | `failed` |
 * | a reference image that cannot be fetched | `failed` |
 * | 401, 402, 403, 404; 400 for the key | `unavailable`, logged |
 * | 429; 503 with JSON; no connection | `unavailable`, with `Retry-After` |
 * | the request is cut or unanswered; 5xx without JSON | `ambiguous` |
 */
export const make: MakeChannel<Options> = (settings) => ({
  id: settings.channelId,
  repeatable: false,
  generate: Effect.fnUntraced(function* ({ request }) {
    const references = yield* Effect.forEach(request.images, (url) => referenceImage(settings, url))
    const answer = yield* call(settings, {
      method: "POST",
      path: `/models/${encodeURIComponent(settings.upstreamModel(request.model))}:generateContent`,
      headers: keyOf(settings),
      body: jsonBody(bodyOf(settings, request, references)),
      timeoutMillis: timeoutMs,
      maxResponseBytes: answerBytesMax,
      once: true,
    })
    if (answer.status < 200 || answer.status > 299) {
      return yield* Effect.flip(refusalOf(settings, answer, refusals))
    }
    const images = imagesOf(answer.json).slice(0, request.n)
    if (images.length > 0) return { images, jobId: null, text: null, seed: null }
    if (isBlocked(answer.json)) return yield* contentRefused()
    return yield* new UpstreamError({ reason: "failed", message: "The upstream answered without an image." })
  }),
})

const keyOf = ({ apiKey }: AdapterSettings): UpstreamHeaders =>
  Redacted.value(apiKey) === "" ? {} : { "x-goog-api-key": apiKey }

const bodyOf = (
  { options }: AdapterSettings<Options>,
  { prompt, resolution, size }: ImageRequest,
  references: ReadonlyArray<ImageBytes>,
) => {
  const ratio = /^\d+:\d+$/.test(size ?? "") ? { aspectRatio: size } : {}
  const imageSize = options?.sizes === true && resolution !== null ? { imageSize: resolution } : {}
  const imageConfig = { ...ratio, ...imageSize }
  return {
    contents: [
      {
        role: "user",
        parts: [
          { text: prompt },
          ...references.map(({ bytes, contentType }) => ({
            inlineData: { mimeType: contentType, data: Buffer.from(bytes).toString("base64") },
          })),
        ],
      },
    ],
    generationConfig: {
      responseModalities: ["IMAGE"],
      ...(Object.keys(imageConfig).length === 0 ? {} : { imageConfig }),
    },
  }
}

const decodeAnswer = Schema.decodeUnknownOption(
  Schema.Struct({
    promptFeedback: Schema.optionalKey(Schema.Struct({ blockReason: Schema.optionalKey(Schema.String) })),
    candidates: Schema.optionalKey(
      Schema.Array(
        Schema.Struct({
          finishReason: Schema.optionalKey(Schema.String),
          content: Schema.optionalKey(
            Schema.Struct({
              parts: Schema.optionalKey(
                Schema.Array(
                  Schema.Struct({
                    thought: Schema.optionalKey(Schema.Boolean),
                    inlineData: Schema.optionalKey(Schema.Struct({ data: Schema.String })),
                  }),
                ),
              ),
            }),
          ),
        }),
      ),
    ),
  }),
)

const candidatesIn = (json: unknown) =>
  Option.match(decodeAnswer(json), { onNone: () => [], onSome: ({ candidates = [] }) => candidates })

/** Images of a thought are drafts. */
const imagesOf = (json: unknown): ReadonlyArray<ImageBytes> =>
  candidatesIn(json)
    .flatMap(({ content }) => content?.parts ?? [])
    .filter(({ thought }) => thought !== true)
    .flatMap(({ inlineData }) => {
      const image = inlineData === undefined ? undefined : readImage(Buffer.from(inlineData.data, "base64"))
      return image === undefined ? [] : [image]
    })

const blocking = /SAFETY|PROHIBITED|RECITATION|BLOCKLIST|SPII/

const isBlocked = (json: unknown): boolean =>
  Option.match(decodeAnswer(json), {
    onNone: () => false,
    onSome: ({ candidates = [], promptFeedback }) =>
      promptFeedback?.blockReason !== undefined ||
      candidates.some(({ finishReason = "" }) => blocking.test(finishReason)),
  })

const refusals: Refusals = {
  isRejection: () => false,
  isMisconfiguration: ({ excerpt, status }) => status === 400 && /api key/i.test(excerpt),
}
