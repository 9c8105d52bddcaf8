import { describe, expect, it } from "vitest"
import { startPostgres } from "./support/postgresServer.ts"
import { call, install, makeAccount, serve, textAt } from "./support/server.ts"

/** Far longer than a test: what waits for a poll does not end. */
const hourMillis = 3_600_000

const many = 1_000_000
const limits = {
  queue_poll_ms: hourMillis,
  rate_per_minute: many,
  rate_burst: many,
  image_tasks_per_user_max: many,
}

/** Submits an image; a slow machine may shed it for a while. */
const submit = async (url: string, key: string): Promise<string> => {
  const json = { model: "gen-image-2", prompt: "a boat", size: "256x256" }
  for (;;) {
    const { status, body } = await call(`${url}/v1/images/tasks`, { key, json })
    if (status !== 503) return textAt(body, "task_id")
  }
}

/** Callers who each submit an image and wait for it, one after another; answers the states of all. */
const loop = async (url: string, key: string, callers: number, rounds: number) => {
  const states: Array<string> = []
  const caller = async () => {
    for (let round = 0; round < rounds; round++) {
      const id = await submit(url, key)
      const final = await call(`${url}/v1/tasks/${id}?wait=60`, { key })
      states.push(textAt(final.body, "state"))
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return states
}

describe.each(["SQLite", "Postgres"])("on %s no job waits for a poll", (store) => {
  it("of 1, 16 and 64 callers who wait for their images", async () => {
    const postgres = store === "Postgres" ? await startPostgres() : undefined
    const installation = await install({
      channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
      limits,
    })
    const database = postgres === undefined ? {} : { ATELIER_DATABASE_URL: await postgres.database() }
    const server = await serve({
      ...installation,
      environment: { ...installation.environment, ...database },
    })
    const { key } = await makeAccount(server.url, 100_000)
    for (const [callers, rounds] of [
      [1, 5],
      [16, 3],
      [64, 2],
    ] as const) {
      const states = await loop(server.url, key, callers, rounds)
      expect(states).toEqual(Array.from({ length: callers * rounds }, () => "completed"))
    }
    expect(await server.end("SIGTERM")).toBe(0)
    installation.remove()
    await postgres?.stop()
  })
})
