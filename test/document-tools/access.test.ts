import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { at, type Call, formOf, makeAccount, textAt } from "../support/server.ts"
import { type ClockApp, newIdempotencyKey, openClockApp } from "./app.ts"

let app: ClockApp
beforeAll(async () => {
  app = await openClockApp({ limits: { tool_files_per_user_max: 1000, tool_tasks_per_user_max: 100 } })
})
afterAll(() => app.close())

const patch = (id: string, json: object) => app.admin("PATCH", `keys/${id}`, json)
/** A task that succeeded, and its file. */
const parsed = async (key: string, tool = "test-tool") => {
  const file = await app.file({ key, tool })
  const id = textAt((await app.invoke(file, { key, tool })).body, "id")
  await app.done(id, key)
  return { file, id }
}
/** Everything that can be asked of a task and its file, by name. */
const requestsTo = ({ file, id }: { readonly file: string; readonly id: string }) =>
  ({
    result: [`/v1/tasks/${id}/result`, {}],
    json: [`/v1/tasks/${id}/result?format=json`, {}],
    task: [`/v1/tasks/${id}`, {}],
    history: [`/v1/tasks/${id}/history`, {}],
    events: [`/v1/tasks/${id}/events`, {}],
    cancel: [`/v1/tasks/${id}/cancel`, { method: "POST" }],
    file: [`/v1/tool-files/${file}`, {}],
    delete: [`/v1/tool-files/${file}`, { method: "DELETE" }],
  }) as const
/** What each endpoint answers: `200`, or its refusal. */
const answers = async (owned: { readonly file: string; readonly id: string }, key: string) => {
  const found: Array<readonly [string, string]> = []
  for (const [name, [path, request]] of Object.entries(requestsTo(owned))) {
    const answer = await app.call(path, { key, ...request })
    found.push([name, answer.status < 300 ? String(answer.status) : refusalIn(answer)])
  }
  return Object.fromEntries(found)
}
const everywhere = (refusal: string) =>
  Object.fromEntries(Object.keys(requestsTo({ file: "", id: "" })).map((name) => [name, refusal]))
const open = { ...everywhere("200"), cancel: "409 task_not_cancelable", delete: "202" }

const paths: ReadonlyArray<readonly [path: string, request: Call]> = [
  ["/v1/tools", {}],
  ["/v1/tools/test-tool/files", { method: "POST" }],
  ["/v1/tools/test-tool/invoke", { method: "POST" }],
  ["/v1/tool-files/toolfile_0", {}],
  ["/v1/tool-files/toolfile_0", { method: "DELETE" }],
  ["/v1/tool-tasks", {}],
  ["/v1/tasks/tooltask_0", {}],
  ["/v1/tasks/tooltask_0/result", {}],
]

describe("document-tools 5.1: authentication", () => {
  it.each(paths)(
    "document-tools 5.1 and 7, 401: %s %j asks for Authorization: Bearer",
    async (path, request) => {
      const { key } = app.account
      const send = (authorization?: string) =>
        fetch(app.url + path, {
          method: request.method ?? "GET",
          headers: authorization === undefined ? {} : { authorization },
        })
      for (const authorization of [
        undefined,
        "",
        "Bearer",
        "Bearer ",
        `Basic ${key}`,
        key,
        `Bearer ${key}x`,
      ]) {
        const response = await send(authorization)
        const body: unknown = await response.json()
        expect([response.status, at(body, "error.code")]).toEqual([401, "invalid_api_key"])
        expect(at(body, "error.type")).toBe("authentication_error")
        expect(response.headers.get("www-authenticate")).toBe("Bearer")
      }
      expect((await send(`Bearer ${key}`)).status).not.toBe(401)
    },
  )
})

