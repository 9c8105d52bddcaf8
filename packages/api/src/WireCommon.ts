import * as Schema from "effect/Schema"

/** Unix seconds (contract, Names). */
export const UnixSeconds = Schema.Int
/** Bytes (contract, Names). */
export const Bytes = Schema.Int
/** Account quota units (contract, Money). */
export const Units = Schema.Int

export const WireWarning = Schema.Struct({ code: Schema.String, message: Schema.String }).annotate({
  identifier: "Warning",
  description: "Something that the caller should know, but that did not stop the task.",
})

export const WireTaskError = Schema.Struct({ code: Schema.String, message: Schema.String }).annotate({
  identifier: "TaskError",
  description: "Why a task failed.",
})

/** contract, Waiting: where a queued task stands. Both are estimates, of a second ago. */
export const WireQueue = Schema.Struct({
  position: Schema.NullOr(Schema.Int),
  estimated_seconds: Schema.NullOr(Schema.Int),
}).annotate({
  identifier: "QueuePlace",
  description:
    "Where the task stands while users take turns, and when it will start, estimated from what ran lately.",
})
export type WireQueue = typeof WireQueue.Type

/** The header of an answer to a repetition under an idempotency key. */
export const replayedHeader = {
  "idempotency-replayed": Schema.optionalKey(
    Schema.String.annotate({ description: "`true` if this answers an earlier request with the same key." }),
  ),
}

/** A page, newest first: `after=last_id` asks for the next one (contract, Waiting). */
export const pageOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({
    object: Schema.Literal("list"),
    data: Schema.Array(item),
    has_more: Schema.Boolean,
    last_id: Schema.NullOr(Schema.String),
  })

export const listOf = <S extends Schema.Top>(item: S) =>
  Schema.Struct({ object: Schema.Literal("list"), data: Schema.Array(item) })

/** An exact amount of US dollars: a non-negative decimal, as a JSON number or in a string. */
export const UsdAmount = Schema.Union([
  Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
  Schema.String.check(Schema.isPattern(/^\d{1,12}(\.\d{1,12})?$/)),
]).annotate({ expected: "a non-negative decimal amount of US dollars" })
