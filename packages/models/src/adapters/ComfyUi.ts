import { type GeneratedImage, type ImageRequest, sha256, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { readImage } from "../FetchImage.ts"
import { jsonBody, multipartBody } from "../http/UpstreamBody.ts"
import { pixelsOf } from "../PixelSize.ts"
import { type AdapterSettings, bearerOf, type MakeChannel } from "./Adapter.ts"
import { call, type Refusals, refusalOf } from "./Answers.ts"
import { filled, missingPlace, Place, readWorkflow, type Workflow } from "./ComfyWorkflow.ts"
import { done, type Look, lookAt, missing, pending, pollUntil, silent } from "./Polling.ts"
import { referenceImage } from "./Reference.ts"

const submitTimeoutMs = 120_000
const cancelTimeoutMs = 10_000
const viewTimeoutMs = 120_000
const answerBytesMax = 4 * 1024 * 1024
/** An uncompressed PNG of some 16 megapixels. */
const imageBytesMax = 64 * 1024 * 1024

const OptionsFields = Schema.Struct({
  /** A workflow in API format: a JSON file, from the working directory, or the object itself. */
  workflow: Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.Json)]),
  /** Where the fields of a request go, each `NODE.INPUT`; a field without a place is left as the workflow has it. */
  fields: Schema.Struct({
    prompt: Place,
    seed: Schema.optionalKey(Place),
    width: Schema.optionalKey(Place),
    height: Schema.optionalKey(Place),
    n: Schema.optionalKey(Place),
    /** The upstream's name of the model, such as a checkpoint's file. */
    model: Schema.optionalKey(Place),
    /** Places of reference images, inputs of `LoadImage` nodes. */
    images: Schema.optionalKey(Schema.Array(Place)),
  }),
  /** Nodes whose images are the result; absent: every node that saves images. */
  outputs: Schema.optionalKey(Schema.Array(Schema.String)),
})

const placesOf = ({ fields }: typeof OptionsFields.Type): ReadonlyArray<string> =>
  Object.values(fields).flat()

/** `options` of a `comfyui` channel; a workflow that cannot be read or lacks a place is refused. */
export const Options = OptionsFields.check(
  Schema.makeFilter((options) => {
    const workflow = readWorkflow(options.workflow)
    if (typeof workflow === "string") return workflow
    const lacking = missingPlace(workflow, placesOf(options))
    return lacking === undefined ? undefined : `the workflow has no input ${lacking}`
  }),
)
export type Options = typeof Options.Type

/**
 * Adapter `comfyui`: ComfyUI on your own machine. A workflow says how images are made, and `fields` where the
 * prompt, the size, the seed and reference images go.
 *
 * A prompt is queued once and its id saved, and its history polled from then on; the images are fetched from the same
 * `base_url`. ComfyUI forgets its queue when it ends.
 *
 * | what happens | reason |
 * | --- | --- |
 * | 200 with an id | accepted |
 * | a node that failed; a workflow that is refused (400); no image among the outputs; too many references | `failed` |
 * | a prompt that was interrupted, by us or at ComfyUI | `canceled` |
 * | 401, 402, 403, 404 to the submission | `unavailable`, logged |
 * | 429; no connection | `unavailable`, with `Retry-After` |
 * | the submission is cut or unanswered; 5xx without JSON; an answer without an id | `ambiguous` |
 * | neither in the queue nor in the history for two minutes | `failed` |
 * | looks fail for five minutes | `unavailable`, in 60 s; polled again |
 */
export const make: MakeChannel<Options> = (settings) => {
  const { options } = settings
  const workflow = options === undefined ? "comfyui needs a workflow" : readWorkflow(options.workflow)
  if (options === undefined || typeof workflow === "string") throw new Error(String(workflow))
  return {
    id: settings.channelId,
    repeatable: false,
    generate: Effect.fnUntraced(function* ({ onAccepted, onProgress, reference, request, upstreamId }) {
      const order = { options, workflow, request, reference }
      const id = upstreamId ?? (yield* submit(settings, order))
      if (upstreamId === null) yield* onAccepted(id)
      return yield* pollUntil(lookAtHistory(settings, options, id, request.n), onProgress)
    }),
    cancel: (id) => interrupt(settings, id),
  }
}

interface Order {
  readonly options: Options
  readonly workflow: Workflow
  readonly request: ImageRequest
  readonly reference: string
}

