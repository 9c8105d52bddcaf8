import {
  Admin,
  type KeySettings,
  TaskStore,
  type ToolTask,
  Transaction,
  Transitions,
  usd,
} from "@atelier/core"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, adminToken, type Call, errorOf, form, Harness, layerWith } from "./harness.ts"

/** One way for a request to be wrong, and what it is refused with. Ways stand in the order of refusal. */
interface Way {
  readonly name: string
  readonly change: (call: Call) => Call
  readonly status: number
  readonly code: string
  readonly param?: string
}

const way = (
  name: string,
  refusal: readonly [status: number, code: string, param?: string],
  change: (call: Call) => Call,
): Way => ({
  name,
  change,
  status: refusal[0],
  code: refusal[1],
  ...(refusal[2] === undefined ? {} : { param: refusal[2] }),
})

const withKey =
  (key: string | undefined) =>
  (call: Call): Call => ({ ...call, key })
const withPath =
  (path: string) =>
  (call: Call): Call => ({ ...call, path })
const withBody =
  (body: unknown) =>
  (call: Call): Call => ({ ...call, body })
const withHeaders =
  (headers: Call["headers"]) =>
  (call: Call): Call => ({
    ...call,
    headers: { ...call.headers, ...headers },
  })
/** Changes fields of a JSON body; undefined removes one. */
const withFields =
  (fields: object) =>
  (call: Call): Call => ({
    ...call,
    body: { ...(call.body as object), ...fields },
  })

/** Sends, for every i, the request that is wrong in the ways i to n, and expects refusal i. */
const climb = Effect.fnUntraced(function* (endpoint: string, base: Call, ways: ReadonlyArray<Way>) {
  const { call } = yield* Harness
  for (const [index, expected] of ways.entries()) {
    const request = ways.slice(index).reduceRight((wrong, { change }) => change(wrong), base)
    const answer: Answer = yield* call(request)
    const at = `${endpoint}, ${expected.name}: ${answer.text.slice(0, 300)}`
    assert.strictEqual(answer.status, expected.status, at)
    const { error, request_id } = errorOf(answer)
    assert.strictEqual(error.code, expected.code, at)
    assert.strictEqual(error.param, expected.param ?? null, at)
    assert.strictEqual(answer.headers["x-request-id"], request_id, at)
    if (expected.status === 401) assert.strictEqual(answer.headers["www-authenticate"], "Bearer", at)
    if (expected.status === 429) assert.match(answer.headers["retry-after"] ?? "", /^[1-9]\d*$/, at)
  }
})

/** Keys that authentication refuses; every one has the flaws of those after it too. */
const credentialRefusals = Effect.gen(function* () {
  const { call, newKey } = yield* Harness
  const admin = yield* Admin
  const flawed = Effect.fnUntraced(function* (settings: KeySettings, accountDisabled: boolean) {
    const { key, userId } = yield* newKey({ ipAllowlist: ["192.0.2.1"], ratePerMinute: 1, ...settings })
    if (accountDisabled) yield* admin.setUserDisabled(userId, true)
    return key
  })
  const limited = (yield* newKey({ ratePerMinute: 1 })).key
  yield* call({ path: "/v1/tools", key: limited })
  return [
    way("no key", [401, "invalid_api_key"], withKey(undefined)),
    way("an invalid key", [401, "invalid_api_key"], withKey("sk-atl-nonsense")),
    way(
      "a disabled key",
      [401, "api_key_disabled"],
      withKey(yield* flawed({ disabled: true, expiresAt: 1000 }, true)),
    ),
    way("an expired key", [401, "api_key_expired"], withKey(yield* flawed({ expiresAt: 1000 }, true))),
    way("a disabled account", [403, "account_disabled"], withKey(yield* flawed({}, true))),
    way("a foreign address", [403, "ip_not_allowed"], withKey(yield* flawed({}, false))),
    way("too many requests", [429, "rate_limited"], withKey(limited)),
  ]
})

