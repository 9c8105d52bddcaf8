import type { ApiErrorCode } from "@atelier/api"
import * as Schema from "effect/Schema"

/**
 * A refusal that only the HTTP layer knows: of the path, the method, the body's form, the rate. `param` is the
 * dotted path of the field at fault; `headers` are added to the answer (`Allow`, `Retry-After`).
 */
export class HttpRefusal extends Schema.TaggedError<HttpRefusal>()("HttpRefusal", {
  code: Schema.declare<ApiErrorCode>((code): code is ApiErrorCode => typeof code === "string"),
  message: Schema.String,
  param: Schema.optionalKey(Schema.String),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
}) {}

export const refuseHttp = (
  code: ApiErrorCode,
  message: string,
  more: { readonly param?: string; readonly headers?: { readonly [name: string]: string } } = {},
): HttpRefusal => new HttpRefusal({ code, message, ...more })
