import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import type { Browser } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { endpoints } from "../../scripts/reference/document.ts"
import { languages, samplesOf } from "../../scripts/reference/samples.ts"
import { compiledFolder, root } from "../../scripts/workspace.ts"
import { hasChromium, openChromium, violationsIn } from "../support/chromium.ts"
import {
  adminToken,
  call,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "../support/server.ts"

let installation: Installation
let server: Server
beforeAll(async () => {
  installation = await install()
  server = await serve(installation)
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
})

describe("/docs and /openapi.json", () => {
  it.for(["/docs", "/openapi.json"])(
    "%s is compressed, and not sent again to whoever has it",
    async (path) => {
      const get = async (headers: Record<string, string>) => {
        const [response] = await once(request(`${server.url}${path}`, { headers }).end(), "response")
        const chunks: Array<Buffer> = []
        for await (const chunk of response) chunks.push(chunk)
        return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }
      }
      const plain = await get({})
      expect(plain.headers["content-encoding"]).toBeUndefined()
      const decoders = { br: brotliDecompressSync, gzip: gunzipSync }
      for (const [coding, decode] of Object.entries(decoders)) {
        const answer = await get({ "accept-encoding": `${coding}, deflate;q=0.5` })
        expect(answer.headers).toMatchObject({ "content-encoding": coding, vary: "accept-encoding" })
        expect(answer.bytes.length).toBeLessThan(120_000)
        expect(decode(answer.bytes).equals(plain.bytes)).toBe(true)
        const known = await get({
          "accept-encoding": coding,
          "if-none-match": String(answer.headers["etag"]),
        })
        expect([known.status, known.bytes.length, known.headers["etag"]]).toEqual([
          304,
          0,
          answer.headers["etag"],
        ])
      }
      expect((await get({ "accept-encoding": "br;q=0" })).headers["content-encoding"]).toBeUndefined()
      expect(String(plain.headers["content-security-policy"])).toContain("frame-ancestors 'none'")
      expect(String(plain.headers["content-security-policy"])).not.toContain("unsafe-inline")
    },
  )
})

/** Whether a program is there that a sample needs. */
const has = async (command: string, ...args: ReadonlyArray<string>): Promise<boolean> => {
  const child = spawn(command, args, { stdio: "ignore" })
  return new Promise((resolve) =>
    child.on("error", () => resolve(false)).on("close", (code) => resolve(code === 0)),
  )
}
const hasPython = await has("python3", "-c", "import requests")
const isRun = { curl: true, typescript: true, python: hasPython }

/** As they are written, but for the one that takes away what others need. */
const last = ["tools.deleteFile"]
const samples = endpoints
  .filter(({ path }) => path.startsWith("/v1/") || path.startsWith("/media/"))
  // They need a callback, which goes to public addresses alone.
  .filter(({ operationId }) => operationId !== "tasks.redeliver")
  .toSorted((a, b) => last.indexOf(a.operationId) - last.indexOf(b.operationId))

