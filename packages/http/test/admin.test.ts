import { Api } from "@atelier/api"
import { Admin, Audit, LedgerStore, Limits, SettingsStore, TaskStore, unitsMax } from "@atelier/core"
import { atEveryStep } from "@atelier/core/testing"
import { assert, describe, layer } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { OpenApi } from "effect/http-api"
import { type Answer, adminToken, type Call, errorOf, Harness, layerWith } from "./harness.ts"

const at = (answer: Answer, name: string): unknown =>
  name.split(".").reduce<unknown>((value, key) => Reflect.get(Object(value), key), answer.json)
const text = (answer: Answer, name: string): string => String(at(answer, name))

const post = (path: string, body?: unknown, more: Partial<Call> = {}) =>
  Effect.flatMap(Harness, ({ call }) =>
    call({ method: "POST", path: `/admin/v1${path}`, key: adminToken, body, ...more }),
  )
const patch = (path: string, body: unknown, more: Partial<Call> = {}) =>
  post(path, body, { method: "PATCH", ...more })
const get = (path: string, more: Partial<Call> = {}) => post(path, undefined, { method: "GET", ...more })
const once = (key: string): Partial<Call> => ({ headers: { "idempotency-key": key } })

const newToken = Effect.fnUntraced(function* (role: string, more: object = {}) {
  const answer = yield* post("/tokens", { name: `a ${role}`, role, ...more })
  assert.strictEqual(answer.status, 201, answer.text)
  return { id: text(answer, "id"), token: text(answer, "token") }
})

/** The newest entry about a target. */
const newest = Effect.fnUntraced(function* (target: string) {
  const answer = yield* get(`/audit?limit=1&target=${encodeURIComponent(target)}`)
  return at(answer, "data.0") as Record<string, unknown>
})

const granted = (userId: string) => Effect.map(get(`/users/${userId}`), (answer) => at(answer, "granted"))

const newUser = Effect.map(post("/users", { name: "Ada" }), (answer) => text(answer, "id"))

/** Every endpoint of the admin API, as the OpenAPI document names it. */
const endpoints = Object.entries(OpenApi.fromApi(Api).paths)
  .filter(([path]) => path.startsWith("/admin/"))
  .flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path, name: `${method} ${path}` })),
  )

layer(layerWith(), { excludeTestServices: true })("contract, Admin credentials: roles", (it) => {
  const supportMay = [
    "post /admin/v1/users/{id}/grants",
    "patch /admin/v1/keys/{id}",
    "post /admin/v1/tasks/{id}/cancel",
    "post /admin/v1/tasks/{id}/redeliver",
  ]
  const everybodyMay = ["put /admin/v1/session", "delete /admin/v1/session"]
  const mayRead = ({ method, name }: (typeof endpoints)[number]) =>
    method === "GET" || everybodyMay.includes(name)
  const may = {
    owner: () => true,
    support: (endpoint: (typeof endpoints)[number]) =>
      mayRead(endpoint) || supportMay.includes(endpoint.name),
    read: mayRead,
  }

  it.effect("every endpoint, for every role: what a role may not is 403, and in the audit log", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      assert.isAbove(endpoints.length, 25)
      for (const role of ["owner", "support", "read"] as const) {
        const { id, token } = yield* newToken(role)
        for (const endpoint of endpoints) {
          const path = endpoint.path.replace("{id}", "usr_nope")
          const answer = yield* call({
            method: endpoint.method,
            path,
            key: token,
            ...(endpoint.method === "GET" ? {} : { body: {} }),
          })
          const allowed = may[role](endpoint)
          const name = `${role} ${endpoint.name} ${answer.status}`
          assert.strictEqual(answer.status === 403, !allowed, name)
          if (allowed) continue
          const error = errorOf(answer)
          assert.strictEqual(error.error.code, "role_not_allowed", name)
          const logged = yield* get(`/audit?request_id=${error.request_id}`)
          assert.deepInclude(
            at(logged, "data.0"),
            { actor: id, role, outcome: "refused", before: null, after: null },
            name,
          )
        }
      }
    }),
  )

  it.effect("support changes the limits of a key, and nothing else of it", () =>
    Effect.gen(function* () {
      const { newKey } = yield* Harness
      const { keyId } = yield* newKey()
      const { token: key } = yield* newToken("support")
      const limits = yield* patch(`/keys/${keyId}`, { quota_usd: "3", rate_per_minute: 7 }, { key })
      assert.deepInclude(limits.json, { quota_units: 1_500_000, rate_per_minute: 7 })
      for (const field of [{ disabled: true }, { models: [] }, { ip_allowlist: [] }, { expires_at: null }]) {
        const answer = yield* patch(`/keys/${keyId}`, { rate_per_minute: 8, ...field }, { key })
        assert.strictEqual(errorOf(answer).error.code, "role_not_allowed")
        assert.strictEqual(errorOf(answer).error.param, Object.keys(field)[0])
      }
      assert.deepInclude((yield* get(`/keys/${keyId}`)).json, { rate_per_minute: 7 })
    }),
  )

  it.effect(
    "a credential that asks for what it may not again and again is slowed, and nothing else of it is",
    () =>
      Effect.gen(function* () {
        const { token: key, id } = yield* newToken("read")
        const { auth_failures_burst: burst } = yield* Limits
        const answers = yield* Effect.forEach(Array.from({ length: burst + 20 }), () =>
          post("/users", { name: "x" }, { key }),
        )
        assert.strictEqual(answers[0]?.status, 403)
        assert.strictEqual(answers.at(-1)?.status, 429)
        assert.isDefined(answers.at(-1)?.headers["retry-after"])
        assert.strictEqual((yield* get("/users", { key })).status, 200)
        const entries = yield* (yield* Audit).list({ actor: id, limit: 1000 })
        assert.strictEqual(entries.length, answers.filter(({ status }) => status === 403).length)
      }),
  )
})

