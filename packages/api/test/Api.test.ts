import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { OpenApi } from "effect/http-api"
import * as Wire from "../src/index.ts"
import { Api } from "../src/index.ts"

const spec = OpenApi.fromApi(Api)
const operations = Object.entries(spec.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    name: `${method} ${path}`,
    path,
    operation: operation as OpenApi.OpenAPISpecOperation,
  })),
)

describe("contract: the OpenAPI document", () => {
  it("has every endpoint of the specifications and of the contract", () => {
    assert.includeMembers(
      operations.map(({ name }) => name),
      [
        "get /v1/models",
        "get /v1/models/{model}",
        "post /v1/images/tasks",
        "post /v1/images/generations",
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
    for (const scheme of Object.values(spec.components.securitySchemes)) {
      assert.deepInclude(scheme, { type: "http", scheme: "Bearer" })
    }
  })

  it("shows one body for every error", () => {
    const errors = operations.flatMap(({ operation }) =>
      Object.entries(operation.responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([, response]) => JSON.stringify(response.content?.["application/json"]?.schema)),
    )
    const shapes = [...new Set(errors)].map((reference) => {
      const name = /schemas\/(\w+)/.exec(reference ?? "")?.[1] ?? ""
      return JSON.stringify({ ...spec.components.schemas[name], description: undefined })
    })
    assert.lengthOf(new Set(shapes), 1)
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
