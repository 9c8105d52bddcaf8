import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, textAt } from "../support/server.ts"
import { type App, newPrompt, openApp, refusalIn } from "./app.ts"
import { answer, cut, deliver, held, madeOf, pixel } from "./vendor.ts"

let app: App
const others: Array<App> = []
beforeAll(async () => {
  app = await openApp({
    // One job at a time: a task waits in `queued` while the vendor holds another.
    limits: { image_jobs_concurrent_max: 1 },
    models: { "test-image": { price: "0.01" }, "imagine-image-2.0": { delivery: "passthrough" } },
  })
})
afterAll(() => Promise.all([app, ...others].map((each) => each.close())))

const openOther = async (limits: object, environment = {}) => {
  const other = await openApp({ limits }, environment)
  others.push(other)
  return other
}

const submit = (prompt: string, json: object = {}) => app.submit({ model: "gen-image-2", prompt, ...json })
const faulty = async (directives: string, json: object = {}) =>
  app.done(await app.submit({ model: "test-image", prompt: newPrompt(directives), size: "256x256", ...json }))

const before = ["id", "task_id", "object", "model", "state", "status", "progress"]
const results = ["result_url", "assets", "data"]
const after = [
  "error",
  "usage",
  "billing",
  "warnings",
  "created_at",
  "started_at",
  "finished_at",
  "expires_at",
]

/** A task in `state`, and how to let it go on. */
const taskIn: {
  readonly [state: string]: () => Promise<{ readonly task: unknown; readonly end: () => Promise<unknown> }>
} = {
  queued: async () => {
    const first = newPrompt()
    const working = held()
    app.vendor.on(first, working.reply)
    const running = await submit(first)
    await working.asked
    const id = await submit(newPrompt())
    const end = async () => {
      working.open()
      await app.done(running)
      return app.done(id)
    }
    return { task: await app.task(id), end }
  },
  in_progress: async () => {
    const prompt = newPrompt()
    const working = held()
    app.vendor.on(prompt, working.reply)
    const id = await submit(prompt)
    await working.asked
    const end = () => {
      working.open()
      return app.done(id)
    }
    return { task: await app.task(id), end }
  },
  completed: async () => {
    const task = await app.done(await submit(newPrompt()))
    return { task, end: async () => task }
  },
  failed: async () => {
    const task = await faulty("[fail]")
    return { task, end: async () => task }
  },
  unknown: async () => {
    const prompt = newPrompt()
    app.vendor.on(prompt, cut)
    const id = await submit(prompt)
    return { task: await app.until(id, "unknown"), end: () => app.task(id) }
  },
}
const withTask = async (state: string, check: (task: unknown) => void) => {
  const { task, end } = (await taskIn[state]?.()) ?? { task: undefined, end: async () => undefined }
  try {
    expect(at(task, "state")).toBe(state)
    check(task)
  } finally {
    await end()
  }
}