layer(layerWith(), { excludeTestServices: true })("contract, Admin credentials: tokens", (it) => {
  it.effect("a token is shown once, stored as a digest, and works until it is disabled or expires", () =>
    Effect.gen(function* () {
      const created = yield* post("/tokens", { name: "Grace", role: "support" })
      assert.strictEqual(created.status, 201)
      const id = text(created, "id")
      const key = text(created, "token")
      assert.match(id, /^adm_[0-9a-hjkmnp-tv-z]{26}$/)
      assert.match(key, /^sk-atladm-[A-Za-z0-9_-]{43}$/)
      assert.deepInclude(created.json, { name: "Grace", role: "support", disabled: false, expires_at: null })
      for (const answer of [yield* get("/tokens"), yield* get(`/tokens/${id}`), yield* get("/audit")]) {
        assert.notInclude(answer.text, key)
        assert.notInclude(answer.text, "digest")
      }
      assert.strictEqual((yield* get("/users", { key })).status, 200)
      assert.deepInclude((yield* patch(`/tokens/${id}`, { disabled: true })).json, { disabled: true })
      assert.strictEqual(errorOf(yield* get("/users", { key })).error.code, "api_key_disabled")
      yield* patch(`/tokens/${id}`, { disabled: false })
      assert.strictEqual((yield* get("/users", { key })).status, 200)
      const old = yield* newToken("read", { expires_at: 1_000_000_000 })
      assert.strictEqual(errorOf(yield* get("/users", { key: old.token })).error.code, "api_key_expired")
      assert.strictEqual((yield* get("/tokens/adm_nope")).status, 404)
    }),
  )

  it.effect("rotation: the old secret is void at once, or after the overlap that was asked for", () =>
    Effect.gen(function* () {
      const first = yield* newToken("owner")
      const second = yield* post(`/tokens/${first.id}/rotate`)
      assert.deepInclude(second.json, { id: first.id, previous_expires_at: null })
      assert.strictEqual((yield* get("/users", { key: first.token })).status, 401)
      const key = text(second, "token")
      assert.strictEqual((yield* get("/users", { key })).status, 200)
      const third = yield* post(`/tokens/${first.id}/rotate`, { overlap_seconds: 3600 })
      assert.isAbove(Number(at(third, "previous_expires_at")), Date.now() / 1000)
      for (const good of [key, text(third, "token")]) {
        assert.strictEqual((yield* get("/users", { key: good })).status, 200)
      }
      const tooLong = yield* post(`/tokens/${first.id}/rotate`, { overlap_seconds: 2_592_001 })
      assert.strictEqual(errorOf(tooLong).error.param, "overlap_seconds")
      assert.include(errorOf(tooLong).error.message, "2592000")
    }),
  )

  it.effect("after every owner token is disabled, the token of the settings still works", () =>
    Effect.gen(function* () {
      const { id, token: key } = yield* newToken("owner")
      yield* patch(`/tokens/${id}`, { disabled: true }, { key })
      assert.strictEqual((yield* get("/users", { key })).status, 401)
      assert.strictEqual((yield* get("/users")).status, 200)
    }),
  )
})

