import { type Generation, type ImageChannel, type ImageRequest, UpstreamError } from "@atelier/core"
import { readImageHeader } from "@atelier/models"
import * as Effect from "effect/Effect"
import type { Parked } from "./Parked.ts"
import { whitePng } from "./png.ts"
import type { Script } from "./Script.ts"

/** What the application asked of the upstream, after defaults. */
export type UpstreamRequest = Pick<
  ImageRequest,
  "model" | "prompt" | "n" | "width" | "height" | "size" | "resolution" | "quality" | "seed" | "images"
>

/** What the upstream answers; `{}` is a white image of the asked size for each that was asked for. */
export type UpstreamAnswer =
  | {
      /** The images themselves, or how many white ones: fewer than asked for are settled as such. */
      readonly images?: number | ReadonlyArray<Uint8Array>
      readonly text?: string
      readonly seed?: number
    }
  /** Refused for its content: the task fails with `upstream_rejected`. */
  | { readonly rejected: string }
  /** The task fails with `upstream_failed`. */
  | { readonly failed: string }
  /** Not accepted: the task is tried again later, by default as soon as the service thinks best. */
  | { readonly unavailable: string; readonly retryAfterSeconds?: number }
  /** Nothing comes: the task runs until its deadline, or until it is canceled. */
  | { readonly silent: true }

const sizeWithout = 1024

const generationOf = (
  request: ImageRequest,
  { images = request.n, seed, text }: Extract<UpstreamAnswer, { readonly images?: unknown }>,
): Effect.Effect<Generation, UpstreamError> => {
  const { height, width } = request
  const given =
    typeof images === "number"
      ? Array.from({ length: images }, () => whitePng(width ?? sizeWithout, height ?? sizeWithout))
      : images
  const read = given.map((bytes) => {
    const header = readImageHeader(bytes)
    if (header._tag !== "Image") return undefined
    const { height, type: contentType, width } = header.header
    return { bytes, contentType, width, height }
  })
  const whole = read.filter((image) => image !== undefined)
  if (whole.length < given.length) {
    const message = "A scripted image is no PNG, JPEG, WebP, GIF or AVIF."
    return Effect.fail(new UpstreamError({ reason: "failed", message }))
  }
  return Effect.succeed({ images: whole, jobId: null, text: text ?? null, seed: seed ?? null })
}

/** A channel that serves every model from a script. */
export const scriptedChannel = (
  script: Script<UpstreamRequest, UpstreamAnswer>,
  parked: Parked,
): ImageChannel => {
  const canceled = new Map<string, () => void>()
  return {
    id: "scripted",
    repeatable: true,
    cancel: (upstreamId) =>
      Effect.sync(() => {
        const cancel = canceled.get(upstreamId)
        cancel?.()
        return cancel !== undefined
      }),
    generate: Effect.fnUntraced(function* ({ onAccepted, reference, request }) {
      const answer = script.answerTo(request)
      if ("unavailable" in answer) {
        const { retryAfterSeconds, unavailable: message } = answer
        return yield* new UpstreamError({
          reason: "unavailable",
          message,
          ...(retryAfterSeconds === undefined ? {} : { retryAfterMillis: retryAfterSeconds * 1000 }),
        })
      }
      const upstreamId = `scripted-${reference}`
      yield* onAccepted(upstreamId)
      if ("rejected" in answer) {
        return yield* new UpstreamError({ reason: "rejected", message: answer.rejected })
      }
      if ("failed" in answer) return yield* new UpstreamError({ reason: "failed", message: answer.failed })
      if ("silent" in answer) {
        return yield* parked.wait<Generation, UpstreamError>(
          Effect.callback((resume) => {
            const error = new UpstreamError({
              reason: "canceled",
              message: "The upstream was asked to stop.",
            })
            canceled.set(upstreamId, () => resume(Effect.fail(error)))
            return Effect.sync(() => void canceled.delete(upstreamId))
          }),
        )
      }
      return yield* generationOf(request, answer)
    }),
  }
}
