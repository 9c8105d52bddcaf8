import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { at, makeAccount, textAt } from "../support/server.ts"
import { type ClockApp, holdRuns, newIdempotencyKey, openApp, openClockApp, until } from "./app.ts"

let app: ClockApp
beforeEach(async () => {
  app = await openClockApp()
})
afterEach(() => app.close())

const remove = (id: string) => app.call(`/v1/tool-files/${id}`, { method: "DELETE" })
const fileStatus = (id: string, status: string) =>
  until(
    async () => at((await app.call(`/v1/tool-files/${id}`)).body, "status"),
    (found) => found === status,
  )
const twentyFiles = async () => {
  const ids: Array<string> = []
  while (ids.length < 20) ids.push(await app.file())
  return ids
}

describe("document-tools 8 and 7, 429: at most 20 pending-cleanup files per user", () => {
  it("the 21st upload is 429 too_many_files, by whatever key and tool; another user's is taken", async () => {
    await twentyFiles()
    const { key } = await app.newKey()
    for (const upload of [{}, { tool: "other-tool" }, { key }]) {
      const refused = await app.upload(upload)
      expect(refusalIn(refused)).toBe("429 too_many_files")
      expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
      expect(textAt(refused.body, "error.message")).toMatch(/20 files.*at most 20/)
    }
    const stranger = await makeAccount(app.url, 1)
    expect((await app.upload({ key: stranger.key })).status).toBe(201)
  })

  it("a slot is free when a deleted file has been cleaned up, not before", async () => {
    const [first = ""] = await twentyFiles()
    await remove(first)
    expect(refusalIn(await app.upload())).toBe("429 too_many_files")
    await app.passes("1 second")
    await fileStatus(first, "deleted")
    expect((await app.upload()).status).toBe(201)
    expect(refusalIn(await app.upload())).toBe("429 too_many_files")
  })

  it("all slots are free when the files expired and were cleaned up", async () => {
    const ids = await twentyFiles()
    await app.outage("2 hours")
    for (const id of ids) await fileStatus(id, "deleted")
    await twentyFiles()
    expect(refusalIn(await app.upload())).toBe("429 too_many_files")
  })

  it("of many uploads at once no more than 20 are kept", async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => app.upload()))
    const kept = answers.filter(({ status }) => status === 201)
    expect(kept).toHaveLength(20)
    for (const each of answers) if (each.status !== 201) expect(refusalIn(each)).toBe("429 too_many_files")
    expect(app.kept("files")).toHaveLength(20)
    expect(app.stored("uploads")).toEqual([])
  })

  it("contract, Tools: a refused file takes no slot", async () => {
    const real = await openApp({ limits: { tool_files_per_user_max: 2 } })
    for (let count = 0; count < 3; count++) {
      expect(refusalIn(await real.upload({ content: "\u0000" }))).toMatch(/^400 /)
      expect(refusalIn(await real.upload({ name: "a.exe" }))).toMatch(/^400 /)
    }
    expect([(await real.upload()).status, (await real.upload()).status]).toEqual([201, 201])
    expect(refusalIn(await real.upload())).toBe("429 too_many_files")
    await real.close()
  })
})

