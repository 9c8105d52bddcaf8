import { existsSync, readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join, normalize } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../../scripts/workspace.ts"
import { hasChromium, openChromium } from "../support/chromium.ts"
import { calls, Suite, ways } from "./calls.ts"
import type { FaultyProxy, Pages } from "./faultyProxy.ts"
import { openService } from "./service.ts"

const imports = { "@atelier/client": "/packages/client/src/index.ts" }
const page = `<!doctype html><html lang="en"><head><title>Client</title>
<script type="importmap">${JSON.stringify({ imports })}</script></head><body></body></html>`

/** A page, and the sources of client and suite as a browser reads them. */
const pages: Pages = async ({ url = "/" }, response) => {
  if (url === "/") {
    response.writeHead(200, { "content-type": "text/html" }).end(page)
    return true
  }
  const path = normalize(url)
  const isOurs = path.startsWith("/packages/client/src/") || path.startsWith("/test/client/")
  if (!isOurs || !path.endsWith(".ts") || !existsSync(join(root, path))) return false
  const source = stripTypeScriptTypes(readFileSync(join(root, path), "utf8"))
  response.writeHead(200, { "content-type": "text/javascript" }).end(source)
  return true
}

describe.skipIf(!hasChromium)("the same in Chromium", () => {
  let service: FaultyProxy
  let browser: Browser
  let tab: Page
  beforeAll(async () => {
    service = await openService(pages)
    browser = await openChromium()
    tab = await browser.newPage()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  /** What an expression over the suite is worth in a page loaded for it; `call` is the named one. */
  const evaluate = async (name: string, expression: string): Promise<unknown> => {
    await tab.goto(service.url)
    return tab.evaluate(
      `import("/test/client/calls.ts").then(({ calls, problemsOf, Suite }) => {
        const call = calls.find((call) => call.name === ${JSON.stringify(name)})
        return ${expression}
      })`,
    )
  }

  it.for(ways)("$name: every fault at every request", { timeout: 300_000 }, async ({ name }) => {
    expect(await evaluate(name, "problemsOf(new Suite(location.origin), call)")).toEqual([])
  })

  it.for(calls)("$name: answers as in Node", async (call) => {
    const { answer } = await new Suite(service.url).undisturbed(call)
    const here = await evaluate(call.name, "new Suite(location.origin).undisturbed(call)")
    expect(here).toMatchObject({ answer })
  })
})
