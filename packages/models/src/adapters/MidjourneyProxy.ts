import { type Generation, type ImageChannel, type ImageRequest, UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type ArtgenExtra, extraOf } from "../Artgen.ts"
import { jsonBody } from "../http/UpstreamBody.ts"
import type { AdapterSettings, MakeChannel } from "./Adapter.ts"
import { call, errorIn, refusalOf } from "./Answers.ts"
import { firstOrder, nextOrder, type Order } from "./midjourney/Order.ts"
import { look, poll, taskBytesMax } from "./midjourney/Polling.ts"
import { withoutPricedFlags } from "./midjourney/Prompt.ts"
import {
  decodeReply,
  decodeTasks,
  keyOf,
  type Reply,
  refusalOfReply,
  seedOf,
  textOf,
} from "./midjourney/Wire.ts"

/** Its answer comes before the work; five images in Base64 and a translation of the prompt go before it. */
const submitTimeoutMs = 120_000
/** Seeds are asked for in a chat, which the proxy waits a minute for. */
const seedTimeoutMs = 90_000
const replyBytesMax = 1024 * 1024
const listTimeoutMs = 30_000
const listBytesMax = 64 * 1024 * 1024
/** When the list is searched for a task whose acceptance was lost: a proxy may still be at work on it. */
const findDelaysMs = [0, 5_000, 20_000, 60_000]

/** `options` of a `midjourney-proxy` channel. */
export const Options = Schema.Struct({
  /**
   * How the mode is told: by the path (`/mj-fast/mj/…`, `/mj-turbo/mj/…`), the default; or by a flag in the
   * prompt, for implementations that have one path only, where steps keep the mode of the first.
   */
  mode_by: Schema.optionalKey(Schema.Literals(["path", "prompt"])),
})
export type Options = typeof Options.Type

type Input = Parameters<ImageChannel["generate"]>[0]

/**
 * Adapter `midjourney-proxy`: the API of the midjourney-proxy projects and of gateways that follow it, for
 * `artgen`. `base_url` is what comes before `/mj`; an upstream model that holds `niji` selects that bot.
 *
 * The upstream's task id is saved before anything else happens, and polled from then on by any process that runs the
 * task. Every submission carries the task's id as `state`. No implementation refuses a second one with the
 * same `state`, and none can be searched for it (`task/list-by-condition` takes ids alone); so a channel is
 * not `repeatable`. But `task/list` shows it: where the answer to a submission is lost, the list is searched
 * four times within 85 s, and only what is not found there is `ambiguous`.
 *
 * | what happens | reason |
 * | --- | --- |
 * | code 1, 22 (queued), 21 (there already, or waits for a window) | accepted |
 * | code 24; a failed task whose reason names moderation | `rejected` |
 * | code 3 or 4 about the request or its finished step; no such button; a failed task with an invalid parameter | `rejected` |
 * | code 23, 9 | `unavailable`, in 30 s |
 * | code 3 or 4 about accounts or quota; 401, 403, 404 | `unavailable`, logged |
 * | 429; 503 with JSON; no connection | `unavailable`, with `Retry-After` |
 * | a submission cut or unanswered, 5xx without JSON, a malformed answer; not in the list | `ambiguous` |
 * | any other code; a failed or cancelled task; a task unknown to the upstream for 2 minutes | `failed` |
 * | looks at a task fail for 5 minutes | `unavailable`, in 60 s; polled again |
 */
export const make: MakeChannel<Options> = (settings) => ({
  id: settings.channelId,
  repeatable: false,
  generate: Effect.fnUntraced(function* (input) {
    const { onAccepted, onProgress, request, upstreamId } = input
    const extra = extraOf(request)
    if (extra === undefined) {
      const message = "A midjourney-proxy channel serves artgen alone."
      return yield* new UpstreamError({ reason: "failed", message })
    }
    if (extra.generation_type === "seed") return yield* readSeed(settings, request)
    const accepted = upstreamId === null ? yield* submit(settings, input, extra) : savedAs(upstreamId)
    if (upstreamId === null) yield* onAccepted(idOf(accepted))
    const id = accepted.window ? yield* confirm(settings, input, extra, accepted.id) : accepted.id
    return yield* poll(settings, id, extra.generation_type, onProgress)
  }),
})

/** `window`: the upstream's task waits for its second half, which was certainly not sent yet. */
interface Accepted {
  readonly id: string
  readonly window: boolean
}

const windowSuffix = ":window"
const idOf = ({ id, window }: Accepted): string => (window ? id + windowSuffix : id)
const savedAs = (saved: string): Accepted =>
  saved.endsWith(windowSuffix)
    ? { id: saved.slice(0, -windowSuffix.length), window: true }
    : { id: saved, window: false }

const prefixOf = ({ options }: AdapterSettings<Options>, { mode }: ArtgenExtra): string =>
  options?.mode_by === "prompt" ? "/mj" : `/mj-${mode}/mj`

/** Submits once; if the answer leaves the outcome open, it is looked up. */
const submit = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  { reference, request }: Input,
  extra: ArtgenExtra,
): Effect.fn.Return<Accepted, UpstreamError> {
  const order = yield* orderOf(settings, request, extra)
  const path = prefixOf(settings, extra) + order.path
  return yield* send(settings, path, { ...order.body, state: reference }).pipe(
    Effect.map((reply): Accepted => {
      const isWindow = extra.generation_type === "inpaint" || /window|弹窗/i.test(reply.description ?? "")
      return { id: textOf(reply.result), window: reply.code === 21 && isWindow }
    }),
    Effect.catch((error) => (error.reason === "ambiguous" ? find(settings, reference, error) : error)),
  )
})

