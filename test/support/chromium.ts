import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"
import { root } from "../../scripts/workspace.ts"

/** Debian's package `chromium`: `apt-get install chromium`. */
const executablePath = "/usr/bin/chromium"

/** Without it the tests of pages are skipped, and counted so. */
export const hasChromium = existsSync(executablePath)

const featuresOff = [
  // Pages of the browser's own that every window loads in a process beside it, which takes longer than most tests.
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "SpareRendererForSitePerProcess",
  // Only the last list of a command line counts, and so this one replaces Playwright's: what would ask of others.
  "AimEnabled",
  "HttpsUpgrades",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "Translate",
]

export const openChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-background-networking", `--disable-features=${featuresOff.join(",")}`],
  })

const axe = readFileSync(join(root, "node_modules", "axe-core", "axe.min.js"), "utf8")

/** What axe finds in a part of a page, of the whole page without a selector: each rule with an element that breaks it. */
export const violationsIn = async (page: Page, part = "html"): Promise<unknown> => {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  return page.evaluate(
    `axe.run("${part}", { resultTypes: ["violations"] })
      .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
  )
}
