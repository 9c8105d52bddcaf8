import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { root } from "../../scripts/workspace.ts"
import {
  type Account,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
} from "../support/server.ts"

const document = join(root, "packages", "api", "openapi.json")
const { resolve } = createRequire(join(root, "packages", "client", "package.json"))

let installation: Installation
let server: Server
let account: Account
let folder: string

beforeAll(async () => {
  installation = await install()
  server = await serve(installation)
  account = await makeAccount(server.url, 1)
  folder = mkdtempSync(join(tmpdir(), "atelier-clients-"))
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
  rmSync(folder, { recursive: true })
})

/** Runs a script of Node, which must end well. */
const run = (script: string, ...args: ReadonlyArray<string>): string => {
  const env = { PATH: process.env["PATH"], ATELIER_URL: server.url, ATELIER_API_KEY: account.key }
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: folder,
    env,
    encoding: "utf8",
  })
  if (status !== 0) throw new Error(`${script}: ${stdout}${stderr}`)
  return stdout
}

/** Compiles a program with what was generated, in the strictest mode that their authors promise, and runs it. */
const compileAndRun = (program: string): unknown => {
  writeFileSync(join(folder, "main.ts"), program)
  const options = [
    "--strict",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--lib",
    "es2023,dom,dom.iterable",
  ]
  run(resolve("typescript/bin/tsc"), ...options, "--skipLibCheck", "--outDir", "out", "main.ts")
  return JSON.parse(run(join(folder, "out", "main.js")))
}

const settings = `
declare const process: { readonly env: { readonly [name: string]: string } }
const baseUrl = process.env["ATELIER_URL"] ?? ""
const key = process.env["ATELIER_API_KEY"] ?? ""
`

describe("clients that others generate from the OpenAPI document", () => {
  it("compile and run: @hey-api/openapi-ts", { timeout: 300_000 }, () => {
    run(join(root, "test", "openapi", "heyApi.ts"), document, join(folder, "hey"))
    const printed = compileAndRun(`
      import { createClient } from "./hey/client/index.js"
      import { imagesSubmit, tasksGet } from "./hey/index.js"
      ${settings}
      const client = createClient({ baseUrl, auth: key })
      const accepted = await imagesSubmit({
        client,
        throwOnError: true,
        body: { model: "gen-image-2", prompt: "a heron" },
      })
      const path = { task_id: accepted.data.id }
      const final = await tasksGet({ client, throwOnError: true, path, query: { wait: 30 } })
      const state: "completed" | string | undefined = final.data.object === "image.task" ? final.data.state : undefined
      const refused = await tasksGet({ client, path: { task_id: "imgtask_none" } })
      console.log(JSON.stringify({ state, code: refused.error?.error.code }))
    `)
    expect(printed).toEqual({ state: "completed", code: "task_not_found" })
  })

  it("compile and run: openapi-typescript", { timeout: 300_000 }, async () => {
    const cli = join(resolve("openapi-typescript"), "..", "..", "bin", "cli.js")
    run(cli, pathToFileURL(document).href, "-o", join(folder, "schema.ts"))
    const printed = compileAndRun(`
      import type { components, paths } from "./schema.js"
      ${settings}
      type Quote = paths["/v1/images/quote"]["post"]
      const body: Quote["requestBody"]["content"]["application/json"] = { model: "gen-image-2", prompt: "a heron" }
      const headers = { Authorization: \`Bearer \${key}\`, "Content-Type": "application/json" }
      const ask = (body: object) =>
        fetch(\`\${baseUrl}/v1/images/quote\`, { method: "POST", headers, body: JSON.stringify(body) })
      const answer = await ask(body)
      const quote = (await answer.json()) as Quote["responses"][200]["content"]["application/json"]
      const refused = (await (await ask({ ...body, model: "none" })).json()) as components["schemas"]["Error"]
      const code: components["schemas"]["ErrorCode"] = refused.error.code
      console.log(JSON.stringify({ usd: quote.usd, code }))
    `)
    expect(printed).toEqual({ usd: expect.any(Number), code: "model_not_found" })
  })
})
