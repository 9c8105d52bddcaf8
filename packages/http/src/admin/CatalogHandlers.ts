import type { WireChannelPause } from "@atelier/api"
import { Admin, type ChannelEntry, Channels, type Json, ModelCatalog, ToolCatalog } from "@atelier/core"
import * as Effect from "effect/Effect"
import { reply } from "../Answer.ts"
import { listOf } from "../Page.ts"
import { toWireAdminChannel, toWireAdminModel, toWireAdminTool } from "../toWireAdmin.ts"
import type { AdminHandlersOf } from "./AdminEndpoints.ts"
import { bodies, channelPause, decimalOf, jsonOf } from "./bodies.ts"
import { makeChange } from "./change.ts"

/** The catalogs of tools and models, with what is not offered too, and the channels. */
export const makeCatalogHandlers = Effect.gen(function* () {
  const admin = yield* Admin
  const channels = yield* Channels
  const models = yield* ModelCatalog
  const tools = yield* ToolCatalog
  const { change, once } = yield* makeChange

  const updateTool = Effect.fnUntraced(function* (id: string) {
    const { unit_price, ...rest } = yield* bodies.tool
    const price = unit_price === undefined ? {} : { unit_price: decimalOf(unit_price) }
    return toWireAdminTool(yield* admin.overrideTool(id, { ...rest, ...price }))
  })

  const updateModel = Effect.fnUntraced(function* (id: string) {
    const { price, ...rest } = yield* bodies.model
    const fixed = price === undefined ? {} : { price: decimalOf(price) }
    return toWireAdminModel(yield* admin.overrideModel(id, { ...rest, ...fixed }))
  })

  const shown = (entry: ChannelEntry) =>
    Effect.map(channels.prices(entry), (prices) => toWireAdminChannel(entry, prices))

  /** A POST that pauses or resumes a channel. */
  const channelChange = (
    operation: "channel.pause" | "channel.resume",
    id: string,
    sent: Json,
    changed: ReturnType<typeof channels.resume>,
  ) =>
    once({
      operation,
      sent: [id, sent],
      id: `channel:${id}`,
      commit: () => Effect.flatMap(changed, shown),
      replay: () => Effect.flatMap(channels.get(id), shown),
    })

  const pauseChannel = Effect.fnUntraced(function* (id: string) {
    const sent: typeof WireChannelPause.Type = yield* channelPause
    const paused = channels.pause(id, sent.reason ?? "")
    return yield* channelChange("channel.pause", id, jsonOf(sent), paused)
  })

  const handlers: AdminHandlersOf<
    | "tools"
    | "tool"
    | "updateTool"
    | "models"
    | "model"
    | "updateModel"
    | "channels"
    | "pauseChannel"
    | "resumeChannel"
  > = {
    tools: ({ endpoint }) =>
      reply(
        endpoint,
        Effect.map(tools.entries, (entries) => listOf(entries.map(toWireAdminTool))),
      ),
    tool: ({ endpoint, params }) => reply(endpoint, Effect.map(admin.getTool(params.id), toWireAdminTool)),
    updateTool: ({ endpoint, params }) => change(endpoint, updateTool(params.id)),
    models: ({ endpoint }) =>
      reply(
        endpoint,
        Effect.map(models.entries, (entries) => listOf(entries.map(toWireAdminModel))),
      ),
    model: ({ endpoint, params }) => reply(endpoint, Effect.map(admin.getModel(params.id), toWireAdminModel)),
    updateModel: ({ endpoint, params }) => change(endpoint, updateModel(params.id)),
    channels: ({ endpoint }) =>
      reply(
        endpoint,
        Effect.map(
          Effect.flatMap(channels.entries, (entries) => Effect.forEach(entries, shown)),
          listOf,
        ),
      ),
    pauseChannel: ({ endpoint, params }) => change(endpoint, pauseChannel(params.id)),
    resumeChannel: ({ endpoint, params }) =>
      change(endpoint, channelChange("channel.resume", params.id, {}, channels.resume(params.id))),
  }
  return handlers
})
