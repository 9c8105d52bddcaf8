import { Admin, ModelCatalog, ToolCatalog } from "@atelier/core"
import * as Effect from "effect/Effect"
import { reply } from "../Answer.ts"
import { listOf } from "../Page.ts"
import { toWireAdminModel, toWireAdminTool } from "../toWireAdmin.ts"
import type { AdminHandlersOf } from "./AdminEndpoints.ts"
import { bodies, decimalOf } from "./bodies.ts"
import { makeChange } from "./change.ts"

/** The catalogs of tools and models, with what is not offered too. */
export const makeCatalogHandlers = Effect.gen(function* () {
  const admin = yield* Admin
  const models = yield* ModelCatalog
  const tools = yield* ToolCatalog
  const { change } = yield* makeChange

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

  const handlers: AdminHandlersOf<"tools" | "tool" | "updateTool" | "models" | "model" | "updateModel"> = {
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
  }
  return handlers
})