layer(layerWith({ trustedProxies: ["127.0.0.1"] }), { excludeTestServices: true })(
  "contract, Admin credentials: the audit log",
  (it) => {
    it.effect("says who, from where, in which request, what it was and what it became; never a secret", () =>
      Effect.gen(function* () {
        const { token: key, id: actor } = yield* newToken("owner")
        const from = { key, headers: { "x-forwarded-for": "203.0.113.9" } }
        const user = yield* post("/users", { name: "Ada", balance_usd: 1 }, from)
        const userId = text(user, "id")
        const who = { actor, role: "owner", ip: "203.0.113.9", outcome: "done", code: null }
        assert.deepInclude(yield* newest(userId), {
          ...who,
          action: "user.create",
          target: userId,
          request_id: user.headers["x-request-id"],
          before: null,
          after: { name: "Ada", units: 500_000 },
        })
        yield* post(`/users/${userId}/grants`, { usd: 2, reason: "invoice 7" }, from)
        assert.deepInclude(yield* newest(userId), {
          ...who,
          action: "user.grant",
          before: { granted: 500_000 },
          after: { granted: 1_500_000, units: 1_000_000, reason: "invoice 7" },
        })
        const created = yield* post(`/users/${userId}/keys`, { name: "one" }, from)
        const keyId = text(created, "id")
        yield* patch(`/keys/${keyId}`, { name: "two", expires_at: 2_000_000_000 }, from)
        const updated = yield* newest(keyId)
        assert.deepInclude(updated["before"], { name: "one", expires_at: null })
        assert.deepInclude(updated["after"], { name: "two", expires_at: 2_000_000_000 })
        yield* patch("/tools/test-tool", { unit_price: "0.5" }, from)
        assert.deepInclude(yield* newest("test-tool"), { before: null, after: { unit_price: "0.5" } })
        const rotated = yield* post(`/keys/${keyId}/rotate`, {}, from)
        const signed = yield* post(`/keys/${keyId}/rotate-webhook-secret`, {}, from)
        const log = yield* get("/audit?limit=100")
        const secrets = [
          key,
          text(created, "key"),
          text(created, "webhook_secret"),
          text(rotated, "key"),
          text(signed, "webhook_secret"),
        ]
        for (const secret of secrets) {
          assert.isAbove(secret.length, 30)
          assert.notInclude(log.text, secret)
        }
        assert.deepInclude(yield* newest(actor), { actor: "ATELIER_ADMIN_TOKEN", role: "owner" })
      }),
    )

    it.effect("has refusals too, and unknown credentials", () =>
      Effect.gen(function* () {
        const missing = yield* post("/users/usr_nope/grants", { usd: 1, reason: "x" })
        assert.deepInclude(yield* newest("usr_nope"), {
          actor: "ATELIER_ADMIN_TOKEN",
          action: "user.grant",
          outcome: "refused",
          code: "not_found",
          request_id: missing.headers["x-request-id"],
        })
        const bad = yield* patch("/tools/test-tool", { surprise: 1 })
        const found = yield* get(`/audit?request_id=${bad.headers["x-request-id"]}`)
        assert.deepInclude(at(found, "data.0"), { action: "tool.update", code: "unknown_parameter" })
        const headers = { "x-forwarded-for": "203.0.113.77" }
        yield* get("/users", { key: "a-wrong-token", headers })
        const refused = yield* get("/audit?actor=unknown&action=authenticate&outcome=refused&limit=1")
        assert.deepInclude(at(refused, "data.0"), { role: null, ip: "203.0.113.77", code: "invalid_api_key" })
        assert.notInclude(refused.text, "a-wrong-token")
      }),
    )

    it.effect("is read page by page", () =>
      Effect.gen(function* () {
        const { id: target } = yield* newToken("read")
        for (const disabled of [true, false, true]) yield* patch(`/tokens/${target}`, { disabled })
        const first = yield* get(`/audit?target=${target}&limit=3`)
        assert.deepInclude(first.json, { object: "list", has_more: true })
        const rest = yield* get(`/audit?target=${target}&limit=3&cursor=${text(first, "last_id")}`)
        assert.deepInclude(rest.json, { has_more: false })
        assert.deepInclude(at(rest, "data.0"), { action: "token.create" })
        assert.strictEqual(errorOf(yield* get("/audit?cursor=x")).error.param, "cursor")
      }),
    )
  },
)

