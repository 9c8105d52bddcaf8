import * as BigDecimal from "effect/BigDecimal"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type CoreError, refuse, type StorageError } from "../domain/CoreError.ts"
import { fingerprint, jsonExcess } from "../domain/Fingerprint.ts"
import { type ImageTaskId, makeId, requireRequestId, type UserId } from "../domain/Ids.ts"
import { Limits } from "../domain/Limits.ts"
import {
  formatUsd,
  type PriceLine,
  parseUsd,
  priceTotal,
  type Units,
  UnitsPerUsd,
  type Usd,
  unitsFromUsd,
} from "../domain/Money.ts"
import type { Principal } from "../domain/Principal.ts"
import { givenImagesOf, type ImageRequest, type ImageTask, type Warning } from "../domain/Task.ts"
import { withSpan } from "../domain/Tracing.ts"
import { Callback } from "../ports/Callback.ts"
import type { ImageModel, RequestBody } from "../ports/ImageModel.ts"
import { LedgerStore } from "../ports/LedgerStore.ts"
import { ReferenceImages } from "../ports/ReferenceImages.ts"
import { TaskStore } from "../ports/TaskStore.ts"
import { quote } from "./Access.ts"
import { type GivenImages, HeldImages } from "./HeldImages.ts"
import { Idempotency, type Outcome, replayTask } from "./Idempotency.ts"
import { requireIdempotencyKey } from "./idempotencyKeys.ts"
import { ModelCatalog } from "./ModelCatalog.ts"
import { Transitions } from "./Transitions.ts"

type Failure = CoreError | StorageError

/** The endpoint at which a request came in; a model may serve only some. */
export type ImageEndpoint = ImageModel["endpoints"][number]
/** Takes images as files; otherwise as the synchronous endpoint, and for the same models. */
const edits = "/v1/images/edits"

/** What is submitted: a body, and the files that came with it. */
export interface ImageSubmission {
  readonly principal: Principal
  readonly body: RequestBody
  readonly idempotencyKey: string | null
  readonly endpoint?: ImageEndpoint
  readonly requestId?: string | null
  /** Given to `POST /v1/images/edits`; they are the request's reference images. */
  readonly files?: GivenImages
}

/** A request that was checked and priced; nothing is held yet. */
export interface PricedImageRequest {
  readonly request: ImageRequest
  readonly warnings: ReadonlyArray<Warning>
  readonly delivery: ImageModel["delivery"]
  readonly pinnedChannel: string | null
  readonly lines: ReadonlyArray<PriceLine>
  readonly usd: Usd
  /** The fee, rounded up once. */
  readonly units: Units
  /** Fees for one delivered image, for two, up to all (contract, Money). */
  readonly fees: ReadonlyArray<Units>
}

/** Submission of image tasks (image-tasks 4.1, 4.5). */
export class ImageTasks extends Context.Service<
  ImageTasks,
  {
    /**
     * Accepts a task: checked, priced, its fee held and its job queued in one transaction. Refuses, in this order:
     * `invalid_idempotency_key`, `invalid_parameter` (request id), the record under the key
     * (`idempotency_key_reused`, `idempotency_request_in_progress`, or a replay), `invalid_parameter` (model),
     * `model_not_found`, `model_not_allowed`, `group_not_allowed`, `model_not_supported_on_endpoint`,
     * `unsupported_parameter` (synchronous endpoint), parameters, `max_cost_exceeded`,
     * `reference_image_unavailable`, `insufficient_balance`, `too_many_tasks`.
     */
    readonly submit: (submission: ImageSubmission) => Effect.Effect<Outcome<ImageTask>, Failure>
    /**
     * Checks and prices a submission without holding anything (contract, Waiting: quote). `files`: how many images
     * would come with it as files.
     */
    readonly quote: (
      principal: Principal,
      body: RequestBody,
      files?: number,
    ) => Effect.Effect<PricedImageRequest, Failure>
  }