describe("document-tools 8 and 7, 429: at most 4 running or queued tasks per user", () => {
  it("a fifth is 429 too_many_tasks, by whatever key and tool; nothing is held, another user's is taken", async () => {
    const { open } = holdRuns(app)
    const { key } = await app.newKey()
    for (let count = 0; count < 2; count++) {
      await app.submit()
      await app.submit({ key, tool: "other-tool" })
    }
    const before = await app.money()
    const refused = await app.invoke(await app.file())
    expect(refusalIn(refused)).toBe("429 too_many_tasks")
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
    expect(textAt(refused.body, "error.message")).toMatch(/4 queued or running.*at most 4/)
    expect(refusalIn(await app.invoke(await app.file({ key }), { key }))).toBe("429 too_many_tasks")
    expect(await app.money()).toEqual(before)
    const stranger = await makeAccount(app.url, 1)
    await app.submit({ key: stranger.key })
    open()
  })

  it.each(["end", "cancel"])(
    "a slot is free after the %s of a task; the refused key works then",
    async (way) => {
      await app.close()
      app = await openClockApp({ limits: { tool_jobs_concurrent_max: 1 } })
      const { open } = holdRuns(app)
      const ids: Array<string> = []
      while (ids.length < 4) ids.push(await app.submit())
      const file = await app.file()
      const idempotencyKey = newIdempotencyKey()
      expect(refusalIn(await app.invoke(file, { idempotencyKey }))).toBe("429 too_many_tasks")
      const [last = ""] = ids.slice(-1)
      if (way === "end") {
        open()
        await app.done(last)
      } else {
        const canceled = await app.call(`/v1/tasks/${last}/cancel`, { method: "POST" })
        expect(canceled.status).toBe(200)
      }
      const again = await app.invoke(file, { idempotencyKey })
      expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([202, null])
      open()
      await app.done(textAt(again.body, "id"))
    },
  )

  it("of many submissions at once no more than 4 are accepted; a repetition of one of them is not counted", async () => {
    const { open } = holdRuns(app)
    const file = await app.file()
    const keys = Array.from({ length: 20 }, () => newIdempotencyKey())
    const answers = await Promise.all(keys.map((idempotencyKey) => app.invoke(file, { idempotencyKey })))
    const taken = keys.filter((_, index) => answers[index]?.status === 202)
    expect(taken).toHaveLength(4)
    for (const each of answers) if (each.status !== 202) expect(refusalIn(each)).toBe("429 too_many_tasks")
    expect(await app.money()).toMatchObject({ held: 200 })
    for (const idempotencyKey of taken) {
      expect((await app.invoke(file, { idempotencyKey })).headers.get("idempotency-replayed")).toBe("true")
    }
    open()
  })

  it("image tasks do not count", async () => {
    const { open } = holdRuns(app)
    const images = Array.from({ length: 4 }, () =>
      app.call("/v1/images/tasks", { json: { model: "test-model", prompt: "a" } }),
    )
    for (const { status } of await Promise.all(images)) expect(status).toBe(202)
    for (let count = 0; count < 4; count++) await app.submit()
    open()
  })
})

describe("contract, Limits and rates, and document-tools 7, 429: requests", () => {
  it("contract, Limits and rates: a key's own rate holds for tool endpoints, with Retry-After and what is left", async () => {
    const { key } = await app.newKey({ rate_per_minute: 1 })
    const first = await app.call("/v1/tools", { key })
    expect(first.headers.get("ratelimit-policy")).toBe('"key";q=1;w=60')
    expect(first.headers.get("ratelimit")).toBe('"key";r=0;t=60')
    for (const path of [
      "/v1/tools",
      "/v1/tool-tasks",
      "/v1/tool-files/toolfile_0",
      "/v1/tasks/tooltask_0/result",
    ]) {
      const refused = await app.call(path, { key })
      expect(refusalIn(refused)).toBe("429 rate_limited")
      expect(at(refused.body, "error.type")).toBe("rate_limit_error")
      expect(refused.headers.get("retry-after")).toBe("60")
    }
    expect(refusalIn(await app.upload({ key }))).toBe("429 rate_limited")
    expect(refusalIn(await app.invoke("toolfile_0", { key }))).toBe("429 rate_limited")
    await app.passes("60 seconds")
    expect((await app.call("/v1/tools", { key })).status).toBe(200)
  })

  it("contract, Limits and rates: 600 a minute, 120 at once, unless the key has its own", async () => {
    await app.close()
    app = await openClockApp({ limits: { rate_per_minute: 600, rate_burst: 120 } })
    const { key } = await app.newKey()
    const ask = () => app.call("/v1/tools", { key })
    const answers = await Promise.all(Array.from({ length: 121 }, ask))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    await app.passes("1 second")
    const later = await Promise.all(Array.from({ length: 11 }, ask))
    expect(later.filter(({ status }) => status === 429)).toHaveLength(1)
  })

  it("contract, Limits and rates: an invocation's body is at most 256 KiB", async () => {
    const json = (chars: number) => ({ input: { file_id: "x".repeat(chars) } })
    const frame = JSON.stringify(json(0)).length
    const invoke = (body: object) =>
      app.call("/v1/tools/test-tool/invoke", {
        json: body,
        headers: { "idempotency-key": newIdempotencyKey() },
      })
    const whole = await invoke(json(256 * 1024 - frame))
    expect(refusalIn(whole)).toBe("404 file_not_found input.file_id")
    const refused = await invoke(json(256 * 1024 - frame + 1))
    expect(refusalIn(refused)).toBe("413 request_too_large")
    expect(textAt(refused.body, "error.message")).toContain("262144 bytes")
  })
})
