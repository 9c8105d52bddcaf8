/** What the endpoints of operators share. */
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BadRequest, Conflict, ContentTooLarge, NotFound, UnsupportedMediaType } from "../ApiError.ts"
import { PageLimit } from "../Tasks.ts"
import { replayedHeader } from "../WireCommon.ts"

export const params = { id: Schema.String }
export const bodyErrors = [BadRequest, ContentTooLarge, UnsupportedMediaType] as const
export const page = {
  cursor: Schema.optionalKey(Schema.String.annotate({ description: "`last_id` of the previous page." })),
  limit: Schema.optionalKey(PageLimit),
}
const UnixTime = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000_000_000 }))
/** Unix seconds: at or after `from`, before `until`. */
export const requiredPeriod = { from: UnixTime, until: UnixTime }
export const period = { from: Schema.optionalKey(UnixTime), until: Schema.optionalKey(UnixTime) }
/** contract, Later decisions: every POST takes a key; repeating the request with it changes nothing. */
export const headers = {
  "idempotency-key": Schema.optionalKey(
    Schema.String.annotate({
      description:
        "1 to 128 printable ASCII characters, kept 7 days for each admin credential. A repetition changes nothing, and returns the current state of what was created; a secret is shown only the first time.",
    }),
  ),
}
/** The answer of a POST. */
export const made = <S extends Schema.Top>(schema: S) => HttpApiSchema.WithHeaders(schema, replayedHeader)
export const postErrors = [...bodyErrors, NotFound, Conflict] as const
/** A line for lists, and what else there is to know. */
export const about = (summary: string, description: string) => OpenApi.annotations({ summary, description })