const submit = Effect.fnUntraced(function* (
  settings: AdapterSettings,
  { options, reference, request, workflow }: Order,
): Effect.fn.Return<string, UpstreamError> {
  const { fields } = options
  if (request.extra["mask"] !== undefined) return yield* failed("The channel of this model takes no mask.")
  const imagePlaces = fields.images ?? []
  if (request.images.length > imagePlaces.length) {
    return yield* failed(`This model takes ${imagePlaces.length} reference images here.`)
  }
  const images = yield* Effect.forEach(request.images, (url) => uploadImage(settings, url))
  const answer = yield* call(settings, {
    method: "POST",
    path: "/prompt",
    headers: bearerOf(settings),
    body: jsonBody({
      prompt: filled(workflow, [
        ...valuesOf(settings, fields, request, reference),
        ...images.map((name, index) => [imagePlaces[index] ?? "", name] as const),
      ]),
    }),
    timeoutMillis: submitTimeoutMs,
    maxResponseBytes: answerBytesMax,
    once: true,
  })
  if (answer.status < 200 || answer.status > 299) {
    return yield* Effect.flip(refusalOf(settings, answer, refusals))
  }
  const accepted = decodeAccepted(answer.json)
  if (Option.isSome(accepted)) return accepted.value.prompt_id
  return yield* new UpstreamError({ reason: "ambiguous", message: "The upstream's answer has no id." })
})

/** Where no seed was asked for, it follows from the task: with the workflow's own, all images would be the same. */
const valuesOf = (
  settings: AdapterSettings,
  fields: Options["fields"],
  request: ImageRequest,
  reference: string,
): ReadonlyArray<readonly [place: string, value: string | number]> => {
  const { height, width } = pixelsOf(request)
  const values = {
    prompt: request.prompt,
    seed: request.seed ?? Number.parseInt(sha256(reference).slice(0, 8), 16),
    width,
    height,
    n: request.n,
    model: settings.upstreamModel(request.model),
  }
  return Object.entries(values).flatMap(([field, value]) => {
    const place = fields[field as keyof typeof values]
    return place === undefined ? [] : [[place, value] as const]
  })
}

const decodeAccepted = Schema.decodeUnknownOption(
  Schema.Struct({ prompt_id: Schema.String.check(Schema.isNonEmpty()) }),
)

/** ComfyUI has no content policy. */
const refusals: Refusals = { isRejection: () => false, isMisconfiguration: () => false }

const decodeUploaded = Schema.decodeUnknownOption(
  Schema.Struct({ name: Schema.String, subfolder: Schema.optionalKey(Schema.String) }),
)

/** Stores a reference image at ComfyUI, named by its bytes; the name by which a workflow loads it. */
const uploadImage = Effect.fnUntraced(function* (
  settings: AdapterSettings,
  url: string,
): Effect.fn.Return<string, UpstreamError> {
  const { bytes, contentType } = yield* referenceImage(settings, url)
  const answer = yield* call(settings, {
    method: "POST",
    path: "/upload/image",
    headers: bearerOf(settings),
    body: multipartBody([
      { name: "image", content: bytes, filename: `atelier-${sha256(bytes).slice(0, 32)}`, contentType },
      { name: "overwrite", content: "true" },
    ]),
    timeoutMillis: submitTimeoutMs,
    maxResponseBytes: answerBytesMax,
    once: false,
  }).pipe(Effect.mapError(({ message }) => new UpstreamError({ reason: "unavailable", message })))
  if (answer.status < 200 || answer.status > 299) {
    return yield* Effect.flip(refusalOf(settings, answer, refusals))
  }
  const uploaded = decodeUploaded(answer.json)
  if (Option.isNone(uploaded)) return yield* failed("The upstream did not store the reference image.")
  const { name, subfolder = "" } = uploaded.value
  return subfolder === "" ? name : `${subfolder}/${name}`
})

const failed = (message: string) => new UpstreamError({ reason: "failed", message })

const SavedImage = Schema.Struct({
  filename: Schema.String,
  subfolder: Schema.optionalKey(Schema.String),
  type: Schema.optionalKey(Schema.String),
})
type SavedImage = typeof SavedImage.Type

const decodeHistory = Schema.decodeUnknownOption(
  Schema.Record(
    Schema.String,
    Schema.Struct({
      outputs: Schema.Record(
        Schema.String,
        Schema.Struct({ images: Schema.optionalKey(Schema.Array(SavedImage)) }),
      ),
      status: Schema.optionalKey(
        Schema.NullOr(
          Schema.Struct({ status_str: Schema.String, messages: Schema.optionalKey(Schema.Json) }),
        ),
      ),
    }),
  ),
)

