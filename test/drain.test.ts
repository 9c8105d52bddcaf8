import { afterEach, describe, expect, it } from "vitest"
import { readBooks } from "./support/books.ts"
import { Load } from "./support/load.ts"
import { seeded } from "./support/random.ts"
import {
  at,
  call,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"
import { faultsIn, noFindings, settleBooks } from "./support/settled.ts"

let installation: Installation | undefined
let server: Server | undefined

afterEach(async () => {
  await server?.end("SIGKILL")
  installation?.remove()
})

describe("contract, Running it: SIGTERM", () => {
  it("under load finishes what is short, hands back what is long, ends the process with 0, and loses nothing", {
    timeout: 300_000,
  }, async () => {
    const many = 1_000_000
    const home = await install({
      channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
      limits: {
        drain_ms: 5_000,
        rate_per_minute: many,
        rate_burst: many,
        tool_tasks_per_user_max: many,
        image_tasks_per_user_max: many,
        tool_files_per_user_max: many,
      },
    })
    installation = home
    server = await serve(home)
    const { url } = server
    const account = await makeAccount(url, 1_000)
    const { key } = account
    const submit = async (prompt: string) => {
      const json = { model: "gen-image-2", prompt, size: "256x256" }
      return textAt((await call(`${url}/v1/images/tasks`, { key, json })).body, "task_id")
    }
    const stateOf = async (id: string) =>
      at((await call(`${server?.url}/v1/tasks/${id}`, { key })).body, "state")
    const load = new Load({ servers: [server], account, random: seeded(7), clients: 8 })
    while (load.answers < 100) await new Promise((resolve) => setTimeout(resolve, 5))
    const long = await submit("handed back [slow 20s]")
    while ((await stateOf(long)) !== "in_progress") await new Promise((resolve) => setTimeout(resolve, 5))
    const short = await submit("finished while draining [slow 1s]")
    while ((await stateOf(short)) === "queued") await new Promise((resolve) => setTimeout(resolve, 5))
    const waiting = call(`${url}/v1/tasks/${long}?wait=60`, { key })
    // What has not reached the server when it is asked to stop may be refused.
    const readers = async () => String((await call(`${url}/metrics`)).body)
    while (!/^atelier_http_readers [1-9]/m.test(await readers())) {}

    const ending = server.end("SIGTERM")
    load.finish()
    expect(at((await waiting).body, "state")).toBe("in_progress")
    const code = await ending
    expect({ code, output: server.output() }).toMatchObject({ code: 0 })

    server = await serve(home)
    load.servers = [server]
    await load.stop()
    expect(load.faults).toEqual([])
    // What was finished while draining is final at once; what was handed back goes on.
    expect(await stateOf(short)).toBe("completed")
    expect(await stateOf(long)).not.toBe("completed")
    for (const id of [long, ...load.wishes.flatMap(({ task }) => task ?? [])]) {
      const { body } = await call(`${url}/v1/tasks/${id}?wait=60`, { key })
      expect(["completed", "succeeded", "failed"]).toContain(at(body, "state") ?? at(body, "status"))
    }
    expect(await server.end("SIGTERM")).toBe(0)
    const findings = noFindings()
    settleBooks(findings, await readBooks(home), load.wishes.length + 2)
    expect(faultsIn(findings)).toEqual([])
  })
})