const orderOf = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  request: ImageRequest,
  extra: ArtgenExtra,
): Effect.fn.Return<Order, UpstreamError> {
  const { parentJobId } = request
  if (parentJobId === null) {
    return yield* firstOrder(settings, request, extra, settings.options?.mode_by === "prompt")
  }
  const parent = yield* look(settings, parentJobId)
  if (parent._tag === "Silent") {
    const { message, retryAfterMillis } = parent
    const later = retryAfterMillis === undefined ? {} : { retryAfterMillis }
    return yield* new UpstreamError({ reason: "unavailable", message, ...later })
  }
  if (parent._tag === "Stalled" || parent.task.status !== "SUCCESS") {
    const message = `The upstream has no finished step ${JSON.stringify(parentJobId)}.`
    return yield* new UpstreamError({ reason: "rejected", message })
  }
  return yield* nextOrder(extra.generation_type, parentJobId, parent.task)
})

/** A submission that was accepted. Its JSON decides, whatever the status. */
const send = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  path: string,
  body: Order["body"],
): Effect.fn.Return<Reply, UpstreamError> {
  const answer = yield* call(settings, {
    method: "POST",
    path,
    headers: keyOf(settings),
    body: jsonBody(body),
    timeoutMillis: submitTimeoutMs,
    maxResponseBytes: replyBytesMax,
    once: true,
  })
  const reply = decodeReply(answer.json)
  const isOk = answer.status >= 200 && answer.status <= 299
  if (Option.isSome(reply) && (isOk || answer.status === 400 || answer.status === 404)) {
    if (!accepting.has(reply.value.code)) return yield* Effect.flip(refusalOfReply(settings, reply.value))
    if (textOf(reply.value.result) !== "") return reply.value
  }
  if (isOk) return yield* new UpstreamError({ reason: "ambiguous", message: "The answer makes no sense." })
  return yield* Effect.flip(refusalOf(settings, answer, plain))
})

/** Submitted, there already, queued. */
const accepting: ReadonlySet<number> = new Set([1, 21, 22])
const plain = {
  isRejection: () => false,
  isMisconfiguration: ({ json }: { readonly json: unknown }) =>
    /quota|balance/i.test(errorIn(json).message ?? ""),
}

/** Searches the upstream's list for our reference; fails as the submission did if it is not there. */
const find = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  reference: string,
  lost: UpstreamError,
): Effect.fn.Return<Accepted, UpstreamError> {
  for (const delay of findDelaysMs) {
    yield* Effect.sleep(delay)
    const answer = yield* Effect.option(
      call(settings, {
        method: "GET",
        path: "/mj/task/list",
        headers: keyOf(settings),
        timeoutMillis: listTimeoutMs,
        maxResponseBytes: listBytesMax,
        once: false,
      }),
    )
    const tasks = Option.flatMap(answer, ({ json }) => decodeTasks(json))
    const found = Option.getOrElse(tasks, () => []).find(({ state }) => state === reference)
    const id = textOf(found?.id)
    if (id !== "") return { id, window: found?.status === "MODAL" }
  }
  return yield* lost
})

/**
 * Sends the second half of a task that waits for a window: the mask and prompt of an inpainting. That it is
 * being sent is saved before, so that no crash sends it twice; what is certainly not taken is undone.
 */
const confirm = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  { onAccepted, request }: Input,
  extra: ArtgenExtra,
  id: string,
): Effect.fn.Return<string, UpstreamError> {
  yield* onAccepted(id)
  const prompt = withoutPricedFlags(request.prompt)
  const body = {
    taskId: id,
    ...(prompt === "" ? {} : { prompt }),
    ...(extra.mask === null ? {} : { maskBase64: extra.mask }),
  }
  const sent = yield* Effect.result(send(settings, `${prefixOf(settings, extra)}/submit/modal`, body))
  if (sent._tag === "Failure") {
    const { failure } = sent
    // The task itself will show whether it was accepted.
    if (failure.reason === "ambiguous") return id
    if (failure.reason === "unavailable") yield* onAccepted(idOf({ id, window: true }))
    return yield* failure
  }
  const confirmed = textOf(sent.success.result)
  if (confirmed !== id) yield* onAccepted(confirmed)
  return confirmed
})

/** A request without effects: it may be repeated, so no failure of it is ambiguous. */
const readSeed = Effect.fnUntraced(function* (
  settings: AdapterSettings<Options>,
  { parentJobId }: ImageRequest,
): Effect.fn.Return<Generation, UpstreamError> {
  const id = parentJobId ?? ""
  const answer = yield* call(settings, {
    method: "GET",
    path: `/mj/task/${encodeURIComponent(id)}/image-seed`,
    headers: keyOf(settings),
    timeoutMillis: seedTimeoutMs,
    maxResponseBytes: taskBytesMax,
    once: false,
  }).pipe(Effect.mapError(again))
  const reply = decodeReply(answer.json)
  if (Option.isNone(reply))
    return yield* Effect.mapError(Effect.flip(refusalOf(settings, answer, plain)), again)
  const seed = seedOf(reply.value.result)
  if (reply.value.code === 1 && seed !== null) return { images: [], jobId: id, text: null, seed }
  return yield* Effect.flip(refusalOfReply(settings, reply.value))
})

const again = (error: UpstreamError): UpstreamError =>
  error.reason === "ambiguous" ? new UpstreamError({ reason: "unavailable", message: error.message }) : error
