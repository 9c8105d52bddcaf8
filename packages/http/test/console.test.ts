import { Limits } from "@atelier/core"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { adminToken, Harness, layerWith } from "./harness.ts"

const marker = { "x-atelier-console": "1" }
const sessionPath = "/admin/v1/session"

/** The cookie that a sign-in answers, as a browser sends it back. */
const signIn = Effect.fnUntraced(function* (token: string) {
  const { call } = yield* Harness
  const answer = yield* call({ method: "PUT", path: sessionPath, key: token, headers: marker })
  const { "set-cookie": cookie = "" } = answer.headers
  return { answer, cookie, headers: { ...marker, cookie: cookie.split(";")[0] ?? "" } }
})

const newToken = Effect.fnUntraced(function* (role: "owner" | "support" | "read") {
  const { call } = yield* Harness
  const made = yield* call({
    method: "POST",
    path: "/admin/v1/tokens",
    key: adminToken,
    body: { name: role, role },
  })
  return made.json as { readonly id: string; readonly token: string }
})

layer(layerWith(), { excludeTestServices: true })("sessions of the console", (it) => {
  it.effect("a sign-in is a cookie that no script reads and no other site sends", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { answer, cookie, headers } = yield* signIn(adminToken)
      assert.strictEqual(answer.status, 200)
      assert.match(
        cookie,
        /^atelier_session=[\w-]{43}; Path=\/admin\/v1; HttpOnly; SameSite=Strict; Max-Age=43200/,
      )
      assert.notInclude(cookie, adminToken)
      const { json } = yield* call({ path: sessionPath, headers })
      const { actor, role } = json as { readonly actor: string; readonly role: string }
      assert.deepStrictEqual([actor, role], ["ATELIER_ADMIN_TOKEN", "owner"])
      assert.strictEqual((yield* call({ path: "/admin/v1/users", headers })).status, 200)
    }),
  )

  it.effect("a token opens no sessions without end: each is kept in the audit log", () =>
    Effect.gen(function* () {
      const { token } = yield* newToken("read")
      const answers = yield* Effect.forEach(Array.from({ length: 45 }), () => signIn(token))
      const statuses = answers.map(({ answer }) => answer.status)
      assert.deepStrictEqual([...new Set(statuses)], [200, 429])
      assert.match(answers.at(-1)?.answer.headers["retry-after"] ?? "", /^[1-9]\d*$/)
      const other = yield* newToken("read")
      assert.strictEqual((yield* signIn(other.token)).answer.status, 200)
    }),
  )

  it.effect(
    "the cookie alone counts for nothing: a form, a link or another site sends no more than that",
    () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { headers } = yield* signIn(adminToken)
        const forged = [
          { cookie: headers.cookie },
          { ...headers, "x-atelier-console": "0" },
          { ...headers, "sec-fetch-site": "cross-site" },
          { ...headers, "sec-fetch-site": "same-site" },
          { ...marker, cookie: "atelier_session=" },
          { ...marker, cookie: `atelier_session=${"A".repeat(43)}` },
        ]
        for (const each of forged) {
          const answer = yield* call({
            method: "POST",
            path: "/admin/v1/users",
            headers: each,
            body: { name: "x" },
          })
          assert.strictEqual(answer.status, 401, JSON.stringify(each))
        }
        const own = { ...headers, "sec-fetch-site": "same-origin" }
        const made = yield* call({
          method: "POST",
          path: "/admin/v1/users",
          headers: own,
          body: { name: "Ada" },
        })
        assert.strictEqual(made.status, 201)
      }),
  )

  it.effect("a session has the role of its token, and ends with the token or by signing out", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const read = yield* newToken("read")
      const { headers } = yield* signIn(read.token)
      assert.strictEqual((yield* call({ path: "/admin/v1/users", headers })).status, 200)
      const refused = yield* call({ method: "POST", path: "/admin/v1/users", headers, body: { name: "x" } })
      assert.strictEqual(refused.status, 403)
      assert.include(refused.text, "role_not_allowed")
      const other = yield* signIn(read.token)
      const out = yield* call({ method: "DELETE", path: sessionPath, headers: other.headers })
      assert.strictEqual(out.status, 200)
      assert.include(String(out.headers["set-cookie"]), "Max-Age=0")
      assert.strictEqual((yield* call({ path: sessionPath, headers: other.headers })).status, 401)
      assert.strictEqual((yield* call({ path: sessionPath, headers })).status, 200)
      yield* call({
        method: "PATCH",
        path: `/admin/v1/tokens/${read.id}`,
        key: adminToken,
        body: { disabled: true },
      })
      const disabled = yield* call({ path: sessionPath, headers })
      assert.deepStrictEqual([disabled.status, disabled.text.includes("api_key_disabled")], [401, true])
      // Another token's session is not touched.
      const owner = yield* signIn(adminToken)
      const rotated = yield* newToken("support")
      const before = yield* signIn(rotated.token)
      yield* call({ method: "POST", path: `/admin/v1/tokens/${rotated.id}/rotate`, key: adminToken })
      assert.strictEqual((yield* call({ path: sessionPath, headers: before.headers })).status, 401)
      assert.strictEqual((yield* call({ path: sessionPath, headers: owner.headers })).status, 200)
    }),
  )

  it.effect("the cookie of a session that is over is refused once: the browser is told to forget it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const refusals = Effect.gen(function* () {
        const path = "/admin/v1/audit?action=authenticate&limit=100"
        const { json } = yield* call({ path, key: adminToken })
        return (json as { readonly data: ReadonlyArray<Readonly<Record<string, unknown>>> }).data
      })
      const { headers } = yield* signIn(adminToken)
      yield* call({ method: "DELETE", path: sessionPath, headers })
      const before = yield* refusals
      const refused = yield* call({ path: sessionPath, headers })
      assert.strictEqual(refused.status, 401)
      assert.match(String(refused.headers["set-cookie"]), /^atelier_session=; Path=\/admin\/v1; .*Max-Age=0/)
      const after = yield* refusals
      assert.strictEqual(after.length, before.length + 1)
      assert.deepInclude(after[0], { actor: "unknown", outcome: "refused", code: "invalid_api_key" })
      assert.notInclude(JSON.stringify(after), headers.cookie.slice("atelier_session=".length))
      // Without the cookie nothing was tried.
      const asked = yield* call({ path: sessionPath, headers: marker })
      assert.deepStrictEqual([asked.status, asked.headers["set-cookie"]], [401, undefined])
      assert.strictEqual((yield* refusals).length, after.length)
    }),
  )

  it.effect("a sign-in needs a token, and both sign-in and sign-out are in the audit log", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { headers } = yield* signIn(adminToken)
      assert.strictEqual((yield* call({ method: "PUT", path: sessionPath, headers })).status, 401)
      assert.strictEqual((yield* signIn("wrong")).answer.status, 401)
      yield* call({ method: "DELETE", path: sessionPath, headers })
      for (const action of ["session.open", "session.close"]) {
        const { json } = yield* call({
          path: `/admin/v1/audit?action=${action}&outcome=done`,
          key: adminToken,
        })
        assert.isNotEmpty((json as { readonly data: ReadonlyArray<unknown> }).data, action)
      }
    }),
  )
})

