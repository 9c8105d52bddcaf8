import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminToken, at, type Call } from "../support/server.ts"
import { type App, openApp, refusalIn } from "./app.ts"

let app: App
beforeAll(async () => {
  app = await openApp({ models: { "gen-image-2.5": { groups: ["studio"] } } })
})
afterAll(() => app.close())

interface Listed {
  readonly id: string
  readonly [field: string]: unknown
}
const models = async (request: Call = {}): Promise<ReadonlyArray<Listed>> =>
  Object((await app.call("/v1/models", request)).body).data
const idsOf = async (request: Call = {}) => (await models(request)).map(({ id }) => id)

const served = [
  ...["gen-image-2", "imagine-image-2.0", "dream-4.5", "dream-4.0", "alt-dream-3"],
  ...["artgen", "test-image"],
]

describe("image-tasks 4.4: GET /v1/models", () => {
  it("image-tasks 4.4: returns the models available", async () => {
    expect([...(await idsOf())].sort()).toEqual([...served].sort())
  })

  it("contract, Images: an OpenAI list whose entries have these fields", async () => {
    const { body } = await app.call("/v1/models")
    expect(Object.keys(Object(body))).toEqual(["object", "data"])
    expect(at(body, "object")).toBe("list")
    const text = expect.any(String)
    for (const model of await models()) {
      expect(model).toEqual({
        id: text,
        object: "model",
        created: expect.toSatisfy(Number.isInteger),
        owned_by: text,
        type: "image",
        endpoints: expect.arrayContaining(["/v1/images/tasks"]),
        parameters: expect.objectContaining({ prompt: expect.anything(), n: expect.anything() }),
        limits: {
          n: expect.any(Number),
          reference_images: expect.any(Number),
          prompt_chars: expect.any(Number),
        },
        pricing_display: { unit: text, currency: "USD", table: expect.any(Array) },
        delivery: expect.stringMatching(/^(archive|passthrough)$/),
      })
    }
  })

  it("contract, Images: a parameter is { type, enum?, default?, minimum?, maximum? }", async () => {
    const known = ["type", "enum", "default", "minimum", "maximum", "description"]
    for (const { id, parameters } of await models()) {
      for (const [name, spec] of Object.entries(Object(parameters))) {
        const unknown = Object.keys(Object(spec)).filter((field) => !known.includes(field))
        expect([id, name, unknown]).toEqual([id, name, []])
        expect(at(spec, "type")).toMatch(/^(string|integer|number|boolean|array|object)$/)
      }
    }
  })

  it("image-tasks 4.4 and 2.2: its contents fix the limits to respect (imagine-image-2.0)", async () => {
    const { body } = await app.call("/v1/models/imagine-image-2.0")
    expect(body).toMatchObject({
      limits: { n: 10, reference_images: 3 },
      parameters: {
        n: { type: "integer", default: 1, minimum: 1, maximum: 10 },
        quality: { type: "string", enum: ["low", "medium"], default: "medium" },
        resolution: { type: "string", enum: ["1K", "2K"], default: "1K" },
        size: { type: "string", default: "auto" },
      },
    })
    expect(at(body, "parameters.size.enum")).toHaveLength(14)
    expect(body).toMatchObject({ parameters: { images: {}, image_urls: {}, callback_url: {} } })
  })

  it.each(["dream-4.5", "dream-4.0", "alt-dream-3"])(
    "image-tasks 1.5: %s is delivered from permanent storage, whatever the operator says",
    async (id) => {
      const patch = { method: "PATCH", key: adminToken, json: { delivery: "passthrough" } }
      expect(refusalIn(await app.call(`/admin/v1/models/${id}`, patch))).toBe(
        "400 invalid_parameter delivery",
      )
      expect((await app.call(`/v1/models/${id}`)).body).toMatchObject({ delivery: "archive" })
    },
  )

  it("contract, Images: GET /v1/models/{id} is one of them; another is not found", async () => {
    for (const model of await models()) {
      expect((await app.call(`/v1/models/${model.id}`)).body).toEqual(model)
    }
    expect(refusalIn(await app.call("/v1/models/no-such-model"))).toBe("404 not_found")
  })

  it("contract, Images: only what the key may use", async () => {
    const narrow = await app.newKey({ models: ["dream-*", "artgen"] })
    expect([...(await idsOf(narrow))].sort()).toEqual(["artgen", "dream-4.0", "dream-4.5"])
    expect(refusalIn(await app.call("/v1/models/gen-image-2", narrow))).toBe("404 not_found")
    const member = await app.newKey({ group: "studio" })
    expect(await idsOf(member)).toContain("gen-image-2.5")
    expect(refusalIn(await app.call("/v1/models/gen-image-2.5"))).toBe("404 not_found")
  })

  it("image-tasks 4.4: a model that is switched off is not available", async () => {
    const enable = (enabled: boolean) =>
      app.call("/admin/v1/models/test-image", { method: "PATCH", key: adminToken, json: { enabled } })
    await enable(false)
    expect(await idsOf()).not.toContain("test-image")
    const json = { model: "test-image", prompt: "a boat" }
    expect(refusalIn(await app.call("/v1/images/tasks", { json }))).toBe("400 model_not_found model")
    await enable(true)
    expect(await idsOf()).toContain("test-image")
  })
})
