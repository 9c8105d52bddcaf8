import * as OpenApi from "effect/http-api/OpenApi"
import { Api } from "../Api.ts"
import { pageLimitDefault, pageLimitMax, waitSecondsMax } from "../Tasks.ts"
import {
  errorReference,
  errorResponses,
  errorSchemas,
  headers,
  rateHeaders,
  requestIdHeader,
} from "./errors.ts"
import { parameterDescriptions } from "./fields.ts"
import { at, isObject, type Json, mapObjects } from "./json.ts"
import { media } from "./media.ts"
import { describeProperties, simplified } from "./schemas.ts"
import { webhookSchemas, webhooks } from "./webhooks.ts"

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument extends Json {
  readonly info: Json
  readonly paths: Json
  readonly webhooks: Json
  readonly components: {
    readonly securitySchemes: Json
    readonly headers: Json
    readonly responses: Json
    readonly schemas: Json
  }
}

/**
 * The contract as an OpenAPI 3.1 document for others to build on: one schema for every error, each field and parameter
 * with a description, the headers that answers carry, callbacks and images. Throws where a field has no description.
 */
export const openApiDocument = (): OpenApiDocument => {
  const made = mapObjects(JSON.parse(JSON.stringify(OpenApi.fromApi(Api))), simplified)
  if (!isObject(made)) throw new Error("the OpenAPI document is no object")
  const errors = new Map([["416", "The range is outside of the image."]])
  const paths = mapOperations(at(made, "paths"), (operation, path) => finished(operation, path, errors))
  const schemas = schemasOf(at(at(made, "components"), "schemas"))
  const { openapi, tags } = made
  return {
    openapi,
    info: { ...at(made, "info"), contact: { name: "Atelier's maintainers" } },
    servers: [{ url: "/", description: "The server that this document came from." }],
    security: [],
    tags,
    paths: { ...paths, ...media },
    webhooks: webhooks(exampleOf(at(schemas, "ImageTask"))),
    components: {
      securitySchemes: lowerSchemes(at(at(made, "components"), "securitySchemes")),
      headers,
      responses: errorResponses(errors),
      schemas,
    },
  }
}

/** RFC 9110 has schemes without case; generators of clients and references compare with `bearer`. */
const lowerSchemes = (schemes: Json): Json =>
  Object.fromEntries(
    Object.entries(schemes).map(([name, scheme]) => [
      name,
      isObject(scheme) ? { ...scheme, scheme: String(scheme["scheme"]).toLowerCase() } : scheme,
    ]),
  )

const exampleOf = ({ examples }: Json): Json => {
  const [first] = Array.isArray(examples) ? examples : []
  return isObject(first) ? first : {}
}

const schemasOf = (made: Json): Json => {
  const kept = Object.entries(made).filter(([name]) => !name.endsWith("Encoded"))
  const schemas: Json = { ...Object.fromEntries(kept), ...errorSchemas, ...webhookSchemas }
  schemas["Task"] = {
    ...at(schemas, "Task"),
    discriminator: { propertyName: "object", mapping: taskByObject },
  }
  const names = Object.keys(schemas).toSorted()
  for (const name of names) describeProperties(name, schemas[name])
  return Object.fromEntries(names.map((name) => [name, schemas[name]]))
}

const taskByObject = {
  "image.task": "#/components/schemas/ImageTask",
  "tool.task": "#/components/schemas/ToolTask",
}

const mapOperations = (paths: Json, change: (operation: Json, path: string) => Json): Json =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(isObject(item) ? item : {}).map(([method, operation]) => [
          method,
          isObject(operation) ? change(operation, path) : operation,
        ]),
      ),
    ]),
  )

const finished = (operation: Json, path: string, errors: Map<string, string>): Json => {
  const { parameters, responses, ...rest } = operation
  const isCounted = path.startsWith("/v1/")
  const { requestBody } = operation
  if (isObject(requestBody)) describeProperties("", Object.values(at(requestBody, "content")))
  return {
    ...rest,
    parameters: (Array.isArray(parameters) ? parameters : []).map(parameter),
    responses: Object.fromEntries(
      Object.entries(isObject(responses) ? responses : {}).map(([status, response]) => {
        if (!isObject(response)) return [status, response]
        if (Number(status) < 400) return [status, success(response, isCounted, pathHeaders[path])]
        errors.set(status, String(response["description"]))
        return [status, errorReference(status)]
      }),
    ),
  }
}

/** What stands in for parameters of queries that are numbers, and arrive as text. */
const parameterSchemas: { readonly [name: string]: Json } = {
  wait: { type: "number", minimum: 0, maximum: waitSecondsMax, default: 0 },
  limit: { type: "integer", minimum: 1, maximum: pageLimitMax, default: pageLimitDefault },
}

/** Descriptions of parameters stand beside their schemas, where tools look for them. */
const parameter = (given: unknown): unknown => {
  if (!isObject(given)) return given
  const { description, ...schema } = at(given, "schema")
  const name = String(given["name"])
  const text = description ?? parameterDescriptions[name]
  if (text === undefined) throw new Error(`no description of the parameter ${name}`)
  return { ...given, description: text, schema: parameterSchemas[name] ?? schema }
}

/** What an answer carries besides what its endpoint says, by path. */
const pathHeaders: { readonly [path: string]: Json } = {
  "/v1/tasks/{task_id}": {
    "Retry-After": {
      description: "Seconds after which to poll again. Absent: the task is final, or `wait` was given.",
      schema: { type: "integer", minimum: 1, maximum: 30 },
    },
    ETag: { description: "Of a final task, for `If-None-Match`.", schema: { type: "string" } },
  },
}

const success = (response: Json, isCounted: boolean, own: Json = {}): Json => {
  describeProperties("", Object.values(isObject(response["content"]) ? response["content"] : {}))
  return {
    ...response,
    description: sentenceOf(String(response["description"])),
    headers: {
      ...mapHeaders(isObject(response["headers"]) ? response["headers"] : {}),
      ...own,
      ...requestIdHeader,
      ...(isCounted ? rateHeaders : {}),
    },
    ...(isObject(response["content"]) ? { content: mapContent(response["content"]) } : {}),
  }
}

/** Without a description of its own a response is named after its schema. */
const sentenceOf = (description: string): string => (/[ .]/.test(description) ? description : "Success.")

/** What stands in for a header that is a number, or one of few words, and arrives as text. */
const headerSchemas: { readonly [name: string]: Json } = {
  "retry-after": { type: "integer", minimum: 0 },
  "idempotency-replayed": { type: "string", enum: ["true"] },
}

const mapHeaders = (given: Json): Json =>
  Object.fromEntries(
    Object.entries(given).map(([name, header]) => {
      if (!isObject(header)) return [name, header]
      const { description, ...schema } = at(header, "schema")
      const title = name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
      return [title, { description, required: header["required"], schema: headerSchemas[name] ?? schema }]
    }),
  )

/** A stream is described as the text that it is: its parts have no schema in OpenAPI 3.1. */
const mapContent = (content: Json): Json =>
  Object.fromEntries(
    Object.entries(content).map(([type, media]) =>
      type === "text/event-stream"
        ? [type, { schema: { type: "string" }, example: eventExample }]
        : [type, media],
    ),
  )

const eventExample = `id: 3\nevent: task\ndata: {"id":"imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5","object":"image.task","state":"in_progress","progress":40}\n\n`
