import { Api, CurrentPrincipal } from "@atelier/api"
import { Generations, ImageTasks } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Layer from "effect/Layer"
import { accepted, Exchange, replayedHeaders, reply } from "./Answer.ts"
import { imageBody } from "./Body.ts"
import { receiveEdit } from "./EditForm.ts"
import { withMinimalContext } from "./Group.ts"
import { idempotencyKey, imageKeyNames } from "./IdempotencyHeaders.ts"
import { Readers } from "./Readers.ts"
import { Settings } from "./ServerSettings.ts"
import { toWireGeneration, toWireQuote, toWireSubmission } from "./toWire.ts"
import { makeSpool } from "./Upload.ts"

export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const generations = yield* Generations
    const images = yield* ImageTasks
    const fs = yield* FileSystem.FileSystem
    const { mediaUrl, spoolDirectory, synchronousIdempotency } = yield* Settings
    const spool = yield* makeSpool(spoolDirectory)
    const readers = yield* Readers

    const submit = Effect.fnUntraced(function* (request: Parameters<typeof idempotencyKey>[0]) {
      const principal = yield* CurrentPrincipal
      const body = yield* imageBody
      const key = yield* idempotencyKey(request, imageKeyNames)
      const { requestId } = yield* Exchange
      const { value, replayed } = yield* images.submit({ principal, body, idempotencyKey: key, requestId })
      return accepted(toWireSubmission(value), replayed)
    })

    const quote = Effect.gen(function* () {
      const priced = yield* images.quote(yield* CurrentPrincipal, yield* imageBody)
      return toWireQuote(priced)
    })

    const made = Effect.fnUntraced(function* (
      request: Parameters<typeof idempotencyKey>[0],
      given: Pick<Parameters<typeof generations.generate>[0], "body" | "files">,
    ) {
      const principal = yield* CurrentPrincipal
      const key = synchronousIdempotency ? yield* idempotencyKey(request, imageKeyNames) : null
      const { requestId } = yield* Exchange
      yield* readers.enter
      const completed = yield* generations.generate({ ...given, principal, idempotencyKey: key, requestId })
      return HttpApiSchema.withHeaders({
        body: toWireGeneration(completed, mediaUrl),
        headers: replayedHeaders(completed.replayed),
      })
    })

    const generate = (request: Parameters<typeof idempotencyKey>[0]) =>
      Effect.flatMap(imageBody, (body) => made(request, { body }))

    const edit = (request: Parameters<typeof idempotencyKey>[0]) =>
      Effect.flatMap(receiveEdit(spool), (form) => made(request, form)).pipe(
        Effect.scoped,
        Effect.provideService(FileSystem.FileSystem, fs),
      )

    return withMinimalContext(
      HttpApiBuilder.group(Api, "images", (handlers) =>
        handlers
          .handleRaw("submit", ({ endpoint, request }) => reply(endpoint, submit(request)))
          .handleRaw("quote", ({ endpoint }) => reply(endpoint, quote))
          .handleRaw("generate", ({ endpoint, request }) => reply(endpoint, generate(request)))
          .handleRaw("edit", ({ endpoint, request }) => reply(endpoint, edit(request))),
      ),
    )
  }),
)
