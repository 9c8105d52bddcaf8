import { type ImageBytes, type ImageRequest, sha256, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { readImage } from "../FetchImage.ts"
import { jsonBody } from "../http/UpstreamBody.ts"
import type { UpstreamHeaders } from "../http/UpstreamRequest.ts"
import { pixelsOf } from "../PixelSize.ts"
import type { AdapterSettings, MakeChannel } from "./Adapter.ts"
import { call, type Refusals, refusalOf } from "./Answers.ts"
import { referenceImage } from "./Reference.ts"

/** A large batch on a slow GPU; a task has an hour. */
const timeoutSecondsDefault = 45 * 60
/** Ten PNG files of some 8 megapixels, in Base64. */
const answerBytesMax = 256 * 1024 * 1024
const progressIntervalMs = 2000
const progressTimeoutMs = 5000
const progressBytesMax = 1024 * 1024

/** `options` of an `automatic1111` channel: what the web UI is asked for; its own defaults where absent. */
export const Options = Schema.Struct({
  steps: Schema.optionalKey(Schema.Int),
  cfg_scale: Schema.optionalKey(Schema.Finite),
  sampler: Schema.optionalKey(Schema.String),
  negative_prompt: Schema.optionalKey(Schema.String),
  /** How far a picture may deviate from its reference image: 0 to 1. */
  denoising_strength: Schema.optionalKey(Schema.Finite),
  /** How long a generation may take, with the wait for those before it; 2700 where absent. */
  timeout_seconds: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 3600 }))),
})
export type Options = typeof Options.Type

/**
 * Adapter `automatic1111`: the API of AUTOMATIC1111's Stable Diffusion web UI (`--api`), for images made on
 * your own machine. `base_url` is where the web UI listens; `api_key` is `USER:PASSWORD` of `--api-auth`, or
 * empty; the upstream model is a checkpoint's title, and `*` the one that is loaded.
 *
 * Nothing is paid, and the seed follows from the task where none was asked for, so that the same task makes
 * the same images: `repeatable: true`. A reference image is fetched here and sent along; one at most.
 *
 * | answer | reason |
 * | --- | --- |
 * | two reference images | `rejected` |
 * | no connection | `unavailable` |
 * | 401, 403, 404 (no such checkpoint or sampler; no `--api`) | `unavailable`, logged |
 * | 429; 503 with JSON | `unavailable`, with `Retry-After` |
 * | a reference image that cannot be fetched, or is not an image | `failed` |
 * | 422, 500 with JSON (out of memory); 200 without an image; an answer that is too large | `failed` |
 * | the connection is cut, or nothing comes, after the request was sent; 502, 504; 5xx without JSON | `ambiguous`, made again |
 */
export const make: MakeChannel<Options> = (settings) => ({
  id: settings.channelId,
  repeatable: true,
  generate: Effect.fnUntraced(function* ({ onProgress, reference, request }) {
    if (request.extra["mask"] !== undefined) {
      return yield* new UpstreamError({
        reason: "failed",
        message: "The channel of this model takes no mask.",
      })
    }
    const initImage = yield* initImageOf(settings, request)
    const order = { ...bodyOf(settings, request, reference), ...initImage }
    const answer = yield* Effect.raceFirst(
      call(settings, {
        method: "POST",
        path: `/sdapi/v1/${initImage === undefined ? "txt2img" : "img2img"}`,
        headers: keyOf(settings),
        body: jsonBody(order),
        timeoutMillis: (settings.options?.timeout_seconds ?? timeoutSecondsDefault) * 1000,
        maxResponseBytes: answerBytesMax,
        once: true,
      }),
      reportProgress(settings, onProgress),
    )
    if (answer.status < 200 || answer.status > 299) {
      return yield* Effect.flip(refusalOf(settings, answer, refusals))
    }
    const images = imagesOf(answer.json, request.n)
    if (images.length > 0) return { images, jobId: null, text: null, seed: order.seed }
    return yield* new UpstreamError({ reason: "failed", message: "The upstream answered without an image." })
  }),
})

