import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { refusalIn } from "../support/answers.ts"
import { at, textAt } from "../support/server.ts"
import { type ClockApp, holdRuns, openClockApp, until } from "./app.ts"

let app: ClockApp
beforeEach(async () => {
  app = await openClockApp()
})
afterEach(() => app.close())

const metadata = async (id: string) => (await app.call(`/v1/tool-files/${id}`)).body
const remove = (id: string) => app.call(`/v1/tool-files/${id}`, { method: "DELETE" })
const inStatus = (id: string, status: string) =>
  until(
    () => metadata(id),
    (file) => at(file, "status") === status,
  )
const objects = () => app.kept("files").length

/** Where the bytes are stored: a test file has more than one byte. */
const places = [
  ["in the database", {}],
  ["in files", { limits: { small_document_bytes_max: 1 } }],
] as const
const openAgain = async (options: Parameters<typeof openClockApp>[0]) => {
  await app.close()
  app = await openClockApp(options)
}

describe("document-tools 2.2 and 4.6: file metadata", () => {
  it("document-tools 4.6: the metadata of the upload, as often as asked", async () => {
    const { body } = await app.upload()
    for (let reads = 0; reads < 2; reads++) expect(await metadata(textAt(body, "id"))).toEqual(body)
    expect(body).toMatchObject({
      id: expect.stringMatching(/^toolfile_/),
      tool_id: "test-tool",
      status: "ready",
      created_at: 0,
      expires_at: 7200,
    })
  })

  it.each([
    "toolfile_00000000000000000000000000",
    "x",
    "tooltask_0",
    "%00",
    "..%2f..%2fetc",
    "x".repeat(100),
  ])("document-tools 7, 404: there is no file %s", async (id) => {
    expect(refusalIn(await app.call(`/v1/tool-files/${id}`))).toBe("404 file_not_found")
    expect(refusalIn(await remove(id))).toBe("404 file_not_found")
  })

  it("document-tools 2.2 and 5.4: another key of the same user finds no such file", async () => {
    const id = await app.file()
    const { key } = await app.newKey()
    const path = `/v1/tool-files/${id}`
    expect(refusalIn(await app.call(path, { key }))).toBe("404 file_not_found")
    expect(refusalIn(await app.call(path, { key, method: "DELETE" }))).toBe("404 file_not_found")
    expect(await metadata(id)).toMatchObject({ status: "ready" })
  })
})

describe("document-tools 4.7: deletion", () => {
  it.each(places)(
    "contract, Tools, %s: 202 with the file, deleting; again 202; after removal deleted, and invoke is 410",
    async (_, options) => {
      await openAgain(options)
      const id = await app.file()
      expect(objects()).toBe(1)
      const ready = await metadata(id)
      for (let times = 0; times < 2; times++) {
        expect(await remove(id)).toMatchObject({
          status: 202,
          body: { ...Object(ready), status: "deleting" },
        })
      }
      expect(refusalIn(await app.invoke(id))).toBe("410 file_expired input.file_id")
      expect(objects()).toBe(1)
      await app.passes("1 second")
      expect(await inStatus(id, "deleted")).toEqual({ ...Object(ready), status: "deleted" })
      expect(objects()).toBe(0)
      expect(refusalIn(await app.invoke(id))).toBe("410 file_expired input.file_id")
      expect(await remove(id)).toMatchObject({ status: 202, body: { status: "deleted" } })
    },
  )

  it("document-tools 7, 429: with a queued task on the file", async () => {
    const idle = await openClockApp({ workers: false })
    const file = await idle.file()
    expect((await idle.invoke(file)).status).toBe(202)
    const refused = await idle.call(`/v1/tool-files/${file}`, { method: "DELETE" })
    expect(refusalIn(refused)).toBe("429 file_in_use")
    await idle.close()
  })

  it("document-tools 7, 429: with a running task on the file; retry later", async () => {
    const { open } = holdRuns(app)
    const file = await app.file()
    const { body } = await app.invoke(file)
    const id = textAt(body, "id")
    await until(
      () => app.task(id),
      (task) => at(task, "status") === "running",
    )
    const refused = await remove(file)
    expect(refusalIn(refused)).toBe("429 file_in_use")
    expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
    expect(at(refused.body, "error.type")).toBe("rate_limit_error")
    expect(await metadata(file)).toMatchObject({ status: "ready" })
    open()
    await app.done(id)
    expect(await remove(file)).toMatchObject({ status: 202, body: { status: "deleting" } })
  })

  it("of a deletion and a submission at once one is refused: no task begins without its file", async () => {
    const { open } = holdRuns(app)
    for (let round = 0; round < 4; round++) {
      const file = await app.file()
      const [deleted, invoked] = await Promise.all(
        round % 2 === 0 ? [remove(file), app.invoke(file)] : [app.invoke(file), remove(file)].toReversed(),
      )
      const statuses = [deleted?.status, invoked?.status]
      expect([
        [202, 410],
        [429, 202],
      ]).toContainEqual(statuses)
    }
    open()
  })

  it("contract, Later decisions: a client that parses and deletes at once is never stopped by files that it deleted before", async () => {
    for (let round = 0; round < 45; round++) {
      const file = await app.file()
      await app.done(textAt((await app.invoke(file)).body, "id"))
      expect((await remove(file)).status).toBe(202)
      // Twenty in a second: what was deleted before that counts no more.
      if (round % 15 !== 14) continue
      await app.passes("1 second")
      await inStatus(file, "deleted")
    }
  })

  it("document-tools 4.7: metadata of an expired file says so while no cleanup runs", async () => {
    const idle = await openClockApp({ workers: false })
    const file = await idle.file()
    await idle.passes(2 * 60 * 60 * 1000 - 1)
    expect((await idle.call(`/v1/tool-files/${file}`)).body).toMatchObject({ status: "ready" })
    await idle.passes(1)
    expect((await idle.call(`/v1/tool-files/${file}`)).body).toMatchObject({ status: "deleting" })
    expect(refusalIn(await idle.invoke(file))).toBe("410 file_expired input.file_id")
    await idle.close()
  })

  it("a result outlives its file", async () => {
    const file = await app.file()
    const id = textAt((await app.invoke(file)).body, "id")
    await app.done(id)
    await remove(file)
    await app.passes("1 second")
    await inStatus(file, "deleted")
    expect((await app.call(`/v1/tasks/${id}/result`)).status).toBe(200)
  })
})

