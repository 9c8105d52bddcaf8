/**
 * Frames of the console while a table is scrolled: of a thousand rows, beside one of a hundred in the same page, and beside
 * the same page with no table, where nothing is drawn again. How long each frame took, how many were late, in how
 * many there was no row in the middle of the window, and how much of a frame the page itself worked.
 *
 *   npm run bench -- benchmarks/console-scroll.ts [seconds of each]
 *
 * It needs Debian's package `chromium`.
 */
import { chromium, type Page } from "playwright-core"
import { adminToken, call, install, serve } from "../test/support/server.ts"
import { type Row, report, rounded } from "./support/report.ts"

const seconds = Number(process.argv[2] ?? 5)
const size = { width: 1440, height: 900 }
/** Pixels a second: reading, a wheel that is turned fast, and a scroll bar that is dragged. */
const speeds = [1_000, 5_000, 20_000]
/** A frame of 60 in a second; a later one counts as late from half a frame on. */
const frameMs = 1000 / 60
const lateMs = 1.5 * frameMs

interface Scrolled {
  readonly frames: ReadonlyArray<number>
  readonly empty: number
}

/** Down and up again with the frames, `seconds` long. */
const scroll = async (page: Page, speed: number): Promise<Scrolled> =>
  page.evaluate(`new Promise((resolve) => {
    const area = document.documentElement
    const frames = []
    let [last, place, step, empty] = [performance.now(), 0, 1, 0]
    const end = last + ${seconds * 1000}
    const frame = (now) => {
      frames.push(now - last)
      const most = area.scrollHeight - innerHeight
      place += step * ${speed} * Math.min(100, now - last) / 1000
      if (place >= most || place <= 0) step = place <= 0 ? 1 : -1
      place = Math.min(most, Math.max(0, place))
      last = now
      const seen = document.elementFromPoint(${size.width / 2}, ${size.height / 2})
      if (seen?.closest("tr.away") != null) empty += 1
      area.scrollTo(0, place)
      if (now < end) requestAnimationFrame(frame)
      else resolve({ frames: frames.slice(1), empty })
    }
    requestAnimationFrame(frame)
  })`)

const at = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN

const rowOf = (
  name: string,
  slowed: number,
  speed: number,
  given: Scrolled & { readonly workedMs: number },
): Row => {
  const { empty, frames, workedMs } = given
  const sorted = frames.toSorted((a, b) => a - b)
  const late = frames.filter((ms) => ms > lateMs)
  return {
    table: name,
    processor: slowed === 1 ? "as it is" : `${slowed} times slower`,
    "pixels a second": speed,
    frames: frames.length,
    "median ms": rounded(at(sorted, 0.5), 1),
    "p99 ms": rounded(at(sorted, 0.99), 1),
    "longest ms": rounded(at(sorted, 1), 1),
    late: late.length,
    "late %": rounded((100 * late.length) / frames.length, 1),
    "without rows": empty,
    "worked ms a frame": rounded(workedMs / frames.length, 1),
  }
}

const home = await install({ limits: { rate_per_minute: 1_000_000, rate_burst: 1_000_000 } })
const server = await serve(home)
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-background-networking"],
})
try {
  const names = Array.from({ length: 1000 }, (_, n) => `Customer ${String(n).padStart(4, "0")}`)
  const next = names.values()
  const makers = Array.from({ length: 8 }, async () => {
    for (const name of next) {
      await call(`${server.url}/admin/v1/users`, { key: adminToken, json: { name, balance_usd: 10 } })
    }
  })
  await Promise.all(makers)
  const page = await browser.newPage({ viewport: size })
  await page.goto(`${server.url}/console/users`)
  await page.getByLabel("Admin token").fill(adminToken)
  await page.getByRole("button", { name: "Sign in" }).click()
  const table = page.getByRole("table", { name: "Customers" })
  await table.waitFor()
  const more = page.getByRole("button", { name: "Show more" })
  while ((await more.count()) > 0) {
    await Promise.all([page.waitForResponse(/\/users\?.*cursor=/), more.click()])
    await page.getByText("Loading…").waitFor({ state: "detached" })
  }
  const devtools = await page.context().newCDPSession(page)
  await devtools.send("Performance.enable")
  /** Milliseconds of scripts, styles and layout; not of painting. */
  const worked = async () => {
    const { metrics } = await devtools.send("Performance.getMetrics")
    const own = metrics.filter(({ name }) => /^(Script|RecalcStyle|Layout)Duration$/.test(name))
    return 1000 * own.reduce((sum, { value }) => sum + value, 0)
  }
  const rows: Array<Row> = []
  const measure = async (name: string) => {
    for (const slowed of [1, 4]) {
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowed })
      for (const speed of speeds) {
        const before = await worked()
        const scrolled = await scroll(page, speed)
        rows.push(rowOf(name, slowed, speed, { ...scrolled, workedMs: (await worked()) - before }))
      }
    }
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 })
  }
  await measure("1,000 rows")
  await page.getByLabel("Find among those shown").fill("Customer 00")
  await page.getByRole("link", { name: "Customer 0999" }).waitFor({ state: "detached" })
  await measure("100 rows")
  await page.evaluate(`document.querySelector("main").replaceChildren()
    document.querySelector("main").style.height = "40000px"`)
  await measure("none")
  report({
    name: "console-scroll",
    title: "Scrolling a table of a thousand rows in the console",
    notes: [
      `Chromium ${browser.version()}, headless, without a graphics card: it draws on the two cores that it shares with the server. ${seconds} s each, in a window of ${size.width} × ${size.height}.`,
      "Each frame scrolls on by what the time since the one before asks for; a frame is late that comes half a frame or more after its sixtieth of a second.",
      "`without rows`: frames in whose middle there was no row yet. `worked`: the page's scripts, styles and layout; the rest of a frame is painted, here without a graphics card.",
      "The rows of one run compare, runs differ.",
      "4 times slower: by Chromium's own brake on the page's thread, for a phone.",
    ],
    rows,
  })
} finally {
  await browser.close()
  await server.end("SIGTERM")
  home.remove()
}
