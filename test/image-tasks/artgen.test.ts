import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { at, textAt } from "../support/server.ts"
import { type App, newPrompt, openApp, refusalIn } from "./app.ts"
import { answer, pixel } from "./vendor.ts"

const model = "artgen"
const dataUrl = `data:image/png;base64,${pixel.toString("base64")}`

let app: App
/** `artgen` at a vendor that refuses everything; the paths and prompts that it is sent are what matters. */
let upstream: App
beforeAll(async () => {
  const proxy = (url: string) => [
    { id: "proxy", adapter: "midjourney-proxy", base_url: url, models: { artgen: "*" } },
  ]
  ;[app, upstream] = await Promise.all([openApp(), openApp({ channels: proxy })])
})
afterAll(() => Promise.all([app.close(), upstream.close()]))

const refused = async (json: object) =>
  refusalIn(await app.call("/v1/images/tasks", { json: { model, prompt: "a boat", ...json } }))
const quoted = async (json: object) =>
  (await app.call("/v1/images/quote", { json: { model, prompt: "a boat", ...json } })).body
const made = async (json: object) => app.done(await app.submit({ model, ...json }))

/** The prompt that the vendor gets, by the path of a mode. */
const promptsSent = async (mode: string, json: object): Promise<ReadonlyArray<string>> => {
  const path = `/mj-${mode}/mj/submit/imagine`
  const prompt = newPrompt()
  const banned = answer(200, { code: 24, description: "banned" })
  upstream.vendor.on(path, banned)
  for (const sent of [prompt, `${prompt} --hd`]) upstream.vendor.on(sent, banned)
  const task = await upstream.done(await upstream.submit({ model, prompt, ...json }))
  expect(task).toMatchObject({ state: "failed", error: { code: "upstream_rejected" } })
  return upstream.vendor
    .asked(path)
    .map(({ json: body }) => textAt(body, "prompt"))
    .filter((text) => text.startsWith(prompt))
    .map((text) => text.slice(prompt.length))
}

