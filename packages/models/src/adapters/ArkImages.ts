import { type ImageRequest, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { jsonBody } from "../http/UpstreamBody.ts"
import type { AdapterSettings, MakeChannel } from "./Adapter.ts"
import { type Answer, call, contentRefused, errorIn, misconfigured, refusalOf } from "./Answers.ts"
import { generationOf } from "./ImagesAnswer.ts"

/** `options` of an `ark-images` channel. */
export const Options = Schema.Struct({
  /** How long a generation may take; 900 where absent. */
  timeout_seconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3600 }))),
})
export type Options = typeof Options.Type

/** A set of ten images takes minutes; the answer comes when the last one is there. */
const timeoutSecondsDefault = 900
/** An answer of links is short; some gateways send the images themselves. */
const answerBytesMax = 64 * 1024 * 1024

/**
 * Adapter `ark-images`: the images API of Ark (BytePlus and Volcengine ModelArk), for `dream-*` and
 * `alt-dream-*`. `base_url` ends in `/api/v3`; the upstream model is a model or endpoint id.
 *
 * Ark takes no idempotency key and its answer is the result: a request is sent at most once, and one whose
 * answer is lost stays unknown (`repeatable: false`). Result links live for 24 hours; they are archived. Of
 * a set (`n` above 1) Ark may make fewer images than asked for, and each may fail by itself: those made count.
 *
 * | answer | reason |
 * | --- | --- |
 * | `…SensitiveContentDetected…`, `…RiskDetection`, `…PolicyViolation…`: as an error, or of every image | `rejected` |
 * | 401, 403, 404; `InvalidEndpoint…`, `ModelNotOpen`, `AccountOverdueError`, `SetLimitExceeded`, `QuotaExceeded` and the like | `unavailable`, logged |
 * | 429; 503 with JSON | `unavailable`, with `Retry-After` |
 * | no image for another reason; a malformed 200; an answer that is too large; any other 4xx or 5xx with JSON | `failed` |
 * | no connection | `unavailable` |
 * | the connection is cut, or nothing comes, after the request was sent; 502, 504; 5xx without JSON | `ambiguous` |
 */
export const make: MakeChannel<Options> = (settings) => ({
  id: settings.channelId,
  repeatable: false,
  generate: Effect.fnUntraced(function* ({ request }) {
    const answer = yield* call(settings, {
      method: "POST",
      path: "/images/generations",
      headers: keyOf(settings),
      body: jsonBody(bodyOf(request, settings.upstreamModel(request.model))),
      timeoutMillis: (settings.options?.timeout_seconds ?? timeoutSecondsDefault) * 1000,
      maxResponseBytes: answerBytesMax,
      once: true,
    })
    if (answer.status < 200 || answer.status > 299) {
      return yield* Effect.flip(refusalOf(settings, answer, refusals))
    }
    return yield* Effect.catch(generationOf(settings, answer, request.n), (empty) =>
      Effect.flip(reasonOf(settings, answer, empty)),
    )
  }),
})

const keyOf = ({ apiKey }: AdapterSettings) => ({
  authorization: Redacted.make(`Bearer ${Redacted.value(apiKey)}`),
})

/** A seed is sent where one was asked for: only some of the models know it. */
const bodyOf = (request: ImageRequest, model: string) => {
  const { height, images, n, prompt, quality, resolution, seed, width } = request
  const size = width !== null && height !== null ? `${width}x${height}` : resolution
  return {
    model,
    prompt,
    ...(images.length === 0 ? {} : { image: images.length === 1 ? images[0] : images }),
    ...(size === null ? {} : { size }),
    ...(seed === null ? {} : { seed }),
    ...(quality === "fast" ? { optimize_prompt_options: { mode: "fast" } } : {}),
    ...(n === 1
      ? { sequential_image_generation: "disabled" }
      : { sequential_image_generation: "auto", sequential_image_generation_options: { max_images: n } }),
    response_format: "url",
    stream: false,
    watermark: false,
  }
}

/** An image of a set that was not made says why; a whole request can fail with status 200 too. */
const decodeFaults = Schema.decodeUnknownOption(
  Schema.Struct({
    data: Schema.optionalKey(
      Schema.NullOr(Schema.Array(Schema.Struct({ error: Schema.optionalKey(Schema.Unknown) }))),
    ),
  }),
)

/** Why a set is empty. One refusal of content decides: the same prompt would be refused again. */
const reasonOf = (
  settings: AdapterSettings,
  { json }: Answer,
  empty: UpstreamError,
): Effect.Effect<UpstreamError> => {
  const items = Option.match(decodeFaults(json), { onNone: () => [], onSome: ({ data }) => data ?? [] })
  const codes = [json, ...items].map((item) => errorIn(item).code ?? "")
  if (codes.some((code) => contentCode.test(code))) return Effect.succeed(contentRefused())
  const code = codes.find((each) => each !== "")
  if (code === undefined) return Effect.succeed(empty)
  const message = `The upstream made no image: ${code.slice(0, codeCharsMax)}.`
  return operatorCode.test(code)
    ? misconfigured(settings, message)
    : Effect.succeed(new UpstreamError({ reason: "failed", message }))
}

/** Longest code that a message repeats; those in use are shorter. */
const codeCharsMax = 80
const contentCode = /SensitiveContentDetected|RiskDetection|PolicyViolation/
const operatorCode =
  /^(InvalidEndpoint|ModelNotOpen|UnsupportedModel|ServiceNotOpen|ServiceOverdue|AccountOverdue|InvalidAccountStatus|SetLimitExceeded|QuotaExceeded|OperationDenied)/

const codeOf = ({ json }: Answer): string => errorIn(json).code ?? ""

const refusals = {
  isRejection: (answer: Answer) => contentCode.test(codeOf(answer)),
  isMisconfiguration: (answer: Answer) => operatorCode.test(codeOf(answer)),
}