>()("@atelier/core/services/ImageTasks") {
  static readonly layer = Layer.effect(
    ImageTasks,
    Effect.gen(function* () {
      const callback = yield* Callback
      const held = yield* HeldImages
      const catalog = yield* ModelCatalog
      const idempotency = yield* Idempotency
      const ledger = yield* LedgerStore
      const limits = yield* Limits
      const random = yield* SecureRandom
      const references = yield* ReferenceImages
      const tasks = yield* TaskStore
      const transitions = yield* Transitions
      const unitsPerUsd = yield* UnitsPerUsd

      const price = Effect.fnUntraced(function* (
        principal: Principal,
        body: RequestBody,
        endpoint: ImageEndpoint,
      ) {
        const id = yield* modelOf(body)
        const model = yield* catalog.resolve(principal, id)
        if (!model.endpoints.includes(endpoint)) {
          return yield* refuse(
            "model_not_supported_on_endpoint",
            `The model ${quote(id)} is not offered on ${endpoint}; it is on ${model.endpoints.join(", ")}.`,
            { param: "model" },
          )
        }
        if (endpoint === "/v1/images/generations") yield* requireSynchronous(model, body)
        const { request, warnings } = yield* model.parse(body)
        yield* requireCallback(request)
        const pinnedChannel = yield* parentChannel(principal, request)
        const lines = model.price(request)
        const usd = priceTotal(lines)
        yield* requireMaxCost(body, usd)
        const units = unitsFromUsd(usd, unitsPerUsd)
        const partial = Array.from({ length: request.n - 1 }, (_, index) =>
          unitsFromUsd(priceTotal(model.price({ ...request, n: index + 1 })), unitsPerUsd),
        )
        return {
          request,
          warnings,
          delivery: model.delivery,
          pinnedChannel,
          lines,
          usd,
          units,
          fees: [...partial, units],
        }
      })

      /** image-tasks 6: a public HTTPS address. DNS is resolved at delivery. */
      const requireCallback = ({ callbackUrl }: ImageRequest) =>
        callbackUrl === null
          ? Effect.void
          : Effect.mapError(callback.check(callbackUrl), ({ message }) =>
              refuse("invalid_parameter", `\`callback_url\` cannot be called: ${message}`, {
                param: "callback_url",
              }),
            )

      /**
       * A step runs on the channel of the step before it, which must belong to the same key (contract, Images:
       * artgen).
       */
      const parentChannel = Effect.fnUntraced(function* (
        principal: Principal,
        { parentJobId }: ImageRequest,
      ) {
        if (parentJobId === null) return null
        const parent = yield* tasks.findByJobId(principal.key.id, parentJobId)
        if (Option.isSome(parent)) return parent.value.upstream?.channel ?? null
        return yield* refuse(
          "invalid_parameter",
          `\`metadata.job_id\` must be the \`data.job_id\` of a completed task of this API key; got ${quote(parentJobId)}.`,
          { param: "metadata.job_id" },
        )
      })

      /** The price of a request with so many images as files. */
      const priceOfFiles = (
        principal: Principal,
        body: RequestBody,
        endpoint: ImageEndpoint,
        files: number,
      ) => {
        const images = Array.from({ length: files }, (_, index) => `https://held.invalid/${index}`)
        return Effect.mapError(price(principal, { ...body, images }, endpoint), (error) =>
          error._tag === "CoreError" && error.param?.startsWith("images") === true
            ? refuse(error.code, error.message, { param: "image" })
            : error,
        )
      }

      /** The price of a request with files, which then take their places in it. */
      const priceWith = Effect.fnUntraced(function* (
        { principal, body, endpoint = "/v1/images/tasks" }: ImageSubmission,
        files: GivenImages,
      ) {
        const { images, mask } = files
        const priced = yield* priceOfFiles(principal, body, endpoint, images.length)
        if (mask !== null) yield* requireMasks(yield* catalog.resolve(principal, priced.request.model))
        const given = mask === null ? images : [...images, mask]
        const standing = yield* held.hold(principal, given)
        const request = {
          ...priced.request,
          images: standing.slice(0, images.length),
          ...(mask === null
            ? {}
            : { extra: { ...priced.request.extra, mask: standing[images.length] ?? null } }),
        }
        return { ...priced, request }
      })

      /** Files of a request that was refused are of no more use. After a failure they may be a task's: they expire. */
      const releasing = <A>(
        submitted: Effect.Effect<A, Failure>,
        prepared: () => PricedImageRequest | undefined,
      ) =>
        Effect.tapError(submitted, (error) => {
          const priced = error._tag === "CoreError" ? prepared() : undefined
          return priced === undefined ? Effect.void : held.release(givenImagesOf(priced.request))
        })

      const submit = Effect.fnUntraced(function* (submission: ImageSubmission) {
        const {
          principal,
          body,
          idempotencyKey,
          endpoint = "/v1/images/tasks",
          requestId = null,
          files,
        } = submission
        yield* requireIdempotencyKey(idempotencyKey)
        yield* requireRequestId(requestId)
        yield* requireBounded(body, limits)
        const id: ImageTaskId = yield* Effect.provideService(makeId("imgtask"), SecureRandom, random)
        let prepared: PricedImageRequest | undefined
        const submitted = idempotency.once<PricedImageRequest, ImageTask>({
          keyId: principal.key.id,
          idempotencyKey,
          operation: files === undefined ? endpoint : edits,
          fingerprint: idempotencyKey === null ? "" : fingerprint(withDigests(body, files)),
          taskId: id,
          reserve: files !== undefined || hasReferences(body),
          recordRefusals: true,
          prepare:
            files === undefined
              ? Effect.tap(price(principal, body, endpoint), ({ request }) =>
                  request.images.length === 0 ? Effect.void : references.check(request.images),
                )
              : Effect.tap(priceWith(submission, files), (priced) =>
                  Effect.sync(() => {
                    prepared = priced
                  }),
                ),
          commit: (priced) => commit(id, principal, priced, { idempotencyKey, requestId }),
          replay: (taskId) => replayTask(tasks, "image", taskId),
        })
        // A caller that hangs up changes nothing: images that are held without a task would only expire.
        return yield* files === undefined
          ? submitted
          : Effect.uninterruptible(releasing(submitted, () => prepared))
      }, withSpan("ImageTasks.submit"))

      /** Users who had no place left when they last asked are counted before anything is written for them. */
      const crowded = new Set<UserId>()

      const commit = Effect.fnUntraced(function* (
        id: ImageTaskId,
        principal: Principal,
        priced: PricedImageRequest,
        request: Pick<ImageTask, "idempotencyKey" | "requestId">,
      ) {
        const { id: userId } = principal.user
        const max = limits.image_tasks_per_user_max
        if (crowded.has(userId)) {
          const count = yield* ledger.imageTasks(userId)
          if (count >= max) return yield* tooMany(count, max)
        }
        const now = yield* Clock.currentTimeMillis
        const submitted = transitions.submit(newTask(id, principal, priced, request, now, limits))
        const { task, imageTasks } = yield* Effect.catchTag(submitted, "CoreError", (error) =>
          // Image tasks have a single refusal for insufficient funds (contract, Money).
          Effect.fail(
            error.code === "key_quota_exhausted" ? refuse("insufficient_balance", error.message) : error,
          ),
        )
        if (imageTasks > max) {
          if (crowded.size >= crowdedUsersMax) crowded.clear()
          crowded.add(userId)
          return yield* tooMany(imageTasks - 1, max)
        }
        crowded.delete(userId)
        return task
      })

      return ImageTasks.of({
        submit,
        quote: (principal, body, files) =>
          Effect.andThen(
            requireBounded(body, limits),
            files === undefined
              ? price(principal, body, "/v1/images/tasks")
              : priceOfFiles(principal, body, "/v1/images/tasks", files),
          ),
      })
    }),
  )
}

