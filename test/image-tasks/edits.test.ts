import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import OpenAI, { toFile } from "openai"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest"
import { at, type Call, call, install, makeAccount, serve, textAt } from "../support/server.ts"
import { type App, newPrompt, openApp, refusalIn, unitsOf } from "./app.ts"
import { pixel } from "./vendor.ts"

let app: App
/** It takes small images only, and keys on synchronous calls. */
let strict: App
beforeAll(async () => {
  const limits = { edit_image_bytes_max: 1000, edit_images_bytes_max: 1500 }
  ;[app, strict] = await Promise.all([openApp(), openApp({ limits, synchronous_idempotency: true })])
})
afterAll(() => Promise.all([app.close(), strict.close()]))

const path = "/v1/images/edits"
const images = ({ url, account }: App = app) =>
  new OpenAI({ apiKey: account.key, baseURL: `${url}/v1`, maxRetries: 0 }).images
const png = (bytes = pixel, name = "image.png") => toFile(bytes, name, { type: "image/png" })
const picture = (bytes: Uint8Array<ArrayBuffer> = pixel) => new Blob([bytes])

type Fields = Readonly<Record<string, string | Blob | ReadonlyArray<Blob>>>
const formOf = (fields: Fields): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === "string") form.append(name, value)
    else for (const blob of [value].flat()) form.append(name, blob, `${name}.png`)
  }
  return form
}
const edit = (fields: Fields, request: Call = {}, of = app) =>
  of.call(path, { form: formOf({ model: "gen-image-2", prompt: newPrompt(), ...fields }), ...request })
const refused = async (fields: Fields, of = app) => refusalIn(await edit(fields, {}, of))
const count = (text: string, part: string) => text.split(part).length - 1

