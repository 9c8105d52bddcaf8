import * as FindMyWay from "effect/http/FindMyWay"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { type HttpRefusal, refuseHttp } from "./HttpRefusal.ts"

/** A path beside the contract and its method. */
export type Known = readonly [path: FindMyWay.PathInput, method: "GET" | "POST"]

export type KnownMethods = FindMyWay.Router<ReadonlySet<string>>

/** Methods of every known path. */
export const methodsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  more: ReadonlyArray<Known>,
): KnownMethods => {
  const methodsByPath = new Map<FindMyWay.PathInput, Set<string>>(
    more.map(([path, method]) => [path, new Set([method])]),
  )
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      const path = endpoint.path as FindMyWay.PathInput
      methodsByPath.set(path, (methodsByPath.get(path) ?? new Set()).add(endpoint.method))
    },
  })
  const known = FindMyWay.make<ReadonlySet<string>>()
  for (const [path, methods] of methodsByPath) {
    known.on("GET", path, methods.has("GET") ? methods.add("HEAD") : methods)
  }
  return known
}

/** The refusal of a request that no route takes: 404, or 405 with `Allow` where its path is known (contract, Errors). */
export const unknownRoute = (
  request: HttpServerRequest.HttpServerRequest,
  known: KnownMethods,
): HttpRefusal => {
  const path = request.url.split("?")[0] ?? ""
  const methods = known.find("GET", path)?.handler
  if (methods === undefined)
    return refuseHttp("not_found", `There is nothing at ${JSON.stringify(path.slice(0, 200))}.`)
  const allow = [...methods].join(", ")
  return refuseHttp(
    "method_not_allowed",
    `${request.method} is not a method of ${path.slice(0, 200)}; it takes ${allow}.`,
    {
      headers: { allow },
    },
  )
}