describe("document-tools 2.2, 3 rule 3 and 8: files are kept 2 hours from upload", () => {
  it.each(places)(
    "document-tools 8, %s: usable until the last moment of its two hours, then 410 and deleting; removed within a second",
    async (_, options) => {
      await openAgain(options)
      const id = await app.file()
      await app.outage(2 * 60 * 60 * 1000 - 1)
      const last = await app.invoke(id)
      expect(last.status).toBe(202)
      await app.done(textAt(last.body, "id"))
      expect(await metadata(id)).toMatchObject({ status: "ready" })
      await app.passes(1)
      expect(refusalIn(await app.invoke(id))).toBe("410 file_expired input.file_id")
      expect(["deleting", "deleted"]).toContain(at(await metadata(id), "status"))
      await app.passes("1 second")
      await inStatus(id, "deleted")
      expect(objects()).toBe(0)
    },
  )

  it.each(places)(
    "document-tools 3, rule 3, %s: a task that began in time is finished; then the file is removed",
    async (_, options) => {
      await openAgain(options)
      const file = await app.file()
      await app.outage("7190 seconds")
      const { open } = holdRuns(app)
      const id = textAt((await app.invoke(file)).body, "id")
      await app.passes("2 minutes")
      // Its time is over, and no other task can begin with it; but its bytes are there.
      expect(await metadata(file)).toMatchObject({ status: "deleting" })
      expect(objects()).toBe(1)
      open()
      expect(await app.done(id)).toMatchObject({ status: "succeeded" })
      await app.passes("1 minute")
      await inStatus(file, "deleted")
      expect(objects()).toBe(0)
    },
  )

  it("document-tools 3, rule 3: while the service is down deletion is late; the next start catches up", async () => {
    const busy = await openClockApp({ limits: { tool_files_per_user_max: 1000 } })
    const ids: Array<string> = []
    // More than one turn of the cleanup looks at.
    while (ids.length < 210) ids.push(...(await Promise.all(Array.from({ length: 30 }, () => busy.file()))))
    await busy.call(`/v1/tool-files/${ids[0]}`, { method: "DELETE" })
    await busy.outage("3 hours")
    const left = async () => busy.kept("files").length
    await until(left, (count) => count === 0)
    await until(
      async () => at((await busy.call(`/v1/tool-files/${ids.at(-1)}`)).body, "status"),
      (status) => status === "deleted",
    )
    await busy.close()
  })
})
