import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import * as Wire from "../src/index.ts"
import { Api, apiErrorCodes, openApiDocument } from "../src/index.ts"

const spec = OpenApi.fromApi(Api)
const document = openApiDocument()
const operations = Object.entries(spec.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method} ${path}`,
    path,
    operation: operation as OpenApi.OpenAPISpecOperation,
  })),
)

interface ErrorResponse {
  readonly headers: object
  readonly content: { readonly "application/json": { readonly schema: object } }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Every object of the document. */
const visit = (value: unknown, see: (path: string, object: Record<string, unknown>) => void, path = "") => {
  if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, see, `${path}[${index}]`)
  if (!isRecord(value)) return
  see(path, value)
  for (const [name, member] of Object.entries(value)) {
    // Examples are bodies, and properties are named by callers' words.
    if (name !== "examples" && name !== "example") visit(member, see, `${path}.${name}`)
  }
}

describe("contract: the OpenAPI document", () => {
  it("has every endpoint of the specifications and of the contract", () => {
    assert.includeMembers(
      operations.map(({ name }) => name),
      [
        "get /v1/models",
        "get /v1/models/{model}",
        "post /v1/images/tasks",
        "post /v1/images/generations",
        "post /v1/images/edits",
        "post /v1/images/quote",
        "get /v1/tasks",
        "get /v1/tasks/{task_id}",
        "get /v1/tasks/{task_id}/events",
        "post /v1/tasks/{task_id}/cancel",
        "get /v1/tasks/{task_id}/history",
        "get /v1/tasks/{task_id}/callbacks",
        "get /v1/tasks/{task_id}/result",
        "get /v1/tools",
        "post /v1/tools/{tool_id}/files",
        "post /v1/tools/{tool_id}/invoke",
        "get /v1/tool-files/{file_id}",
        "delete /v1/tool-files/{file_id}",
        "get /v1/tool-tasks",
        "get /v1/balance",
        "post /admin/v1/users",
        "get /admin/v1/users",
        "get /admin/v1/users/{id}",
        "post /admin/v1/users/{id}/grants",
        "post /admin/v1/users/{id}/keys",
        "patch /admin/v1/keys/{id}",
        "get /admin/v1/tools/{id}",
        "patch /admin/v1/tools/{id}",
        "get /admin/v1/models/{id}",
        "patch /admin/v1/models/{id}",
        "get /admin/v1/tasks",
        "get /admin/v1/ledger",
        "get /admin/v1/stats",
        "get /",
        "get /healthz",
        "get /readyz",
        "get /metrics",
        "get /openapi.json",
        "get /docs",
      ],
    )
  })

  it("says of every endpoint what it is for, and which key it takes", () => {
    for (const { name, path, operation } of operations) {
      assert.isString(operation.summary, name)
      const scheme = path.startsWith("/v1/") ? ["apiKey"] : path.startsWith("/admin/") ? ["adminToken"] : []
      assert.deepStrictEqual(operation.security.flatMap(Object.keys), scheme, name)
      if (path.startsWith("/v1/"))
        assert.containsAllKeys(operation.responses, ["401", "403", "429", "503"], name)
    }
    for (const scheme of Object.values(document.components.securitySchemes)) {
      // In lower case: generated references and clients compare it so.
      assert.deepInclude(scheme, { type: "http", scheme: "bearer" })
    }
  })

  it("describes every operation, parameter and property", () => {
    const missing: Array<string> = []
    visit(document, (path, { operationId, in: place, description, properties }) => {
      if ((operationId ?? place) !== undefined && description === undefined) missing.push(path)
      for (const [name, property] of Object.entries(properties ?? {})) {
        if (isRecord(property) && property["description"] === undefined) missing.push(`${path}.${name}`)
      }
    })
    assert.deepStrictEqual(missing, [])
  })

  it("shows one body for every error, with every code, and says when to come back", () => {
    const { schemas, responses } = document.components
    assert.deepInclude(schemas["ErrorCode"], { enum: apiErrorCodes })
    for (const [name, response] of Object.entries(responses)) {
      const { content, headers } = response as ErrorResponse
      assert.deepStrictEqual(content["application/json"].schema, { $ref: "#/components/schemas/Error" }, name)
      assert.containsAllKeys(headers, ["X-Request-Id"], name)
    }
    const { TooManyRequests, Unavailable } = responses as Record<string, ErrorResponse>
    assert.containsAllKeys(TooManyRequests?.headers, ["Retry-After", "RateLimit", "RateLimit-Policy"])
    assert.containsAllKeys(Unavailable?.headers, ["Retry-After"])
    visit(document.paths, (path, { responses: answers }) => {
      if (!isRecord(answers)) return
      for (const [status, answer] of Object.entries(answers)) {
        if (Number(status) < 400) continue
        assert.match(JSON.stringify(answer), /^\{"\$ref":"#\/components\/responses\/\w+"\}$/, path)
      }
    })
  })

  it("has callbacks, images, numbers as numbers, and no word of what it is made with", () => {
    assert.containsAllKeys(document.webhooks, ["imageTaskFinished"])
    assert.containsAllKeys(document.paths, ["/media/{name}"])
    assert.notMatch(JSON.stringify(document), /Encoded"|x-effect|Infinity|9007199254740991/)
  })
})

describe("contract: examples", () => {
  it("are what their schemas take", () => {
    for (const [name, schema] of Object.entries(Wire)) {
      if (!name.startsWith("Wire") || !Schema.isSchema(schema)) continue
      const { examples = [] } = (schema.ast.annotations ?? {}) as {
        readonly examples?: ReadonlyArray<unknown>
      }
      for (const example of examples) {
        assert.isTrue(Schema.is(schema)(example), name)
      }
    }
  })
})
