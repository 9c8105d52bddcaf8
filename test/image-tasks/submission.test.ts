import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, textAt } from "../support/server.ts"
import { type App, newPrompt, openApp, refusalIn } from "./app.ts"
import { answer } from "./vendor.ts"

let app: App
beforeAll(async () => {
  app = await openApp()
})
afterAll(() => app.close())

const post = (json: object) => app.call("/v1/images/tasks", { json })
/** What a submission is refused with, on top of a model and a prompt. */
const refused = async (json: object) =>
  refusalIn(await post({ model: "gen-image-2", prompt: "a boat", ...json }))
/** A submission that is checked and priced, but not made. */
const checked = async (json: object) => {
  const { status } = await app.call("/v1/images/quote", { json: { prompt: "a boat", ...json } })
  return status
}
/** What the vendor was sent for a submission. */
const sent = async (json: object) => {
  const prompt = newPrompt()
  await app.done(await app.submit({ model: "gen-image-2", prompt, ...json }))
  return app.vendor.asked(prompt)[0]?.json
}
const picture = () => `${app.vendor.url}/pictures/a.png`

describe("image-tasks 2.1: the fields of a submission", () => {
  it("image-tasks 2.1, model: the identifier of a live model", async () => {
    expect(await checked({ model: "gen-image-2" })).toBe(200)
    expect(await refused({ model: undefined })).toBe("400 invalid_parameter model")
    expect(await refused({ model: 7 })).toBe("400 invalid_parameter model")
    expect(await refused({ model: "no-such-model" })).toBe("400 model_not_found model")
  })

  it("image-tasks 2.1, prompt: the instruction, handed on as it is", async () => {
    const prompt = `${newPrompt("Zwölf Boote,\n“still” 🛶")} `
    await app.done(await app.submit({ model: "gen-image-2", prompt }))
    expect(at(app.vendor.asked(prompt)[0]?.json, "prompt")).toBe(prompt)
    for (const wrong of [undefined, null, "", "  ", 7, ["a boat"]]) {
      expect(await refused({ prompt: wrong })).toBe("400 invalid_parameter prompt")
    }
  })

  it.each([
    ["gen-image-2", "1024x1536", 200],
    ["gen-image-2", "16:9", 200],
    ["gen-image-2", "4K", 400],
    ["imagine-image-2.0", "19.5:9", 200],
    ["imagine-image-2.0", "1024x1536", 400],
    ["dream-4.5", "4K", 200],
    ["artgen", "2:3", 200],
    ["artgen", "auto", 400],
  ])("image-tasks 2.1, size: the format depends on the model (%s, %s: %i)", async (model, size, status) => {
    expect(await checked({ model, size })).toBe(status)
  })

  it.each([
    ["gen-image-2", "high", 200],
    ["gen-image-2", "hd", 400],
    ["imagine-image-2.0", "high", 400],
    ["artgen", "hd", 200],
    ["dream-4.5", "fast", 200],
  ])("image-tasks 2.1, quality: depends on the model (%s, %s: %i)", async (model, quality, status) => {
    expect(await checked({ model, quality })).toBe(status)
  })

  it.each([
    ["gen-image-2", "4K", 200],
    ["imagine-image-2.0", "2K", 200],
    ["imagine-image-2.0", "4K", 400],
    ["dream-4.5", "4K", 200],
  ])("image-tasks 2.1, resolution: depends on the model (%s, %s: %i)", async (model, resolution, status) => {
    expect(await checked({ model, resolution })).toBe(status)
  })

  it("image-tasks 2.1, images / image_urls: each must be publicly downloadable", async () => {
    const { vendor } = app
    vendor.on("/pictures/gone.png", answer(404, {}))
    vendor.on("/pictures/page.html", (response) => void response.end("<html>"))
    const elsewhere = picture().replace("127.0.0.1", "127.0.0.2")
    for (const wrong of [`${vendor.url}/pictures/gone.png`, `${vendor.url}/pictures/page.html`, elsewhere]) {
      const images = [picture(), wrong]
      expect(await refused({ images })).toBe("400 reference_image_unavailable images.1")
    }
    expect(await refused({ images: ["a boat"] })).toBe("400 invalid_parameter images.0")
    expect(await refused({ images: picture() })).toBe("400 invalid_parameter images")
    const task = await app.done(
      await app.submit({ model: "imagine-image-2.0", prompt: newPrompt(), images: [picture()] }),
    )
    expect(task).toMatchObject({ state: "completed", usage: { images: 1, input_images: 1 } })
  })

  it("contract, Images: images and image_urls are the same field; different values are refused", async () => {
    const model = "imagine-image-2.0"
    for (const name of ["images", "image_urls"]) {
      const body = await sent({ model, [name]: [picture()] })
      expect(at(body, "image.url")).toBe(picture())
    }
    expect(await checked({ model, images: [picture()], image_urls: [picture()] })).toBe(200)
    expect(await refused({ images: [picture()], image_urls: [`${picture()}?2`] })).toBe(
      "400 invalid_parameter image_urls",
    )
  })

  it("image-tasks 2.1, n: the number of images", async () => {
    const task = await app.done(
      await app.submit({ model: "test-image", prompt: "boats", n: 3, size: "256x256" }),
    )
    expect(new Set([0, 1, 2].map((index) => at(task, `assets.${index}.url`))).size).toBe(3)
    expect(task).toMatchObject({ usage: { images: 3 } })
    expect(await refused({ n: 0 })).toBe("400 invalid_parameter n")
    expect(await refused({ model: "artgen", n: 2 })).toBe("400 invalid_parameter n")
  })

  it("image-tasks 2.1, callback_url: optional", async () => {
    const callbackUrl = "https://example.com/hook"
    for (const json of [{}, { callback_url: null }, { callback_url: callbackUrl }]) {
      expect(await checked({ model: "gen-image-2", ...json })).toBe(200)
    }
  })

  it.each(["mode", "generation_type", "metadata"])(
    "image-tasks 2.1, %s: unified art model only; elsewhere it is ignored, and said so",
    async (name) => {
      const value = name === "metadata" ? { job_id: "a" } : "no such thing"
      expect(await refused({ model: "artgen", [name]: value })).toMatch(/^400 invalid_parameter /)
      const task = await app.task(
        await app.submit({ model: "gen-image-2", prompt: newPrompt(), [name]: value }),
      )
      expect(textAt(task, "warnings.0.message")).toContain(name)
    },
  )

  it("image-tasks 2.1 and 4.4: the listing governs n and the number of reference images", async () => {
    const { body } = await app.call("/v1/models")
    const models = at(body, "data")
    if (!Array.isArray(models)) throw new Error("no models")
    for (const { id: model, limits } of models) {
      const images = (count: number) => Array.from({ length: count }, () => "https://example.com/a.png")
      expect([model, await checked({ model, n: limits.n })]).toEqual([model, 200])
      expect([model, await checked({ model, n: limits.n + 1 })]).toEqual([model, 400])
      const most = images(limits.reference_images)
      expect([model, await checked({ model, images: most })]).toEqual([model, 200])
      expect([model, await checked({ model, images: [...most, picture()] })]).toEqual([model, 400])
      const long = "a".repeat(limits.prompt_chars)
      expect([model, await checked({ model, prompt: long })]).toEqual([model, 200])
      expect([model, await checked({ model, prompt: `${long}a` })]).toEqual([model, 400])
    }
  })

  it("contract, Images: unknown fields are ignored and listed in the task's warnings", async () => {
    const id = await app.submit({ model: "gen-image-2", prompt: newPrompt(), style: "vivid", user: "u" })
    const { warnings } = Object(await app.task(id))
    expect(warnings).toEqual([
      { code: "unknown_parameter_ignored", message: expect.stringContaining("style") },
    ])
  })
})

