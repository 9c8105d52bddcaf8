import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { AtelierOptions } from "@atelier/node"
import { definePlugin } from "@atelier/plugin"
import { describe, expect, it } from "vitest"
import { newFolder, rejection, started } from "./started.ts"

const opened = (options: Partial<AtelierOptions>) =>
  started({ database: "sqlite::memory:", workers: false, ...options })

/** What requests cost with these models, in USD. */
const priced = async (options: Partial<AtelierOptions>) => {
  const atelier = await opened(options)
  await atelier.users.ensure("ada")
  return (body: { readonly model: string; readonly [field: string]: unknown }) =>
    atelier.images.quote({ user: "ada", prompt: "a", ...body } as never)
}

describe("contract, Catalog and plugins: prices", () => {
  it("a decimal, for each image; reference images cost nothing", async () => {
    const quote = await priced({ models: { "gen-image-2": { price: "0.05" } } })
    expect((await quote({ model: "gen-image-2", n: 3, images: ["https://example.com/a.png"] })).usd).toBe(
      "0.15",
    )
  })

  it("a table: the row that names the most of the tier counts, by the pixels that are made", async () => {
    const table = [
      { resolution: "4K", quality: "high", usd: "0.5" },
      { resolution: "4K", usd: "0.4" },
      { quality: "high", usd: "0.3" },
      { usd: "0.2" },
    ]
    const quote = await priced({ models: { "gen-image-2": { price: { table, input_image: "0.01" } } } })
    const usd = async (body: object) => (await quote({ model: "gen-image-2", ...body })).usd
    expect(await usd({ resolution: "4K", quality: "high" })).toBe("0.5")
    expect(await usd({ resolution: "4K", quality: "low" })).toBe("0.4")
    expect(await usd({ size: "3840x2160", quality: "low" })).toBe("0.4")
    expect(await usd({ quality: "high" })).toBe("0.3")
    expect(await usd({ n: 2 })).toBe("0.4")
    const images = ["https://example.com/a.png", "https://example.com/b.png"]
    expect(await usd({ n: 2, images })).toBe("0.42")
  })

  it("what no row of a table is for is refused before anything is held", async () => {
    const quote = await priced({
      models: { "gen-image-2": { price: { table: [{ resolution: "1K", usd: "0.1" }] } } },
    })
    expect((await quote({ model: "gen-image-2" })).usd).toBe("0.1")
    const refused = await rejection(quote({ model: "gen-image-2", resolution: "4K" }))
    expect(refused).toMatchObject({ code: "invalid_parameter", param: "resolution" })
    expect(String(refused)).toContain("4K")
  })

  it("a factor multiplies every line exactly, reference images too", async () => {
    const body = { model: "gen-image-2", n: 3, images: ["https://example.com/a.png"] }
    expect((await (await priced({}))(body)).usd).toBe("0.125")
    const quote = await priced({ models: { "gen-image-*": { price: { factor: "1.10" } } } })
    expect((await quote(body)).usd).toBe("0.1375")
  })
})

describe("contract, Catalog and plugins: new models", () => {
  it("a family makes a public model, which is priced, made and paid like the family's own", async () => {
    const atelier = await opened({
      workers: true,
      models: { "flux-pro": { family: "gen-image", price: { table: [{ usd: "0.07" }] } } },
    })
    expect(await atelier.images.models()).toContain("flux-pro")
    await atelier.users.ensure("ada", { balanceUsd: "1" })
    const { id } = await atelier.images.submit({
      user: "ada",
      model: "flux-pro",
      prompt: "a bridge",
      size: "256x256",
    })
    expect(await atelier.tasks.wait(id)).toMatchObject({
      state: "completed",
      model: "flux-pro",
      billing: { charged: 35_000 },
    })
  })

  it.each<[string, AtelierOptions["models"], string]>([
    ["an unknown family", { "flux-pro": { family: "flux" } }, "gen-image, imagine-image, dream, artgen"],
    ["an id that is there already", { "gen-image-2": { family: "gen-image" } }, "there already"],
    ["an id that is none", { "Flux Pro": { family: "gen-image" } }, "lower-case"],
  ])("%s refuses the start", async (_, models, words) => {
    const error = await rejection(opened({ models: models ?? {} }))
    expect(error).toMatchObject({ code: "invalid_setting" })
    expect(String(error)).toContain(words)
  })
})

describe("contract, Catalog and plugins: plugins", () => {
  const moduleOf = async (text: string) => {
    const folder = newFolder()
    await writeFile(join(folder, "plugin.mjs"), text)
    return { directory: folder, plugins: ["./plugin.mjs"] }
  }

  it.each<[string, string, string]>([
    ["no default export", "export const name = 'a'", "definePlugin"],
    ["no name", "export default {}", "name of 1 to 100"],
    ["an unknown part", "export default { name: 'a', tool: [] }", '"tool"'],
    [
      "an adapter that there is",
      "export default { name: 'a', adapters: { fal: { make() {} } } }",
      "adapter fal",
    ],
    ["an adapter without make", "export default { name: 'a', adapters: { mine: {} } }", "without make"],
    ["a tool that is none", "export default { name: 'a', tools: [{}] }", "definition, inspect and run"],
    ["a syntax error", "export default {", "cannot be loaded"],
  ])("%s refuses the start and says why", async (_, text, words) => {
    const error = await rejection(opened(await moduleOf(text)))
    expect(error).toMatchObject({ code: "invalid_setting" })
    expect(String(error)).toContain(words)
  })

  it("two of one name refuse the start; a package that is not installed too", async () => {
    const plugin = definePlugin({ name: "acme" })
    expect(String(await rejection(opened({ plugins: [plugin, plugin] })))).toContain("acme")
    const missing = String(await rejection(opened({ plugins: ["@acme/none"], directory: newFolder() })))
    expect(missing).toContain("no package @acme/none")
  })
})