layer(layerWith({ trustedProxies: ["127.0.0.1"] }), { excludeTestServices: true })("forged cookies", (it) => {
  const forged = (address: string, n: number) =>
    Effect.flatMap(Harness, ({ call }) => {
      const cookie = `atelier_session=${String(n).padStart(43, "A")}`
      return call({ path: sessionPath, headers: { ...marker, cookie, "x-forwarded-for": address } })
    })

  it.effect("are slowed by their address as tokens are, and do not fill the audit log from many", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { auth_failures_burst: burst } = yield* Limits
      const answers = yield* Effect.forEach(
        Array.from({ length: burst + 20 }, (_, n) => n),
        (n) => forged("198.51.100.1", n),
        { concurrency: 8 },
      )
      assert.sameMembers([...new Set(answers.map(({ status }) => status))], [401, 429])
      // What is slowed answers late, when the browser may have signed in: it takes no cookie away.
      for (const { status, headers } of answers) {
        assert.strictEqual(headers["set-cookie"] === undefined, status === 429)
      }
      for (let n = 0; n < 40; n++) {
        assert.strictEqual((yield* forged(`203.0.113.${n}`, n)).status, 401)
      }
      const { json } = yield* call({ path: "/admin/v1/audit?action=authenticate&limit=100", key: adminToken })
      assert.isAtMost((json as { readonly data: ReadonlyArray<unknown> }).data.length, 61)
    }),
  )
})

