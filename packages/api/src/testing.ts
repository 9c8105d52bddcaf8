import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Api } from "./Api.ts"
import { ApiErrorBody } from "./ApiError.ts"
import { WireOverview } from "./WireAdmin.ts"
import { WireTask } from "./WireTask.ts"

/** An answer of the service as a test received it, whole. */
export interface ReceivedAnswer {
  readonly method: string
  /** With its query, where it has one. */
  readonly path: string
  readonly status: number
  /** By their names in lower case. */
  readonly headers: { readonly [name: string]: string | undefined }
  readonly text: string
}

/**
 * Throws where an answer is not what the contract says: the body of every error, and of a success what the
 * endpoint's schema has, under a status and with the headers that it names, and no field besides. For tests: servers
 * hold themselves to the schemas by type alone.
 */
export const requireContract = (answer: ReceivedAnswer): void => {
  const type = answer.headers["content-type"] ?? ""
  if (answer.method === "HEAD" || answer.text === "") return
  try {
    if (answer.status >= 400) requireError(answer, type)
    else requireSuccess(answer, type)
  } catch (cause) {
    const { method, path, status, text } = answer
    throw new Error(`not in the contract: ${method} ${path} answered ${status} ${text.slice(0, 2000)}`, {
      cause,
    })
  }
}

const exactly = { onExcessProperty: "error" } as const
const decodeError = Schema.decodeUnknownSync(ApiErrorBody, exactly)
const decodeOverview = Schema.decodeUnknownSync(WireOverview, exactly)
const decodeTask = Schema.decodeUnknownSync(WireTask, exactly)

const requireError = ({ headers, text }: ReceivedAnswer, type: string): void => {
  if (!isJson(type)) throw new Error(`an error is JSON, not ${type}`)
  const { request_id } = decodeError(JSON.parse(text))
  if (headers["x-request-id"] !== request_id) throw new Error("x-request-id is another one than the body's")
}

const requireSuccess = ({ method, path, status, headers, text }: ReceivedAnswer, type: string): void => {
  const endpoint = endpointOf(method, path.split("?")[0] ?? "")
  if (endpoint === undefined) {
    if (/^\/(admin\/)?v1\//.test(path)) throw new Error("the contract has no such endpoint")
    return
  }
  if (type.startsWith("text/event-stream")) requireEvents(text)
  if (!isJson(type)) return
  const decode = endpoint.successes.get(status)
  if (decode === undefined) throw new Error(`the endpoint has no success ${status}`)
  decode(JSON.parse(text), headers)
}

const isJson = (type: string): boolean => /^application\/json\b/.test(type)

/** The tasks or overviews of a stream of events, as far as it was read. */
const requireEvents = (text: string): void => {
  for (const block of text.split("\n\n").slice(0, -1)) {
    const data = /^data: (.*)$/m.exec(block)?.[1]
    const decode = /^event: overview$/m.test(block) ? decodeOverview : decodeTask
    if (data !== undefined) decode(JSON.parse(data))
  }
}

type Decode = (body: unknown, headers: ReceivedAnswer["headers"]) => void

interface Route {
  readonly method: string
  readonly path: RegExp
  /** By status. */
  readonly successes: ReadonlyMap<number, Decode>
}

const routes: Array<Route> = []

const endpointOf = (method: string, path: string): Route | undefined => {
  if (routes.length === 0) readRoutes()
  return routes.find((route) => route.method === method && route.path.test(path))
}

const readRoutes = (): void =>
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, successes }) => {
      const path = new RegExp(`^${endpoint.path.replace(/:[a-z_]+/g, "[^/]+")}$`)
      const decoders = [...successes].map(([status, schemas]) => [status, decoderOf(schemas)] as const)
      routes.push({ method: endpoint.method, path, successes: new Map(decoders) })
    },
  })

/** No schema of the contract needs a service to be decoded. */
const codecOf = (schema: Schema.Top) => schema as Schema.Codec<unknown>

/** Any of the schemas, but for those of texts and streams. */
const decoderOf = (schemas: ReadonlyArray<Schema.Top>): Decode => {
  const bodies = schemas.map((schema) =>
    codecOf(HttpApiSchema.isWithHeaders(schema) ? schema.schema : schema),
  )
  const decodeBody = Schema.decodeUnknownSync(Schema.Union(bodies), exactly)
  const named = schemas.filter(HttpApiSchema.isWithHeaders).map(({ headers }) => headers)
  const decodeHeaders = named.map((fields) => Schema.decodeUnknownSync(codecOf(fields)))
  return (body, headers) => {
    decodeBody(body)
    for (const decode of decodeHeaders) decode(headers)
  }
}
