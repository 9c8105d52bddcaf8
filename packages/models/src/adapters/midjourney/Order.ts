import { type ImageRequest, type Json, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import type { ArtgenExtra, OperationName } from "../../Artgen.ts"
import type { AdapterSettings } from "../Adapter.ts"
import { dataUrlOf, referenceImage } from "../Reference.ts"
import { blendDimensions, imaginePrompt } from "./Prompt.ts"
import type { Task } from "./Wire.ts"

/** One submission. `path` follows the prefix of the mode. */
export interface Order {
  readonly path: string
  readonly body: { readonly [name: string]: Json }
}

/** The order of an operation that builds on no step. */
export const firstOrder = Effect.fnUntraced(function* (
  settings: AdapterSettings,
  request: ImageRequest,
  extra: ArtgenExtra,
  speedInPrompt: boolean,
): Effect.fn.Return<Order, UpstreamError> {
  const botType = /niji/i.test(settings.upstreamModel(request.model)) ? { botType: "NIJI_JOURNEY" } : {}
  switch (extra.generation_type) {
    case "blend": {
      const dimensions = blendDimensions(request.size)
      return { path: "/submit/blend", body: { ...botType, base64Array: request.images, dimensions } }
    }
    case "describe": {
      // Not every implementation fetches a link.
      const image = yield* referenceImage(settings, request.images[0] ?? "")
      return { path: "/submit/describe", body: { ...botType, base64: dataUrlOf(image) } }
    }
    default:
      return {
        path: "/submit/imagine",
        body: {
          ...botType,
          prompt: imaginePrompt(request, extra, speedInPrompt),
          base64Array: request.images.filter((image) => image.startsWith("data:")),
        },
      }
  }
})

/**
 * Beginnings of the button of an operation, the best first. A `customId` names the step that it belongs to
 * and changes with it, so that it is looked up on the finished step.
 */
const buttonsOf = (operation: OperationName): ReadonlyArray<RegExp> => {
  const numbered = /^(variation|upsample)([1-4])$/.exec(operation)
  if (numbered !== null) return [new RegExp(`^MJ::JOB::${numbered[1]}::${numbered[2]}::`)]
  switch (operation) {
    case "reroll":
      return [/^MJ::JOB::reroll::/]
    case "upscale2":
      return [/^MJ::JOB::upsample_\w*2x::/, /^MJ::JOB::upsample_\w*2x_subtle::/, /^MJ::JOB::upsample_\w*2x_/]
    case "upscale4":
      return [/^MJ::JOB::upsample_\w*4x(_\w+)?::/]
    case "zoom_out_1.5":
      return [/^MJ::Outpaint::75::/]
    case "zoom_out_2":
      return [/^MJ::Outpaint::50::/]
    case "inpaint":
      return [/^MJ::Inpaint::/]
    default:
      return [new RegExp(`^MJ::JOB::${operation}::`)]
  }
}

/**
 * The order of an operation on a finished step: the step's button, or, from implementations without buttons,
 * a change by its number. A step that does not offer the operation refuses it.
 */
export const nextOrder = (
  operation: OperationName,
  parentId: string,
  { buttons }: Task,
): Effect.Effect<Order, UpstreamError> => {
  const offered = (buttons ?? []).flatMap(({ customId }) => (typeof customId === "string" ? [customId] : []))
  const customId = buttonsOf(operation)
    .flatMap((button) => offered.filter((each) => button.test(each)))
    .at(0)
  if (customId !== undefined) {
    return Effect.succeed({ path: "/submit/action", body: { taskId: parentId, customId } })
  }
  const change = offered.length > 0 ? undefined : changeOf(operation)
  if (change !== undefined) {
    return Effect.succeed({ path: "/submit/change", body: { taskId: parentId, ...change } })
  }
  return Effect.fail(
    new UpstreamError({ reason: "rejected", message: `The finished step does not offer ${operation}.` }),
  )
}

const changeOf = (operation: OperationName): { readonly [name: string]: Json } | undefined => {
  if (operation === "reroll") return { action: "REROLL" }
  const numbered = /^(variation|upsample)([1-4])$/.exec(operation)
  if (numbered === null) return undefined
  return { action: numbered[1] === "upsample" ? "UPSCALE" : "VARIATION", index: Number(numbered[2]) }
}