/** The history holds a prompt once it has ended; until then it is in the queue. */
const lookAtHistory = (
  settings: AdapterSettings,
  { outputs: wanted }: Options,
  id: string,
  n: number,
): Effect.Effect<Look, UpstreamError> =>
  lookAt(
    settings,
    { path: `/history/${encodeURIComponent(id)}`, headers: bearerOf(settings) },
    Effect.fnUntraced(function* ({ json }) {
      const ended = Option.map(decodeHistory(json), (history) => history[id])
      if (Option.isNone(ended) || ended.value === undefined) return yield* lookAtQueue(settings, id)
      const { outputs, status } = ended.value
      if (status?.status_str === "error") return yield* failureOf(status.messages)
      const saved = Object.entries(outputs)
        .filter(([node]) => wanted === undefined || wanted.includes(node))
        .flatMap(([, { images = [] }]) => images)
        // Previews are made on the way.
        .filter(({ type }) => type !== "temp")
      return yield* readImages(settings, saved.slice(0, n))
    }),
  )

const failureOf = (messages: unknown): UpstreamError => {
  const events: ReadonlyArray<unknown> = Array.isArray(messages) ? messages : []
  const told = new Map(events.flatMap((event) => (Array.isArray(event) ? [[event[0], event[1]]] : [])))
  if (told.has("execution_interrupted")) {
    return new UpstreamError({ reason: "canceled", message: "The prompt was interrupted." })
  }
  const { exception_message: why, node_type: node } = Object(told.get("execution_error"))
  const where = typeof node === "string" ? ` in ${node.slice(0, 100)}` : ""
  const text = typeof why === "string" ? `: ${why.replace(/\s+/g, " ").trim().slice(0, 300)}` : "."
  return failed(`The upstream's workflow failed${where}${text}`)
}

/** Number, id, and more of each prompt. */
const QueueItems = Schema.Array(Schema.Array(Schema.Unknown))
const decodeQueue = Schema.decodeUnknownOption(
  Schema.Struct({ queue_running: QueueItems, queue_pending: QueueItems }),
)

const holds = (items: typeof QueueItems.Type, id: string): boolean => items.some((item) => item[1] === id)

const lookAtQueue = (settings: AdapterSettings, id: string): Effect.Effect<Look, UpstreamError> =>
  lookAt(settings, { path: "/queue", headers: bearerOf(settings) }, ({ json }) =>
    Effect.succeed(
      Option.match(decodeQueue(json), {
        onNone: () => pending(),
        onSome: ({ queue_pending, queue_running }) =>
          holds(queue_running, id) || holds(queue_pending, id) ? pending() : missing,
      }),
    ),
  )

/** The images behind the names that a history gives; one that cannot be had now is asked for later. */
const readImages = Effect.fnUntraced(function* (
  { baseUrl, http, ...settings }: AdapterSettings,
  saved: ReadonlyArray<SavedImage>,
): Effect.fn.Return<Look, UpstreamError> {
  const images: Array<GeneratedImage> = []
  for (const { filename, subfolder = "", type = "output" } of saved) {
    const query = new URLSearchParams({ filename, subfolder, type })
    const answer = yield* Effect.result(
      http.request({
        method: "GET",
        url: `${baseUrl}/view?${query}`,
        policy: "operator",
        headers: bearerOf(settings),
        timeoutMillis: viewTimeoutMs,
        maxResponseBytes: imageBytesMax,
      }),
    )
    if (answer._tag === "Failure") return silent(answer.failure.message)
    const { body, status } = answer.success
    if (status >= 500) return silent(`The upstream answered ${status} to a look at an image.`)
    const image = status === 200 ? readImage(body) : undefined
    if (image !== undefined) images.push(image)
  }
  if (images.length > 0) return done({ images, jobId: null, text: null, seed: null })
  return yield* failed("The upstream's workflow ended without an image.")
})

/** ComfyUI of before 2025 stops whatever runs, so it is asked only while this prompt does. */
const interrupt = Effect.fnUntraced(function* (settings: AdapterSettings, id: string) {
  const shared = {
    headers: bearerOf(settings),
    timeoutMillis: cancelTimeoutMs,
    maxResponseBytes: answerBytesMax,
    once: false,
  }
  const queue = yield* call(settings, { ...shared, method: "GET", path: "/queue" })
  const runs = Option.exists(decodeQueue(queue.json), ({ queue_running }) => holds(queue_running, id))
  if (!runs) return false
  const body = jsonBody({ prompt_id: id })
  const { status } = yield* call(settings, { ...shared, method: "POST", path: "/interrupt", body })
  return status >= 200 && status <= 299
})
