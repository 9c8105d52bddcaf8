import { type ImageBytes, type ImageChannel, type ImageRequest, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { jsonBody, multipartBody, type Part } from "../http/UpstreamBody.ts"
import { type AdapterSettings, bearerOf, type MakeChannel } from "./Adapter.ts"
import { type Answer, call, errorIn, refusalOf } from "./Answers.ts"
import { generationOf } from "./ImagesAnswer.ts"
import { referenceImage } from "./Reference.ts"

/** `options` of an `openai-images` channel. */
export const Options = Schema.Struct({
  /**
   * The upstream honours `Idempotency-Key` on its images endpoints: a submission carries the task's id as its
   * key, and is repeated where its answer was lost. OpenAI documents no such header; some gateways do.
   */
  idempotency_key: Schema.optionalKey(Schema.Boolean),
  /** How long a generation may take; 600 where absent. */
  timeout_seconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3600 }))),
  /** The upstream's names of qualities (`{ "medium": "standard" }`); the others keep theirs. */
  quality: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** Fields that are added to every request, such as `{ "moderation": "low" }`. */
  body: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Number, Schema.Boolean])),
  ),
})
export type Options = typeof Options.Type

const timeoutSecondsDefault = 600
/** Ten images of 4K, in Base64. */
const answerBytesMax = 256 * 1024 * 1024
/** All reference images of a request, which are held in memory while they are sent. */
const referencesBytesMax = 128 * 1024 * 1024

/**
 * Upstreams that speak OpenAI's images API: `POST /images/generations`, and with reference images
 * `POST /images/edits`. The images come in the answer itself, as Base64 or links.
 *
 * | what happens | reason | because |
 * | --- | --- | --- |
 * | no connection | `unavailable` | nothing was sent |
 * | sent, then cut or timed out, before or inside the answer | `ambiguous` | it may have been made, and billed |
 * | 2xx with images | success | those that can be used; fewer than `n` are charged as fewer |
 * | 2xx without a usable image, or an answer too large | `failed` | asking again would not be better |
 * | 4xx with `content_policy_violation`, `moderation_blocked`, `content_filter` | `rejected` | final, with a message of our own |
 * | 401, 402, 403, 404, 405, a redirect; `insufficient_quota`, `billing_hard_limit_reached` | `unavailable`, logged | the operator's fault: another channel may serve |
 * | 429, 503 with a JSON body | `unavailable`, with `Retry-After` | explicitly not accepted |
 * | any other 4xx | `failed` | the request is at fault |
 * | 500 with a JSON body | `failed` | an explicit failure, nothing delivered |
 * | 408, 409, 502, 504, any 5xx without a JSON body | `ambiguous` | a proxy gave up, the upstream may not have |
 *
 * OpenAI documents no client-side key, so `ambiguous` ends there: the request is sent at most once, on a
 * connection of its own. With the option `idempotency_key` it is repeated under the same key.
 */
export const make: MakeChannel<Options> = (settings): ImageChannel => {
  const { channelId, options = {} } = settings
  const repeatable = options.idempotency_key === true
  return {
    id: channelId,
    repeatable,
    generate: Effect.fnUntraced(function* ({ reference, request }) {
      const { mask } = request.extra
      const references = yield* fetchReferences(settings, request.images)
      const masks = typeof mask === "string" ? [yield* referenceImage(settings, mask)] : []
      const fields = fieldsOf(settings, request)
      const answer = yield* call(settings, {
        method: "POST",
        ...(references.length === 0
          ? { path: "/images/generations", body: jsonBody(fields) }
          : {
              path: "/images/edits",
              body: multipartBody([...partsOf(fields, references), ...masks.map(maskPart)]),
            }),
        headers: { ...bearerOf(settings), ...(repeatable ? { "idempotency-key": reference } : {}) },
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

type Fields = { readonly [name: string]: string | number | boolean }

const fieldsOf = (
  { options = {}, upstreamModel }: AdapterSettings<Options>,
  { height, model, n, prompt, quality, width }: ImageRequest,
): Fields => ({
  model: upstreamModel(model),
  prompt,
  n,
  ...(width === null || height === null ? {} : { size: `${width}x${height}` }),
  ...(quality === null ? {} : { quality: options.quality?.[quality] ?? quality }),
  ...options.body,
})

const partsOf = (fields: Fields, references: ReadonlyArray<ImageBytes>): ReadonlyArray<Part> => [
  ...Object.entries(fields).map(([name, value]) => ({ name, content: String(value) })),
  ...references.map(({ bytes, contentType }, index) => ({
    name: "image[]",
    filename: `image-${index}.${contentType.slice("image/".length)}`,
    contentType,
    content: bytes,
  })),
]

const maskPart = ({ bytes, contentType }: ImageBytes): Part => ({
  name: "mask",
  filename: `mask.${contentType.slice("image/".length)}`,
  contentType,
  content: bytes,
})

/** One after another, so that all of them together stay bounded. */
const fetchReferences = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  urls: ReadonlyArray<string>,
): Effect.fn.Return<ReadonlyArray<ImageBytes>, UpstreamError> {
  const images: Array<ImageBytes> = []
  let left = referencesBytesMax
  for (const url of urls) {
    const image = yield* referenceImage(settings, url)
    left -= image.bytes.length
    if (left < 0) {
      const message = `The reference images have more than ${referencesBytesMax} bytes together.`
      return yield* new UpstreamError({ reason: "failed", message })
    }
    images.push(image)
  }
  return images
})

const rejectedCodes: ReadonlySet<string> = new Set([
  "content_policy_violation",
  "moderation_blocked",
  "content_filter",
])
const accountCodes: ReadonlySet<string> = new Set([
  "account_deactivated",
  "billing_hard_limit_reached",
  "billing_not_active",
  "insufficient_quota",
  "invalid_api_key",
  "model_not_found",
])

const codeOf = ({ json }: Answer): string => errorIn(json).code ?? ""

const refusals = {
  isRejection: (answer: Answer) => answer.status < 500 && rejectedCodes.has(codeOf(answer)),
  isMisconfiguration: (answer: Answer) => answer.status < 500 && accountCodes.has(codeOf(answer)),
}
