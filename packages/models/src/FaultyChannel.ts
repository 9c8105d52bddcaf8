import { type ImageChannel, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import { linkOf } from "./FaultyDownloads.ts"

/** What the directives of a prompt ask for (contract, Running it). */
export interface Directives {
  readonly slowMillis: number
  readonly fail: boolean
  readonly reject: boolean
  readonly drop: boolean
  /** Images to deliver; null: all. */
  readonly partial: number | null
  /** Downloads of each image that fail before one succeeds: the images come as links, not as bytes. */
  readonly archiveFail: number
}

/** `[slow]` waits at most a day, which is beyond every deadline of the service. */
const slowMsMax = 24 * 60 * 60 * 1000
/** Dropped submissions that are remembered. */
const droppedMax = 10_000

const unitMillis: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Reads `[fail]`, `[reject]`, `[drop]`, `[slow 3s]`, `[partial 2]` and `[archive-fail 2]` from a prompt. */
export const directivesOf = (prompt: string): Directives => {
  const slow = /\[slow (\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h)\]/i.exec(prompt)
  const counted = (name: string) => new RegExp(`\\[${name} (\\d{1,3})\\]`, "i").exec(prompt)?.[1]
  const flag = (name: string) => new RegExp(`\\[${name}\\]`, "i").test(prompt)
  const partial = counted("partial")
  return {
    slowMillis: Math.min(
      Number(slow?.[1] ?? 0) * (unitMillis[slow?.[2]?.toLowerCase() ?? "s"] ?? 0),
      slowMsMax,
    ),
    fail: flag("fail"),
    reject: flag("reject"),
    drop: flag("drop"),
    partial: partial === undefined ? null : Number(partial),
    archiveFail: Number(counted("archive-fail") ?? 0),
  }
}

/**
 * The test vendor: behind any model it does what the directives of the prompt ask, and otherwise what `inner`
 * does. It takes the reference as a client-side key: a submission whose answer was dropped is answered when
 * it is repeated. The links of `[archive-fail 2]` are for `FaultyDownloads`, and for a model that is archived.
 */
export const make = (inner: ImageChannel): ImageChannel => {
  const dropped = new Set<string>()
  const dropOnce = (reference: string) =>
    Effect.suspend(() => {
      if (dropped.delete(reference)) return Effect.void
      if (dropped.size >= droppedMax) dropped.clear()
      dropped.add(reference)
      return new UpstreamError({
        reason: "ambiguous",
        message: "The connection was lost after the request was sent.",
      })
    })
  return {
    id: "faulty",
    repeatable: true,
    generate: Effect.fnUntraced(function* (input) {
      const { onAccepted, onProgress, reference, request } = input
      const directives = directivesOf(request.prompt)
      if (directives.reject) {
        return yield* new UpstreamError({
          reason: "rejected",
          message: "The prompt was refused by the content policy.",
        })
      }
      if (directives.drop) yield* dropOnce(reference)
      yield* onAccepted(`faulty-${reference}`)
      if (directives.slowMillis > 0) {
        yield* Effect.sleep(directives.slowMillis / 2)
        yield* onProgress(50)
        yield* Effect.sleep(directives.slowMillis / 2)
      }
      if (directives.fail) {
        return yield* new UpstreamError({ reason: "failed", message: "The generation failed." })
      }
      const n = Math.min(request.n, directives.partial ?? request.n)
      if (n === 0) return { images: [], jobId: null, text: null, seed: null }
      const generation = yield* inner.generate({
        ...input,
        request: { ...request, n },
        upstreamId: null,
        onAccepted: () => Effect.void,
        onProgress: () => Effect.void,
      })
      if (directives.archiveFail === 0) return generation
      const failures = directives.archiveFail
      const seeded = { ...request, seed: generation.seed }
      const images = generation.images.map((_, index) => ({
        url: linkOf({ reference, index, failures, request: seeded }),
      }))
      return { ...generation, images }
    }),
  }
}