const jsonWays = [
  way("another media type", [415, "unsupported_media_type"], withHeaders({ "content-type": "text/plain" })),
  way("a compressed body", [415, "unsupported_media_type"], withHeaders({ "content-encoding": "gzip" })),
  way(
    "too long a body",
    [413, "request_too_large"],
    withBody(`{"generation_type":"blend${"x".repeat(9000)}`),
  ),
  way("a body that is not JSON", [400, "invalid_json"], withBody("{")),
  way("a body that is not UTF-8", [400, "invalid_json"], withBody(new Uint8Array([0x22, 0xff, 0x22]))),
  way("too deep a body", [400, "invalid_json"], withBody("[".repeat(900) + "]".repeat(900))),
  way("a body that is not an object", [400, "invalid_parameter"], withBody("[]")),
]

/** A key with the files and tasks that the tool endpoints are asked about. */
const toolActor = Effect.fnUntraced(function* (settings: KeySettings, balance: string, running: number) {
  const { call, newKey } = yield* Harness
  const admin = yield* Admin
  const { key, keyId } = yield* newKey({}, balance)
  const upload = Effect.fnUntraced(function* (tool: string) {
    const parts = form([{ name: "file", filename: "a.txt", content: "text" }])
    const answer = yield* call({ method: "POST", path: `/v1/tools/${tool}/files`, key, ...parts })
    return (answer.json as { readonly id: string }).id
  })
  const mine = yield* upload("test-tool")
  const others = yield* upload("other-tool")
  const deleted = yield* upload("test-tool")
  yield* call({ method: "DELETE", path: `/v1/tool-files/${deleted}`, key })
  const invoke = (n: number) =>
    call({
      method: "POST",
      path: "/v1/tools/test-tool/invoke",
      key,
      headers: { "idempotency-key": `used-key-${n}` },
      body: { input: { file_id: mine } },
    })
  yield* Effect.forEach(
    Array.from({ length: running }, (_, n) => n),
    invoke,
  )
  yield* admin.updateKey(keyId, { tools: ["test-tool"], ...settings })
  return { key, mine, others, deleted }
})

