import type { CoreError, ImageChannel, ImageModel, ImageRequest, RequestBody, TaskId } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** The outcome of parsing; anything but a request or a refusal throws. */
export const parsed = (model: ImageModel, body: RequestBody): Result.Result<ImageRequest, CoreError> =>
  Effect.runSync(Effect.result(Effect.map(model.parse(body), ({ request }) => request)))

/** The request of a valid body. */
export const requestOf = (model: ImageModel, body: RequestBody): ImageRequest =>
  Result.getOrThrow(parsed(model, body))

/** The refusal of an invalid body. */
export const refusalOf = (model: ImageModel, body: RequestBody): CoreError =>
  Result.getOrThrow(Result.flip(parsed(model, body)))

/** The model of an id among a family's. */
export const modelIn = (models: ReadonlyArray<ImageModel>, id: string): ImageModel => {
  const found = models.find((model) => model.id === id)
  if (found === undefined) throw new Error(`no model ${id}`)
  return found
}

const reference: TaskId = "imgtask_01jc0000000000000000000000"

/** Runs a channel as a first submission. */
export const generate = (channel: ImageChannel, request: ImageRequest, id: TaskId = reference) =>
  channel.generate({
    reference: id,
    request,
    upstreamId: null,
    onAccepted: () => Effect.void,
    onProgress: () => Effect.void,
  })
