import {
  type GeneratedImage,
  type Generation,
  type ImageChannel,
  type ImageRequest,
  sha256,
  UpstreamError,
  type Warning,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Artgen from "./Artgen.ts"
import { type PictureOrder, wordsLeftOut } from "./art/Picture.ts"
import * as Renderer from "./art/Renderer.ts"
import * as LocalArtgen from "./LocalArtgen.ts"
import { pixelsOf } from "./PixelSize.ts"

/** The seed of a request that names none: it follows from the prompt. */
const seedOf = ({ prompt, seed }: ImageRequest): number =>
  seed ?? Number.parseInt(sha256(prompt).slice(0, 8), 16)

/**
 * The embedded adapter: draws pictures of exactly the asked size without any network. The same model, prompt,
 * seed, size and place give the same bytes, so that a run can be repeated (contract, Running it). Reference
 * images are not fetched; only their number shows.
 */
export const make: Effect.Effect<ImageChannel, never, Scope.Scope> = Effect.map(
  Renderer.make,
  (renderer) => ({
    id: "local",
    repeatable: true,
    generate: Effect.fnUntraced(
      function* ({ onAccepted, onProgress, reference, request }) {
        yield* onAccepted(`local-${reference}`)
        const artgen = Artgen.extraOf(request)
        if (artgen !== undefined) {
          return yield* serveArtgen(renderer, LocalArtgen.answer(reference, request, artgen))
        }
        const images: Array<GeneratedImage> = []
        for (let index = 0; index < request.n; index++) {
          if (index > 0) yield* onProgress(Math.floor((index / request.n) * 100))
          const order = orderOf(request, index)
          const bytes = yield* renderer.render(order)
          images.push({ bytes, contentType: "image/png", width: order.width, height: order.height })
        }
        return {
          images,
          jobId: null,
          text: null,
          seed: seedOf(request),
          warnings: warningsOf([orderOf(request, 0)]),
        }
      },
      Effect.catchTag("RenderFailed", (error) =>
        Effect.andThen(
          Effect.logError("a picture could not be drawn", error),
          new UpstreamError({
            reason: error.retryable ? "unavailable" : "failed",
            message: "The picture could not be drawn.",
          }),
        ),
      ),
    ),
  }),
)

const wordless: Generation = { images: [], jobId: null, text: null, seed: null }

const serveArtgen = (
  renderer: Renderer.Renderer,
  answer: LocalArtgen.ArtgenAnswer,
): Effect.Effect<Generation, Renderer.RenderFailed> => {
  if (answer._tag === "Text") return Effect.succeed({ ...wordless, text: answer.text })
  if (answer._tag === "Seed") return Effect.succeed({ ...wordless, seed: answer.seed })
  const { jobId, seed, sheet } = answer
  const { height, width } = sheet
  const warnings = warningsOf(sheet.pictures.map(({ order }) => order))
  return Effect.map(renderer.render(sheet), (bytes) => ({
    images: [{ bytes, contentType: "image/png", width, height }],
    jobId,
    text: null,
    seed,
    warnings,
  }))
}

/** Words that cannot be drawn are left out: never boxes in their place. */
const warningsOf = (orders: ReadonlyArray<PictureOrder>): ReadonlyArray<Warning> => {
  const leftOut = orders.map(wordsLeftOut).find((much) => much !== "none")
  if (leftOut === undefined) return []
  const which = leftOut === "all" ? "The words of the prompt are" : "Some words of the prompt are"
  const message = `${which} not drawn on the picture: this adapter has no font for their script.`
  return [{ code: "text_not_drawn", message }]
}

const orderOf = (request: ImageRequest, index: number): PictureOrder => ({
  prompt: request.prompt,
  model: request.model,
  ...pixelsOf(request),
  seed: seedOf(request),
  index,
  references: request.images.length,
})