layer(layerWith(), { excludeTestServices: true })("refusals come in their written order", (it) => {
  it.effect("images: submit and quote", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey({ models: ["test-1", "sync-only"] }, "0")
      const used = { model: "test-1", n: 77 }
      const headers = { "idempotency-key": "used" }
      yield* call({ method: "POST", path: "/v1/images/tasks", key, headers, body: used })
      const base: Call = {
        method: "POST",
        path: "/v1/images/tasks",
        key,
        body: { model: "test-1", prompt: "a cat" },
      }
      const modelWays = [
        way("no model", [400, "invalid_parameter", "model"], withFields({ model: undefined })),
        way("an unknown model", [400, "model_not_found", "model"], withFields({ model: "nope" })),
        way("a model not for this key", [403, "model_not_allowed", "model"], withFields({ model: "test-2" })),
        way(
          "a model of another endpoint",
          [400, "model_not_supported_on_endpoint", "model"],
          withFields({ model: "sync-only" }),
        ),
        way("a wrong parameter", [400, "invalid_parameter", "n"], withFields({ n: 99 })),
        way("too dear", [400, "max_cost_exceeded", "max_cost_usd"], withFields({ max_cost_usd: 0.001 })),
      ]
      yield* climb("submit", base, [
        ...(yield* credentialRefusals),
        ...jsonWays,
        way(
          "two different keys",
          [400, "invalid_idempotency_key"],
          withHeaders({ "idempotency-key": ["one", "two"] }),
        ),
        way(
          "two names with different keys",
          [400, "invalid_idempotency_key"],
          withHeaders({ "idempotency-key": "one", "x-idempotency-key": "two" }),
        ),
        way(
          "too long a key",
          [400, "invalid_idempotency_key"],
          withHeaders({ "idempotency-key": "k".repeat(129), "x-idempotency-key": [] }),
        ),
        way(
          "a key of another request",
          [409, "idempotency_key_reused"],
          withHeaders({ "idempotency-key": "used", "x-idempotency-key": [] }),
        ),
        ...modelWays.map((each) => ({
          ...each,
          change: (call: Call) => withHeaders({ "idempotency-key": [] })(each.change(call)),
        })),
        way("no money", [403, "insufficient_balance"], (call) => call),
      ])
      yield* climb("quote", { ...base, path: "/v1/images/quote" }, [
        ...(yield* credentialRefusals),
        ...jsonWays,
        ...modelWays,
      ])
    }),
  )

  it.effect("tools: invoke", () =>
    Effect.gen(function* () {
      const poor = yield* toolActor({ quotaUsd: usd("0") }, "0.0004", 4)
      const spent = yield* toolActor({ quotaUsd: usd("0") }, "1", 4)
      const busy = yield* toolActor({}, "1", 4)
      const as =
        (actor: typeof busy, file: string | undefined = actor.mine) =>
        (call: Call): Call => ({
          ...call,
          key: actor.key,
          body: { ...(call.body as object), input: { file_id: file } },
        })
      const base: Call = {
        method: "POST",
        path: "/v1/tools/test-tool/invoke",
        headers: { "idempotency-key": "a-new-key" },
        body: { input: { file_id: busy.mine }, options: {} },
      }
      yield* climb("invoke", base, [
        ...(yield* credentialRefusals),
        ...jsonWays,
        way("another field", [400, "unknown_parameter", "url"], withFields({ url: "https://x" })),
        way(
          "another option",
          [400, "unknown_parameter", "options.ocr"],
          withFields({ url: undefined, options: { ocr: true } }),
        ),
        way("no file", [400, "invalid_parameter", "input"], withFields({ options: {}, input: undefined })),
        way("an invalid format", [400, "invalid_parameter", "options.output_formats.0"], (call) =>
          withFields({ options: { output_formats: ["html"] } })(as(spent)(call)),
        ),
        way("no idempotency key", [400, "invalid_idempotency_key"], (call) =>
          withHeaders({ "idempotency-key": [] })(withFields({ options: { output_formats: [] } })(call)),
        ),
        way("too short a key", [400, "invalid_idempotency_key"], withHeaders({ "idempotency-key": "short" })),
        way(
          "a key of another request",
          [409, "idempotency_key_reused"],
          withHeaders({ "idempotency-key": "used-key-0" }),
        ),
        way("no such tool", [404, "tool_not_found"], (call) =>
          withHeaders({ "idempotency-key": "another-key" })(withPath("/v1/tools/nope/invoke")(call)),
        ),
        way("a tool not for this key", [403, "tool_not_allowed"], withPath("/v1/tools/other-tool/invoke")),
        way("no formats", [400, "invalid_parameter", "options.output_formats"], (call) =>
          withPath("/v1/tools/test-tool/invoke")(withFields({ options: { output_formats: [] } })(call)),
        ),
        way("an unknown file", [404, "file_not_found", "input.file_id"], (call) =>
          withFields({ options: {} })(as(spent, "toolfile_nope")(call)),
        ),
        way("another key's file", [404, "file_not_found", "input.file_id"], as(spent, busy.mine)),
        way("another tool's file", [400, "invalid_file", "input.file_id"], as(spent, spent.others)),
        way("a deleted file", [410, "file_expired", "input.file_id"], as(spent, spent.deleted)),
        way("an empty wallet", [402, "insufficient_balance"], as(poor)),
        way("a used-up key", [402, "key_quota_exhausted"], as(spent)),
        way("too many tasks", [429, "too_many_tasks"], as(busy)),
      ])
    }),
  )

  it.effect("tools: upload", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key } = yield* newKey({ tools: ["test-tool"] })
      const full = (yield* newKey({ tools: ["test-tool"] })).key
      const good = form([{ name: "file", filename: "a.txt", content: "text" }])
      for (let n = 0; n < 20; n++) {
        yield* call({ method: "POST", path: "/v1/tools/test-tool/files", key: full, ...good })
      }
      const withForm =
        (parts: ReturnType<typeof form>) =>
        (call: Call): Call => ({ ...call, ...parts })
      const long = "x".repeat(1001)
      yield* climb("upload", { method: "POST", path: "/v1/tools/test-tool/files", key, ...good }, [
        ...(yield* credentialRefusals),
        way("no such tool", [404, "tool_not_found"], (call) =>
          withKey(full)(withPath("/v1/tools/nope/files")(call)),
        ),
        way("a tool not for this key", [403, "tool_not_allowed"], withPath("/v1/tools/other-tool/files")),
        way("too many files", [429, "too_many_files"], (call) =>
          withKey(full)(withPath("/v1/tools/test-tool/files")(call)),
        ),
        way("no form", [415, "unsupported_media_type"], (call) =>
          withKey(key)(withHeaders({ "content-type": "application/json" })(call)),
        ),
        way(
          "no boundary",
          [415, "unsupported_media_type"],
          withHeaders({ "content-type": "multipart/form-data" }),
        ),
        way("no file", [400, "invalid_file", "file"], withForm(form([{ name: "file", content: "text" }]))),
        way(
          "an empty file input",
          [400, "invalid_file", "file"],
          withForm(form([{ name: "file", filename: "", content: "" }])),
        ),
        way(
          "two files",
          [400, "invalid_file", "file"],
          withForm(
            form([
              { name: "file", filename: "a.exe", content: "a" },
              { name: "file2", filename: "b.txt", content: "b" },
            ]),
          ),
        ),
        way(
          "a form cut off",
          [400, "invalid_file", "file"],
          withForm(form([{ name: "file", filename: "a.exe", content: "a" }], "")),
        ),
        way(
          "too long a file",
          [413, "file_too_large", "file"],
          withForm(form([{ name: "file", filename: "broken.exe", content: long }])),
        ),
        way(
          "another type",
          [400, "file_type_not_accepted", "file"],
          withForm(form([{ name: "file", filename: "broken.exe", content: "a" }])),
        ),
        way(
          "a broken file",
          [400, "file_corrupt", "file"],
          withForm(form([{ name: "file", filename: "broken.txt", content: "a" }])),
        ),
        way(
          "a file that cannot be checked now",
          [503, "executor_unavailable"],
          withForm(form([{ name: "file", filename: "outage.txt", content: "a" }])),
        ),
      ])
    }),
  )

  it.effect("tasks and files", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const admin = yield* Admin
      const other = yield* toolActor({}, "1", 1)
      const { key, mine, keyId, ids } = yield* finishedTasks
      const credentials = yield* credentialRefusals
      const missing = (path: (id: string) => string) => [
        way("an unknown task", [404, "task_not_found"], (call) =>
          withKey(key)(withPath(path("imgtask_nope"))(call)),
        ),
        way("another key's task", [404, "task_not_found"], (call) =>
          withKey(other.key)(withPath(path(ids.failed))(call)),
        ),
      ]
      const wrong = (query: string) => (id: string) => `/v1/tasks/${id}?${query}`
      yield* climb("get", { path: `/v1/tasks/${ids.failed}`, key }, [
        ...credentials,
        way("an invalid wait", [400, "invalid_parameter", "wait"], (call) =>
          withKey(key)(withPath(wrong("wait=soon")("imgtask_nope"))(call)),
        ),
        way(
          "too long a wait",
          [400, "invalid_parameter", "wait"],
          withPath(wrong("wait=61")("imgtask_nope")),
        ),
        ...missing((id) => `/v1/tasks/${id}`),
      ])
      for (const [name, method, suffix] of [
        ["events", "GET", "events"],
        ["history", "GET", "history"],
        ["callbacks", "GET", "callbacks"],
        ["redeliver", "POST", "callbacks/redeliver"],
        ["cancel", "POST", "cancel"],
      ] as const) {
        yield* climb(name, { method, path: `/v1/tasks/${ids.failed}/${suffix}`, key }, [
          ...credentials,
          ...missing((id) => `/v1/tasks/${id}/${suffix}`),
          ...(name === "redeliver"
            ? [
                way("no callback", [404, "not_found"], (call: Call) =>
                  withKey(key)(withPath(`/v1/tasks/${ids.failed}/callbacks/redeliver`)(call)),
                ),
              ]
            : []),
          ...(name === "cancel"
            ? [
                way("a final task", [409, "task_not_cancelable"], (call: Call) =>
                  withKey(key)(withPath(`/v1/tasks/${ids.failed}/cancel`)(call)),
                ),
              ]
            : []),
        ])
      }
      const result = (id: string, format: string) => withPath(`/v1/tasks/${id}/result?format=${format}`)
      yield* climb("result", { path: `/v1/tasks/${ids.failed}/result`, key }, [
        ...credentials,
        way("an invalid format", [400, "invalid_parameter", "format"], (call) =>
          withKey(key)(result("tooltask_nope", "html")(call)),
        ),
        ...missing((id) => `/v1/tasks/${id}/result?format=json`),
        way("a format not requested", [406, "format_not_requested", "format"], (call) =>
          withKey(key)(result(ids.failed, "json")(call)),
        ),
        way("a failed task", [409, "task_failed"], result(ids.failed, "markdown")),
        way("an unfinished task", [409, "result_not_ready"], result(ids.queued, "markdown")),
        way("an expired result", [410, "result_expired"], result(ids.expired, "markdown")),
      ])
      yield* climb("list", { path: "/v1/tasks", key }, [
        ...credentials,
        way("an invalid limit", [400, "invalid_parameter", "limit"], (call) =>
          withKey(key)(withPath("/v1/tasks?limit=101&idempotency_key=nope")(call)),
        ),
        way("an invalid state", [400, "invalid_parameter", "state"], withPath("/v1/tasks?state=done")),
        way("a key without a task", [404, "task_not_found"], withPath("/v1/tasks?idempotency_key=nope")),
      ])
      const unknownFile = [
        way("an unknown file", [404, "file_not_found"], (call: Call) =>
          withKey(key)(withPath("/v1/tool-files/toolfile_nope")(call)),
        ),
        way("another key's file", [404, "file_not_found"], (call: Call) =>
          withKey(other.key)(withPath(`/v1/tool-files/${mine}`)(call)),
        ),
      ]
      yield* climb("file", { path: `/v1/tool-files/${mine}`, key }, [...credentials, ...unknownFile])
      yield* climb("delete", { method: "DELETE", path: `/v1/tool-files/${mine}`, key }, [
        ...credentials,
        ...unknownFile,
        way("a file in use", [429, "file_in_use"], (call) =>
          withKey(key)(withPath(`/v1/tool-files/${mine}`)(call)),
        ),
      ])
      for (const path of ["/v1/models", "/v1/tools", "/v1/tool-tasks"])
        yield* climb(path, { path, key }, credentials)
      yield* climb("model", { path: "/v1/models/test-1", key }, [
        ...credentials,
        way("no such model", [404, "not_found"], (call) => withKey(key)(withPath("/v1/models/nope")(call))),
      ])
      yield* climb("generations", { method: "POST", path: "/v1/images/generations", key, body: {} }, [
        ...credentials,
        way("no model", [400, "invalid_parameter", "model"], withKey(key)),
      ])
      // The authorization for the tool is taken away (document-tools 5.5).
      yield* admin.updateKey(keyId, { tools: ["other-tool"] })
      for (const path of [
        `/v1/tasks/${ids.failed}`,
        `/v1/tasks/${ids.expired}/result`,
        `/v1/tool-files/${mine}`,
      ]) {
        const answer = yield* call({ path, key })
        assert.strictEqual(errorOf(answer).error.code, "tool_not_allowed", path)
        assert.strictEqual(answer.status, 403, path)
      }
    }),
  )

  it.effect("admin", () =>
    Effect.gen(function* () {
      const { newKey } = yield* Harness
      const { key, userId } = yield* newKey()
      const credentials = [
        way("no token", [401, "invalid_api_key"], withKey(undefined)),
        way("an API key", [401, "invalid_api_key"], withKey(key)),
      ]
      const admin = withKey(adminToken)
      const missing = (path: string) =>
        way("unknown", [404, "not_found"], (call) => admin(withPath(path)(call)))
      const body = (fields: object, param: string) => [
        ...jsonWays.map((each) => ({ ...each, change: (call: Call) => admin(each.change(call)) })),
        way("another field", [400, "unknown_parameter", "surprise"], (call) =>
          admin(withBody({ ...fields, surprise: 1 })(call)),
        ),
        way("a wrong field", [400, "invalid_parameter", param], (call) => admin(withBody(fields)(call))),
      ]
      const cases: ReadonlyArray<readonly [string, string, object | undefined, ReadonlyArray<Way>]> = [
        ["POST", "/admin/v1/users", {}, body({ name: "" }, "name")],
        ["GET", `/admin/v1/users/${userId}`, undefined, [missing("/admin/v1/users/usr_nope")]],
        [
          "PATCH",
          "/admin/v1/users/usr_nope",
          { disabled: true },
          [
            ...body({ disabled: 1 }, "disabled"),
            way("unknown", [404, "not_found"], (call) => admin(withBody({ disabled: true })(call))),
          ],
        ],
        [
          "POST",
          "/admin/v1/users/usr_nope/grants",
          {},
          [
            ...body({ usd: -1, reason: "x" }, "usd"),
            way("unknown", [404, "not_found"], (call) => admin(withBody({ usd: 1, reason: "x" })(call))),
          ],
        ],
        ["GET", "/admin/v1/users/x/keys", undefined, [missing("/admin/v1/users/usr_nope/keys")]],
        [
          "POST",
          "/admin/v1/users/usr_nope/keys",
          {},
          [
            ...body({ rate_per_minute: 0 }, "rate_per_minute"),
            way("an invalid address", [400, "invalid_parameter", "ip_allowlist"], (call) =>
              admin(withBody({ ip_allowlist: ["nope"] })(call)),
            ),
            way("unknown", [404, "not_found"], (call) => admin(withBody({})(call))),
          ],
        ],
        [
          "PATCH",
          "/admin/v1/keys/key_nope",
          {},
          [
            ...body({ quota_usd: "1e3" }, "quota_usd"),
            way("unknown", [404, "not_found"], (call) => admin(withBody({})(call))),
          ],
        ],
        ["GET", "/admin/v1/tools/x", undefined, [missing("/admin/v1/tools/nope")]],
        [
          "PATCH",
          "/admin/v1/tools/nope",
          {},
          [
            ...body({ max_file_bytes: 0 }, "max_file_bytes"),
            way("unknown", [404, "not_found"], (call) => admin(withBody({ published: true })(call))),
          ],
        ],
        ["GET", "/admin/v1/models/x", undefined, [missing("/admin/v1/models/nope")]],
        [
          "PATCH",
          "/admin/v1/models/nope",
          {},
          [
            ...body({ delivery: "mail" }, "delivery"),
            way("unknown", [404, "not_found"], (call) => admin(withBody({ enabled: true })(call))),
          ],
        ],
        [
          "GET",
          "/admin/v1/tasks",
          undefined,
          [
            way("a wrong state", [400, "invalid_parameter", "state"], (call) =>
              admin(withPath("/admin/v1/tasks?state=x")(call)),
            ),
          ],
        ],
        [
          "GET",
          "/admin/v1/ledger",
          undefined,
          [
            way("a wrong cursor", [400, "invalid_parameter", "cursor"], (call) =>
              admin(withPath("/admin/v1/ledger?cursor=x")(call)),
            ),
          ],
        ],
        [
          "GET",
          "/admin/v1/users",
          undefined,
          [
            way("a wrong limit", [400, "invalid_parameter", "limit"], (call) =>
              admin(withPath("/admin/v1/users?limit=0")(call)),
            ),
          ],
        ],
        [
          "GET",
          "/admin/v1/audit",
          undefined,
          [
            way("a wrong limit", [400, "invalid_parameter", "limit"], (call) =>
              admin(withPath("/admin/v1/audit?limit=x")(call)),
            ),
          ],
        ],
        ["GET", "/admin/v1/stats", undefined, []],
        ["GET", "/admin/v1/tools", undefined, []],
        ["GET", "/admin/v1/models", undefined, []],
      ]
      for (const [method, path, fields, ways] of cases) {
        const base: Call = {
          method,
          path,
          key: adminToken,
          ...(fields === undefined ? {} : { body: fields }),
        }
        yield* climb(`${method} ${path}`, base, [...credentials, ...ways])
      }
    }),
  )
})

