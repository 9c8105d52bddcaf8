import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, type Installation, install, launch } from "./support/server.ts"

let installation: Installation

beforeAll(async () => {
  installation = await install()
})
afterAll(() => installation.remove())

/** Longer than any request takes here. */
const patience = 5_000

/** What became of one request: its status, `refused`, or `silence`. */
const attempt = (url: string): Promise<string> =>
  call(`${url}/healthz`, { patience }).then(
    ({ status }) => String(status),
    (error: unknown) =>
      error instanceof DOMException && error.name === "TimeoutError" ? "silence" : "refused",
  )

describe("contract, Running it: a server that starts", () => {
  it("answers every request that it accepts", async () => {
    const server = launch(installation)
    const outcomes: Array<Promise<string>> = []
    let ready = false
    server.ready.then(() => {
      ready = true
    })
    while (!ready) {
      outcomes.push(attempt(server.url))
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    outcomes.push(attempt(server.url))
    const seen = new Set(await Promise.all(outcomes))
    await server.end("SIGTERM")
    expect(seen).not.toContain("silence")
    expect(seen).toContain("200")
  })
})