describe("image-tasks 2.2: artgen", () => {
  it("image-tasks 2.2, artgen, mode: fast or turbo; default fast", async () => {
    expect(await promptsSent("fast", {})).toEqual([""])
    expect(await promptsSent("fast", { mode: "fast" })).toEqual([""])
    expect(await promptsSent("turbo", { mode: "turbo" })).toEqual([""])
    expect(await refused({ mode: "relax" })).toBe("400 invalid_parameter mode")
  })

  it("image-tasks 2.2, artgen, quality: hd becomes the upstream's high-definition flag; or standard", async () => {
    expect(await promptsSent("fast", { quality: "hd" })).toEqual([" --hd"])
    expect(await promptsSent("fast", { quality: "standard" })).toEqual([""])
    expect(await refused({ quality: "medium" })).toBe("400 invalid_parameter quality")
  })

  it("image-tasks 2.2, artgen, generation_type: the operations; contract, Images: all of them", async () => {
    const jobId = textAt(await made({ prompt: newPrompt() }), "data.job_id")
    const numbered = [1, 2, 3, 4].flatMap((each) => [`variation${each}`, `upsample${each}`])
    const pans = ["left", "right", "up", "down"].map((side) => `pan_${side}`)
    const others = ["seed", "reroll", "upscale2", "upscale4", "zoom_out_1.5", "zoom_out_2"]
    for (const generationType of [...numbered, ...pans, ...others]) {
      expect(await quoted({ generation_type: generationType, metadata: { job_id: jobId } })).toHaveProperty(
        "usd",
      )
    }
    const inpaint = { generation_type: "inpaint", metadata: { job_id: jobId, mask: dataUrl } }
    expect(await quoted(inpaint)).toHaveProperty("usd")
    expect(await quoted({ generation_type: "describe", images: [dataUrl] })).toHaveProperty("usd")
    expect(await refused({ generation_type: "paint" })).toBe("400 invalid_parameter generation_type")
  })

  it("image-tasks 2.2, artgen, metadata.job_id: required where an operation builds on a task", async () => {
    for (const generationType of ["seed", "inpaint", "variation1", "upsample1", "reroll", "upscale2"]) {
      const metadata = { mask: generationType === "inpaint" ? dataUrl : undefined }
      for (const json of [
        { generation_type: generationType, metadata },
        { generation_type: generationType },
      ]) {
        expect(await refused(json)).toBe("400 invalid_parameter metadata.job_id")
      }
    }
  })

  it("contract, Images: metadata.job_id is the data.job_id of the step before, of the same key", async () => {
    const first = await made({ prompt: newPrompt() })
    const metadata = { job_id: textAt(first, "data.job_id") }
    const second = await made({ generation_type: "upsample2", metadata })
    expect(second).toMatchObject({ state: "completed", data: { results: [at(second, "assets.0")] } })
    expect(at(second, "data.job_id")).not.toBe(metadata.job_id)
    const { key } = await app.newKey()
    const json = { model, generation_type: "upsample2", metadata }
    const stranger = await app.call("/v1/images/tasks", { key, json })
    expect(refusalIn(stranger)).toBe("400 invalid_parameter metadata.job_id")
  })

  it("image-tasks 2.2, artgen, metadata.mask: required additionally for inpaint", async () => {
    const { job_id: jobId } = Object(at(await made({ prompt: newPrompt() }), "data"))
    const inpaint = { generation_type: "inpaint", prompt: "a gull" }
    expect(await refused({ ...inpaint, metadata: { job_id: jobId } })).toBe(
      "400 invalid_parameter metadata.mask",
    )
    const task = await made({ ...inpaint, metadata: { job_id: jobId, mask: dataUrl } })
    expect(task).toMatchObject({ state: "completed", data: { job_id: expect.any(String) } })
  })

  it("image-tasks 2.2 and 8, artgen, images (blend): 2 to 5 Base64 Data URLs", async () => {
    const blend = { generation_type: "blend", prompt: undefined }
    for (const count of [2, 5]) {
      const images = Array.from({ length: count }, () => dataUrl)
      expect(await quoted({ ...blend, images })).toHaveProperty("usd")
    }
    expect(await made({ ...blend, images: [dataUrl, dataUrl] })).toMatchObject({
      state: "completed",
      usage: { images: 1, input_images: 2 },
    })
    for (const count of [0, 1, 6]) {
      const images = Array.from({ length: count }, () => dataUrl)
      expect(await refused({ ...blend, images })).toBe("400 invalid_parameter images")
    }
    const url = "https://example.com/a.png"
    expect(await refused({ ...blend, images: [dataUrl, url] })).toBe("400 invalid_parameter images.1")
  })

  it("contract, Limits and rates: a body of blend may have 16 MiB, any other 256 KiB", async () => {
    const large = Buffer.concat([pixel, Buffer.alloc(512 * 1024)])
    const images = Array.from({ length: 2 }, () => `data:image/png;base64,${large.toString("base64")}`)
    expect(await quoted({ generation_type: "blend", images })).toHaveProperty("usd")
    expect(await refused({ images })).toBe("413 request_too_large")
    const padding = "a".repeat(16 * 1024 * 1024)
    expect(await refused({ generation_type: "blend", images, padding })).toBe("413 request_too_large")
  })

  it("contract, Images: describe gives data.text, seed gives data.seed", async () => {
    const described = await made({ generation_type: "describe", images: [dataUrl] })
    expect(described).toMatchObject({ state: "completed", data: { results: [], text: expect.any(String) } })
    expect(await refused({ generation_type: "describe" })).toBe("400 invalid_parameter images")
    const first = await made({ prompt: newPrompt(), seed: 4711 })
    const metadata = { job_id: textAt(first, "data.job_id") }
    expect(await made({ generation_type: "seed", metadata })).toMatchObject({
      state: "completed",
      data: { results: [], seed: 4711 },
    })
  })

  it("image-tasks 2.2 and 9.4: older versioned art models are closed; new requests use artgen", async () => {
    const json = { model: "artgen-5.2", prompt: "a boat" }
    const closed = await app.call("/v1/images/tasks", { json })
    expect(refusalIn(closed)).toBe("400 model_not_found model")
    expect(textAt(closed.body, "error.message")).toContain('"artgen"')
    const { body } = await app.call("/v1/models")
    expect(JSON.stringify(body)).not.toContain("artgen-")
  })
})
