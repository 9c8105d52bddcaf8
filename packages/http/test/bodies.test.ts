import { request } from "node:http"
import { defaultLimits } from "@atelier/core"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { adminToken, errorOf, Harness, layerWith } from "./harness.ts"

const { json_body_blend_bytes_max, json_body_bytes_max } = defaultLimits

/** The most empty lists that a body of `bytes` can hold. */
const lists = (bytes: number) =>
  `{"generation_type":"blend","images":[${"[],".repeat(Math.floor((bytes - 50) / 3))}[]]}`

layer(layerWith({ limits: { json_body_blend_bytes_max, json_body_bytes_max } }), {
  excludeTestServices: true,
})("the structure of a JSON body is counted before anything is built of it", (it) => {
  it.effect.each([
    ["/v1/images/tasks", json_body_blend_bytes_max, false],
    ["/v1/images/quote", json_body_blend_bytes_max, false],
    ["/v1/images/generations", json_body_blend_bytes_max, false],
    ["/v1/tools/test-tool/invoke", json_body_bytes_max, false],
    ["/admin/v1/users", json_body_bytes_max, true],
  ] as const)("%s refuses lists of lists with the count and the limit", ([path, bytes, isAdmin]) =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey({}, "0")
      const answer = yield* call({
        method: "POST",
        path,
        key: isAdmin ? adminToken : key,
        headers: { "idempotency-key": "lists-of-lists" },
        body: lists(bytes),
      })
      assert.strictEqual(answer.status, 400)
      assert.strictEqual(errorOf(answer).error.code, "invalid_json")
      assert.match(
        errorOf(answer).error.message,
        /^At byte \d{5} the JSON is 10001 values long; the limit json_values_max is 10000\.$/,
      )
    }),
  )

  it.effect("the refusal does not wait for the rest of the body", () =>
    Effect.gen(function* () {
      const { newKey, port } = yield* Harness
      const { key } = yield* newKey({}, "0")
      const status = yield* Effect.callback<number | undefined>((resume) => {
        const sending = request(`http://127.0.0.1:${port}/v1/images/tasks`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${key}`,
            "content-type": "application/json",
            "content-length": json_body_blend_bytes_max,
          },
        })
        sending.on("response", ({ statusCode }) => {
          sending.destroy()
          resume(Effect.succeed(statusCode))
        })
        sending.on("error", () => {})
        // The rest never comes.
        sending.write(lists(64 * 1024))
      })
      assert.strictEqual(status, 400)
    }),
  )

  it.effect.each([
    ["levels", `${'{"a":'.repeat(64)}[]${"}".repeat(64)}`, "65 levels deep", "json_depth_max is 64"],
    [
      "members",
      JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`a${index}`, 1]))),
      "1001 object members long",
      "json_keys_max is 1000",
    ],
    [
      "escaped characters",
      `{"generation_type":"blend","images":["${"\\n".repeat(500_001)}"]}`,
      "500001 escapes long",
      "json_escapes_max is 500000",
    ],
  ])("%s beyond the limit are refused", ([, body, ...words]) =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const answer = yield* call({ method: "POST", path: "/v1/images/tasks", key, body })
      assert.strictEqual(errorOf(answer).error.code, "invalid_json")
      for (const word of words) assert.include(errorOf(answer).error.message, word)
    }),
  )

  it.effect("a few long strings pass", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey()
      const image = `data:image/png;base64,${"A".repeat(5 * 1024 * 1024)}`
      const body = {
        model: "test-1",
        prompt: "a cat",
        generation_type: "blend",
        images: [image, image, image],
      }
      const answer = yield* call({ method: "POST", path: "/v1/images/quote", key, body })
      assert.strictEqual(answer.status, 200)
    }),
  )
})