const tooMany = (count: number, max: number) =>
  refuse(
    "too_many_tasks",
    `This user has ${count} image tasks that are not final; at most ${max} are allowed.`,
    { retryAfterSeconds: 5 },
  )

/** Users remembered as having no place left; past it they are forgotten, and found again. */
const crowdedUsersMax = 1000

const modelOf = (body: RequestBody): Effect.Effect<string, CoreError> => {
  const { model } = body
  return typeof model === "string" && model !== ""
    ? Effect.succeed(model)
    : Effect.fail(
        refuse(
          "invalid_parameter",
          "`model` must be the id of a live model; the list of models names them.",
          {
            param: "model",
          },
        ),
      )
}

/** Refused before anything walks the body. */
const requireBounded = (body: RequestBody, limits: Limits): Effect.Effect<void, CoreError> => {
  const excess = jsonExcess(body, limits)
  return excess === undefined ? Effect.void : Effect.fail(refuse("invalid_parameter", excess))
}

/** image-tasks 4.3: what the synchronous endpoint cannot do is refused before anything is held. */
const requireSynchronous = (model: ImageModel, body: RequestBody): Effect.Effect<void, CoreError> => {
  const { stream = null, response_format: format = null } = body
  const invalid = (param: string, allowed: string) =>
    Effect.fail(
      refuse(
        "invalid_parameter",
        `\`${param}\` must be ${allowed}; got ${quote(JSON.stringify(body[param]))}.`,
        {
          param,
        },
      ),
    )
  if (stream !== null && typeof stream !== "boolean") return invalid("stream", "true or false")
  if (format !== null && format !== "url" && format !== "b64_json") {
    return invalid("response_format", "url or b64_json")
  }
  if (stream === true) {
    const message = "`stream` must be false or left out: images are not streamed."
    return Effect.fail(refuse("unsupported_parameter", message, { param: "stream" }))
  }
  if (format === "b64_json" && model.synchronous?.b64Json === false) {
    const message = `\`response_format\` of ${quote(model.id)} must be url or left out: its results are links.`
    return Effect.fail(refuse("unsupported_parameter", message, { param: "response_format" }))
  }
  return Effect.void
}

