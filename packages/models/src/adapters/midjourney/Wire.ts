import { UpstreamError } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { excerptOf } from "../../http/Excerpt.ts"
import type { UpstreamHeaders } from "../../http/UpstreamRequest.ts"
import type { AdapterSettings } from "../Adapter.ts"
import { contentRefused, misconfigured } from "../Answers.ts"

/** Implementations write numbers where others write text. */
const Text = Schema.NullOr(Schema.Union([Schema.String, Schema.Finite]))

/** A task of the proxy. Fields that only some implementations have are optional; unknown ones are ignored. */
const Task = Schema.Struct({
  id: Schema.optionalKey(Text),
  status: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** `37%` */
  progress: Schema.optionalKey(Text),
  failReason: Schema.optionalKey(Schema.NullOr(Schema.String)),
  imageUrl: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** Our reference. */
  state: Schema.optionalKey(Schema.NullOr(Schema.String)),
  seed: Schema.optionalKey(Text),
  promptEn: Schema.optionalKey(Schema.NullOr(Schema.String)),
  properties: Schema.optionalKey(
    Schema.NullOr(Schema.Struct({ finalPrompt: Schema.optionalKey(Schema.NullOr(Schema.String)) })),
  ),
  buttons: Schema.optionalKey(
    Schema.NullOr(
      Schema.Array(Schema.Struct({ customId: Schema.optionalKey(Schema.NullOr(Schema.String)) })),
    ),
  ),
})
export type Task = typeof Task.Type
export const decodeTask = Schema.decodeUnknownOption(Task)
export const decodeTasks = Schema.decodeUnknownOption(Schema.Array(Task))

/** The answer to a submission. `result` is a task's id, or what was asked for. */
const Reply = Schema.Struct({
  code: Schema.Finite,
  description: Schema.optionalKey(Schema.NullOr(Schema.String)),
  result: Schema.optionalKey(Text),
})
export type Reply = typeof Reply.Type
export const decodeReply = Schema.decodeUnknownOption(Reply)

export const textOf = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? "" : String(value).trim()

/** An upstream's seed, as it fits this service; null where there is none. */
export const seedOf = (value: string | number | null | undefined): number | null => {
  const text = textOf(value)
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** Every implementation reads the key here; some read `Authorization` as another one. */
export const keyOf = ({ apiKey }: AdapterSettings): UpstreamHeaders =>
  Redacted.value(apiKey) === "" ? {} : { "mj-api-secret": apiKey }

const queueFullRetryMs = 30_000

/** Words of a refusal that is about the operator's accounts, not about the request. */
const accountWords = /quota|balance|account|subscription|instance|余额|额度|账号|实例|不可用|队列/i
const parentWords = /task.?not.?(found|exist)|关联任务/i
/** Words that indicate moderation, in the languages of the implementations. */
const contentWords =
  /banned|block(ed|list)|moderat|sensitive|content polic|community (guidelines|standards)|inappropriate|nsfw|敏感|违规|违禁|审核/i
const parameterWords = /invalid (parameter|link|image|request)|unrecognized param|无效参数|格式错误/i

/**
 * What a reply that accepts nothing means:
 *
 * | code | reason |
 * | --- | --- |
 * | 24 banned prompt | `rejected` |
 * | 23 queue full; 9 not queued | `unavailable`, in 30 s |
 * | 3 no account, or 4 about an account or quota | `unavailable`, logged |
 * | 3 about a parent task; 4 a parameter | `rejected`, with what it says |
 * | any other | `failed` |
 */
export const refusalOfReply = (
  settings: AdapterSettings,
  { code, description }: Reply,
): Effect.Effect<UpstreamError> => {
  const said = shown(settings, description)
  const message = `The upstream answered with code ${code}${said === "" ? "" : `: ${said}`}`
  switch (code) {
    case 24:
      return Effect.succeed(contentRefused())
    case 23:
    case 9:
      return Effect.succeed(
        new UpstreamError({ reason: "unavailable", message, retryAfterMillis: queueFullRetryMs }),
      )
    case 3:
    case 4:
      if (contentWords.test(said)) return Effect.succeed(contentRefused())
      return (code === 4 || parentWords.test(said)) && !accountWords.test(said)
        ? Effect.succeed(new UpstreamError({ reason: "rejected", message }))
        : misconfigured(settings, message)
    default:
      return Effect.succeed(new UpstreamError({ reason: "failed", message }))
  }
}

/** Why an accepted task failed: `rejected` for its content or parameters, else `failed`. */
export const failureOfTask = (settings: AdapterSettings, { failReason }: Task): UpstreamError => {
  const said = shown(settings, failReason)
  if (contentWords.test(said)) return contentRefused()
  return new UpstreamError({
    reason: parameterWords.test(said) ? "rejected" : "failed",
    message: `The upstream's task failed${said === "" ? "." : `: ${said}`}`,
  })
}

/** As customers may see it: one line without links, and without the long numbers that name accounts. */
const shown = (settings: AdapterSettings, text: string | null | undefined): string =>
  excerptOf(
    Buffer.from((text ?? "").replace(/https?:\/\/\S+/g, "…").replace(/\d{12,}/g, "…")),
    keyOf(settings),
  )