layer(layerWith(), { excludeTestServices: true })("what the console reads", (it) => {
  it.effect("a task with its owner, its fee, its steps and its transfers, for every role", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key, userId } = yield* newKey()
      const body = { model: "test-1", prompt: "a heron", n: 2 }
      const submitted = yield* call({
        method: "POST",
        path: "/v1/images/tasks",
        key,
        body,
        headers: { "idempotency-key": "order-1" },
      })
      const { id } = submitted.json as { readonly id: string }
      const { token } = yield* newToken("read")
      const { json, status } = yield* call({ path: `/admin/v1/tasks/${id}`, key: token })
      assert.strictEqual(status, 200)
      const detail = json as Record<string, ReadonlyArray<Record<string, unknown>>>
      assert.deepStrictEqual([detail["user_id"], detail["idempotency_key"]] as unknown, [userId, "order-1"])
      assert.deepStrictEqual(detail["fees"] as unknown, [15_000, 30_000])
      assert.deepStrictEqual(
        detail["transfers"]?.map(({ kind, amount }) => [kind, amount]),
        [["hold", 30_000]],
      )
      assert.deepStrictEqual(
        detail["steps"]?.map(({ event, to }) => [event, to]),
        [["submit", "queued"]],
      )
      for (const search of [
        "idempotency_key=order-1",
        "model=test-1",
        `user=${userId}`,
        "from=0",
        "until=99999999999",
      ]) {
        const found = yield* call({ path: `/admin/v1/tasks?${search}`, key: token })
        assert.include(found.text, id, search)
      }
      for (const search of ["idempotency_key=order-2", "model=test-2", "until=1", "key=key_none"]) {
        const found = yield* call({ path: `/admin/v1/tasks?${search}`, key: token })
        assert.notInclude(found.text, id, search)
      }
      const transfers = yield* call({ path: `/admin/v1/ledger?task=${id}`, key: token })
      assert.include(transfers.text, `hold:${id}`)
      const exported = yield* call({ path: `/admin/v1/ledger.csv?task=${id}`, key: token })
      assert.strictEqual(exported.text.trimEnd().split("\r\n").length, 2)
      assert.include(exported.text, `hold:${id}`)
      assert.strictEqual((yield* call({ path: "/admin/v1/tasks/imgtask_none", key: token })).status, 404)
    }),
  )

  it.effect("the hour, who was charged, and the settings in force", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { key, userId } = yield* newKey()
      yield* call({ method: "POST", path: "/v1/images/tasks", key, body: { model: "test-1", prompt: "x" } })
      const { json } = yield* call({ path: "/admin/v1/overview", key: adminToken })
      const { minutes, oldest_queued } = json as {
        readonly minutes: ReadonlyArray<{ readonly accepted: number }>
        readonly oldest_queued: ReadonlyArray<{ readonly kind: string; readonly accepted_at: number | null }>
      }
      assert.strictEqual(minutes.length, 60)
      assert.isAtLeast(
        minutes.reduce((sum, { accepted }) => sum + accepted, 0),
        1,
      )
      assert.isNotNull(oldest_queued.find(({ kind }) => kind === "image")?.accepted_at)
      const day = "from=0&until=99999999999"
      assert.strictEqual((yield* call({ path: `/admin/v1/spenders?${day}`, key: adminToken })).status, 200)
      const spending = yield* call({ path: `/admin/v1/users/${userId}/spending?${day}`, key: adminToken })
      assert.deepStrictEqual(spending.json, { object: "list", data: [] })
      assert.strictEqual((yield* call({ path: "/admin/v1/spenders", key: adminToken })).status, 400)
      assert.strictEqual((yield* call({ path: "/admin/v1/settings", key: adminToken })).status, 200)
    }),
  )

  it.effect("the ledger as CSV: every transfer, and no text that a spreadsheet would calculate", () =>
    Effect.gen(function* () {
      const { call, newKey } = yield* Harness
      const { userId } = yield* newKey()
      for (const reason of ['=HYPERLINK("http://evil.example")', 'a "quoted", text']) {
        yield* call({
          method: "POST",
          path: `/admin/v1/users/${userId}/grants`,
          key: adminToken,
          body: { usd: "1", reason },
        })
      }
      const { text, headers } = yield* call({ path: `/admin/v1/ledger.csv?user=${userId}`, key: adminToken })
      assert.include(headers["content-type"] ?? "", "text/csv")
      const lines = text.trimEnd().split("\r\n")
      assert.strictEqual(lines[0]?.split(",")[0], "sequence")
      assert.strictEqual(lines.length, 4)
      assert.include(lines[1] ?? "", '"a ""quoted"", text"')
      assert.include(lines[2] ?? "", `"'=HYPERLINK(""http://evil.example"")"`)
    }),
  )

  it.effect("without built pages the console is off, and says so", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      for (const path of ["/console", "/console/tasks", "/account", "/console/assets/x.js"]) {
        assert.strictEqual((yield* call({ path })).status, 404, path)
      }
    }),
  )
})