layer(layerWith({ trustedProxies: ["127.0.0.1"] }), { excludeTestServices: true })(
  "refused credentials",
  (it) => {
    const attempt = (key: string, address: string, path = "/admin/v1/users") =>
      Effect.flatMap(Harness, ({ call }) => call({ path, key, headers: { "x-forwarded-for": address } }))
    const statuses = (answers: ReadonlyArray<Answer>) => [...new Set(answers.map(({ status }) => status))]
    const wrongKey = `sk-atl-${"A".repeat(43)}`

    it.effect("600 wrong admin tokens of one address are slowed; a right one from there is not", () =>
      Effect.gen(function* () {
        const { auth_failures_burst: burst } = yield* Limits
        const answers = yield* Effect.forEach(
          Array.from({ length: 600 }, (_, n) => n),
          (n) => attempt(`wrong-${n}`, "198.51.100.1"),
          { concurrency: 8 },
        )
        const slowed = answers.filter(({ status }) => status === 429)
        assert.sameMembers(statuses(answers), [401, 429])
        assert.isAtLeast(slowed.length, 600 - 2 * burst)
        for (const answer of slowed.slice(0, 3)) {
          assert.strictEqual(errorOf(answer).error.code, "rate_limited")
          assert.isAtLeast(Number(answer.headers["retry-after"]), 1)
        }
        assert.strictEqual((yield* attempt(adminToken, "198.51.100.1")).status, 200)
        assert.strictEqual((yield* attempt("wrong", "198.51.100.2")).status, 401)
        const { text: metrics } = yield* Effect.flatMap(Harness, ({ call }) =>
          call({ path: "/metrics", key: adminToken }),
        )
        assert.match(
          metrics,
          /atelier_refused_credentials_total\{surface="admin",code="invalid_api_key"\} \d+/,
        )
        assert.match(metrics, /atelier_refused_credentials_total\{surface="admin",code="rate_limited"\} \d+/)
        const entries = yield* (yield* SettingsStore).listAudit({ actor: "unknown", limit: 1000 })
        assert.isAtMost(entries.length, 61)
      }),
    )

    it.effect("wrong API keys are slowed by address, and right ones from there go on to work", () =>
      Effect.gen(function* () {
        const { newKey } = yield* Harness
        const { key } = yield* newKey({ ratePerMinute: 100_000 })
        const { auth_failures_burst: burst, auth_failures_per_minute: perMinute } = yield* Limits
        const addresses = Array.from({ length: 2 * burst }, (_, n) => `2001:db8:1:2::${n.toString(16)}`)
        const [took, answers] = yield* Effect.timed(
          Effect.forEach(addresses, (address) => attempt(wrongKey, address, "/v1/tools")),
        )
        assert.strictEqual(answers[0]?.status, 401)
        assert.sameMembers(statuses(answers), [401, 429])
        const told = answers.filter(({ status }) => status === 401).length
        assert.isAtMost(told, burst + Math.ceil(Duration.toMinutes(took) * perMinute))
        assert.strictEqual((yield* attempt(key, "2001:db8:1:2::1", "/v1/tools")).status, 200)
        assert.strictEqual((yield* attempt(wrongKey, "2001:db8:1:3::1", "/v1/tools")).status, 401)
      }),
    )

    it.effect("a key that is known is told what is wrong with it, however often", () =>
      Effect.gen(function* () {
        const { newKey } = yield* Harness
        const { key } = yield* newKey({ disabled: true })
        const { auth_failures_burst: burst } = yield* Limits
        const answers = yield* Effect.forEach(Array.from({ length: burst + 10 }), () =>
          attempt(key, "198.51.100.9", "/v1/tools"),
        )
        assert.deepStrictEqual(statuses(answers), [401])
        assert.strictEqual(errorOf(answers[0] as Answer).error.code, "api_key_disabled")
      }),
    )

    it.effect("metrics take every role's token, and slow the wrong ones", () =>
      Effect.gen(function* () {
        const { token } = yield* newToken("read")
        assert.strictEqual((yield* attempt(token, "198.51.100.20", "/metrics")).status, 200)
        const { auth_failures_burst: burst } = yield* Limits
        const answers = yield* Effect.forEach(Array.from({ length: burst + 20 }), () =>
          attempt("wrong", "198.51.100.20", "/metrics"),
        )
        assert.deepStrictEqual(statuses(answers), [401, 429])
      }),
    )
  },
)

