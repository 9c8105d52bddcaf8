import { Api, CurrentPrincipal, WireInvocation } from "@atelier/api"
import { ToolCatalog, ToolFiles, ToolTasks } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Layer from "effect/Layer"
import { accepted, Exchange, reply } from "./Answer.ts"
import { bodyOf } from "./Body.ts"
import { withMinimalContext } from "./Group.ts"
import { idempotencyKey, toolKeyNames } from "./IdempotencyHeaders.ts"
import { listOf } from "./Page.ts"
import { Settings } from "./ServerSettings.ts"
import { toWireFile, toWireTool, toWireToolTask } from "./toWire.ts"
import { makeSpool, receive } from "./Upload.ts"

const invocationBody = bodyOf(WireInvocation)

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const catalog = yield* ToolCatalog
    const files = yield* ToolFiles
    const fs = yield* FileSystem.FileSystem
    const tasks = yield* ToolTasks
    const spool = yield* makeSpool((yield* Settings).spoolDirectory)

    const upload = Effect.fnUntraced(
      function* (toolId: string) {
        const principal = yield* CurrentPrincipal
        const tool = yield* files.admit(principal, toolId)
        const received = yield* receive(spool, tool)
        const file = yield* files.upload(principal, toolId, received)
        return HttpApiSchema.withHeaders({
          body: toWireFile(file),
          headers: { location: `/v1/tool-files/${file.id}` },
        })
      },
      Effect.scoped,
      Effect.provideService(FileSystem.FileSystem, fs),
    )

    const invoke = Effect.fnUntraced(function* (
      toolId: string,
      request: Parameters<typeof idempotencyKey>[0],
    ) {
      const principal = yield* CurrentPrincipal
      const { input, options } = yield* invocationBody
      const key = yield* idempotencyKey(request, toolKeyNames)
      const { requestId } = yield* Exchange
      const formats = options?.output_formats
      const { value, replayed } = yield* tasks.invoke({
        principal,
        toolId,
        fileId: input.file_id,
        ...(formats === undefined ? {} : { outputFormats: formats }),
        idempotencyKey: key,
        requestId,
      })
      return accepted(toWireToolTask(value), replayed)
    })

    return withMinimalContext(
      HttpApiBuilder.group(Api, "tools", (handlers) =>
        handlers
          .handleRaw("list", ({ endpoint }) =>
            reply(
              endpoint,
              Effect.gen(function* () {
                const tools = yield* catalog.list(yield* CurrentPrincipal)
                return listOf(tools.map(toWireTool))
              }),
            ),
          )
          .handleRaw("upload", ({ endpoint, params }) => reply(endpoint, upload(params.tool_id)))
          .handleRaw("invoke", ({ endpoint, params, request }) =>
            reply(endpoint, invoke(params.tool_id, request)),
          )
          .handleRaw("file", ({ endpoint, params }) =>
            reply(
              endpoint,
              Effect.gen(function* () {
                const file = yield* files.get(yield* CurrentPrincipal, params.file_id)
                return toWireFile(file)
              }),
            ),
          )
          .handleRaw("deleteFile", ({ endpoint, params }) =>
            reply(
              endpoint,
              Effect.gen(function* () {
                const file = yield* files.remove(yield* CurrentPrincipal, params.file_id)
                return toWireFile(file)
              }),
            ),
          )
          .handleRaw("tasks", ({ endpoint }) =>
            reply(
              endpoint,
              Effect.gen(function* () {
                const recent = yield* tasks.recent(yield* CurrentPrincipal)
                return listOf(recent.map((task) => toWireToolTask(task)))
              }),
            ),
          ),
      ),
    )
  }),
)
