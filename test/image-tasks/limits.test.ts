import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, makeAccount, textAt } from "../support/server.ts"
import { type App, newPrompt, openApp, refusalIn } from "./app.ts"

/** Unfinished image tasks of a user that the server takes; it runs one at a time. */
const most = 3

let app: App
beforeAll(async () => {
  app = await openApp({ limits: { image_tasks_per_user_max: most, image_jobs_concurrent_max: 1 } })
})
afterAll(() => app.close())

const slow = () => ({ model: "test-image", prompt: newPrompt("[slow 10m]") })
const submit = (idempotencyKey: string, json: object = slow(), key = app.account.key) =>
  app.call("/v1/images/tasks", { key, headers: { "idempotency-key": idempotencyKey }, json })
const accepted = (answers: ReadonlyArray<Answer>) => answers.filter(({ status }) => status === 202)

describe("contract, Later decisions: image_tasks_per_user_max", () => {
  it("of many submissions at once no more than the limit are taken, by whatever key of the user", async () => {
    const { key } = await app.newKey()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        submit(`at once ${index}`, slow(), index % 2 === 0 ? key : app.account.key),
      ),
    )
    expect(accepted(answers)).toHaveLength(most)
    for (const answer of answers.filter(({ status }) => status !== 202)) {
      expect(refusalIn(answer)).toBe("429 too_many_tasks")
      expect(answer.headers.get("retry-after")).toMatch(/^[1-9]\d*$/)
      expect(textAt(answer.body, "error.message")).toMatch(/3 image tasks that are not final; at most 3/)
    }
  })

  it("another user's are taken, and so is a quote; the synchronous endpoint is refused too", async () => {
    const stranger = await makeAccount(app.url, 1)
    expect((await submit("stranger", slow(), stranger.key)).status).toBe(202)
    expect((await app.call("/v1/images/quote", { json: slow() })).status).toBe(200)
    const synchronous = await app.call("/v1/images/generations", { json: slow() })
    expect(refusalIn(synchronous)).toBe("429 too_many_tasks")
  })

  it("a refusal is not recorded: the same key is taken once a task has ended, and repeats that task then", async () => {
    const json = slow()
    expect(refusalIn(await submit("again", json))).toBe("429 too_many_tasks")
    const { body } = await app.call("/v1/tasks?state=queued&limit=1")
    const [queued] = (body as { readonly data: ReadonlyArray<{ readonly id: string }> }).data
    expect((await app.call(`/v1/tasks/${queued?.id}/cancel`, { method: "POST" })).status).toBe(200)
    const taken = await submit("again", json)
    const repeated = await submit("again", json)
    expect(
      [taken, repeated].map((answer) => [answer.status, answer.headers.get("idempotency-replayed")]),
    ).toEqual([
      [202, null],
      [202, "true"],
    ])
    expect(refusalIn(await submit("one more"))).toBe("429 too_many_tasks")
  })
})
