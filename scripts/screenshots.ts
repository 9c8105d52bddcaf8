import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { adminToken } from "../test/support/server.ts"
import { type Shown, withAnHour } from "./screenshots/anHour.ts"
import { root } from "./workspace.ts"

/**
 * `npm run screenshots`: takes the pictures of the console in `docs/images`, from a server of its own with an hour of
 * work. With `-- FOLDER` it takes every page instead, at three widths and in both themes, to be looked at. It needs
 * Debian's package `chromium`.
 */
const widths = [1440, 820, 390]
const themes = ["light", "dark"] as const

const open = async (browser: Browser, theme: "light" | "dark", width: number): Promise<BrowserContext> =>
  browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    timezoneId: "UTC",
    locale: "en-GB",
  })

const signedIn = async (context: BrowserContext, { url }: Shown): Promise<Page> => {
  const page = await context.newPage()
  await page.goto(`${url}/console`)
  await page.getByLabel("Admin token").fill(adminToken)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { name: "Overview" }).waitFor()
  return page
}

const settled = async (page: Page): Promise<void> => {
  await page.locator("main h1").waitFor()
  await page.getByText("Loading…").waitFor({ state: "detached" })
  await page.waitForLoadState("networkidle", { timeout: 2000 }).catch(() => {})
  await page.evaluate("document.fonts.ready")
}

/** The whole page: as high as its content, so that the rail reaches its end. */
const take = async (page: Page, path: string, heightMax = 4000): Promise<void> => {
  const { width = 0 } = page.viewportSize() ?? {}
  const height = Number(await page.evaluate("document.querySelector('main').scrollHeight"))
  await page.setViewportSize({ width, height: Math.min(heightMax, Math.max(700, height)) })
  await page.mouse.move(0, 0)
  await page.screenshot({ path, animations: "disabled" })
  await page.setViewportSize({ width, height: 900 })
}

/** With a key, a prompt and its price, and the picture that came of it. */
const play = async (page: Page, { url, key }: Shown): Promise<void> => {
  await page.goto(`${url}/console/playground`)
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Use this key" }).click()
  await page.getByLabel("Model").selectOption("imagine-image-2.0")
  await page.getByLabel("prompt").fill("a lighthouse in the first snow")
  await page.getByRole("button", { name: /for \$/ }).waitFor()
}

const account = async (page: Page, { url, key }: Shown): Promise<void> => {
  await page.goto(`${url}/account`)
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Open" }).click()
  await page.getByText("To spend").waitFor()
}

const everything = async (browser: Browser, shown: Shown, folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  for (const theme of themes) {
    for (const width of widths) {
      const context = await open(browser, theme, width)
      const fileOf = (name: string) => join(folder, `${name.replaceAll(" ", "-")}-${width}-${theme}.png`)
      const page = await context.newPage()
      await page.goto(`${shown.url}/console`)
      await page.getByLabel("Admin token").waitFor()
      await take(page, fileOf("sign-in"))
      await page.close()
      const console = await signedIn(context, shown)
      for (const [name, path] of Object.entries(shown.paths)) {
        await console.goto(`${shown.url}/console${path}`)
        await settled(console)
        await take(console, fileOf(name))
      }
      await play(console, shown)
      await take(console, fileOf("playground with a key"))
      await account(console, shown)
      await settled(console)
      await take(console, fileOf("account"))
      await context.close()
    }
  }
}

const pictures = async (browser: Browser, shown: Shown): Promise<void> => {
  const at = (name: string) => join(root, "docs", "images", `console-${name}.png`)
  const light = await open(browser, "light", 1280)
  const page = await signedIn(light, shown)
  for (const [name, path] of [
    ["overview", shown.paths["overview"]],
    ["task", shown.paths["task completed"]],
    ["catalog", shown.paths["catalog"]],
  ]) {
    await page.goto(`${shown.url}/console${path}`)
    await settled(page)
    await take(page, at(name ?? ""), 1400)
  }
  const dark = await open(browser, "dark", 390)
  const phone = await signedIn(dark, shown)
  await settled(phone)
  await take(phone, at("phone"), 844)
}

const [folder] = process.argv.slice(2)
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking"],
})
try {
  await withAnHour((shown) =>
    folder === undefined ? pictures(browser, shown) : everything(browser, shown, folder),
  )
} finally {
  await browser.close()
}
