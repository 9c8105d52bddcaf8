import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import type * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"

const excess = "Expected no excess property"
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** How many characters of an offending value, or of its field's name, an answer repeats. */
const shownChars = 100

/**
 * The refusal for a value that does not match a schema: 400 `invalid_parameter` with the dotted path as `param`
 * and a message naming the value and what is allowed; before that 400 `unknown_parameter` for a field not known.
 */
export const schemaProblem = (error: Schema.SchemaError, given: unknown): HttpRefusal => {
  const { issues } = format(error.issue)
  const issue = issues.find(({ message }) => message === excess) ?? issues[0]
  const path = (issue?.path ?? []).map((segment) =>
    String(typeof segment === "object" ? segment.key : segment),
  )
  const param = cut(path.join("."))
  const name = param === "" ? "the request" : `\`${param}\``
  const more = param === "" ? {} : { param }
  const message = issue?.message ?? "is not valid"
  if (message === "Missing key") return refuseHttp("invalid_parameter", `${name} is required.`, more)
  if (message === excess) {
    return refuseHttp("unknown_parameter", `${name} is not a parameter of this endpoint.`, more)
  }
  const allowed = message
    .replace(/^Expected /, "")
    .replace("a string representing a finite number", "a number")
  return refuseHttp(
    "invalid_parameter",
    `${name} must be ${allowed}; got ${show(valueAt(given, path))}.`,
    more,
  )
}

/** The refusal for a query that the contract does not allow. */
export const queryProblem = (
  error: HttpApiSchemaError,
  request: HttpServerRequest.HttpServerRequest,
): HttpRefusal =>
  schemaProblem(error.cause, HttpServerRequest.searchParamsFromURL(new URL(request.url, "http://localhost")))

const valueAt = (given: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, key)
        ? Reflect.get(value, key)
        : undefined,
    given,
  )

const show = (value: unknown): string => cut(JSON.stringify(value) ?? "nothing")

const cut = (text: string): string => (text.length > shownChars ? `${text.slice(0, shownChars)}…` : text)