describe("document-tools 5.2: tool permission", () => {
  const uploads = async (key: string) => {
    const tried = ["test-tool", "other-tool"].map(async (tool) => {
      const answer = await app.upload({ key, tool })
      return answer.status === 201 ? "201" : refusalIn(answer)
    })
    return Promise.all(tried)
  }

  it("document-tools 5.2: empty permits all published tools; a list only those that it names", async () => {
    const no = "403 tool_not_allowed"
    expect(await uploads((await app.newKey()).key)).toEqual(["201", "201"])
    expect(await uploads((await app.newKey({ tools: [] })).key)).toEqual(["201", "201"])
    expect(await uploads((await app.newKey({ tools: ["other-tool"] })).key)).toEqual([no, "201"])
    expect(await uploads((await app.newKey({ tools: ["test-tool", "other-tool"] })).key)).toEqual([
      "201",
      "201",
    ])
    expect(await uploads((await app.newKey({ tools: ["*"] })).key)).toEqual([no, no])
  })

  it("document-tools 5.2: the tools of a key are an array, or one text with commas between them", async () => {
    const toolsOf = async (tools: unknown, id?: string) => {
      const path = id === undefined ? `users/${app.account.user}/keys` : `keys/${id}`
      const answer = await app.admin(id === undefined ? "POST" : "PATCH", path, { tools, models: tools })
      if (answer.status >= 400) return refusalIn(answer)
      expect(at(answer.body, "models")).toEqual(at(answer.body, "tools"))
      return at(answer.body, "tools")
    }
    expect(await toolsOf(" test-tool ,other-tool,test-tool")).toEqual(["test-tool", "other-tool"])
    expect(await toolsOf([" test-tool "])).toEqual(["test-tool"])
    expect(await toolsOf("")).toEqual([])
    const { id } = await app.newKey()
    expect(await toolsOf("other-tool", id)).toEqual(["other-tool"])
    expect(await toolsOf(" ", id)).toEqual([])
    // A typo must not permit everything.
    for (const wrong of [",", "test-tool,", "test-tool,,other-tool", [" "], ["a,b"], "x".repeat(201)]) {
      expect(await toolsOf(wrong, id)).toBe("400 invalid_parameter models")
    }
    expect(await toolsOf(5, id)).toMatch(/^400 invalid_parameter/)
  })

  it("document-tools 5.2 and 7, 403: invoke and catalog too", async () => {
    const { id, key } = await app.newKey()
    const file = await app.file({ key })
    await patch(id, { tools: ["other-tool"] })
    const refused = await app.invoke(file, { key })
    expect(refusalIn(refused)).toBe("403 tool_not_allowed")
    expect(at(refused.body, "error.type")).toBe("permission_error")
    const { body } = await app.call("/v1/tools", { key })
    expect(Object(body).data.map((tool: unknown) => at(tool, "id"))).toEqual(["other-tool"])
  })

  it("document-tools 5.2: it is separate from model permission", async () => {
    const image = (key: string) =>
      app.call("/v1/images/tasks", { key, json: { model: "test-model", prompt: "a" } })
    const reader = await app.newKey({ models: ["no-model"] })
    expect((await image(reader.key)).status).toBe(403)
    expect((await app.upload({ key: reader.key })).status).toBe(201)
    const painter = await app.newKey({ tools: ["no-tool"] })
    expect((await image(painter.key)).status).toBe(202)
    expect((await app.upload({ key: painter.key })).status).toBe(403)
  })
})

describe("document-tools 5.4: files, tasks and results are bound to user and key", () => {
  it("document-tools 5.4, 2.2 and 2.4: another key of the same user, and another user's, find nothing", async () => {
    const owned = await parsed(app.account.key)
    const none = {
      ...everywhere("404 task_not_found"),
      file: "404 file_not_found",
      delete: "404 file_not_found",
    }
    expect(await answers(owned, (await app.newKey()).key)).toEqual(none)
    expect(await answers(owned, (await makeAccount(app.url, 1)).key)).toEqual(none)
    expect(await answers(owned, app.account.key)).toEqual(open)
  })
})