layer(layerWith(), { excludeTestServices: true })("contract, Later decisions: Idempotency-Key", (it) => {
  it.effect("three equal grants under one key grant once, also at once", () =>
    Effect.gen(function* () {
      const userId = yield* newUser
      const grant = (key: string, usd: unknown = 1) =>
        post(`/users/${userId}/grants`, { usd, reason: "invoice 1" }, once(key))
      const answers = [yield* grant("one"), yield* grant("one"), yield* grant("one")]
      assert.deepStrictEqual(
        answers.map(({ status, headers }) => [status, headers["idempotency-replayed"]]),
        [
          [201, undefined],
          [201, "true"],
          [201, "true"],
        ],
      )
      assert.strictEqual(yield* granted(userId), 500_000)
      const racing = yield* Effect.forEach(Array.from({ length: 20 }), () => grant("two"), {
        concurrency: "unbounded",
      })
      assert.strictEqual(racing.filter(({ status }) => status === 201).length, 20)
      assert.strictEqual(
        racing.filter(({ headers }) => headers["idempotency-replayed"] === undefined).length,
        1,
      )
      assert.strictEqual(yield* granted(userId), 1_000_000)
      const other = yield* grant("two", 2)
      assert.strictEqual(other.status, 409)
      assert.strictEqual(errorOf(other).error.code, "idempotency_key_reused")
      const elsewhere = yield* post("/users", { name: "x" }, once("two"))
      assert.strictEqual(errorOf(elsewhere).error.code, "idempotency_key_reused")
      yield* grant("three")
      assert.strictEqual(yield* granted(userId), 1_500_000)
    }),
  )

  it.effect("keys belong to a credential: two operators under one key are two requests", () =>
    Effect.gen(function* () {
      const userId = yield* newUser
      const { token: key } = yield* newToken("support")
      const body = { usd: 1, reason: "x" }
      yield* post(`/users/${userId}/grants`, body, once("shared"))
      yield* post(`/users/${userId}/grants`, body, { ...once("shared"), key })
      assert.strictEqual(yield* granted(userId), 1_000_000)
    }),
  )

  it.effect("a refusal is not remembered, and an invalid key is refused", () =>
    Effect.gen(function* () {
      const path = "/users/usr_nope/grants"
      for (let n = 0; n < 2; n++) {
        const answer = yield* post(path, { usd: 1, reason: "x" }, once("refused"))
        assert.strictEqual(answer.status, 404)
        assert.isUndefined(answer.headers["idempotency-replayed"])
      }
      const long = yield* post("/users", { name: "x" }, once("k".repeat(129)))
      assert.strictEqual(errorOf(long).error.code, "invalid_idempotency_key")
    }),
  )

  it.effect("every POST that makes a thing makes one, and shows its secret once", () =>
    Effect.gen(function* () {
      const userId = yield* newUser
      const made = Effect.fnUntraced(function* (path: string, body: object, secrets: ReadonlyArray<string>) {
        const first = yield* post(path, body, once(`of ${path}`))
        const again = yield* post(path, body, once(`of ${path}`))
        assert.strictEqual(again.status, first.status, path)
        assert.strictEqual(again.headers["idempotency-replayed"], "true", path)
        assert.strictEqual(text(again, "id"), text(first, "id"), path)
        for (const secret of secrets) {
          assert.isString(at(first, secret), path)
          assert.isNull(at(again, secret), path)
          assert.include(text(again, "message"), "rotate")
        }
        return first
      })
      yield* made("/users", { name: "Bob", balance_usd: 1 }, [])
      const key = yield* made(`/users/${userId}/keys`, { name: "k" }, ["key", "webhook_secret"])
      assert.strictEqual(at(yield* get(`/users/${userId}/keys`), "data.length"), 1)
      const rotated = yield* made(`/keys/${text(key, "id")}/rotate`, {}, ["key"])
      yield* made(`/keys/${text(key, "id")}/rotate-webhook-secret`, {}, ["webhook_secret"])
      // The repetition did not rotate again: the first rotation's secret is the present one.
      const { call } = yield* Harness
      for (const good of [text(key, "key"), text(rotated, "key")]) {
        assert.strictEqual((yield* call({ path: "/v1/tools", key: good })).status, 200)
      }
      const token = yield* made("/tokens", { name: "t", role: "read" }, ["token"])
      yield* made(`/tokens/${text(token, "id")}/rotate`, {}, ["token"])
    }),
  )

  for (const fault of ["fail", "die", "lose"] as const) {
    it.effect(`a grant is made once, whatever step of it ends in: ${fault}`, () =>
      Effect.gen(function* () {
        const ledger = yield* LedgerStore
        let run = 0
        const calls = yield* atEveryStep(
          fault,
          Effect.fnUntraced(function* (act) {
            const userId = yield* newUser
            run += 1
            const body = { usd: 1, reason: "x" }
            const grant = post(`/users/${userId}/grants`, body, once(`${fault} ${run}`))
            const first = yield* act(grant)
            const second = yield* grant
            assert.strictEqual(second.status, 201, `${first.text} ${second.text}`)
            assert.strictEqual(yield* granted(userId), 500_000)
            const entries = yield* (yield* Audit).list({
              target: userId,
              action: "user.grant",
              outcome: "done",
              limit: 9,
            })
            assert.strictEqual(entries.length, 1)
          }),
        )
        assert.includeMembers([...calls], ["IdempotencyStore.put", "LedgerStore.post", "Transaction.commit"])
        assert.deepStrictEqual(yield* ledger.audit, [])
      }),
    )
  }
})