describe("samples of the reference", () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "atelier-samples-"))
    mkdirSync(join(folder, "node_modules", "@atelier"), { recursive: true })
    symlinkSync(join(root, "packages", "client"), join(folder, "node_modules", "@atelier", "client"))
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
    writeFileSync(join(folder, "notes.md"), "# Notes\n\nWe met.\n")
    writeFileSync(join(folder, "image.png"), readFileSync(join(root, "docs", "images", "sample.png")))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  describe.for(languages)("in %s", (language) =>
    it.skipIf(!isRun[language])("run as they stand", { timeout: 300_000 }, async () => {
      const account = await makeAccount(server.url, 10)
      const environment = { ...(await prepare(account.key)), ATELIER_API_KEY: account.key }
      // A finished task is not cancelled: its sample is run on one that waits, in the client's own tests.
      const run = samples.filter(({ operationId }) => operationId !== "tasks.cancel")
      const outputs = await outputsOf(
        language,
        run.map((endpoint) => samplesOf(endpoint)[language]),
        environment,
      )
      const failures = run.flatMap(({ operationId }, index) => {
        const output = outputs[index] ?? "was not reached"
        const isAnswered = output.endsWith(ended) && !/^\{"error":\{|"error": \{/.test(output)
        return isAnswered ? [] : [`${operationId}: ${output}`]
      })
      expect(failures).toEqual([])
    }),
  )

  /** What the page asks its reader to set. */
  const prepare = async (key: string): Promise<Record<string, string>> => {
    const json = { model: "gen-image-2", prompt: "a heron" }
    const image = await call(`${server.url}/v1/images/generations`, { key, json })
    const form = new FormData()
    form.append("file", new Blob(["# Notes"]), "notes.md")
    const uploaded = await fetch(`${server.url}/v1/tools/text-md-json/files`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}` },
      body: form,
    })
    const fileId = textAt(await uploaded.json(), "id")
    const parsed = await call(`${server.url}/v1/tools/text-md-json/invoke`, {
      key,
      json: { input: { file_id: fileId } },
      headers: { "Idempotency-Key": "prepare-0001" },
    })
    const taskId = textAt(parsed.body, "id")
    await call(`${server.url}/v1/tasks/${taskId}?wait=30`, { key })
    const { pathname } = new URL(textAt((image.body as { data: ReadonlyArray<unknown> }).data[0], "url"))
    return {
      ATELIER_URL: server.url,
      ATELIER_ADMIN_TOKEN: adminToken,
      TASK_ID: taskId,
      FILE_ID: fileId,
      IMAGE_NAME: pathname.split("/").at(-1) ?? "",
    }
  }

  /** What each sample printed, with `ended` where it did not fail. They run in turn in one process of their language. */
  const outputsOf = async (
    language: (typeof languages)[number],
    sources: ReadonlyArray<string>,
    environment: Record<string, string>,
  ): Promise<ReadonlyArray<string>> => {
    const { command, extension, runner } = runners[language]
    const names = sources.map((source, index) => {
      const name = `sample-${index}.${extension}`
      const shell = source.replaceAll("curl ", "curl -sS --fail-with-body ")
      writeFileSync(join(folder, name), language === "curl" ? shell : source)
      return name
    })
    writeFileSync(join(folder, `all.${extension}`), runner)
    const env = {
      ...environment,
      PATH: process.env["PATH"],
      HOME: folder,
      NODE_COMPILE_CACHE: compiledFolder,
    }
    const [program = "", ...flags] = command
    const child = spawn(program, [...flags, `all.${extension}`, ...names], { cwd: folder, env })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")])
    const outputs = stdout.split(next).slice(1)
    return outputs.map((output) => (output.endsWith(ended) ? output : `${output}${stderr}`))
  }
})

const [next, ended] = ["\u0001", "\u0002"]

/** Programs that run the samples that they are given. */
const runners = {
  curl: {
    command: ["sh"],
    extension: "sh",
    runner: `for sample in "$@"; do printf '\\001'; sh -e "$sample" && printf '\\002'; done`,
  },
  typescript: {
    command: [process.execPath, "--conditions=atelier:source"],
    extension: "ts",
    runner: `for (const sample of process.argv.slice(2)) {
      process.stdout.write("${next}")
      await import("./" + sample).then(() => process.stdout.write("${ended}"), console.error)
    }`,
  },
  python: {
    command: ["python3"],
    extension: "py",
    runner: `import runpy, sys, traceback
for sample in sys.argv[1:]:
    print("${next}", end="", flush=True)
    try:
        runpy.run_path(sample, run_name="__main__")
        print("${ended}", end="", flush=True)
    except BaseException:
        traceback.print_exc()
`,
  },
}

describe.skipIf(!hasChromium)("/docs in Chromium", () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openChromium()
  })
  afterAll(() => browser?.close())

  const views = [
    { colorScheme: "light", width: 1440 },
    { colorScheme: "dark", width: 390 },
  ] as const

  it.for(views)(
    "nothing for axe to find, no sideways scrolling: $colorScheme, $width wide",
    { timeout: 300_000 },
    async ({ colorScheme, width }) => {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } })
      const messages: Array<string> = []
      page.on("console", (message) => messages.push(message.text()))
      page.on("pageerror", (error) => messages.push(error.message))
      const requests: Array<string> = []
      page.on("request", (request) => requests.push(request.url()))
      await page.goto(`${server.url}/docs`)
      expect(messages).toEqual([])
      expect(requests.filter((url) => !url.startsWith("data:"))).toEqual([`${server.url}/docs`])
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      expect(
        await page.evaluate("[document.documentElement.lang, document.fonts.check('16px Manrope')]"),
      ).toEqual(["en", true])
      expect(await violationsIn(page)).toEqual([])
      await page.close()
    },
  )

  it.for(views)(
    "/: nothing for axe to find, no sideways scrolling: $colorScheme, $width wide",
    async ({ colorScheme, width }) => {
      // Its policy forbids any script, and so axe.
      const page = await browser.newPage({ bypassCSP: true, colorScheme, viewport: { width, height: 900 } })
      await page.goto(server.url)
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      expect(await violationsIn(page)).toEqual([])
      await page.close()
    },
  )

  it("Try it: with a key that is pasted once, an image is made, waited for and seen, and a document uploaded and parsed", async () => {
    const { key } = await makeAccount(server.url, 10)
    const page = await browser.newPage({ reducedMotion: "reduce" })
    const messages: Array<string> = []
    page.on("console", (message) => messages.push(message.text()))
    await page.goto(`${server.url}/docs`)
    const open = async (id: string) => {
      const article = page.locator(`#${id}`)
      await article.getByText("Try it", { exact: true }).click()
      return article
    }
    const send = async (article: Awaited<ReturnType<typeof open>>) => {
      await article.getByRole("button", { name: "Send" }).click()
      return article.locator(".try .status")
    }
    const submit = await open("images-submit")
    await submit.getByLabel("API key").fill("sk-atl-wrong")
    await (await send(submit)).getByText(/^401 · .*request req/).waitFor()
    await submit.getByText("invalid_api_key").last().waitFor()
    await submit.getByLabel("API key").fill(key)
    await (await send(submit)).getByText(/^202 · /).waitFor()

    // The key and the task's id are in the other forms already.
    const get = await open("tasks-get")
    await (await send(get)).getByText(/^200 · /).waitFor()
    await get.locator(".try pre", { hasText: '"state": "completed"' }).waitFor()
    const events = await open("tasks-events")
    await send(events)
    await events.locator(".try pre", { hasText: "event: " }).waitFor()
    const media = await open("media")
    await (await send(media)).getByText(/^200 · /).waitFor()
    const image = media.getByAltText("The image of the answer")
    await image.waitFor()
    await expect
      .poll(() => page.evaluate("document.querySelector('.try img').naturalWidth"))
      .toBeGreaterThan(0)

    const upload = await open("tools-upload")
    const notes = { name: "notes.md", mimeType: "text/markdown", buffer: Buffer.from("# Notes\n\nWe met.\n") }
    await upload.locator("input[type=file]").setInputFiles(notes)
    await (await send(upload)).getByText(/^201 · /).waitFor()
    const invoke = await open("tools-invoke")
    await (await send(invoke)).getByText(/^202 · /).waitFor()
    const parsed = await open("tasks-result")
    await (await send(get)).getByText(/^200 · /).waitFor()
    await (await send(parsed)).getByText(/^200 · /).waitFor()
    await parsed.locator(".try pre", { hasText: "# Notes" }).waitFor()

    expect(await page.evaluate("JSON.stringify([localStorage, sessionStorage])")).not.toContain(key)
    expect(await violationsIn(page, ".try")).toEqual([])
    expect(messages.filter((text) => !text.includes("401"))).toEqual([])
    await page.close()
  })

  it("works without scripts", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${server.url}/docs#images-submit`)
    const article = page.locator("#images-submit")
    await article.getByText("Python", { exact: true }).click()
    expect(await article.locator("pre.python").isVisible()).toBe(true)
    expect(await article.locator("pre.curl").isVisible()).toBe(false)
    await context.close()
  })
})
