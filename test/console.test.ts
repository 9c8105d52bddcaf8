import { readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../scripts/workspace.ts"
import { hasChromium, openChromium, violationsIn } from "./support/chromium.ts"
import { adminToken, call, type Installation, install, type Server, serve, textAt } from "./support/server.ts"

if (!hasChromium) console.log("skipped: the console in Chromium; apt-get install chromium")

const deck = join(root, "packages/intake/test/fixtures/accepted/plain.pptx")

/** One picture at a time, so that a second one waits. */
const config = {
  account_page: true,
  channels: [
    {
      id: "vendor",
      adapter: "faulty",
      models: { "*": "*" },
      costs: { "gen-image-2": { factor: 0.5 }, "dream-4.5": "0.9" },
    },
  ],
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

describe.skipIf(!hasChromium)("the console in Chromium", () => {
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const said: Array<string> = []
  const asked: Array<string> = []
  beforeAll(async () => {
    browser = await openChromium()
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
    await page.getByRole("row", { name: /production/ }).waitFor()
    expect(await page.locator("body").innerText()).not.toContain(secret.slice(0, 30))
  })

  it("makes an image and reads a deck in the playground, and tells the price before", async () => {
    await open(page, "Playground")
    await page.getByLabel("prompt").fill("a heron at dusk")
    await page.getByRole("button", { name: /^Generate for \$/ }).click()
    await page.locator(".images img").waitFor({ timeout: 60_000 })
    expect(await page.locator("pre").innerText()).toContain("/v1/images/tasks")
    await page.getByRole("button", { name: "Documents" }).click()
    await page.getByLabel("Tool").selectOption("pptx-md-json")
    await page.locator("input[type=file]").setInputFiles(deck)
    await page.getByRole("button", { name: /^Parse for \$/ }).click()
    await page.locator(".markdown").waitFor({ timeout: 60_000 })
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

  it("opens a task beside the list, at an address of its own; Escape closes it, and the focus returns", async () => {
    await open(page, "Tasks")
    const link = page
      .getByRole("row", { name: /pptx-md-json/ })
      .getByRole("link")
      .first()
    const id = (await link.getAttribute("title")) ?? ""
    await link.focus()
    await page.keyboard.press("Enter")
    const drawer = page.getByRole("complementary", { name: "Task" })
    await drawer.getByRole("heading", { name: "Why this price" }).waitFor()
    await expect.poll(() => page.evaluate("document.activeElement.className")).toBe("drawer")
    await expect
      .poll(() => page.evaluate("location.pathname + location.search"))
      .toBe(`/console/tasks?task=${id}`)
    await page.getByRole("table", { name: "Tasks" }).getByText("completed").first().waitFor()
    await expect.poll(() => page.locator(".scroll.own").count()).toBe(0)
    await expect.poll(() => page.evaluate("document.documentElement.scrollWidth")).toBe(1440)
    expect(await violationsIn(page)).toEqual([])

    // The rows are used as before, from the one that is open on.
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await drawer.getByRole("heading", { name: "gen-image-2" }).waitFor()
    await page.goBack()
    await drawer.getByRole("heading", { name: "pptx-md-json" }).waitFor()
    await page.keyboard.press("Escape")
    await drawer.waitFor({ state: "detached" })
    await expect.poll(() => page.evaluate("document.activeElement.title")).toBe(id)
    await expect.poll(() => page.evaluate("location.pathname + location.search")).toBe("/console/tasks")

    const shared = await context.newPage()
    await shared.goto(`${server.url}/console/tasks?task=${id}`)
    await shared.getByRole("complementary").getByRole("heading", { name: "pptx-md-json" }).waitFor()
    await shared.setViewportSize({ width: 820, height: 900 })
    await shared.getByRole("heading", { name: "pptx-md-json", level: 1 }).waitFor()
    await expect.poll(() => shared.getByRole("table", { name: "Tasks" }).count()).toBe(0)
    await shared.close()
  })

  it("copies exact times, where the page says how long ago they were", async () => {
    await open(page, "Tasks")
    const row = page.getByRole("row", { name: /pptx-md-json/ })
    await row.waitFor()
    const shown = await row.innerText()
    const copied = await page.evaluate(`(() => {
      const row = [...document.querySelectorAll("tbody tr")].find((row) => row.innerText.includes("pptx-md-json"))
      const data = new DataTransfer()
      getSelection().selectAllChildren(row)
      row.dispatchEvent(new ClipboardEvent("copy", { clipboardData: data, bubbles: true, cancelable: true }))
      getSelection().removeAllRanges()
      return [data.getData("text/plain"), data.getData("text/html")]
    })()`)
    expect(shown).toMatch(/ago|just now/)
    for (const text of copied as ReadonlyArray<string>) {
      expect(text).toContain("pptx-md-json")
      expect(text).toMatch(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/)
      expect(text.replace(/title="[^"]*"/g, "")).not.toMatch(/ ago|just now/)
    }
    expect(await row.innerText()).toMatch(/ago|just now/)
  })

  it("shows when a key was used last, and changes its limits, but not those that were left alone", async () => {
    await open(page, "Customers")
    await page.getByRole("link", { name: "Ada" }).click()
    const row = page.getByRole("table", { name: "API keys" }).getByRole("row", { name: /production/ })
    const limits = row.getByRole("cell").locator(".roomy")
    await row
      .getByText(/just now| s ago/)
      .first()
      .waitFor()
    await limits.getByText("no limits of its own").waitFor()
    await row.getByRole("button", { name: "Limits of production" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("May spend, in US dollars").fill("2.50")
    await dialog.getByLabel("Only from").fill("127.0.0.1, 10.0.0.0/8")
    await dialog.getByLabel("Requests a minute").fill("0")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.getByRole("alert").waitFor()
    await dialog.getByLabel("Requests a minute").fill("120")
    await dialog.getByLabel("Until").fill("2031-05-06T07:08")
    await dialog.getByRole("button", { name: "Save" }).click()
    await limits.getByText("may spend $2.50").waitFor()
    await limits
      .getByText("120 requests a minute; from 127.0.0.1, 10.0.0.0/8; until 2031-05-06 07:08:00")
      .waitFor()

    await row.getByRole("button", { name: "Limits of production" }).click()
    expect(await dialog.getByLabel("Until").inputValue()).toBe("2031-05-06T07:08")
    await dialog.getByLabel("Until").fill("")
    await dialog.getByLabel("Only from").fill("")
    await dialog.getByRole("button", { name: "Save" }).click()
    await limits.getByText(/120 requests a minute$/).waitFor()
    await open(page, "Audit")
    await page.getByText("key.update").first().waitFor()
  })

  it("says what plugins there are, and how to add one", async () => {
    await open(page, "Plugins")
    await page.getByText("No plugin").waitFor()
    await page.getByText("The configuration's plugins name them").waitFor()
  })

  it("says of a channel how it failed last, with the task, and which price is below its cost", async () => {
    await open(page, "Channels")
    await page.getByText("No channel failed").waitFor()
    const users = await call(`${server.url}/admin/v1/users`, { key: adminToken })
    const user = textAt((users.body as { readonly data: ReadonlyArray<unknown> }).data[0], "id")
    const made = await call(`${server.url}/admin/v1/users/${user}/keys`, { key: adminToken, json: {} })
    const json = { model: "gen-image-2", prompt: "[reject] a heron" }
    const refused = await call(`${server.url}/v1/images/tasks`, { key: textAt(made.body, "key"), json })
    const error = page.getByRole("table", { name: "Last errors of channels" }).getByRole("row", {
      name: /vendor refused the content The prompt was refused by the content policy\./,
    })
    await error.getByRole("link").click()
    await page.getByText(textAt(refused.body, "id").slice(-6)).first().waitFor()

    await open(page, "Channels")
    const channel = page.getByRole("row", { name: /^vendor faulty/ })
    await channel.getByText("refused the content").waitFor()
    await channel.getByText(/^-\$.*, below cost$/).waitFor()
    const prices = page.getByRole("table", { name: "What images cost and bring" })
    await prices.getByRole("row", { name: /dream-4\.5 \$0\.90 .*below cost/ }).waitFor()
    expect(await prices.getByRole("row", { name: /gen-image-2 / }).innerText()).not.toContain("below")
    await prices.getByRole("row", { name: /artgen no cost given/ }).waitFor()
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
    await page.getByRole("row", { name: /^vendor faulty paused .*wrong images 1 no limit refused/ }).waitFor()
    await open(page, "Overview")
    await page.getByText("the channel vendor is paused").waitFor()
    await open(page, "Channels")
    await page.getByRole("button", { name: "Resume vendor" }).click()
    await page.getByRole("row", { name: /^vendor faulty well 1 no limit refused/ }).waitFor()
  })

  it("a stranger finds why a task failed, who spent most, whether the queue is behind, and how to stop a channel", async () => {
    const users = await call(`${server.url}/admin/v1/users`, { key: adminToken })
    const user = textAt((users.body as { readonly data: ReadonlyArray<unknown> }).data[0], "id")
    const made = await call(`${server.url}/admin/v1/users/${user}/keys`, { key: adminToken, json: {} })
    const key = textAt(made.body, "key")
    const task = await call(`${server.url}/v1/images/tasks`, {
      key,
      json: { model: "gen-image-2", prompt: "it waits behind the slow one", size: "256x256" },
    })
    await call(`${server.url}/v1/tasks/${textAt(task.body, "id")}/cancel`, { method: "POST", key, json: {} })
    await call(`${server.url}/v1/images/tasks`, {
      key,
      json: { model: "gen-image-2", prompt: "it waits too", size: "256x256" },
    })

    // The overview says that something failed and why; the code leads to the task, whose reason stands on top.
    await open(page, "Overview")
    await page.getByRole("table", { name: "Failures by code" }).getByRole("link").first().click()
    await page
      .getByText(/was given back, nothing charged/)
      .first()
      .waitFor()

    await open(page, "Overview")
    await page
      .getByRole("table", { name: /Who was charged most today/ })
      .getByRole("link", { name: "Ada" })
      .waitFor()
    await page.getByRole("button", { name: "yesterday" }).click()
    await page.getByText("Nothing was charged yesterday").waitFor()

    await page.getByText(/oldest of images: /).waitFor()
    await page.getByRole("link", { name: "Waiting" }).click()
    await page
      .getByRole("row", { name: /queued/ })
      .first()
      .waitFor()

    await open(page, "Overview")
    await page
      .getByRole("table", { name: "Channels" })
      .getByRole("row", { name: /^vendor well/ })
      .waitFor()
    await page.getByRole("link", { name: "pause or resume one" }).click()
    await page.getByRole("button", { name: "Pause vendor" }).waitFor()
  })

  it("leads from each trouble on top of the overview to the page that has more of it", async () => {
    await open(page, "Overview")
    await page.getByRole("link", { name: /^\d+ tasks? failed$/ }).click()
    await page
      .getByRole("row", { name: /failed/ })
      .first()
      .waitFor()
    expect(await page.evaluate("location.search")).toBe("?state=failed")
  })

  it("says of a wrong id where to look instead", async () => {
    await page.goto(`${server.url}/console/tasks/imgtask_none`)
    await page.getByRole("alert").getByText("task_not_found").waitFor()
    await page.getByRole("link", { name: "Look for it among all tasks" }).click()
    await page.getByRole("heading", { name: "Tasks", level: 1 }).waitFor()
    await page.goto(`${server.url}/console/users/usr_none`)
    await page.getByRole("link", { name: "Look among all customers" }).waitFor()
  })

  it("says that a session is over, and goes on where it was after signing in again", async () => {
    const own = await browser.newContext()
    const tab = await own.newPage()
    await signIn(tab, adminToken)
    await open(tab, "Channels")
    await own.clearCookies()
    await tab.getByText("Your session is over.").waitFor()
    await tab.getByLabel("Admin token").fill(adminToken)
    await tab.getByRole("button", { name: "Sign in" }).click()
    await tab.getByRole("heading", { name: "Channels", level: 1 }).waitFor()
    await tab.getByRole("button", { name: "Sign out" }).click()
    await tab.getByLabel("Admin token").waitFor()
    expect(await tab.getByText("Your session is over.").count()).toBe(0)
    await own.close()
  })

  it("keeps names of any length and script in their place", async () => {
    const names = ["مطبعة الميناء (رقم 3)", "Donaudampfschifffahrts".repeat(9).slice(0, 200)]
    for (const name of names) {
      const made = await call(`${server.url}/admin/v1/users`, {
        key: adminToken,
        json: { name, balance_usd: 10 },
      })
      const tab = await context.newPage()
      for (const width of [1440, 390]) {
        await tab.setViewportSize({ width, height: 900 })
        for (const path of ["/users", `/users/${textAt(made.body, "id")}`]) {
          await tab.goto(`${server.url}/console${path}`)
          await tab.getByText(name).first().waitFor()
          expect(await tab.evaluate("document.documentElement.scrollWidth"), path).toBe(width)
          expect(await tab.locator(".scroll.own:not(details *)").count(), path).toBe(0)
        }
      }
      await tab.close()
    }
  })

  it("who spent most yesterday is told from yesterday's charges, and who spent most today from today's", async () => {
    const day = 86_400_000
    // The service takes the day before the real one for today: its clock begins at noon of the day before that.
    const noon = Math.floor(Date.now() / day) * day - day / 2
    const clock = pathToFileURL(join(root, "scripts/screenshots/jumpingClock.ts")).href
    const own = await install()
    const jumping = {
      NODE_OPTIONS: `--import=${clock}`,
      JUMP_FROM_MS: String(Date.now() - noon + day),
      JUMP_MS: String(day),
    }
    const service = await serve({ ...own, environment: { ...own.environment, ...jumping } })
    const tab = await browser.newPage()
    try {
      const customer = async (name: string) => {
        const [key, json] = [adminToken, { name, balance_usd: 10 }]
        const user = textAt((await call(`${service.url}/admin/v1/users`, { key, json })).body, "id")
        const made = await call(`${service.url}/admin/v1/users/${user}/keys`, { key, json: {} })
        return textAt(made.body, "key")
      }
      const draws = async (key: string, n: number) => {
        const json = { model: "gen-image-2", prompt: "a heron", size: "256x256", n }
        const task = await call(`${service.url}/v1/images/tasks`, { key, json })
        const { body } = await call(`${service.url}/v1/tasks/${textAt(task.body, "id")}?wait=30`, { key })
        expect(body).toMatchObject({ state: "completed" })
      }
      const [ada, grace] = [await customer("Ada"), await customer("Grace")]
      await draws(ada, 2)
      await draws(grace, 1)
      service.process.kill("SIGUSR2")
      await expect.poll(() => service.output()).toContain("jumped 1\n")
      await draws(grace, 2)

      await tab.clock.setFixedTime(noon)
      await tab.goto(`${service.url}/console`)
      await tab.getByLabel("Admin token").fill(adminToken)
      await tab.getByRole("button", { name: "Sign in" }).click()
      const spenders = (which: string) => tab.getByRole("table", { name: `Who was charged most ${which}` })
      await spenders("today").getByRole("link", { name: "Grace" }).waitFor()
      expect(await spenders("today").getByRole("link").allInnerTexts()).toEqual(["Grace"])
      await tab.getByRole("button", { name: "yesterday" }).click()
      await spenders("yesterday").getByRole("link", { name: "Ada" }).waitFor()
      expect(await spenders("yesterday").getByRole("link").allInnerTexts()).toEqual(["Ada", "Grace"])
    } finally {
      await tab.close()
      await service.end("SIGTERM")
      own.remove()
    }
  })

  it("a customer's key that the playground is refused leaves the operator signed in", async () => {
    await open(page, "Playground")
    await page.getByLabel("API key").fill(`sk-atl-${"A".repeat(43)}`)
    await page.getByRole("button", { name: "Use this key" }).click()
    await page.getByRole("alert").getByText("invalid_api_key").waitFor()
    await open(page, "Customers")
    await page.getByRole("link", { name: "Ada" }).waitFor()
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
    const json = { model: "gen-image-2", prompt: "a heron for the customer", size: "256x256" }
    await call(`${server.url}/v1/images/tasks`, { key: textAt(made.body, "key"), json })
    await tab.reload()
    await tab.getByLabel("API key").fill(textAt(made.body, "key"))
    await tab.getByRole("button", { name: "Open" }).click()
    await tab.getByRole("table").getByText("gen-image-2").first().waitFor()
    expect(await violationsIn(tab)).toEqual([])
    await tab.close()
  })

  it("keeps few of many rows in the page, and shows each where it is scrolled to", async () => {
    const names = Array.from({ length: 600 }, (_, n) => `Customer ${String(n).padStart(4, "0")}`)
    const next = names.values()
    const callers = Array.from({ length: 16 }, async () => {
      for (const name of next) await call(`${server.url}/admin/v1/users`, { key: adminToken, json: { name } })
    })
    await Promise.all(callers)
    await open(page, "Audit")
    await open(page, "Customers")
    const table = page.getByRole("table", { name: "Customers" })
    const more = page.getByRole("button", { name: "Show more" })
    await more.waitFor()
    while ((await more.count()) > 0) {
      await Promise.all([page.waitForResponse(/\/users\?.*cursor=/), more.click()])
      await page.getByText("Loading…").waitFor({ state: "detached" })
    }
    const rows = table.locator("tbody tr[aria-rowindex]")
    const slow = { timeout: 60_000 }
    const columnsAt = () =>
      page.evaluate("[...document.querySelectorAll('th')].map(({ offsetWidth }) => offsetWidth)")
    expect(Number(await table.getAttribute("aria-rowcount"))).toBeGreaterThan(600)
    const columns = await columnsAt()

    // Ada was made first: hers is the last row, where "Show more" left the page.
    await page.getByRole("link", { name: "Ada" }).waitFor()
    await page.evaluate("scrollTo(0, 0)")
    await page.getByRole("link", { name: "Ada" }).waitFor({ state: "detached" })
    for (const place of [0.25, 0.5, 0.75, 1, 1]) {
      await page.evaluate(`scrollTo(0, ${place} * document.documentElement.scrollHeight)`)
      await expect
        .poll(() => page.evaluate("document.elementFromPoint(640, 450)?.closest('tr')?.ariaRowIndex"), slow)
        .toMatch(/\d/)
      expect(await rows.count()).toBeLessThanOrEqual(200)
      expect(await columnsAt()).toEqual(columns)
    }
    await page.getByRole("link", { name: "Ada" }).waitFor()
    await page.evaluate("scrollTo(0, 0)")
    await page.getByRole("link", { name: "Customer 0599" }).waitFor()

    // The keyboard goes on where the rows were not there at first.
    await page.locator("body").press("j")
    const further = async () => {
      for (let n = 0; n < 20; n++) await page.keyboard.press("j")
      return Number(await page.evaluate("document.activeElement.closest('tr').ariaRowIndex"))
    }
    await expect.poll(further, slow).toBeGreaterThan(100)
    expect(await rows.count()).toBeLessThanOrEqual(250)
    await page.getByLabel("Find among those shown").fill("Customer 0300")
    await page.getByRole("link", { name: "Customer 0300" }).waitFor()
    expect(await table.locator("tbody tr").count()).toBe(1)
  })

  it.for([
    { colorScheme: "light", width: 1440, tablePx: 0 },
    { colorScheme: "dark", width: 1440, tablePx: 0 },
    { colorScheme: "dark", width: 390, tablePx: 0 },
    { colorScheme: "light", width: 390, tablePx: 700 },
  ] as const)(
    "keeps the head of a long table in sight: $colorScheme, $width wide, a table of $tablePx at least",
    async (view) => {
      const tab = await context.newPage()
      await tab.emulateMedia({ colorScheme: view.colorScheme })
      await tab.setViewportSize({ width: view.width, height: 900 })
      await tab.goto(`${server.url}/console/users`)
      const table = tab.getByRole("table", { name: "Customers" })
      await table.getByRole("link", { name: "Customer 0599" }).waitFor()
      await tab.evaluate(`document.querySelector("table").style.minWidth = "${view.tablePx}px"`)
      await expect.poll(() => tab.locator(".scroll.own").count()).toBe(view.tablePx > view.width ? 1 : 0)
      // Of the row that is on top, and of the head above it: where they are, and what is seen there.
      const top = `(() => {
      const head = document.querySelector("th")
      const { left, top, bottom } = head.getBoundingClientRect()
      const box = document.querySelector(".scroll").getBoundingClientRect()
      const at = (y) => document.elementFromPoint(left + 8, y)
      return [Math.round(top - Math.max(0, box.top)), at(top + 8) === head, at(bottom + 24).closest("tr")?.ariaRowIndex > 20]
    })()`
      const scrollTo = (share: number) =>
        tab.evaluate(`(() => {
        const box = document.querySelector(".scroll.own")
        if (box !== null) box.scrollIntoView()
        const area = box ?? document.documentElement
        area.scrollTo(0, ${share} * area.scrollHeight)
      })()`)
      for (const share of [0.5, 0.9, 0.6]) {
        await scrollTo(share)
        await expect.poll(() => tab.evaluate(top), { timeout: 60_000 }).toEqual([0, true, true])
        expect(await tab.evaluate("document.documentElement.scrollWidth")).toBe(view.width)
      }
      await tab.close()
    },
  )

  const pages = [
    "",
    "/tasks",
    "/users",
    "/ledger",
    "/catalog",
    "/channels",
    "/plugins",
    "/playground",
    "/audit",
    "/access",
    "/settings",
  ]
  const views = [
    { colorScheme: "light", width: 1440, paths: pages },
    {
      colorScheme: "dark",
      width: 390,
      paths: ["", "/tasks", "/catalog", "/playground", "/audit", "/settings"],
    },
  ] as const

  it.for(views)("nothing for axe to find, no sideways scrolling: $colorScheme, $width wide", async (view) => {
    await page.emulateMedia({ colorScheme: view.colorScheme })
    await page.setViewportSize({ width: view.width, height: 900 })
    for (const path of view.paths) {
      await page.goto(`${server.url}/console${path}`)
      await page.locator("main h1").waitFor()
      await page.getByText("Loading…").waitFor({ state: "detached" })
      expect(await violationsIn(page), path).toEqual([])
      expect(await page.evaluate("document.documentElement.scrollWidth"), path).toBe(view.width)
    }
  })

  it("asked nothing of another origin, and nothing in the pages failed or was forbidden", () => {
    expect(asked.filter((url) => !url.startsWith(server.url) && !/^(data|blob):/.test(url))).toEqual([])
    expect(said.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([])
  })
})
