import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../scripts/workspace.ts"
import { adminToken, call, type Installation, install, type Server, serve, textAt } from "./support/server.ts"

/** Debian's package `chromium`: `apt-get install chromium`. Without it these tests are skipped, and counted so. */
const executablePath = "/usr/bin/chromium"
if (!existsSync(executablePath)) console.log("skipped: the console in Chromium; apt-get install chromium")

const deck = join(root, "packages/intake/test/fixtures/accepted/plain.pptx")

/** One picture at a time, so that a second one waits. */
const config = {
  account_page: true,
  channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
  limits: { image_jobs_concurrent_max: 1 },
}

let home: Installation
let server: Server
beforeAll(async () => {
  home = await install(config)
  server = await serve(home)
})
afterAll(async () => {
  await server?.end("SIGTERM")
  home?.remove()
})

describe("the pages that the console is", () => {
  it("are sent with a policy that runs nothing inline and asks nothing of others; their files are kept", async () => {
    const page = await fetch(`${server.url}/console/tasks/anything`)
    const policy = page.headers.get("content-security-policy") ?? ""
    expect(page.status).toBe(200)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain("unsafe")
    const html = await page.text()
    expect(html).not.toMatch(/<style|<script(?![^>]*src=)| style=| on\w+=/)
    const [, script = ""] = /src="([^"]+\.js)"/.exec(html) ?? []
    const asset = await fetch(new URL(script, server.url))
    expect(asset.status).toBe(200)
    expect(asset.headers.get("cache-control")).toContain("immutable")
    expect((await fetch(`${server.url}/console/assets/nope.js`)).status).toBe(404)
    expect((await fetch(`${server.url}/console`, { method: "POST" })).status).toBe(405)
    expect((await fetch(`${server.url}/account`)).status).toBe(200)
  })
})

