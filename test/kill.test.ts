import { afterEach, describe, expect, it } from "vitest"
import { readBooks } from "./support/books.ts"
import { Load } from "./support/load.ts"
import { seeded } from "./support/random.ts"
import { type Installation, install, launch, makeAccount, type Server, serve } from "./support/server.ts"
import { expectExact, expectSettled } from "./support/settled.ts"

const kills = 60
/** Answers that clients get, at most, before the next kill. */
const answers_max = 40
/** So that a kill falls into different moments of a request, and of a start. */
const delay_ms_max = 30
const start_ms_max = 700
const clients = 8

const seed = Number(process.env["ATELIER_TEST_SEED"] ?? Date.now() % 1_000_000)

let installation: Installation | undefined
let server: Server | undefined

afterEach(async () => {
  await server?.end("SIGKILL")
  installation?.remove()
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until clients got some answers, or the server is gone. */
const awaitAnswers = async (load: Load, wanted: number, running: Server) => {
  const until = load.answers + wanted
  while (load.answers < until && running.process.exitCode === null) await pause(2)
}

describe("contract, Running it: killed at any instant and started again", () => {
  it(`loses nothing that was accepted and charges nothing twice (${kills} kills, seed ${seed})`, {
    timeout: 300_000,
  }, async () => {
    console.log(`kill test: seed ${seed} (repeat with ATELIER_TEST_SEED=${seed})`)
    const random = seeded(seed)
    const many = 1_000_000
    const home = await install({
      channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
      limits: {
        job_lease_ms: 1_000,
        rate_per_minute: many,
        rate_burst: many,
        tool_tasks_per_user_max: many,
        tool_files_per_user_max: many,
      },
    })
    installation = home
    server = await serve(home)
    const { url } = server
    const account = await makeAccount(url, 10_000)

    const load = new Load({ servers: [server], account, random: seeded(seed + 1), clients })
    for (let kill = 0; kill < kills; kill++) {
      if (random() < 0.15) {
        await pause(random() * start_ms_max)
      } else {
        await server.ready
        await awaitAnswers(load, 1 + random() * answers_max, server)
        await pause(random() * delay_ms_max)
      }
      expect(server.process.exitCode, server.output()).toBeNull()
      await server.end("SIGKILL")
      server = launch(home)
      load.servers = [server]
    }
    await server.ready
    await load.stop()
    const states = await expectSettled(load, url, account)
    expect(await server.end("SIGTERM")).toBe(0)

    expectExact(await readBooks(home), load.wishes.length)
    console.log(`kill test: ${load.wishes.length} tasks: ${JSON.stringify(Object.fromEntries(states))}`)
  })
})