/** HTTP Basic (RFC 7617), where the web UI asks for it. */
const keyOf = ({ apiKey }: AdapterSettings): UpstreamHeaders => {
  const userAndPassword = Redacted.value(apiKey)
  if (userAndPassword === "") return {}
  return {
    authorization: Redacted.make(`Basic ${Buffer.from(userAndPassword).toString("base64")}`),
  }
}

/** Images of a batch are made one after another, with seeds that count up. */
const bodyOf = (settings: AdapterSettings<Options>, request: ImageRequest, reference: string) => {
  const { sampler, timeout_seconds: _, ...options } = settings.options ?? {}
  const checkpoint = settings.upstreamModel(request.model)
  return {
    ...options,
    ...(sampler === undefined ? {} : { sampler_name: sampler }),
    ...(checkpoint === request.model
      ? {}
      : {
          override_settings: { sd_model_checkpoint: checkpoint },
          override_settings_restore_afterwards: false,
        }),
    prompt: request.prompt,
    ...pixelsOf(request),
    seed: request.seed ?? Number.parseInt(sha256(reference).slice(0, 8), 16),
    n_iter: request.n,
    batch_size: 1,
    send_images: true,
    save_images: false,
  }
}

/** Only bytes are certain to be accepted: web UIs may be configured to fetch nothing. */
const initImageOf = Effect.fnUntraced(function* (settings: AdapterSettings, { images }: ImageRequest) {
  const [url, second] = images
  if (url === undefined) return undefined
  if (second !== undefined) {
    const message = "This model takes one reference image here."
    return yield* new UpstreamError({ reason: "rejected", message })
  }
  const { bytes } = yield* referenceImage(settings, url)
  return { init_images: [Buffer.from(bytes).toString("base64")] }
})

const decodeProgress = Schema.decodeUnknownOption(Schema.Struct({ progress: Schema.Finite }))

/**
 * Reports the web UI's progress until it is interrupted; never less than before. The web UI
 * does not say whose work it is, so a channel that runs one generation at a time is the most exact.
 */
const reportProgress = Effect.fnUntraced(function* (
  settings: AdapterSettings,
  onProgress: (progress: number) => Effect.Effect<void>,
): Effect.fn.Return<never> {
  let shown = 0
  for (;;) {
    yield* Effect.sleep(progressIntervalMs)
    const answer = yield* Effect.option(
      call(settings, {
        method: "GET",
        path: "/sdapi/v1/progress?skip_current_image=true",
        headers: keyOf(settings),
        timeoutMillis: progressTimeoutMs,
        maxResponseBytes: progressBytesMax,
        once: false,
      }),
    )
    const told = Option.flatMap(answer, ({ json }) => decodeProgress(json))
    const percent = Option.match(told, {
      onNone: () => 0,
      onSome: ({ progress }) => Math.min(Math.floor(progress * 100), 99),
    })
    if (percent <= shown) continue
    shown = percent
    yield* onProgress(percent)
  }
})

const decodeResult = Schema.decodeUnknownOption(
  Schema.Struct({
    images: Schema.Array(Schema.String),
    info: Schema.optionalKey(Schema.NullOr(Schema.String)),
  }),
)
const decodeInfo = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ index_of_first_image: Schema.optionalKey(Schema.Int) })),
)

/** Scripts and settings of the web UI can put a contact sheet before the images, and maps behind them. */
const imagesOf = (json: unknown, n: number): ReadonlyArray<ImageBytes> =>
  Option.match(decodeResult(json), {
    onNone: () => [],
    onSome: ({ images, info }) => {
      const first = Option.match(decodeInfo(info), {
        onNone: () => 0,
        onSome: ({ index_of_first_image: index = 0 }) => index,
      })
      return images.slice(first, first + n).flatMap((text) => {
        const base64 = text.startsWith("data:") ? text.slice(text.indexOf(",") + 1) : text
        const image = readImage(Buffer.from(base64, "base64"))
        return image === undefined ? [] : [image]
      })
    },
  })

/** The web UI has no content policy, and its answers say no more than their status. */
const refusals: Refusals = { isRejection: () => false, isMisconfiguration: () => false }
