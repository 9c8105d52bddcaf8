import { type GeneratedImage, type Generation, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readImage } from "../FetchImage.ts"
import type { AdapterSettings } from "./Adapter.ts"
import { type Answer, contentRefused } from "./Answers.ts"

const optionalText = Schema.optionalKey(Schema.NullOr(Schema.String))

/** What every upstream that follows OpenAI's images API answers; whatever else it holds is ignored. */
const ImagesAnswer = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      b64_json: optionalText,
      url: optionalText,
      /** Of xAI: false for an image that was withheld. */
      respect_moderation: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
    }),
  ),
})
type Item = (typeof ImagesAnswer.Type)["data"][number]

const decode = Schema.decodeUnknownOption(ImagesAnswer)

/**
 * The images of a 2xx answer, at most `n`: links that may be fetched, and bytes whose header can be read. What
 * cannot be used is left out, and so is not charged; an answer without any is `failed`, or `rejected` where
 * the upstream withheld them.
 */
export const generationOf = Effect.fnUntraced(function* (
  settings: AdapterSettings,
  answer: Answer,
  n: number,
): Effect.fn.Return<Generation, UpstreamError> {
  const decoded = decode(answer.json)
  if (Option.isNone(decoded)) {
    return yield* new UpstreamError({ reason: "failed", message: "The upstream's answer holds no images." })
  }
  const { data } = decoded.value
  const found = yield* Effect.forEach(data.slice(0, n), (item) => imageOf(settings, item))
  const images = found.filter((image) => image !== undefined)
  if (images.length === 0) {
    if (data.some(({ respect_moderation }) => respect_moderation === false)) return yield* contentRefused()
    return yield* new UpstreamError({ reason: "failed", message: "The upstream answered without an image." })
  }
  return { images, jobId: null, text: null, seed: null }
})

const imageOf = (
  { channelId, http }: AdapterSettings,
  { b64_json, respect_moderation, url }: Item,
): Effect.Effect<GeneratedImage | undefined> => {
  const leaveOut = (problem: string) =>
    Effect.as(
      Effect.logWarning("an upstream's image is left out", { channel: channelId, problem }),
      undefined,
    )
  if (respect_moderation === false) return leaveOut("withheld by the upstream")
  if (typeof b64_json === "string" && b64_json !== "") {
    const image = readImage(Buffer.from(b64_json.replace(/^data:[^,]{0,100},/, ""), "base64"))
    return image === undefined ? leaveOut("not an image") : Effect.succeed(image)
  }
  if (typeof url !== "string" || url === "") return leaveOut("neither bytes nor a link")
  return http.checkUrl(url, "public").pipe(
    Effect.as({ url }),
    Effect.catch(({ message }) => leaveOut(message)),
  )
}

/** The images behind an upstream's links, or in Data URLs, at most `n`; as `generationOf` of an answer. */
export const generationOfLinks = (
  settings: AdapterSettings,
  links: ReadonlyArray<unknown>,
  n: number,
): Effect.Effect<Generation, UpstreamError> =>
  Effect.gen(function* () {
    const found = yield* Effect.forEach(links.slice(0, n), (link) => {
      const text = typeof link === "string" ? link : ""
      return imageOf(settings, text.startsWith("data:") ? { b64_json: text } : { url: text })
    })
    const images = found.filter((image) => image !== undefined)
    if (images.length > 0) return { images, jobId: null, text: null, seed: null }
    return yield* new UpstreamError({ reason: "failed", message: "The upstream answered without an image." })
  })
