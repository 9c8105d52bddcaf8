import { Api } from "@atelier/api"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as OpenApi from "effect/http-api/OpenApi"
import { adminToken, Harness, layerWith } from "./harness.ts"

const operations = Object.entries(OpenApi.fromApi(Api).paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
)

/** Paths of the documents: the same for everybody. */
const documents = new Set(["/docs", "/openapi.json"])

/** An event stream of a task that is not there is an error as any other. */
const filled = (path: string) => path.replace(/\{[^}]+\}/g, "x")

layer(layerWith(), { excludeTestServices: true })("every path, for every caller", (it) => {
  it.effect("is never kept by a cache, but for the documents; and is shown in no frame", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      assert.isAbove(operations.length, 40)
      for (const { method, path } of operations) {
        for (const credential of [undefined, key, adminToken]) {
          const body = method === "GET" || method === "DELETE" ? {} : { body: "{}" }
          const answer = yield* call({ method, path: filled(path), key: credential, ...body })
          const { "cache-control": caching, "content-security-policy": policy, etag } = answer.headers
          const row = `${method} ${path} ${answer.status}`
          assert.strictEqual(caching, documents.has(path) ? "public, max-age=300" : "no-store", row)
          assert.include(policy ?? "", "frame-ancestors 'none'", row)
          assert.strictEqual(etag !== undefined, documents.has(path), row)
        }
      }
    }),
  )

  it.effect(
    "a key that is shown once, a list of tasks and a path that there is not are not kept either",
    () =>
      Effect.gen(function* () {
        const { call, newKey } = yield* Harness
        const { key, userId } = yield* newKey()
        const answers = [
          yield* call({ method: "POST", path: `/admin/v1/users/${userId}/keys`, key: adminToken, body: {} }),
          yield* call({ path: "/v1/tasks", key }),
          yield* call({ path: "/v1/nope", key }),
          yield* call({ path: "/media/nope.png" }),
        ]
        assert.deepStrictEqual(
          answers.map(({ status, headers }) => [status, headers["cache-control"]]),
          [
            [201, "no-store"],
            [200, "no-store"],
            [404, "no-store"],
            [404, "no-store"],
          ],
        )
      }),
  )
})

layer(layerWith(), { excludeTestServices: true })("contract, Later decisions: a final task", (it) => {
  it.effect("carries ETag and answers 304; one that is not final does not", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const submitted = yield* call({
        method: "POST",
        path: "/v1/images/tasks",
        key,
        body: { model: "test-1", prompt: "a" },
      })
      const path = submitted.headers["location"] ?? ""
      const queued = yield* call({ path, key, headers: { "if-none-match": "*" } })
      assert.deepStrictEqual(
        [queued.status, queued.headers["etag"], queued.headers["cache-control"]],
        [200, undefined, "no-store"],
      )
      yield* call({ method: "POST", path: `${path}/cancel`, key })
      const final = yield* call({ path, key })
      const { etag = "" } = final.headers
      assert.deepStrictEqual([final.status, final.headers["cache-control"]], [200, "private, no-cache"])
      assert.match(etag, /^"[0-9a-f]{32}"$/)
      assert.match(final.headers["content-type"] ?? "", /^application\/json/)
      for (const held of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
        const known = yield* call({ path: `${path}?wait=5`, key, headers: { "if-none-match": held } })
        assert.deepStrictEqual([known.status, known.text, known.headers["etag"]], [304, "", etag])
      }
      const other = yield* call({ path, key, headers: { "if-none-match": '"other"' } })
      assert.deepStrictEqual([other.status, other.json], [200, final.json])
      const { key: stranger } = yield* newKey()
      const foreign = yield* call({ path, key: stranger, headers: { "if-none-match": etag } })
      assert.strictEqual(foreign.status, 404)
    }),
  )
})