describe.skipIf(!existsSync(executablePath))("the console in Chromium", () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const said: Array<string> = []
  const asked: Array<string> = []
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-background-networking"],
    })
    context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    page = await context.newPage()
    page.on("console", (message) => said.push(message.text()))
    page.on("pageerror", (error) => said.push(error.message))
    page.on("request", (request) => asked.push(request.url()))
  })
  afterAll(() => browser?.close())

  const signIn = async (tab: Page, token: string) => {
    await tab.goto(`${server.url}/console`)
    await tab.getByLabel("Admin token").fill(token)
    await tab.getByRole("button", { name: "Sign in" }).click()
  }
  const open = async (tab: Page, name: string) => {
    await tab.getByRole("navigation").getByRole("link", { name }).click()
    await tab.getByRole("heading", { name, level: 1 }).waitFor()
  }

  it("refuses a wrong token, and signs in with the right one, which no script can read back", async () => {
    await signIn(page, "wrong")
    await page.getByRole("alert").getByText("not valid").waitFor()
    await page.getByLabel("Admin token").fill(adminToken)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("heading", { name: "Overview" }).waitFor()
    await page.getByText("All is well.").waitFor()
    const [cookie] = await context.cookies(`${server.url}/admin/v1`)
    expect([cookie?.httpOnly, cookie?.sameSite]).toEqual([true, "Strict"])
    expect(await page.evaluate("document.cookie + JSON.stringify(localStorage)")).not.toContain(adminToken)
  })

  it("makes a customer and a key, whose secret is shown once", async () => {
    await open(page, "Customers")
    await page.getByRole("button", { name: "New customer" }).first().click()
    await page.getByLabel("Name").fill("Ada")
    await page.getByRole("button", { name: "Create" }).click()
    await page.getByRole("heading", { name: "Ada", level: 1 }).waitFor()
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByLabel("Name").fill("production")
    await page.getByRole("button", { name: "Create" }).click()
    const secret = await page.locator("dialog .copy").first().innerText()
    expect(secret).toMatch(/^sk-atl-/)
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByText("production").waitFor()
    expect(await page.locator("body").innerText()).not.toContain(secret.slice(0, 30))
  })

  it("makes an image and reads a deck in the playground, and tells the price before", async () => {
    await open(page, "Playground")
    await page.getByLabel("prompt").fill("a heron at dusk")
    await page.getByRole("button", { name: /^Generate for \$/ }).click()
    await page.locator(".images img").waitFor({ timeout: 30_000 })
    expect(await page.locator("pre").innerText()).toContain("/v1/images/tasks")
    await page.getByRole("button", { name: "Documents" }).click()
    await page.getByLabel("Tool").selectOption("pptx-md-json")
    await page.locator("input[type=file]").setInputFiles(deck)
    await page.getByRole("button", { name: /^Parse for \$/ }).click()
    await page.locator(".markdown").waitFor({ timeout: 30_000 })
  })

  it("finds both, and follows the money of the image", async () => {
    await open(page, "Tasks")
    await page.getByText("pptx-md-json").waitFor()
    await page
      .getByRole("row", { name: /completed/ })
      .getByRole("link")
      .first()
      .click()
    await page.getByRole("heading", { name: "Why this price" }).waitFor()
    await page.getByText(/1 image was asked for.*was held\. It was delivered\..*was charged\./).waitFor()
    const timeline = await page.locator(".timeline").innerText()
    expect(timeline).toMatch(/Accepted[\s\S]*held[\s\S]*Started[\s\S]*vendor[\s\S]*Finished[\s\S]*charged/)
    await open(page, "Ledger")
    await page.getByText("It adds up.").waitFor()
    await page.getByRole("button", { name: "Count every transfer again" }).click()
    await page.getByText("Every balance and every total agrees with the rows.").waitFor()
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export as CSV" }).click(),
    ])
    expect(readFileSync((await download.path()) ?? "", "utf8")).toMatch(/^sequence,id,kind/)
  })

  it("cancels a queued task and gives its fee back", async () => {
    const users = await call(`${server.url}/admin/v1/users`, { key: adminToken })
    const user = textAt((users.body as { readonly data: ReadonlyArray<unknown> }).data[0], "id")
    const made = await call(`${server.url}/admin/v1/users/${user}/keys`, { key: adminToken, json: {} })
    const key = textAt(made.body, "key")
    const submit = async (prompt: string) =>
      textAt(
        (
          await call(`${server.url}/v1/images/tasks`, {
            key,
            json: { model: "gen-image-2", prompt, size: "256x256" },
          })
        ).body,
        "id",
      )
    await submit("[slow 60s] it keeps the only place")
    const waits = await submit("it waits")
    await open(page, "Tasks")
    await page.getByLabel("Search").fill(waits)
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Cancel and refund" }).click()
    await page
      .getByText(/was given back, nothing charged/)
      .first()
      .waitFor()
    expect(await page.locator(".timeline").innerText()).toMatch(/Canceled[\s\S]*given back/)
  })

  it("changes a price after showing what it does, and the catalog has it", async () => {
    await open(page, "Catalog")
    await page
      .getByRole("row", { name: /pptx-md-json/ })
      .getByRole("button")
      .click()
    await page.getByLabel("Price of a document").fill("0.25")
    await page
      .getByRole("region", { name: "Prices before and after the change" })
      .getByText("+$0.2495")
      .waitFor()
    await page.getByRole("button", { name: "Change it" }).click()
    await page
      .getByRole("row", { name: /pptx-md-json/ })
      .getByText("$0.25")
      .waitFor()
    const { body } = await call(`${server.url}/admin/v1/tools/pptx-md-json`, { key: adminToken })
    expect(body).toMatchObject({ unit_price: 0.25 })
    await open(page, "Audit")
    await page.getByText("tool.update").waitFor()
  })

  it("pauses a channel, which the overview then says, and resumes it", async () => {
    await open(page, "Channels")
    await page.getByRole("button", { name: "Pause vendor" }).click()
    await page.getByLabel("Reason").fill("wrong images")
    await page.getByRole("button", { name: "Pause it" }).click()
    await page.getByRole("row", { name: /vendor paused/ }).waitFor()
    await open(page, "Overview")
    await page.getByText("the channel vendor is paused").waitFor()
    await open(page, "Channels")
    await page.getByRole("button", { name: "Resume vendor" }).click()
    await page.getByRole("row", { name: /vendor well/ }).waitFor()
  })

  it("shows a reader everything, offers no change, and the server refuses one", async () => {
    const made = await call(`${server.url}/admin/v1/tokens`, {
      key: adminToken,
      json: { name: "Grace", role: "read" },
    })
    const own = await browser.newContext()
    const tab = await own.newPage()
    await signIn(tab, textAt(made.body, "token"))
    await tab.getByRole("heading", { name: "Overview" }).waitFor()
    await open(tab, "Customers")
    await tab.getByRole("link", { name: "Ada" }).click()
    await tab.getByRole("heading", { name: "Ada", level: 1 }).waitFor()
    expect(await tab.getByRole("button", { name: /New key|Add money|Disable/ }).count()).toBe(0)
    const refused = await tab.evaluate(
      `fetch("/admin/v1/users", { method: "POST", body: '{"name":"x"}',
        headers: { "content-type": "application/json", "x-atelier-console": "1" } }).then((answer) => answer.text())`,
    )
    expect(refused).toContain("role_not_allowed")
    await tab.getByRole("button", { name: "Sign out" }).click()
    await tab.getByLabel("Admin token").waitFor()
    await own.close()
  })

  it("shows a customer their own balance and tasks", async () => {
    const users = await call(`${server.url}/admin/v1/users`, { key: adminToken })
    const user = textAt((users.body as { readonly data: ReadonlyArray<unknown> }).data[0], "id")
    const made = await call(`${server.url}/admin/v1/users/${user}/keys`, { key: adminToken, json: {} })
    const tab = await context.newPage()
    await tab.goto(`${server.url}/account`)
    await tab.getByLabel("API key").fill(textAt(made.body, "key"))
    await tab.getByRole("button", { name: "Open" }).click()
    await tab.getByText("To spend").waitFor()
    await tab.getByText("No task yet").waitFor()
    await tab.close()
  })

  const pages = [
    "",
    "/tasks",
    "/users",
    "/ledger",
    "/catalog",
    "/channels",
    "/playground",
    "/audit",
    "/access",
  ]
  const views = [
    { colorScheme: "light", width: 1440, paths: pages },
    { colorScheme: "dark", width: 390, paths: ["", "/tasks", "/catalog", "/playground"] },
  ] as const

  it.for(views)("nothing for axe to find, no sideways scrolling: $colorScheme, $width wide", async (view) => {
    const axe = readFileSync(join(root, "node_modules", "axe-core", "axe.min.js"), "utf8")
    await page.emulateMedia({ colorScheme: view.colorScheme })
    await page.setViewportSize({ width: view.width, height: 900 })
    for (const path of view.paths) {
      await page.goto(`${server.url}/console${path}`)
      await page.locator("main h1").waitFor()
      await page.getByText("Loading…").waitFor({ state: "detached" })
      await page.evaluate(axe)
      const found = await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))",
      )
      expect(found, path).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBe(view.width)
    }
  })

  it("asked nothing of another origin, and nothing in the pages failed or was forbidden", () => {
    expect(asked.filter((url) => !url.startsWith(server.url) && !/^(data|blob):/.test(url))).toEqual([])
    expect(said.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([])
  })
})
