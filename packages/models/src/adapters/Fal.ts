import { type ImageRequest, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { jsonBody } from "../http/UpstreamBody.ts"
import type { UpstreamHeaders } from "../http/UpstreamRequest.ts"
import type { AdapterSettings, MakeChannel } from "./Adapter.ts"
import { type Answer, call, contentRefused, type Refusals, refusalOf } from "./Answers.ts"
import { generationOfLinks } from "./ImagesAnswer.ts"
import { done, type Look, lookAt, missing, pending, pollUntil, silent } from "./Polling.ts"

export const baseUrl = "https://queue.fal.run"

const submitTimeoutMs = 120_000
const resultTimeoutMs = 30_000
const answerBytesMax = 8 * 1024 * 1024

/** `options` of a `fal` channel. */
export const Options = Schema.Struct({
  /** Input of every request, in the model's own names. */
  input: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  /** What the model calls its reference images: a list, or one image where it ends in `_url`; `image_urls` by default. */
  images_field: Schema.optionalKey(Schema.String),
})
export type Options = typeof Options.Type

/**
 * Adapter `fal`: the queue of fal.ai. The upstream model is an endpoint's id, such as `fal-ai/flux/dev`.
 *
 * The queue takes no key of ours, so a channel is not `repeatable`. The request's id is saved before anything else
 * happens, and polled from then on. fal keeps results for an hour, large ones for minutes: links are archived at once.
 *
 * | what happens | reason |
 * | --- | --- |
 * | 2xx with a `request_id` | accepted |
 * | a result of 422 with `content_policy_violation`; every image flagged as NSFW | `rejected` |
 * | a result of any other 4xx or 5xx; one without an image; any other 4xx to the submission | `failed` |
 * | 401, 402, 403, 404 to the submission | `unavailable`, logged |
 * | 429; no connection | `unavailable`, with `Retry-After` |
 * | the submission is cut or unanswered; 5xx without JSON; an answer without an id | `ambiguous` |
 * | looks fail for five minutes | `unavailable`, in 60 s; polled again |
 */
export const make: MakeChannel<Options> = (settings) => ({
  id: settings.channelId,
  repeatable: false,
  generate: Effect.fnUntraced(function* ({ onAccepted, onProgress, request, upstreamId }) {
    const id = upstreamId ?? (yield* submit(settings, request))
    if (upstreamId === null) yield* onAccepted(id)
    return yield* pollUntil(lookAtRequest(settings, request, id), onProgress)
  }),
})

/** fal's own scheme. */
const keyOf = ({ apiKey }: AdapterSettings): UpstreamHeaders => {
  const key = Redacted.value(apiKey)
  return key === "" ? {} : { authorization: Redacted.make(`Key ${key}`) }
}

const pathOf = (parts: ReadonlyArray<string>): string => `/${parts.map(encodeURIComponent).join("/")}`

const endpointOf = (settings: AdapterSettings, request: ImageRequest): ReadonlyArray<string> =>
  settings.upstreamModel(request.model).split("/")

/** Requests belong to the app, `owner/name`, whichever of its endpoints took them. */
const requestPath = (settings: AdapterSettings, request: ImageRequest, id: string): string =>
  `${pathOf(endpointOf(settings, request).slice(0, 2))}/requests/${encodeURIComponent(id)}`

const bodyOf = ({ options }: AdapterSettings<Options>, request: ImageRequest) => {
  const { images_field: field = "image_urls", input = {} } = options ?? {}
  const { height, images, n, prompt, seed, width } = request
  return {
    ...input,
    prompt,
    ...(n === 1 ? {} : { num_images: n }),
    ...(seed === null ? {} : { seed }),
    ...(width === null || height === null ? {} : { image_size: { width, height } }),
    ...(images.length === 0 ? {} : { [field]: field.endsWith("_url") ? images[0] : images }),
  }
}

const decodeAccepted = Schema.decodeUnknownOption(
  Schema.Struct({ request_id: Schema.String.check(Schema.isNonEmpty()) }),
)

const submit = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  request: ImageRequest,
): Effect.fn.Return<string, UpstreamError> {
  const answer = yield* call(settings, {
    method: "POST",
    path: pathOf(endpointOf(settings, request)),
    headers: keyOf(settings),
    body: jsonBody(bodyOf(settings, request)),
    timeoutMillis: submitTimeoutMs,
    maxResponseBytes: answerBytesMax,
    once: true,
  })
  if (answer.status < 200 || answer.status > 299)
    return yield* Effect.flip(refusalOf(settings, answer, refusals))
  const accepted = decodeAccepted(answer.json)
  if (Option.isSome(accepted)) return accepted.value.request_id
  return yield* new UpstreamError({ reason: "ambiguous", message: "The upstream's answer has no id." })
})