const requireMasks = ({ id, masks }: ImageModel): Effect.Effect<void, CoreError> =>
  masks === true
    ? Effect.void
    : Effect.fail(refuse("invalid_parameter", `${quote(id)} takes no \`mask\`.`, { param: "mask" }))

/** Two requests are the same where their fields and the bytes of their files are. */
const withDigests = (body: RequestBody, files: GivenImages | undefined): RequestBody =>
  files === undefined
    ? body
    : { ...body, image: files.images.map(({ sha256 }) => sha256), mask: files.mask?.sha256 ?? null }

const requireMaxCost = (body: RequestBody, cost: Usd): Effect.Effect<void, CoreError> => {
  const given = body["max_cost_usd"]
  if (given === undefined || given === null) return Effect.void
  const limit = maxCostOf(given)
  if (Option.isNone(limit)) {
    return Effect.fail(
      refuse(
        "invalid_parameter",
        `\`max_cost_usd\` must be a non-negative decimal amount; got ${quote(JSON.stringify(given))}.`,
        { param: "max_cost_usd" },
      ),
    )
  }
  return BigDecimal.isLessThanOrEqualTo(cost, limit.value)
    ? Effect.void
    : Effect.fail(
        refuse(
          "max_cost_exceeded",
          `The request costs ${formatUsd(cost)} USD, more than \`max_cost_usd\` ${formatUsd(limit.value)}.`,
          { param: "max_cost_usd" },
        ),
      )
}

/** A JSON number with all its digits and an exponent: sums of floats look like `0.30000000000000004`. */
const maxCostOf = (given: RequestBody[string]): Option.Option<Usd> => {
  if (typeof given === "number") return given >= 0 ? BigDecimal.fromNumber(given) : Option.none()
  return typeof given === "string" ? parseUsd(given) : Option.none()
}

/** Reference images are fetched before acceptance, which takes time (contract, Images). */
const hasReferences = (body: RequestBody): boolean =>
  [body["images"], body["image_urls"]].some((value) => Array.isArray(value) && value.length > 0)

const newTask = (
  id: ImageTaskId,
  principal: Principal,
  priced: PricedImageRequest,
  request: Pick<ImageTask, "idempotencyKey" | "requestId">,
  now: number,
  limits: Limits,
): ImageTask => ({
  kind: "image",
  id,
  state: "queued",
  userId: principal.user.id,
  keyId: principal.key.id,
  version: 0,
  ...request,
  held: priced.units,
  charged: 0,
  released: 0,
  error: null,
  warnings: priced.warnings,
  history: [],
  createdAt: now,
  startedAt: null,
  finishedAt: null,
  deadlineAt: now + limits.image_task_deadline_ms,
  expiresAt: 0,
  request: priced.request,
  fees: priced.fees,
  delivery: priced.delivery,
  pinnedChannel: priced.pinnedChannel,
  upstream: null,
  archive: null,
  progress: 0,
  result: null,
})
