import { execFile } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { promisify } from "node:util"
import type { Browser, Page as Tab } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { groups } from "../docs/.vitepress/navigation.ts"
import { addressOf, isPage, targetOf } from "../docs/.vitepress/paths.ts"
import { root } from "../scripts/workspace.ts"
import { hasChromium, openChromium, violationsIn } from "./support/chromium.ts"
import { linksOf, type Page, pages } from "./support/markdown.ts"

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

/** What a page shows that can be wrong in its own way: blocks of a language, tables with an empty corner, pictures. */
const kindsIn = ({ blocks, prose }: Page): ReadonlyArray<string> => [
  ...blocks.map(({ info: [language = ""] }) => language),
  ...["| |", "| ---", "\n> ", "\n### "].filter((mark) => prose.includes(mark)),
]

/** Short pages that together show every kind. */
const covering = (): ReadonlyArray<string> => {
  const missing = new Set(published.flatMap(kindsIn))
  const chosen: Array<string> = []
  const lengthOf = ({ blocks, prose }: Page) =>
    prose.length + blocks.reduce((sum, { text }) => sum + text.length, 0)
  const gain = (page: Page) =>
    new Set(kindsIn(page).filter((kind) => missing.has(kind))).size / lengthOf(page)
  while (missing.size > 0) {
    const best = published.reduce((a, b) => (gain(b) > gain(a) ? b : a))
    for (const kind of kindsIn(best)) missing.delete(kind)
    chosen.push(addressOf(best.path))
  }
  return chosen
}

/** `ATELIER_SITE_PAGES=all` looks at each page, which takes minutes. */
const looked =
  process.env["ATELIER_SITE_PAGES"] === "all" ? published.map(({ path }) => addressOf(path)) : covering()

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".ttf": "font/ttf",
}

describe.skipIf(!hasChromium)("the site of the documents in Chromium", () => {
  let folder: string
  let server: Server
  let browser: Browser
  let origin: string
  let tab: Tab
  const asked: Array<string> = []
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "atelier-site-"))
    const [node, vitepress] = [process.execPath, join(root, "node_modules/vitepress/bin/vitepress.js")]
    await promisify(execFile)(node, [vitepress, "build", "docs", "--outDir", folder], { cwd: root })
    server = createServer(({ url = "/" }, response) => {
      const { pathname } = new URL(url, "http://localhost")
      const file = [pathname, `${pathname}.html`, `${pathname}index.html`].find(
        (name) => extname(name) !== "" && existsSync(join(folder, name)),
      )
      if (file === undefined) return response.writeHead(404).end()
      response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" })
      return response.end(readFileSync(join(folder, file)))
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await openChromium()
    tab = await browser.newPage({ reducedMotion: "reduce" })
    tab.on("request", (request) => asked.push(request.url()))
  })
  afterAll(async () => {
    await browser?.close()
    server?.close()
    rmSync(folder, { recursive: true })
  })

  const views = [
    { colorScheme: "light", width: 1440 },
    { colorScheme: "dark", width: 390 },
  ] as const

  it.for(looked)(
    "nothing for axe to find on %s, no sideways scrolling: light and wide, dark and narrow",
    async (address) => {
      asked.length = 0
      expect((await tab.goto(`${origin}${address}`))?.status()).toBe(200)
      // What is around the page's own part is the same everywhere.
      const part = address === looked[0] ? "body" : ".vp-doc"
      for (const { colorScheme, width } of views) {
        await tab.emulateMedia({ colorScheme })
        await tab.setViewportSize({ width, height: 900 })
        await tab.locator(colorScheme === "dark" ? "html.dark" : "html:not(.dark)").waitFor()
        expect(await violationsIn(tab, part), colorScheme).toEqual([])
        expect(await tab.evaluate("document.documentElement.scrollWidth")).toBe(width)
      }
      expect(asked.filter((url) => !url.startsWith(origin) && !url.startsWith("data:"))).toEqual([])
    },
  )

  it("no page scrolls sideways on a phone of 360 pixels", async () => {
    const tab = await browser.newPage({ viewport: { width: 360, height: 800 }, reducedMotion: "reduce" })
    // Pages are laid out before their scripts run.
    await tab.route("**/*.js", (route) => route.abort())
    await tab.goto(`${origin}${addressOf("docs/README.md")}`)
    // What is around a page is the same for all: each in turn takes its place there.
    const widthOf = (address: string) =>
      tab.evaluate<number>(`(async () => {
        const answer = await fetch("${address}")
        const page = new DOMParser().parseFromString(await answer.text(), "text/html")
        document.querySelector("#VPContent").replaceWith(page.querySelector("#VPContent"))
        return document.documentElement.scrollWidth
      })()`)
    const wide: Array<string> = []
    for (const { path } of published) {
      const width = await widthOf(addressOf(path))
      if (width !== 360) wide.push(`${path}: ${width}`)
    }
    expect(wide).toEqual([])
    await tab.close()
  })

  it("the search opens by its keys, finds a page, and is as usable", async () => {
    const tab = await browser.newPage({ reducedMotion: "reduce" })
    await tab.goto(`${origin}/api`)
    // The keys count once the page's script runs.
    const opened = async () => {
      await tab.keyboard.press("Control+k")
      return tab.getByRole("searchbox", { name: "Search" }).isVisible()
    }
    await expect.poll(opened, { timeout: 60_000 }).toBe(true)
    await tab.getByRole("searchbox", { name: "Search" }).fill("idempotency")
    await tab
      .getByRole("dialog", { name: "Search" })
      .getByRole("link", { name: /Idempotent submission/ })
      .waitFor()
    expect(await violationsIn(tab, ".VPLocalSearchBox")).toEqual([])
    await tab.close()
  })
})
