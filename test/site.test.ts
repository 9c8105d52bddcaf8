import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { groups } from "../docs/.vitepress/navigation.ts"
import { addressOf, isPage, targetOf } from "../docs/.vitepress/paths.ts"
import { root } from "../scripts/workspace.ts"
import { linksOf, pages } from "./support/markdown.ts"

const published = pages().filter(({ path }) => isPage(path))
const inNavigation = groups.flatMap((group) => group.pages)

describe("the site of the documents", () => {
  it("has every page in its navigation, once", () => {
    expect(inNavigation.toSorted()).toEqual(published.map(({ path }) => path).toSorted())
  })

  it("gives every page an address of its own", () => {
    const addresses = published.map(({ path }) => addressOf(path))
    expect(new Set(addresses).size).toBe(addresses.length)
  })

  it("knows where every link of its pages leads", () => {
    const lost = published.flatMap((from) =>
      linksOf(from)
        .filter((link) => !link.startsWith("#"))
        .filter((link) => !existsSync(join(root, targetOf(from.path, link)?.path ?? "missing")))
        .map((link) => `${from.path}: ${link}`),
    )
    expect(lost).toEqual([])
  })

  it.each([
    ["docs/README.md", "../README.md#try-it", { path: "README.md", anchor: "#try-it", page: true }],
    ["docs/api.md", "embed", { path: "docs/embed/README.md", anchor: "", page: true }],
    ["docs/reliability.md", "../test/kill.test.ts", { path: "test/kill.test.ts", anchor: "", page: false }],
    ["docs/api.md", "missing.md", undefined],
  ])("leads from %s by %s as a forge does", (from, link, target) => {
    expect(targetOf(from, link)).toEqual(target)
  })
})