describe("image-tasks 2.4, 3: the task object by its state", () => {
  it.each([
    ["queued", "QUEUED"],
    ["in_progress", "IN_PROGRESS"],
    ["completed", "SUCCESS"],
    ["failed", "FAILURE"],
    ["unknown", "UNKNOWN"],
  ])("image-tasks 2.4, 3 and 9.3, state: %s, with status %s for older clients", async (state, status) => {
    await withTask(state, (task) => expect(at(task, "status")).toBe(status))
  })

  it("contract, Images: the status of a submission's answer is SUBMITTED", async () => {
    const json = { model: "gen-image-2", prompt: newPrompt() }
    const { body } = await app.call("/v1/images/tasks", { json })
    expect(body).toMatchObject({ state: "queued", status: "SUBMITTED" })
  })

  it.each([
    ["queued", [...before, "queue", ...after]],
    ["in_progress", [...before, ...after]],
    ["failed", [...before, ...after]],
    ["unknown", [...before, ...after]],
  ])("contract, Images: the fields of a task that is %s; results are absent", async (state, fields) => {
    await withTask(state, (task) => expect(Object.keys(Object(task))).toEqual(fields))
  })

  it("contract, Images: the fields of a completed task, in their order, and their types", async () => {
    await withTask("completed", (task) => {
      expect(Object.keys(Object(task))).toEqual([...before, ...results, ...after])
      const id = textAt(task, "id")
      const seconds = expect.toSatisfy((value) => Number.isInteger(value) && value > 1.7e9 && value < 1e10)
      const asset = {
        url: expect.stringMatching(`^${app.url}/media/[0-9a-f]{64}\\.png$`),
        content_type: "image/png",
        width: 1,
        height: 1,
        bytes: pixel.length,
      }
      expect(task).toEqual({
        id,
        task_id: id,
        object: "image.task",
        model: "gen-image-2",
        state: "completed",
        status: "SUCCESS",
        progress: 100,
        result_url: textAt(task, "assets.0.url"),
        assets: [asset],
        data: { results: [asset] },
        error: null,
        usage: { images: 1, input_images: 0 },
        billing: { held: 20_000, charged: 20_000, released: 0 },
        warnings: [],
        created_at: seconds,
        started_at: seconds,
        finished_at: seconds,
        expires_at: 0,
      })
    })
  })

  it("contract, Images: a task that has not started has no times of a run", async () => {
    await withTask("queued", (task) => {
      expect(task).toMatchObject({ progress: 0, error: null, started_at: null, finished_at: null })
    })
    await withTask("in_progress", (task) => expect(task).toMatchObject({ finished_at: null }))
  })

  it("image-tasks 2.4, result_url, assets, data: the first image, and all of them", async () => {
    const task = await faulty("three boats", { n: 3 })
    const urls = [0, 1, 2].map((index) => textAt(task, `assets.${index}.url`))
    expect(new Set(urls).size).toBe(3)
    expect(at(task, "result_url")).toBe(urls[0])
    expect(at(task, "data.results")).toEqual(at(task, "assets"))
    for (const url of urls) {
      const image = await fetch(url)
      expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"])
    }
  })

  it("image-tasks 2.4, expires_at: 0, there is no automatic expiry", async () => {
    await withTask("completed", (task) => expect(at(task, "expires_at")).toBe(0))
  })

  it("image-tasks 2.4: a model that passes through hands on the upstream's links", async () => {
    const prompt = newPrompt()
    const url = app.vendor.url + madeOf(prompt)
    const task = await app.done(await submit(prompt, { model: "imagine-image-2.0" }))
    const asset = { url, content_type: null, width: null, height: null, bytes: null }
    expect(task).toMatchObject({ result_url: url, assets: [asset] })
    // contract, Later decisions: it must not look permanent.
    expect(at(task, "warnings")).toEqual([{ code: "result_not_archived", message: expect.any(String) }])
    expect(at(await app.done(await submit(newPrompt())), "warnings")).toEqual([])
  })

  it("image-tasks 4.2: the task_id of a submission leads to its task object", async () => {
    const id = await submit(newPrompt())
    const { status, body } = await app.call(`/v1/tasks/${id}`)
    expect({ status, body }).toMatchObject({ status: 200, body: { id, task_id: id, object: "image.task" } })
    await app.done(id)
  })

  it("image-tasks 4.2: an unknown task, and another key's, is not found", async () => {
    const id = await submit(newPrompt())
    const { key } = await app.newKey()
    expect(refusalIn(await app.call(`/v1/tasks/${id}`, { key }))).toBe("404 task_not_found")
    expect(refusalIn(await app.call("/v1/tasks/imgtask_0"))).toBe("404 task_not_found")
    await app.done(id)
  })
})