describe("contract, Later decisions: POST /v1/images/edits", () => {
  it("takes an image and a mask from OpenAI's client, and hands their bytes to the upstream", async () => {
    const prompt = newPrompt("a hat")
    const made = await images().edit({
      model: "gen-image-2",
      image: await png(),
      mask: await png(pixel, "mask.png"),
      prompt,
      size: "1024x1024",
    })
    expect(made).toMatchObject({ data: [{ url: expect.stringContaining("/media/") }] })
    const [asked] = app.vendor.asked(prompt)
    expect(asked?.path).toBe("/openai/images/edits")
    expect(asked?.text).toContain('name="mask"')
    expect(count(asked?.text ?? "", pixel.toString("latin1"))).toBe(2)
  })

  it("bills as a generation with references, and names the fields that it ignores", async () => {
    const made = await images().edit({
      model: "gen-image-2",
      image: [await png(), await png()],
      prompt: newPrompt(),
      quality: "low",
      background: "transparent",
      output_format: "webp",
    })
    expect(made).toMatchObject({
      usage: { images: 1, input_images: 2 },
      warnings: [{ message: expect.stringMatching(/"background".*"output_format"/) }],
    })
    const { body } = await app.call("/v1/images/quote", {
      json: {
        model: "gen-image-2",
        prompt: "a boat",
        quality: "low",
        images: [`${app.vendor.url}/a.png`, `${app.vendor.url}/b.png`],
      },
    })
    const task = await app.task(textAt(made, "task_id"))
    expect(at(task, "billing.charged")).toBe(at(body, "quota_units"))
  })

  it("with Prefer: respond-async answers the task at once, and makes it once for each idempotency key", async () => {
    const form = { model: "gen-image-2", prompt: newPrompt("a hat"), image: picture(), size: "1024x1024" }
    const headers = { prefer: "respond-async", "idempotency-key": newPrompt("edit") }
    const [first, again] = [await edit(form, { headers }), await edit(form, { headers })]
    expect([first.status, again.status]).toEqual([202, 202])
    expect(first.headers.get("location")).toBe(`/v1/tasks/${textAt(first.body, "task_id")}`)
    expect(again.headers.get("idempotency-replayed")).toBe("true")
    expect(textAt(again.body, "task_id")).toBe(textAt(first.body, "task_id"))
    const other = { ...form, image: picture(Buffer.concat([pixel, Buffer.from("more")])) }
    expect(refusalIn(await edit(other, { headers }))).toBe("409 idempotency_key_reused")
    expect(await app.done(textAt(first.body, "task_id"))).toMatchObject({ state: "completed" })
    expect(app.vendor.asked(form.prompt)).toHaveLength(1)
  })

  it("answers b64_json, and sends Data URLs to an upstream that takes JSON", async () => {
    const prompt = newPrompt()
    const { data } = await images().edit({
      model: "imagine-image-2.0",
      image: [await png(), await png()],
      prompt,
      response_format: "b64_json",
    })
    expect(data?.[0]?.b64_json).toBe(pixel.toString("base64"))
    const url = `data:image/png;base64,${pixel.toString("base64")}`
    expect(at(app.vendor.asked(prompt)[0]?.json, "images")).toMatchObject([{ url }, { url }])
  })

  it("refuses what it cannot edit", async () => {
    expect(await refused({})).toBe("400 invalid_parameter image")
    expect(await refused({ image: "https://example.com/a.png" })).toBe("400 invalid_parameter image")
    expect(await refused({ image: picture(new Uint8Array([1, 2, 3])) })).toBe(
      "400 reference_image_unavailable image",
    )
    expect(await refused({ image: picture(new Uint8Array()) })).toBe("400 invalid_parameter image")
    expect(await refused({ image: picture(), other: picture() })).toBe("400 invalid_parameter other")
    expect(await refused({ image: picture(), mask: [picture(), picture()] })).toBe(
      "400 invalid_parameter mask",
    )
    expect(await refused({ model: "imagine-image-2.0", image: picture(), mask: picture() })).toBe(
      "400 invalid_parameter mask",
    )
    const four = [picture(), picture(), picture(), picture()]
    expect(await refused({ model: "imagine-image-2.0", "image[]": four })).toBe("400 invalid_parameter image")
    expect(await refused({ model: "artgen", image: picture() })).toBe(
      "400 model_not_supported_on_endpoint model",
    )
    expect(await refused({ model: "nothing", image: picture() })).toBe("400 model_not_found model")
    expect(await refused({ image: picture(), n: "many" })).toBe("400 invalid_parameter n")
    expect(await refused({ image: picture(), max_cost_usd: "0.0001" })).toBe(
      "400 max_cost_exceeded max_cost_usd",
    )
    const twice = formOf({ model: "gen-image-2", prompt: newPrompt(), image: picture() })
    twice.append("prompt", newPrompt())
    expect(refusalIn(await app.call(path, { form: twice }))).toBe("400 invalid_parameter prompt")
    const open = `--form\r\nContent-Disposition: form-data; name="prompt"\r\n--form--\r\n`
    const headers = {
      authorization: `Bearer ${app.account.key}`,
      "content-type": "multipart/form-data; boundary=form",
    }
    const cut = await fetch(`${app.url}${path}`, { method: "POST", headers, body: open })
    expect([cut.status, await cut.json()]).toMatchObject([400, { error: { code: "invalid_parameter" } }])
    expect(refusalIn(await app.call(path, { json: {} }))).toBe("415 unsupported_media_type")
    const { spent, held } = Object((await strict.call("/v1/balance")).body)
    expect({ spent, held }).toEqual({ spent: 0, held: 0 })
  })

  it("takes no form without a key", async () => {
    expect(refusalIn(await edit({ image: picture() }, { key: "sk-atl-unknown" }))).toBe("401 invalid_api_key")
  })

  it("bounds what the fields of a form take of the memory together", async () => {
    const text = "a".repeat(60 * 1024)
    const two = { image: picture(), user: text, background: text }
    expect((await edit(two)).status).toBe(200)
    expect(await refused({ ...two, output_format: text })).toBe("413 request_too_large")
  })

  it("takes images up to the limits of one and of all together", async () => {
    const of = (bytes: number) => picture(Buffer.concat([pixel, Buffer.alloc(bytes - pixel.length)]))
    expect(await refused({ image: of(1001) }, strict)).toBe("413 file_too_large image")
    expect(await refused({ "image[]": [of(1000), of(501)] }, strict)).toBe("413 request_too_large")
    expect(await edit({ "image[]": [of(1000), of(500)] }, {}, strict)).toMatchObject({ status: 200 })
  })

  it("bounds what the images of a user's unfinished edits take on the disk", async () => {
    const small = await openApp({ limits: { held_images_bytes_per_user_max: 1000 } })
    onTestFinished(() => small.close())
    const large = picture(Buffer.concat([pixel, Buffer.alloc(1001 - pixel.length)]))
    expect(await refused({ image: large }, small)).toBe("429 too_many_tasks")
    expect(await refused({ "image[]": [picture(), large] }, small)).toBe("429 too_many_tasks")
    expect((await edit({ image: picture() }, {}, small)).status).toBe(200)
  })

  it("with synchronous_idempotency, a repetition gets the same answer; other bytes are another request", async () => {
    const prompt = newPrompt()
    const headers = { "idempotency-key": "edit-1" }
    const first = await edit({ prompt, image: picture() }, { headers }, strict)
    const again = await edit({ prompt, image: picture() }, { headers }, strict)
    expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([
      200,
      200,
      "true",
    ])
    expect(again.body).toEqual(first.body)
    expect(strict.vendor.asked(prompt)).toHaveLength(1)
    const other = picture(Buffer.concat([pixel, Buffer.alloc(1)]))
    expect(refusalIn(await edit({ prompt, image: other }, { headers }, strict))).toBe(
      "409 idempotency_key_reused",
    )
  })

  it("lists the endpoint with the models that it serves", async () => {
    const endpoints = async (model: string) => at((await app.call(`/v1/models/${model}`)).body, "endpoints")
    expect(await endpoints("imagine-image-2.0")).toContain(path)
    expect(await endpoints("artgen")).not.toContain(path)
  })

  it("keeps the files until the task ends, over a crash, and no longer", async () => {
    const home = await install({
      channels: [{ id: "faulty", adapter: "faulty", models: { "test-image": "*" } }],
    })
    let server = await serve(home)
    onTestFinished(async () => {
      await server.end("SIGKILL")
      home.remove()
    })
    const { key } = await makeAccount(server.url, 1)
    const folder = join(home.directory, "data/blobs/objects/files")
    const files = () => (existsSync(folder) ? readdirSync(folder).length : 0)
    const send = (prompt: string) =>
      fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` },
        body: formOf({ model: "test-image", prompt, size: "256x256", image: picture() }),
      })
    const gone = () => vi.waitFor(() => expect(files()).toBe(0), { timeout: 300_000, interval: 100 })

    const under = send("a boat [slow 5s]").catch(() => {})
    const running = async () => {
      const { body } = await call(`${server.url}/v1/tasks`, { key })
      expect(at(body, "data.0.state")).toBe("in_progress")
    }
    await vi.waitFor(running, { timeout: 300_000, interval: 50 })
    expect(files()).toBe(1)
    await server.end("SIGKILL")
    await under
    expect(files()).toBe(1)
    server = await serve(home)
    await gone()
    expect((await send("a boat")).status).toBe(200)
    await gone()
    expect((await send("a boat [fail]")).status).toBe(502)
    await gone()
  })

  it("charges nothing for an edit that fails", async () => {
    const before = (await app.call("/v1/balance")).body
    const failed = await edit({ model: "test-image", prompt: newPrompt("[fail]"), image: picture() })
    expect(refusalIn(failed)).toBe("502 upstream_failed")
    expect((await app.call("/v1/balance")).body).toEqual(before)
    expect(unitsOf(1)).toBe(at(before, "units_per_usd"))
  })
})
