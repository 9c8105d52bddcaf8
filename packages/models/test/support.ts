import {
  type CoreError,
  type Generation,
  type ImageBytes,
  type ImageChannel,
  type ImageModel,
  type ImageRequest,
  type RequestBody,
  sha256,
  type TaskId,
} from "@atelier/core"
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

/** The first bytes of a PNG file of this size: its signature and its header. */
export const pngHead = (width: number, height: number): Buffer => {
  const head = Buffer.from("89504e470d0a1a0a0000000d4948445200000000000000000806000000", "hex")
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return Buffer.concat([head, Buffer.alloc(4)])
}

export const dataUrl = (bytes: Uint8Array, type = "image/png"): string =>
  `data:${type};base64,${Buffer.from(bytes).toString("base64")}`

/** Size and chunk names of a PNG file. */
export const readPng = (bytes: Uint8Array) => {
  const file = Buffer.from(bytes)
  if (file.toString("hex", 0, 8) !== "89504e470d0a1a0a") throw new Error("not a PNG file")
  const chunks: Array<string> = []
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at))
    chunks.push(file.toString("latin1", at + 4, at + 8))
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20), chunks: [...new Set(chunks)] }
}

export const hashesOf = ({ images }: Generation) =>
  images.map((image) => sha256("bytes" in image ? image.bytes : ""))

/** The first image, which has bytes. */
export const firstOf = ({ images: [image] }: Generation): ImageBytes => {
  if (image === undefined || !("bytes" in image)) throw new Error("no image")
  return image
}

/** What each operation of artgen needs beside its name. */
export const artgenBody = (operation: string): RequestBody => {
  const image = dataUrl(pngHead(40, 30))
  const job = { metadata: { job_id: "local-step" } }
  switch (operation) {
    case "imagine":
      return { prompt: "a" }
    case "blend":
      return { generation_type: operation, images: [image, image] }
    case "describe":
      return { generation_type: operation, images: [image] }
    case "inpaint":
      return {
        generation_type: operation,
        prompt: "a",
        metadata: { ...job.metadata, mask: image },
      }
    default:
      return { generation_type: operation, ...job }
  }
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