/** A key with one task of every kind that a result can be asked of. */
const finishedTasks = Effect.gen(function* () {
  const { call, newKey } = yield* Harness
  const transitions = yield* Transitions
  const store = yield* TaskStore
  const transaction = yield* Transaction
  const { key, keyId } = yield* newKey()
  const upload = { method: "POST", path: "/v1/tools/test-tool/files", key }
  const file = yield* call({ ...upload, ...form([{ name: "file", filename: "a.txt", content: "text" }]) })
  const mine = (file.json as { readonly id: string }).id
  const invoke = Effect.fnUntraced(function* (name: string) {
    const answer = yield* call({
      method: "POST",
      path: "/v1/tools/test-tool/invoke",
      key,
      headers: { "idempotency-key": `task-${name}` },
      body: { input: { file_id: mine }, options: { output_formats: ["markdown"] } },
    })
    const found = yield* store.get((answer.json as { readonly id: string }).id)
    return found._tag === "Some" && found.value.kind === "tool" ? found.value : yield* Effect.die("no task")
  })
  const start = (task: ToolTask) => transaction.run(transitions.apply(task, "start"))
  const queued = yield* invoke("queued")
  const failed = yield* start(yield* invoke("failed"))
  const expired = yield* start(yield* invoke("expired"))
  const error = { code: "file_corrupt", message: "broken" }
  yield* transaction.run(transitions.apply(failed, "fail", { error }))
  const done = yield* transaction.run(transitions.apply(expired, "finish", { results: [] }))
  yield* transaction.run(transitions.amend(done, { expiresAt: 1 }))
  return { key, keyId, mine, ids: { queued: queued.id, failed: failed.id, expired: expired.id } }
})

describe("where the admin API is off", () => {
  layer(layerWith({ adminToken: null }), { excludeTestServices: true })((it) => {
    it.effect("contract, Running it: every path of it is 404", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        for (const key of [undefined, "", adminToken]) {
          const answer = yield* call({ path: "/admin/v1/users", key })
          assert.strictEqual(answer.status, 404)
          assert.strictEqual(errorOf(answer).error.code, "not_found")
        }
      }),
    )
  })
})

layer(layerWith({ trustedProxies: ["127.0.0.1"] }), { excludeTestServices: true })(
  "contract, Running it: metrics",
  (it) => {
    it.effect("are for loopback or the admin token", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const headers = { "x-forwarded-for": "203.0.113.9" }
        const foreign = yield* call({ path: "/metrics", headers })
        assert.strictEqual(foreign.status, 403)
        assert.strictEqual(errorOf(foreign).error.code, "ip_not_allowed")
        assert.strictEqual((yield* call({ path: "/metrics", headers, key: adminToken })).status, 200)
        assert.strictEqual((yield* call({ path: "/metrics" })).status, 200)
      }),
    )
  },
)