layer(layerWith(), { excludeTestServices: true })("contract, Money: what is counted exactly", (it) => {
  it.effect(
    "a grant, an opening balance and a quota beyond 2^53 units are 400 with the limit and the value",
    () =>
      Effect.gen(function* () {
        const userId = yield* newUser
        const { newKey } = yield* Harness
        const { keyId } = yield* newKey()
        const usd = "18014398510"
        const cases = [
          [yield* post(`/users/${userId}/grants`, { usd, reason: "x" }), "usd"],
          [yield* post("/users", { name: "x", balance_usd: usd }), "balance_usd"],
          [yield* patch(`/keys/${keyId}`, { quota_usd: usd }), "quota_usd"],
          [yield* post(`/users/${userId}/keys`, { quota_usd: usd }), "quota_usd"],
        ] as const
        for (const [answer, param] of cases) {
          assert.strictEqual(answer.status, 400, answer.text)
          assert.deepInclude(errorOf(answer).error, { code: "invalid_parameter", param })
          assert.include(errorOf(answer).error.message, String(unitsMax))
          assert.include(errorOf(answer).error.message, usd)
        }
        for (const huge of [1e15, 1e21, "9999999999999"]) {
          assert.strictEqual((yield* post(`/users/${userId}/grants`, { usd: huge, reason: "x" })).status, 400)
        }
        assert.strictEqual(yield* granted(userId), 0)
      }),
  )

  it.effect("so is a grant that would take the sum of a user's grants beyond it", () =>
    Effect.gen(function* () {
      const userId = yield* newUser
      const grant = (usd: string) => post(`/users/${userId}/grants`, { usd, reason: "x" })
      assert.strictEqual((yield* grant("18014398509")).status, 201)
      const answer = yield* grant("1")
      assert.strictEqual(answer.status, 400, answer.text)
      assert.deepInclude(errorOf(answer).error, { code: "invalid_parameter", param: "usd" })
      assert.include(errorOf(answer).error.message, String(unitsMax))
      assert.strictEqual((yield* grant("0.48")).status, 201)
      assert.deepStrictEqual(at(yield* get("/stats?check=true"), "ledger_mismatches"), [])
    }),
  )
})