describe("image-tasks 1.5, 3: delivery of the dream-* and alt-dream-* families", () => {
  it.each(["dream-4.5", "alt-dream-3"])(
    "image-tasks 3, in_progress: %s stays there until every image is copied, and shows no third party",
    async (model) => {
      const prompt = newPrompt()
      const copying = held()
      app.vendor.on(madeOf(prompt, 1), copying.reply)
      const id = await submit(prompt, { model, n: 2 })
      await copying.asked
      const task = await app.task(id)
      expect(task).toMatchObject({ state: "in_progress", status: "IN_PROGRESS" })
      for (const field of results) expect(task).not.toHaveProperty(field)
      expect(JSON.stringify(task)).not.toContain(app.vendor.url)
      copying.open()
      const done = await app.done(id)
      expect(done).toMatchObject({ state: "completed", expires_at: 0, usage: { images: 2 } })
      expect(textAt(done, "result_url")).toMatch(`${app.url}/media/`)
      expect(JSON.stringify(done)).not.toContain(app.vendor.url)
      expect(Buffer.from(await (await fetch(textAt(done, "result_url"))).arrayBuffer())).toEqual(pixel)
    },
  )

  it("image-tasks 1.5: links are on the service's own media domain", async () => {
    const mediaUrl = "https://media.example.com/pictures"
    const { done, submit: post } = await openOther({}, { ATELIER_MEDIA_URL: mediaUrl })
    const task = await done(await post({ model: "dream-4.5", prompt: newPrompt() }))
    expect(textAt(task, "result_url")).toMatch(
      /^https:\/\/media\.example\.com\/pictures\/media\/[0-9a-f]{64}\.png$/,
    )
  })

  it("image-tasks 3, rule 1: a copy that fails is retried; no second generation, no second charge", async () => {
    const prompt = newPrompt()
    app.vendor.on(madeOf(prompt), answer(503, {}), deliver)
    const done = await app.done(await submit(prompt, { model: "dream-4.5" }))
    expect(done).toMatchObject({
      state: "completed",
      billing: { held: 22_500, charged: 22_500, released: 0 },
    })
    expect(app.vendor.asked(prompt)).toHaveLength(1)
    expect(app.vendor.asked(madeOf(prompt))).toHaveLength(2)
    const { body } = await app.call(`/v1/tasks/${textAt(done, "id")}/history`)
    expect(JSON.stringify(body).match(/"kind":"settle"/g)).toHaveLength(1)
  })
})

describe("contract, Images: how tasks end", () => {
  it("contract, Images: a failed generation has error { code, message } and its fee back", async () => {
    expect(await faulty("[fail]")).toMatchObject({
      state: "failed",
      status: "FAILURE",
      error: { code: "upstream_failed", message: expect.any(String) },
      billing: { held: 5000, charged: 0, released: 5000 },
    })
  })

  it("contract, Errors: a refusal for content is upstream_rejected", async () => {
    expect(await faulty("[reject]")).toMatchObject({
      state: "failed",
      error: { code: "upstream_rejected" },
      billing: { held: 5000, charged: 0, released: 5000 },
    })
  })

  it("contract, Money: of fewer images than n, only the delivered ones are charged", async () => {
    expect(await faulty("[partial 2]", { n: 4 })).toMatchObject({
      state: "completed",
      usage: { images: 2 },
      billing: { held: 20_000, charged: 10_000, released: 10_000 },
    })
  })

  it("contract, Images: a lost answer is asked for again where the upstream takes a reference", async () => {
    expect(await faulty("[drop]")).toMatchObject({ state: "completed", billing: { charged: 5000 } })
  })

  it("contract, Images: where it takes none, the request is sent once and the task is unknown", async () => {
    const prompt = newPrompt()
    app.vendor.on(prompt, cut)
    const id = await submit(prompt)
    expect(await app.until(id, "unknown")).toMatchObject({
      finished_at: null,
      billing: { held: 20_000, charged: 0, released: 0 },
    })
    expect(app.vendor.asked(prompt)).toHaveLength(1)
  })
})

describe("contract, Images: deadlines", () => {
  it("contract, Images: a task that stays unknown fails with upstream_unknown, the hold released", async () => {
    const { vendor, done, submit: post } = await openOther({ image_unknown_deadline_ms: 1 })
    const prompt = newPrompt()
    vendor.on(prompt, cut)
    expect(await done(await post({ model: "gen-image-2", prompt }))).toMatchObject({
      state: "failed",
      error: { code: "upstream_unknown" },
      billing: { held: 20_000, charged: 0, released: 20_000 },
    })
  })

  it("contract, Images: a task that is not final in time fails with timeout, and stays failed", async () => {
    const { vendor, done, submit: post } = await openOther({ image_task_deadline_ms: 1 })
    const prompt = newPrompt()
    const working = held()
    vendor.on(prompt, working.reply)
    const id = await post({ model: "gen-image-2", prompt })
    const failed = await done(id)
    expect(failed).toMatchObject({
      state: "failed",
      error: { code: "timeout" },
      billing: { held: 20_000, charged: 0, released: 20_000 },
    })
    working.open()
    await done(await post({ model: "gen-image-2", prompt: newPrompt() }))
    expect(await done(id)).toEqual(failed)
  })
})
