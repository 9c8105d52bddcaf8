import { Api, CurrentPrincipal, ImagesGroup } from "@atelier/api"
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
import { idempotencyKey, imageKeyNames, prefersAsync } from "./IdempotencyHeaders.ts"
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

    const submitted = Effect.fnUntraced(function* (
      request: Parameters<typeof idempotencyKey>[0],
      given: Pick<Parameters<typeof images.submit>[0], "body" | "files">,
    ) {
      const principal = yield* CurrentPrincipal
      const key = yield* idempotencyKey(request, imageKeyNames)
      const { requestId } = yield* Exchange
      const { value, replayed } = yield* images.submit({
        ...given,
        principal,
        idempotencyKey: key,
        requestId,
      })
      return accepted(toWireSubmission(value), replayed)
    })

    const submit = (request: Parameters<typeof idempotencyKey>[0]) =>
      Effect.flatMap(imageBody, (body) => submitted(request, { body }))

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

    const form = receiveEdit(spool)
    const inSpool = <A, E, R>(work: Effect.Effect<A, E, R>) =>
      Effect.provideService(Effect.scoped(work), FileSystem.FileSystem, fs)
    const edit = (request: Parameters<typeof idempotencyKey>[0]) =>
      inSpool(Effect.flatMap(form, (given) => made(request, given)))
    const submitEdit = (request: Parameters<typeof idempotencyKey>[0]) =>
      inSpool(Effect.flatMap(form, (given) => submitted(request, given)))

    return withMinimalContext(
      HttpApiBuilder.group(Api, "images", (handlers) =>
        handlers
          .handleRaw("submit", ({ endpoint, request }) => reply(endpoint, submit(request)))
          .handleRaw("quote", ({ endpoint }) => reply(endpoint, quote))
          .handleRaw("generate", ({ endpoint, request }) => reply(endpoint, generate(request)))
          .handleRaw("edit", ({ endpoint, request }) =>
            prefersAsync(request)
              ? reply(ImagesGroup.endpoints.submit, submitEdit(request))
              : reply(endpoint, edit(request)),
          ),
      ),
    )
  }),
)