/** `{ detail: [{ type, msg }] }` of the model, or `{ detail: "…" }`. */
const decodeDetail = Schema.decodeUnknownOption(
  Schema.Struct({ detail: Schema.Array(Schema.Struct({ type: Schema.optionalKey(Schema.String) })) }),
)

const isAboutContent = ({ json }: Answer): boolean =>
  Option.match(decodeDetail(json), {
    onNone: () => false,
    onSome: ({ detail }) => detail.some(({ type }) => type === "content_policy_violation"),
  })

const refusals: Refusals = { isRejection: isAboutContent, isMisconfiguration: () => false }

const decodeStatus = Schema.decodeUnknownOption(Schema.Struct({ status: Schema.String }))

const lookAtRequest = (
  settings: AdapterSettings<Options>,
  request: ImageRequest,
  id: string,
): Effect.Effect<Look, UpstreamError> =>
  lookAt(
    settings,
    { path: `${requestPath(settings, request, id)}/status`, headers: keyOf(settings) },
    ({ json }) => {
      const { status } = Option.getOrElse(decodeStatus(json), () => ({ status: "" }))
      return status === "COMPLETED" ? readResult(settings, request, id) : Effect.succeed(pending())
    },
  )

/** What the model answered, also where it refused; a failure to fetch it says nothing of it. */
const readResult = (
  settings: AdapterSettings<Options>,
  request: ImageRequest,
  id: string,
): Effect.Effect<Look, UpstreamError> =>
  call(settings, {
    method: "GET",
    path: requestPath(settings, request, id),
    headers: keyOf(settings),
    timeoutMillis: resultTimeoutMs,
    maxResponseBytes: answerBytesMax,
    once: false,
  }).pipe(
    Effect.matchEffect({
      onFailure: ({ message }) => Effect.succeed(silent(message)),
      onSuccess: (answer) => resultOf(settings, answer, request.n),
    }),
  )

const decodeResult = Schema.decodeUnknownOption(
  Schema.Struct({
    images: Schema.optionalKey(Schema.Array(Schema.Struct({ url: Schema.Unknown }))),
    image: Schema.optionalKey(Schema.NullOr(Schema.Struct({ url: Schema.Unknown }))),
    seed: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
    has_nsfw_concepts: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Boolean))),
  }),
)

const resultOf = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  answer: Answer,
  n: number,
): Effect.fn.Return<Look, UpstreamError> {
  const { excerpt, json, status } = answer
  if (isAboutContent(answer)) return yield* contentRefused()
  if (status === 404) return missing
  if (status === 401 || status === 403 || status === 429) return silent(`The upstream answered ${status}.`)
  const result = status >= 200 && status <= 299 ? decodeResult(json) : Option.none()
  if (Option.isNone(result)) {
    const message = `The upstream's model answered ${status}${excerpt === "" ? "" : `: ${excerpt}`}`
    return yield* new UpstreamError({ reason: "failed", message })
  }
  const { has_nsfw_concepts: flags, image, images = image ? [image] : [], seed } = result.value
  const shown = images.filter((_, index) => flags?.[index] !== true)
  if (images.length > 0 && shown.length === 0) return yield* contentRefused()
  const generation = yield* generationOfLinks(
    settings,
    shown.map(({ url }) => url),
    n,
  )
  return done({ ...generation, seed: Number.isSafeInteger(seed) ? (seed ?? null) : null })
})
