import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as SchemaAST from "effect/SchemaAST"
import { refuseHttp } from "../HttpRefusal.ts"

/** How many characters of an unknown name the answer repeats. */
const shownCharacters = 100

/** contract, Later decisions: 400 `unknown_parameter` for a query parameter that an endpoint does not take. */
export const requireKnownQuery = (endpoint: HttpApiEndpoint.Top) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
    const start = url.indexOf("?")
    if (start < 0) return Effect.void
    const known = parametersOf(endpoint)
    const unknown = [...new URLSearchParams(url.slice(start)).keys()].find((name) => !known.has(name))
    if (unknown === undefined) return Effect.void
    const param = unknown.slice(0, shownCharacters)
    const takes = known.size === 0 ? "it takes none" : `it takes ${[...known].join(", ")}`
    return Effect.fail(
      refuseHttp(
        "unknown_parameter",
        `${JSON.stringify(param)} is not a query parameter of this endpoint; ${takes}.`,
        { param },
      ),
    )
  })

/** The names of an endpoint's query parameters. */
const parametersOf = ({ query }: HttpApiEndpoint.Top): ReadonlySet<string> => {
  const ast = query === undefined ? undefined : SchemaAST.toEncoded(query.ast)
  return new Set(
    ast !== undefined && SchemaAST.isObjects(ast)
      ? ast.propertySignatures.map(({ name }) => String(name))
      : [],
  )
}
