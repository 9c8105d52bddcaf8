import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type Account,
  adminToken,
  type Installation,
  install,
  makeAccount,
  run,
  type Server,
  serve,
} from "./support/server.ts"

const page = "https://app.example.com"
const other = "https://evil.example.com"

let installation: Installation
let server: Server
let account: Account
beforeAll(async () => {
  installation = await install({ network: { cors_origins: [page, "http://localhost:5173"] } })
  server = await serve(installation)
  account = await makeAccount(server.url, 1)
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
})

const ask = (path: string, headers: Readonly<Record<string, string>>, method = "GET") =>
  fetch(server.url + path, { method, headers })
const preflight = (path: string, origin: string) =>
  ask(path, { origin, "access-control-request-method": "POST" }, "OPTIONS")
const corsIn = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")))

describe("contract, Later decisions: network.cors_origins", () => {
  it("answers the preflight of an allowed origin, without a key", async () => {
    for (const path of ["/v1/images/tasks", "/v1/tools/text-md-json/files", "/v1/tasks/imgtask_0"]) {
      const answer = await preflight(path, page)
      expect(answer.status).toBe(204)
      expect(corsIn(answer)).toEqual({
        "access-control-allow-origin": page,
        "access-control-allow-methods": "GET, POST, DELETE",
        "access-control-allow-headers": expect.stringContaining(
          "authorization, content-type, idempotency-key",
        ),
        "access-control-max-age": "7200",
      })
      expect(answer.headers.get("vary")).toBe("origin")
    }
  })

  it("lets an allowed origin read answers, refusals among them, and the contract's headers", async () => {
    const authorization = `Bearer ${account.key}`
    const answers = [
      await ask("/v1/models", { origin: page, authorization }),
      await ask("/v1/models", { origin: page }),
      await ask("/v1/nothing", { origin: page, authorization }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404])
    for (const answer of answers) {
      expect(corsIn(answer)).toEqual({
        "access-control-allow-origin": page,
        "access-control-expose-headers":
          "x-request-id, retry-after, location, etag, ratelimit, ratelimit-policy, idempotency-replayed",
      })
    }
  })

  it("gives another origin nothing", async () => {
    const authorization = `Bearer ${account.key}`
    for (const origin of [other, "null", `${page}.evil.example.com`, "https://app.example.com:8443"]) {
      const refused = await preflight("/v1/images/tasks", origin)
      expect([refused.status, corsIn(refused)]).toEqual([405, {}])
      const answer = await ask("/v1/models", { origin, authorization })
      expect([answer.status, corsIn(answer), answer.headers.get("vary")]).toEqual([200, {}, "origin"])
    }
  })

  it("never opens the paths of operators and of monitoring", async () => {
    for (const path of ["/admin/v1/users", "/healthz", "/openapi.json", "/v10"]) {
      expect(corsIn(await preflight(path, page))).toEqual({})
      expect(corsIn(await ask(path, { origin: page, authorization: `Bearer ${adminToken}` }))).toEqual({})
    }
  })

  it("refuses to start with what is no origin", async () => {
    for (const origin of ["*", "app.example.com", "https://app.example.com/", "ftp://app.example.com"]) {
      const home = await install({ network: { cors_origins: [origin] } })
      const { code, stderr } = await run(home, ["serve"])
      home.remove()
      expect(code).not.toBe(0)
      expect(stderr).toContain("network.cors_origins")
    }
  })
})
