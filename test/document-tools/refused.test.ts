import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../../scripts/workspace.ts"
import { refusalIn } from "../support/answers.ts"
import { at, textAt } from "../support/server.ts"
import { openApp, type ServerApp } from "./app.ts"

/** Files named `<code>.<what is wrong>.<extension>`. */
const folder = join(root, "packages/intake/test/fixtures/refused")
const fixtures = readdirSync(folder).map((name) => {
  const [code = "", what = "", extension = ""] = name.split(".")
  return { name, code, what, extension: `.${extension}` }
})
const rows = (wanted: (fixture: (typeof fixtures)[number]) => boolean) =>
  fixtures.filter(wanted).map(({ name }) => [name] as const)

let app: ServerApp
/** The tool that takes files of an extension; the one that converts, where text takes it too. */
const tools = new Map<string, string>()
beforeAll(async () => {
  app = await openApp()
  const { data } = Object((await app.call("/v1/tools")).body)
  for (const id of ["text-md-json", "pptx-md-json", "file-md-json"]) {
    const tool = data.find((each: unknown) => at(each, "id") === id)
    for (const extension of Object(at(tool, "extensions"))) tools.set(extension, id)
  }
})
afterAll(() => app.close())

const expectRefused = async (name: string) => {
  const { code, extension } = fixtures.find((each) => each.name === name) ?? expect.fail(name)
  const content = new Uint8Array(readFileSync(join(folder, name)))
  const refused = await app.upload({
    tool: tools.get(extension) ?? expect.fail(`no tool takes ${extension}`),
    name: `document${extension}`,
    content,
  })
  expect(refusalIn(refused)).toBe(`400 ${code} file`)
  expect(textAt(refused.body, "error.message")).not.toMatch(/node_modules|packages|\/tmp|\.ts:\d/)
  expect([...app.kept("files"), ...app.stored("uploads")]).toEqual([])
}

describe("document-tools 4.2: unaccepted content is refused at upload, by its own code, and not stored", () => {
  it("there is a fixture for every kind of content that is not accepted", () => {
    const codes = new Set(fixtures.map(({ code }) => code))
    expect([...codes].sort()).toEqual([
      "archive_limit_exceeded",
      "file_corrupt",
      "file_encrypted",
      "file_macro",
      "file_type_not_accepted",
    ])
    const renamed = fixtures.map(({ what }) => what)
    for (const kind of ["zip", "7z", "rar", "gzip", "exe", "elf", "mach-o", "doc", "ppt"]) {
      expect(renamed).toContain(`${kind}-renamed`)
    }
  })

  it.each(rows(({ code }) => code === "file_macro"))("document-tools 4.2, macro documents: %s", expectRefused)

  it.each(rows(({ code }) => code === "file_encrypted"))(
    "document-tools 4.2, encrypted documents: %s",
    expectRefused,
  )

  it.each(rows(({ code }) => code === "file_type_not_accepted"))(
    "document-tools 4.2, archives, executables and whatever the name does not say: %s",
    expectRefused,
  )

  it.each(rows(({ code }) => code === "archive_limit_exceeded"))(
    "document-tools 8, at most 10,000 entries and 20 MiB expanded: %s",
    expectRefused,
  )

  it.each(rows(({ code }) => code === "file_corrupt"))(
    "document-tools 1, server-side signature and structure checks: %s",
    expectRefused,
  )
})