layer(layerWith(), { excludeTestServices: true })("contract, Running it: GET /admin/v1/stats", (it) => {
  it.effect("tells totals; only with `check=true` everything is counted and compared", () =>
    Effect.gen(function* () {
      const before = yield* get("/stats")
      const more = (answer: Answer, name: string) =>
        Number(at(answer, `ledger.${name}`)) - Number(at(before, `ledger.${name}`))
      yield* post(`/users/${yield* newUser}/grants`, { usd: "3", reason: "x" })
      const stats = yield* get("/stats")
      assert.deepStrictEqual(
        ["transfers", "granted", "balance", "held", "spent"].map((name) => more(stats, name)),
        [1, 1_500_000, 1_500_000, 0, 0],
      )
      assert.deepStrictEqual((yield* get("/stats?check=false")).json, stats.json)
      assert.notProperty(stats.json, "ledger_mismatches")
      assert.deepStrictEqual((yield* get("/stats?check=true")).json, {
        ...Object(stats.json),
        ledger_mismatches: [],
        total_mismatches: [],
      })
      assert.strictEqual((yield* get("/stats?check=perhaps")).status, 400)
    }),
  )
})

layer(layerWith(), { excludeTestServices: true })("the admin API: channels", (it) => {
  const vendor = {
    id: "vendor",
    adapter: "openai-images",
    models: ["test-*"],
    priority: 0,
    weight: 1,
    breaker: "half_open",
    concurrency: { in_use: 2, limit: 8 },
    last_errors: [{ at: 1_767_225_600, reason: "unavailable", message: "429", task_id: "imgtask_1" }],
    prices: ["test-1", "test-2"].map((id) => ({
      model: id,
      price_usd: { least: 0.03, most: 0.03 },
      cost_usd: { least: 0.02, most: 0.02 },
      margin_usd_least: 0.01,
    })),
  }
  const running = { ...vendor, paused: false, paused_at: null, reason: null }

  it.effect("are listed, paused with a reason and resumed, each in the audit log", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* get("/channels")).json, { object: "list", data: [running] })
      const paused = yield* post("/channels/vendor/pause", { reason: "wrong images" })
      assert.strictEqual(paused.status, 200)
      assert.deepInclude(paused.json, { ...vendor, paused: true, reason: "wrong images" })
      assert.deepStrictEqual(at(yield* get("/channels"), "data.0"), paused.json)
      assert.deepInclude(yield* newest("vendor"), { action: "channel.pause", before: null, outcome: "done" })
      assert.deepStrictEqual((yield* post("/channels/vendor/resume")).json, running)
      assert.deepStrictEqual((yield* get("/channels")).json, { object: "list", data: [running] })
      assert.deepInclude(yield* newest("vendor"), { action: "channel.resume", after: null, outcome: "done" })
    }),
  )

  it.effect(
    "what a model's images bring changes with its price, and a model that is not sold brings nothing",
    () =>
      Effect.gen(function* () {
        const pricesNow = Effect.map(get("/channels"), (answer) => at(answer, "data.0.prices"))
        yield* patch("/models/test-1", { price: "0.015" })
        yield* patch("/models/test-2", { enabled: false })
        assert.deepStrictEqual(yield* pricesNow, [
          {
            model: "test-1",
            price_usd: { least: 0.015, most: 0.015 },
            cost_usd: { least: 0.02, most: 0.02 },
            margin_usd_least: -0.005,
          },
        ])
        yield* patch("/models/test-1", { price: "0.03" })
        yield* patch("/models/test-2", { enabled: true })
      }),
  )

  it.effect("a repetition under its key changes nothing", () =>
    Effect.gen(function* () {
      const pause = () => post("/channels/vendor/pause", {}, once("night"))
      yield* pause()
      yield* post("/channels/vendor/resume")
      const again = yield* pause()
      assert.deepStrictEqual([again.status, again.headers["idempotency-replayed"]], [200, "true"])
      assert.deepStrictEqual(again.json, running)
      const reused = yield* post("/channels/vendor/resume", undefined, once("night"))
      assert.strictEqual(errorOf(reused).error.code, "idempotency_key_reused")
    }),
  )

  it.effect("one that is not configured is 404, and a field that there is not is 400", () =>
    Effect.gen(function* () {
      for (const change of ["pause", "resume"]) {
        const answer = yield* post(`/channels/nope/${change}`, change === "pause" ? {} : undefined)
        assert.deepStrictEqual([answer.status, errorOf(answer).error.code], [404, "not_found"])
      }
      const answer = yield* post("/channels/vendor/pause", { why: "x" })
      assert.deepStrictEqual([answer.status, errorOf(answer).error.code], [400, "unknown_parameter"])
    }),
  )
})

