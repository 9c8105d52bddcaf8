import { existsSync, readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join, normalize } from "node:path"
import { type Browser, chromium } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../../scripts/workspace.ts"
import { calls, Suite, ways } from "./calls.ts"
import type { FaultyProxy, Pages } from "./faultyProxy.ts"
import { openService } from "./service.ts"

/** Debian's package `chromium`. */
const executablePath = "/usr/bin/chromium"

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

describe.skipIf(!existsSync(executablePath))("the same in Chromium", () => {
  let service: FaultyProxy
  let browser: Browser
  beforeAll(async () => {
    service = await openService(pages)
    browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-background-networking"],
    })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.close()
  })

  /** What an expression over the suite is worth in a tab; `call` is the named one. */
  const evaluate = async (name: string, expression: string): Promise<unknown> => {
    const tab = await browser.newPage()
    await tab.goto(service.url)
    const answer = await tab.evaluate(
      `import("/test/client/calls.ts").then(({ calls, problemsOf, Suite }) => {
        const call = calls.find((call) => call.name === ${JSON.stringify(name)})
        return ${expression}
      })`,
    )
    await tab.close()
    return answer
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
