import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { httpAdapters } from "../../src/adapters/Adapters.ts"
import * as ArkImages from "../../src/adapters/ArkImages.ts"
import * as Automatic1111 from "../../src/adapters/Automatic1111.ts"
import * as Bfl from "../../src/adapters/Bfl.ts"
import * as ComfyUi from "../../src/adapters/ComfyUi.ts"
import * as Fal from "../../src/adapters/Fal.ts"
import * as Gemini from "../../src/adapters/Gemini.ts"
import * as Imagine from "../../src/adapters/Imagine.ts"
import * as MidjourneyProxy from "../../src/adapters/MidjourneyProxy.ts"
import * as OpenAiImages from "../../src/adapters/OpenAiImages.ts"
import * as Replicate from "../../src/adapters/Replicate.ts"
import * as Stability from "../../src/adapters/Stability.ts"

const options = {
  "openai-images": OpenAiImages.Options,
  imagine: Imagine.Options,
  "ark-images": ArkImages.Options,
  "midjourney-proxy": MidjourneyProxy.Options,
  automatic1111: Automatic1111.Options,
  comfyui: ComfyUi.Options,
  replicate: Replicate.Options,
  fal: Fal.Options,
  bfl: Bfl.Options,
  gemini: Gemini.Options,
  stability: Stability.Options,
}
const page = readFileSync(join(import.meta.dirname, "../../../../docs/operate/channels.md"), "utf8")
const sections = page.split(/^## /m)
const sectionOf = (adapter: string) => sections.find((section) => section.startsWith(`${adapter}\n`)) ?? ""

describe("docs/operate/channels.md: adapters and their options", () => {
  it("every adapter has its section", () => {
    assert.sameMembers(Object.keys(options), Object.keys(httpAdapters))
    for (const adapter of Object.keys(httpAdapters)) assert.isNotEmpty(sectionOf(adapter), adapter)
  })

  it.each(Object.keys(options))("%s: every option has its row, and no row is without one", (adapter) => {
    const rows = [...sectionOf(adapter).matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, names = ""]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    )
    const { fields } = Object.entries(options).find(([name]) => name === adapter)?.[1] ?? { fields: {} }
    assert.sameMembers(rows, Object.keys(fields))
  })

  it.each(Object.entries(options))("%s: the options of every example are read", (adapter, schema) => {
    const examples = [...page.matchAll(/^```json\n([\s\S]*?)^```/gm)]
      .flatMap(([, text = ""]) => JSON.parse(text).channels ?? [])
      .filter((channel) => channel.adapter === adapter)
    assert.isAtLeast(examples.length, 1)
    for (const { options: given = {} } of examples) {
      Schema.decodeUnknownSync<Schema.Codec<unknown, unknown>>(schema)(given, { onExcessProperty: "error" })
    }
  })
})
