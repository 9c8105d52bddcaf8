import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { openApiDocument } from "@atelier/api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../../scripts/workspace.ts"
import {
  at,
  type Call,
  call,
  formOf,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "../support/server.ts"

let installation: Installation
let server: Server
let key: string
beforeAll(async () => {
  installation = await install()
  server = await serve(installation)
  key = (await makeAccount(server.url, 10)).key
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
})

const example = (schema: string): Record<string, unknown> => {
  const shown = at(openApiDocument().components.schemas, `${schema}.examples.0`)
  if (typeof shown !== "object" || shown === null) throw new Error(`${schema} has no example`)
  return { ...shown }
}

/** What differs from one installation, or one moment, to the next: ids, times, addresses and sizes of images. */
const lasting = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value) => {
    if (name.endsWith("_at") || name === "created") return typeof value === "number" && value > 0 ? 1 : value
    if (typeof value !== "string") return name === "bytes" && value > 10_000 ? 1 : value
    if (/^https?:\/\//.test(value)) return "https://…"
    return value.replaceAll(/(imgtask|tooltask|toolfile|req)_[0-9a-z]{26}/g, "$1_…")
  })

const answer = async (path: string, request: Call = {}): Promise<unknown> => {
  const { status, body } = await call(`${server.url}${path}`, { key, ...request })
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body
}

/** An image of `request`, which the embedded model makes. */
const imageOf = async (request: unknown): Promise<unknown> => {
  const made = await answer("/v1/images/tasks", { json: request })
  return answer(`/v1/tasks/${textAt(made, "id")}?wait=30`)
}

const parse = async (): Promise<{ readonly file: unknown; readonly invoked: unknown }> => {
  const { markdown } = example("ToolResult")
  const { filename, tool_id } = example("ToolFile")
  const form = formOf(String(filename), String(markdown))
  const file = await answer(`/v1/tools/${tool_id}/files`, { form })
  const invoked = await answer(`/v1/tools/${tool_id}/invoke`, {
    headers: { "Idempotency-Key": `minutes-${textAt(file, "id")}` },
    json: { input: { file_id: textAt(file, "id") } },
  })
  return { file, invoked }
}

describe("examples of the OpenAPI document", () => {
  it("of an image: request, price, task, history and generation are what the service answers to it", async () => {
    const request = example("ImageRequest")
    expect(example("Quote")).toEqual(await answer("/v1/images/quote", { json: request }))
    const task = await imageOf(request)
    expect(lasting(example("ImageTask"))).toEqual(lasting(task))
    const history = await answer(`/v1/tasks/${textAt(task, "id")}/history`)
    expect(lasting(example("HistoryEntry"))).toEqual(lasting(at(history, "data.0")))
    const generation = await answer("/v1/images/generations", { json: example("GenerationRequest") })
    expect(lasting(example("Generation"))).toEqual(lasting(generation))
  })

  it("of a model: limits, delivery and the whole price table are those of the catalog", async () => {
    const shown = example("Model")
    expect(await answer(`/v1/models/${shown["id"]}`)).toMatchObject(shown)
  })

  it("of a document: tool, file, task and result are what the service answers", async () => {
    const tools = at(await answer("/v1/tools"), "data") as ReadonlyArray<{ readonly id: string }>
    const { extensions, ...tool } = example("Tool")
    const listed = tools.find(({ id }) => id === tool["id"])
    expect(listed).toMatchObject(tool)
    expect(at(listed, "extensions")).toEqual(expect.arrayContaining(extensions as Array<string>))
    const { file, invoked } = await parse()
    expect(lasting(example("ToolFile"))).toEqual(lasting(file))
    const task = await answer(`/v1/tasks/${textAt(invoked, "id")}?wait=30`)
    expect(lasting(example("ToolTask"))).toEqual(lasting(task))
    const result = await answer(`/v1/tasks/${textAt(task, "id")}/result?format=json`)
    expect(example("ToolResult")).toEqual(result)
    expect(
      createHash("sha256")
        .update(String(at(result, "markdown")))
        .digest("hex"),
    ).toBe(example("ToolFile")["sha256"])
  })

  it("of a balance: it adds up, and holds and has spent the price of the example's image", () => {
    const { wallet, held, spent, granted, key_used, units_per_usd } = example("Balance")
    const { held: price } = example("ImageTask")["billing"] as { readonly held: number }
    expect(Number(wallet) + Number(held) + Number(spent)).toBe(granted)
    expect([held, spent, key_used, units_per_usd]).toEqual([price, price, 2 * price, 500_000])
  })
})

/** Sentences of pages that name a price, with the request that costs it. */
const priced: ReadonlyArray<
  readonly [page: string, request: object, sentence: (usd: string, units: string) => string]
> = [
  [
    "README.md",
    { model: "gen-image-2", prompt: "A boat", size: "1200x672" },
    (usd, units) => `${units} units (${usd} USD) are held`,
  ],
  ["docs/start/typescript.md", { model: "gen-image-2", prompt: "a" }, (usd) => `for ${usd} USD`],
  ["docs/start/python.md", { model: "gen-image-2", prompt: "a" }, (usd) => `for ${usd} USD`],
  [
    "docs/explain/exact-money.md",
    { model: "imagine-image-2.0", prompt: "a", resolution: "2K" },
    (usd) => `price of one image of \`imagine-image-2.0\`, 2K | ${usd} USD`,
  ],
  [
    "docs/explain/exact-money.md",
    { model: "imagine-image-2.0", prompt: "a", resolution: "2K", n: 2 },
    (usd, units) => `times two images | ${usd} USD |\n| times 500,000 | ${units} units`,
  ],
]

describe("prices in the documents", () => {
  it.for(priced)("%s: of %o", async ([page, request, sentence]) => {
    const quote = await answer("/v1/images/quote", { json: request })
    const units = Number(at(quote, "quota_units")).toLocaleString("en-US")
    expect(readFileSync(join(root, page), "utf8")).toContain(sentence(String(at(quote, "usd")), units))
  })

  it("README.md: of a parsed document", async () => {
    const { invoked } = await parse()
    const units = Number(at(invoked, "billing.pre_deducted"))
    const sentence = `The tool's fixed price, ${units} units (${units / 500_000} USD), is held.`
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain(sentence)
  })
})