describe("image-tasks 2.3, 4.1: the answer to a submission", () => {
  it("image-tasks 2.3 and 9.2: task_id, and id with the same value", async () => {
    const { body } = await post({ model: "gen-image-2", prompt: newPrompt() })
    expect(textAt(body, "task_id")).toMatch(/^imgtask_[0-9a-z]{26}$/)
    expect(at(body, "id")).toBe(at(body, "task_id"))
  })

  it("contract, Images: 202 with these fields, where to look, and when", async () => {
    const { status, headers, body } = await post({ model: "gen-image-2", prompt: newPrompt() })
    expect(status).toBe(202)
    expect(headers.get("location")).toBe(`/v1/tasks/${textAt(body, "task_id")}`)
    expect(headers.get("retry-after")).toBe("2")
    expect(headers.get("content-type")).toBe("application/json")
    const fields = ["task_id", "id", "object", "state", "status", "model", "created_at"]
    expect(Object.keys(Object(body))).toEqual(fields)
    expect(body).toMatchObject({
      object: "image.task",
      state: "queued",
      status: "SUBMITTED",
      model: "gen-image-2",
      created_at: expect.toSatisfy(Number.isInteger),
    })
  })

  it("image-tasks 4.1: the request is JSON", async () => {
    const text = JSON.stringify({ model: "gen-image-2", prompt: "a boat" })
    const send = (body: string, type: string) =>
      fetch(`${app.url}/v1/images/tasks`, {
        method: "POST",
        headers: { authorization: `Bearer ${app.account.key}`, "content-type": type },
        body,
      })
    const codeOf = async (response: Response) => at(await response.json(), "error.code")
    expect((await send(text, "application/json; charset=utf-8")).status).toBe(202)
    expect(await codeOf(await send(text, "text/plain"))).toBe("unsupported_media_type")
    expect(await codeOf(await send("{", "application/json"))).toBe("invalid_json")
    expect(await codeOf(await send("[]", "application/json"))).toBe("invalid_parameter")
  })

  it("image-tasks 9.1: all paths carry the /v1 prefix", async () => {
    expect(refusalIn(await app.call("/images/tasks", { json: {} }))).toBe("404 not_found")
    expect(refusalIn(await app.call("/models"))).toBe("404 not_found")
  })
})
