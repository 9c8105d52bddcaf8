import { type Generation, type ImageRequest, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { jsonBody } from "../http/UpstreamBody.ts"
import { type AdapterSettings, bearerOf, type MakeChannel } from "./Adapter.ts"
import { call, contentRefused, type Refusals, refusalOf } from "./Answers.ts"
import { generationOfLinks } from "./ImagesAnswer.ts"
import { done, type Look, lookAt, pending, pollUntil } from "./Polling.ts"

export const baseUrl = "https://api.replicate.com/v1"

const submitTimeoutMs = 120_000
const cancelTimeoutMs = 10_000
const answerBytesMax = 4 * 1024 * 1024

/** `options` of a `replicate` channel. */
export const Options = Schema.Struct({
  /** Input of every prediction, in the model's own names. */
  input: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
  /** The model's names of a request's fields; an empty name leaves the field out. */
  fields: Schema.optionalKey(
    Schema.Struct({
      prompt: Schema.optionalKey(Schema.String),
      n: Schema.optionalKey(Schema.String),
      seed: Schema.optionalKey(Schema.String),
      size: Schema.optionalKey(Schema.String),
      width: Schema.optionalKey(Schema.String),
      height: Schema.optionalKey(Schema.String),
      images: Schema.optionalKey(Schema.String),
    }),
  ),
})
export type Options = typeof Options.Type

const fieldsByDefault = {
  prompt: "prompt",
  n: "num_outputs",
  seed: "seed",
  size: "aspect_ratio",
  width: "",
  height: "",
  images: "input_images",
}

/**
 * Adapter `replicate`: predictions of replicate.com. The upstream model is `owner/name`, or `owner/name:version` for a
 * version of a community model; `options` say what the model calls its input.
 *
 * Replicate takes no key of ours, so a channel is not `repeatable`. The prediction's id is saved before anything else
 * happens, and polled from then on.
 *
 * | what happens | reason |
 * | --- | --- |
 * | 201 with an id | accepted |
 * | a prediction that failed for its content (`NSFW`, `safety`, `flagged`) | `rejected` |
 * | 422, any other 4xx; a prediction that failed, or has no image | `failed` |
 * | a prediction that was canceled or aborted, by us or at Replicate | `canceled` |
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
    return yield* pollUntil(lookAtPrediction(settings, id, request.n), onProgress)
  }),
  /** Replicate bills a canceled prediction for the time that it ran. */
  cancel: (id) =>
    Effect.map(
      call(settings, {
        method: "POST",
        path: `/predictions/${encodeURIComponent(id)}/cancel`,
        headers: bearerOf(settings),
        timeoutMillis: cancelTimeoutMs,
        maxResponseBytes: answerBytesMax,
        once: false,
      }),
      ({ status }) => status >= 200 && status <= 299,
    ),
})

const decodePrediction = Schema.decodeUnknownOption(
  Schema.Struct({
    id: Schema.String.check(Schema.isNonEmpty()),
    status: Schema.String,
    output: Schema.optionalKey(Schema.Unknown),
    error: Schema.optionalKey(Schema.Unknown),
    logs: Schema.optionalKey(Schema.NullOr(Schema.String)),
  }),
)

/** `owner/name` is run by its own path, a version by its id. */
const orderOf = (settings: AdapterSettings<Options>, request: ImageRequest) => {
  const [model = "", version] = settings.upstreamModel(request.model).split(":")
  const input = inputOf(settings.options ?? {}, request)
  return version === undefined
    ? { path: `/models/${model.split("/").map(encodeURIComponent).join("/")}/predictions`, body: { input } }
    : { path: "/predictions", body: { version, input } }
}

const inputOf = ({ fields, input = {} }: Options, request: ImageRequest) => {
  const names = { ...fieldsByDefault, ...fields }
  const values = {
    prompt: request.prompt,
    n: request.n === 1 ? undefined : request.n,
    seed: request.seed ?? undefined,
    size: /^\d+(\.\d+)?:\d+(\.\d+)?$/.test(request.size ?? "") ? request.size : undefined,
    width: request.width ?? undefined,
    height: request.height ?? undefined,
    images: request.images.length === 0 ? undefined : request.images,
  }
  const given = Object.entries(values).flatMap(([field, value]) => {
    const name = names[field as keyof typeof names]
    return value === undefined || name === "" ? [] : [[name, value] as const]
  })
  return { ...input, ...Object.fromEntries(given) }
}

const submit = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  request: ImageRequest,
): Effect.fn.Return<string, UpstreamError> {
  const { body, path } = orderOf(settings, request)
  const answer = yield* call(settings, {
    method: "POST",
    path,
    headers: bearerOf(settings),
    body: jsonBody(body),
    timeoutMillis: submitTimeoutMs,
    maxResponseBytes: answerBytesMax,
    once: true,
  })
  if (answer.status < 200 || answer.status > 299)
    return yield* Effect.flip(refusalOf(settings, answer, refusals))
  const prediction = decodePrediction(answer.json)
  if (Option.isSome(prediction)) return prediction.value.id
  return yield* new UpstreamError({ reason: "ambiguous", message: "The upstream's answer has no id." })
})

const refusals: Refusals = {
  isRejection: ({ excerpt }) => isAboutContent(excerpt),
  isMisconfiguration: () => false,
}

const isAboutContent = (text: string): boolean => /nsfw|safety|flagged|sensitive content/i.test(text)

const lookAtPrediction = (
  settings: AdapterSettings<Options>,
  id: string,
  n: number,
): Effect.Effect<Look, UpstreamError> =>
  lookAt(
    settings,
    { path: `/predictions/${encodeURIComponent(id)}`, headers: bearerOf(settings) },
    Effect.fnUntraced(function* ({ json }) {
      const prediction = decodePrediction(json)
      if (Option.isNone(prediction)) return pending()
      const { error, logs, output, status } = prediction.value
      switch (status) {
        case "succeeded":
          return done(yield* generationOf(settings, output, n))
        case "failed": {
          const why = typeof error === "string" ? error : ""
          return yield* isAboutContent(why) ? contentRefused() : ended(why)
        }
        case "canceled":
        case "aborted":
          return yield* new UpstreamError({ reason: "canceled", message: "The prediction was canceled." })
        default:
          return pending(progressIn(logs ?? ""))
      }
    }),
  )

const ended = (why: string) =>
  new UpstreamError({
    reason: "failed",
    message: `The upstream's prediction failed${why === "" ? "." : `: ${why.replace(/\s+/g, " ").slice(0, 300)}`}`,
  })

/** The last percentage of the log, as progress bars write it. */
const progressIn = (logs: string): number | undefined => {
  const last = [...logs.matchAll(/(\d{1,3})%\|/g)].at(-1)?.[1]
  return last === undefined ? undefined : Number(last)
}

/** One link, a list of links, or a list of objects with a link: models differ. */
const generationOf = (
  settings: AdapterSettings<Options>,
  output: unknown,
  n: number,
): Effect.Effect<Generation, UpstreamError> => {
  const items: ReadonlyArray<unknown> = Array.isArray(output) ? output : [output]
  return generationOfLinks(settings, items.map(linkOf), n)
}

const linkOf = (item: unknown): unknown =>
  typeof item === "object" && item !== null && "url" in item ? item.url : item