layer(layerWith(), { excludeTestServices: true })("contract, Later decisions: the admin API", (it) => {
  it.effect("an unknown query parameter is 400, at every endpoint", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      for (const { method, path, name } of endpoints) {
        const answer = yield* call({
          method,
          path: `${path.replace("{id}", "usr_nope")}?surprise=1`,
          key: adminToken,
          ...(method === "GET" ? {} : { body: {} }),
        })
        assert.strictEqual(answer.status, 400, name)
        assert.deepInclude(errorOf(answer).error, { code: "unknown_parameter", param: "surprise" }, name)
      }
      for (const path of ["/users?limit=1", "/audit?outcome=done", "/tasks?state=queued", "/ledger?user=x"]) {
        assert.strictEqual((yield* get(path)).status, 200, path)
      }
    }),
  )

  it.effect("operators cancel a customer's task, whose fee is given back, once", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key, userId, keyId } = yield* newKey()
      const accepted = yield* call({
        method: "POST",
        path: "/v1/images/tasks",
        key,
        body: { model: "test-1" },
      })
      const id = text(accepted, "task_id")
      assert.strictEqual(at(yield* get(`/users/${userId}`), "held"), 15_000)
      const { token } = yield* newToken("support")
      const canceled = yield* post(`/tasks/${id}/cancel`, undefined, { key: token, ...once("cancel") })
      assert.strictEqual(canceled.status, 200, canceled.text)
      assert.deepInclude(canceled.json, { user_id: userId, key_id: keyId })
      assert.deepInclude(at(canceled, "task.error"), { code: "canceled" })
      const money = yield* get(`/users/${userId}`)
      assert.deepInclude(money.json, { balance: 500_000, held: 0, spent: 0 })
      assert.deepInclude(yield* newest(id), {
        action: "task.cancel",
        role: "support",
        before: { state: "queued" },
        after: { state: "failed" },
      })
      const again = yield* post(`/tasks/${id}/cancel`, undefined, { key: token, ...once("cancel") })
      assert.strictEqual(again.headers["idempotency-replayed"], "true")
      const late = yield* post(`/tasks/${id}/cancel`)
      assert.strictEqual(errorOf(late).error.code, "task_not_cancelable")
      assert.strictEqual(errorOf(yield* post("/tasks/imgtask_nope/cancel")).error.code, "task_not_found")
      const silent = yield* post(`/tasks/${id}/redeliver`)
      assert.strictEqual(errorOf(silent).error.code, "not_found")
      const task = yield* (yield* TaskStore).get(id)
      const last = Option.getOrThrow(task).history.at(-1)
      assert.strictEqual(last?.requestId, canceled.headers["x-request-id"])
    }),
  )
})

layer(layerWith(), { excludeTestServices: true })(
  "contract, Admin credentials: rotation of API keys",
  (it) => {
    it.effect("the old secret is good for the overlap, 24 hours unless given, and is the same key", () =>
      Effect.gen(function* () {
        const { call, newKey } = yield* Harness
        const { key: first, keyId } = yield* newKey()
        const uses = (key: string) => Effect.map(call({ path: "/v1/tools", key }), ({ status }) => status)
        const rotated = yield* post(`/keys/${keyId}/rotate`)
        assert.strictEqual(rotated.status, 200)
        const second = text(rotated, "key")
        assert.match(second, /^sk-atl-[A-Za-z0-9_-]{43}$/)
        const left = Number(at(rotated, "previous_expires_at")) - Date.now() / 1000
        assert.isTrue(left > 86_000 && left < 86_500, String(left))
        assert.deepStrictEqual([yield* uses(first), yield* uses(second)], [200, 200])
        const third = text(yield* post(`/keys/${keyId}/rotate`, { overlap_seconds: 0 }), "key")
        assert.deepStrictEqual([yield* uses(first), yield* uses(second), yield* uses(third)], [401, 401, 200])
        yield* patch(`/keys/${keyId}`, { disabled: true })
        assert.strictEqual(yield* uses(third), 401)
        assert.strictEqual((yield* post("/keys/key_nope/rotate")).status, 404)
      }),
    )
  },
)

describe("contract, Admin credentials: code in the same process", () => {
  layer(layerWith(), { excludeTestServices: true })((it) => {
    it.effect("is in the audit log as `process`", () =>
      Effect.gen(function* () {
        const { user } = yield* (yield* Admin).createUser({ name: "Eve" })
        assert.deepInclude(yield* newest(user.id), { actor: "process", ip: null, request_id: null })
      }),
    )
  })
})
