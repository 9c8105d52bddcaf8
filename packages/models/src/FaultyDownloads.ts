import { DownloadFailed, Downloads, type ImageRequest } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as LocalChannel from "./LocalChannel.ts"

/** Links whose downloads are counted; one that is evicted starts failing again. */
const linksMax = 10_000
const scheme = "faulty:"

/**
 * One image behind a `faulty:` link. Everything that it is drawn from is in the link, so that a restarted
 * process serves the links of the previous one.
 */
const Ticket = Schema.fromJsonString(
  Schema.Struct({
    reference: Schema.String,
    index: Schema.Int,
    failures: Schema.Int,
    model: Schema.String,
    prompt: Schema.String,
    width: Schema.NullOr(Schema.Number),
    height: Schema.NullOr(Schema.Number),
    size: Schema.NullOr(Schema.String),
    resolution: Schema.NullOr(Schema.String),
    seed: Schema.NullOr(Schema.Number),
  }),
)
const encode = Schema.encodeSync(Ticket)
const decode = Schema.decodeUnknownEffect(Ticket)

/** A link to an image of a generation, whose download fails `failures` times before it works. */
export const linkOf = (image: {
  readonly reference: string
  /** Place in the generation, from 0. */
  readonly index: number
  readonly failures: number
  readonly request: ImageRequest
}): string => {
  const { failures, index, reference } = image
  const { height, model, prompt, resolution, seed, size, width } = image.request
  const ticket = { reference, index, failures, model, prompt, width, height, size, resolution, seed }
  return `${scheme}${Buffer.from(encode(ticket)).toString("base64url")}`
}

/**
 * Serves the test vendor's `faulty:` links in this process, and hands all others to the `Downloads` beneath.
 * The image that comes in the end is drawn like any of the embedded adapter's, with a seed of its own.
 */
export const layer: Layer.Layer<Downloads, never, Downloads> = Layer.effect(
  Downloads,
  Effect.gen(function* () {
    const beneath = yield* Downloads
    const local = yield* LocalChannel.make
    const failed = new Map<string, number>()

    const serve = Effect.fnUntraced(function* (url: string) {
      const text = Buffer.from(url.slice(scheme.length), "base64url").toString()
      const { failures, index, reference, seed, ...drawn } = yield* Effect.mapError(
        decode(text),
        () => new DownloadFailed({ message: "The link is not one of the test vendor's." }),
      )
      const before = failed.get(url) ?? 0
      if (before < failures) {
        if (failed.size >= linksMax) failed.clear()
        failed.set(url, before + 1)
        return yield* new DownloadFailed({ message: "The test vendor's server answered 503." })
      }
      const generation = yield* local.generate({
        reference: "imgtask_",
        request: { ...plain, ...drawn, seed: (seed ?? 0) + index },
        upstreamId: null,
        onAccepted: () => Effect.void,
        onProgress: () => Effect.void,
      })
      const [image] = generation.images
      if (image === undefined || "url" in image) {
        return yield* new DownloadFailed({ message: `There is no image ${index} of ${reference}.` })
      }
      return image
    })

    return Downloads.of({
      image: (url) =>
        url.startsWith(scheme)
          ? Effect.catchTag(serve(url), "UpstreamError", ({ message }) =>
              Effect.fail(new DownloadFailed({ message })),
            )
          : beneath.image(url),
    })
  }),
)

const plain = {
  n: 1,
  quality: null,
  images: [],
  parentJobId: null,
  extra: {},
  callbackUrl: null,
}