describe("document-tools 5.5: what was paid for", () => {
  it("document-tools 5.5: stays readable for a key whose quota is exhausted", async () => {
    const { key } = await app.newKey({ quota_usd: "0.0001" })
    const owned = await parsed(key)
    expect(refusalIn(await app.invoke(owned.file, { key }))).toBe("402 key_quota_exhausted")
    expect(await answers(owned, key)).toEqual(open)
  })

  it("document-tools 5.5: stays readable with an empty wallet", async () => {
    const { key } = await makeAccount(app.url, 0.0001)
    const owned = await parsed(key)
    expect(refusalIn(await app.invoke(owned.file, { key }))).toBe("402 insufficient_balance")
    expect(await answers(owned, key)).toEqual(open)
  })

  it("document-tools 5.5: is unreadable for a disabled key, until it is enabled again", async () => {
    const { id, key } = await app.newKey()
    const owned = await parsed(key)
    await patch(id, { disabled: true })
    expect(await answers(owned, key)).toEqual(everywhere("401 api_key_disabled"))
    await patch(id, { disabled: false })
    expect(await answers(owned, key)).toEqual(open)
  })

  it("document-tools 5.5: is unreadable for an expired key", async () => {
    const now = Number(at(await app.task((await parsed(app.account.key)).id), "created_at"))
    const { id, key } = await app.newKey({ expires_at: now + 60 })
    const owned = await parsed(key)
    await app.passes("59 seconds")
    expect((await app.call(`/v1/tasks/${owned.id}/result`, { key })).status).toBe(200)
    await app.passes("1 second")
    expect(await answers(owned, key)).toEqual(everywhere("401 api_key_expired"))
    await patch(id, { expires_at: null })
    expect(await answers(owned, key)).toEqual(open)
  })

  it("document-tools 5.5: is unreadable where the key's authorization for its tool was revoked", async () => {
    const { id, key } = await app.newKey({ tools: ["test-tool", "other-tool"] })
    const [mine, other] = [await parsed(key), await parsed(key, "other-tool")]
    await patch(id, { tools: ["other-tool"] })
    expect(await answers(mine, key)).toEqual(everywhere("403 tool_not_allowed"))
    expect(await answers(other, key)).toEqual(open)
    await patch(id, { tools: [] })
    expect(await answers(mine, key)).toEqual(open)
  })

  it("document-tools 5.5: lists leave out what the key cannot read any more, page by page", async () => {
    const { id, key } = await app.newKey()
    const other: Array<string> = []
    for (let round = 0; round < 4; round++) {
      other.unshift((await parsed(key, "other-tool")).id)
      await parsed(key)
    }
    const image = await app.call("/v1/images/tasks", { key, json: { model: "test-model", prompt: "a" } })
    const mixed = [textAt(image.body, "id"), ...other]
    await patch(id, { tools: ["other-tool"] })
    const ids = async (path: string) => {
      const { body } = await app.call(path, { key })
      return { ids: Object(body).data.map((task: unknown) => at(task, "id")), more: at(body, "has_more") }
    }
    expect((await ids("/v1/tool-tasks")).ids).toEqual(other)
    expect(await ids("/v1/tasks?limit=5")).toEqual({ ids: mixed, more: false })
    expect(await ids("/v1/tasks?limit=2")).toEqual({ ids: mixed.slice(0, 2), more: true })
    expect(await ids(`/v1/tasks?limit=3&after=${mixed[1]}`)).toEqual({ ids: mixed.slice(2), more: false })
    expect(await ids("/v1/tasks?model=test-tool")).toEqual({ ids: [], more: false })
    expect(await ids("/v1/tasks?model=other-tool&state=succeeded")).toEqual({ ids: other, more: false })
    await patch(id, { tools: "" })
    expect((await ids("/v1/tool-tasks")).ids).toHaveLength(8)
  })

  it("document-tools 7, 403: is unreadable while the account is not available", async () => {
    const { user, key } = await makeAccount(app.url, 1)
    const owned = await parsed(key)
    await app.admin("PATCH", `users/${user}`, { disabled: true })
    expect(await answers(owned, key)).toEqual(everywhere("403 account_disabled"))
    await app.admin("PATCH", `users/${user}`, { disabled: false })
    expect(await answers(owned, key)).toEqual(open)
  })

  it("a key that is disabled after submission still has its task finished and settled once", async () => {
    const { id, key } = await app.newKey()
    const file = await app.file({ key })
    const task = textAt((await app.invoke(file, { key })).body, "id")
    await patch(id, { disabled: true })
    await patch(id, { disabled: false })
    expect(await app.done(task, key)).toMatchObject({ status: "succeeded", billing: { charged: 50 } })
  })
})

describe("document-tools 5.6: IP authorization", () => {
  it.each([
    [["192.0.2.0/24"], 403],
    [["::1"], 403],
    [["127.0.0.2"], 403],
    [["127.0.0.1"], 200],
    [["192.0.2.0/24", "127.0.0.0/8"], 200],
    [[], 200],
  ])("document-tools 5.6 and 7, 403: from 127.0.0.1 under a list of %j: %i", async (ipAllowlist, status) => {
    const { id, key } = await app.newKey()
    const owned = await parsed(key)
    await patch(id, { ip_allowlist: ipAllowlist })
    if (status === 200) expect(await answers(owned, key)).toEqual(open)
    else expect(await answers(owned, key)).toEqual(everywhere("403 ip_not_allowed"))
    const form = formOf("a.txt", "text")
    const upload = await app.call("/v1/tools/test-tool/files", { key, form })
    expect(upload.status).toBe(status === 200 ? 201 : status)
    const tools = await app.call("/v1/tools", { key })
    expect(tools.status).toBe(status)
    const headers = { "idempotency-key": newIdempotencyKey(), "x-forwarded-for": "127.0.0.1" }
    const invoked = await app.call("/v1/tools/test-tool/invoke", {
      key,
      headers,
      json: { input: { file_id: owned.file } },
    })
    expect(invoked.status === 403).toBe(status === 403)
  })
})
