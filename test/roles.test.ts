import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import {
  type Account,
  adminToken,
  at,
  call,
  formOf,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

const many = 1_000_000
const config = {
  channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
  limits: { rate_per_minute: many, rate_burst: many, tool_tasks_per_user_max: many, job_lease_ms: 1_000 },
}

let postgres: PostgresServer
const installations: Array<Installation> = []
const servers = new Set<Server>()

beforeAll(async () => {
  postgres = await startPostgres()
})
afterEach(async () => {
  await Promise.all([...servers].map((server) => server.end("SIGKILL")))
  servers.clear()
})
afterAll(async () => {
  for (const installation of installations) installation.remove()
  await postgres.stop()
})

/** Starts processes of one database and one folder of blobs, by the arguments of each. */
const makeApp = async () => {
  const database = await postgres.database()
  const home = await install(config)
  installations.push(home)
  const shared = {
    ATELIER_DATABASE_URL: database,
    ATELIER_BLOB_URL: `file:${home.directory}/blobs`,
    ATELIER_PUBLIC_URL: "https://images.example.com",
  }
  const begin = async (place: Installation, args: ReadonlyArray<string>): Promise<Server> => {
    // The public address is not the one that it is ready at.
    const server = await serve({ ...place, environment: { ...place.environment, ...shared } }, "serve", args)
    servers.add(server)
    return server
  }
  const place = async () => {
    const made = await install(config)
    installations.push(made)
    return made
  }
  return { place, begin, start: async (...args: ReadonlyArray<string>) => begin(await place(), args) }
}

const submitImage = async (url: string, { key }: Account, prompt: string) => {
  const json = { model: "gen-image-2", prompt, size: "256x256" }
  const answer = await call(`${url}/v1/images/tasks`, { key, json })
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  return textAt(answer.body, "task_id")
}

const submitDocument = async (url: string, { key }: Account, name: string) => {
  const form = formOf("note.md", `# ${name}\n`)
  const upload = await call(`${url}/v1/tools/text-md-json/files`, { key, form })
  const invoked = await call(`${url}/v1/tools/text-md-json/invoke`, {
    key,
    headers: { "idempotency-key": name },
    json: { input: { file_id: textAt(upload.body, "id") } },
  })
  expect(invoked.status, JSON.stringify(invoked.body)).toBe(202)
  return textAt(invoked.body, "id")
}

describe("serve --role", () => {
  it("api accepts and runs nothing, worker runs the kinds that it is started with", {
    timeout: 300_000,
  }, async () => {
    const { start } = await makeApp()
    const { url } = await start("--role", "api")
    const account = await makeAccount(url, 10)
    const image = await submitImage(url, account, "a lighthouse")
    const document = await submitDocument(url, account, "a-document-for-a-worker")
    const stateOf = async (id: string, seconds: number) => {
      const { body } = await call(`${url}/v1/tasks/${id}?wait=${seconds}`, { key: account.key })
      return at(body, "state") ?? at(body, "status")
    }
    expect(await stateOf(image, 1)).toBe("queued")

    await start("--role", "worker", "--kinds", "image")
    expect(await stateOf(image, 30)).toBe("completed")
    expect(await stateOf(document, 1)).toBe("queued")

    await start("--role", "worker", "--kinds", "tool")
    expect(await stateOf(document, 30)).toBe("succeeded")
  })

  it("worker answers only operators' machines", { timeout: 300_000 }, async () => {
    const { start } = await makeApp()
    const { url } = await start("--role", "worker")
    expect((await call(`${url}/readyz`)).status).toBe(200)
    expect((await call(`${url}/metrics`)).status).toBe(200)
    for (const path of ["/v1/models", "/v1/tasks/imgtask_1", "/admin/v1/users", "/media/ab/x.png"]) {
      expect([path, (await call(`${url}${path}`)).status]).toEqual([path, 404])
    }
  })
})

describe("a channel that an operator paused", () => {
  it("is sent nothing by any process, until it is resumed", { timeout: 300_000 }, async () => {
    const { start } = await makeApp()
    const { url } = await start("--role", "api")
    await start("--role", "worker", "--kinds", "image")
    const account = await makeAccount(url, 10)
    const change = async (name: string) => {
      const { status } = await call(`${url}/admin/v1/channels/vendor/${name}`, { key: adminToken, json: {} })
      expect(status).toBe(200)
    }
    const stateOf = async (id: string, seconds: number) => {
      const { body } = await call(`${url}/v1/tasks/${id}?wait=${seconds}`, { key: account.key })
      return at(body, "state")
    }
    expect(await stateOf(await submitImage(url, account, "before"), 30)).toBe("completed")
    await change("pause")
    // The worker knows of it within a second.
    await pause(1_000)
    const image = await submitImage(url, account, "meanwhile")
    expect(await stateOf(image, 2)).toBe("queued")
    await change("resume")
    expect(await stateOf(image, 30)).toBe("completed")
  })
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Less than a process that was asked to stop still accepts requests. */
const knownMsMax = 1_000

/** Of a client, between its tasks: what takes the time of this test is the starts, not the load. */
const betweenMs = 200

/**
 * A load balancer as they are: it asks who is ready, and gives each request to one of those, once. What it was told
 * longer ago than `knownMsMax` it does not rely on: here it takes its turns with everything that it balances.
 */
class Balancer {
  readonly failures: Array<string> = []
  readonly #readyAt = new Map<string, number>()
  #next = 0
  #stopped = false
  readonly #polling: Promise<void>

  constructor(urls: ReadonlyArray<string>) {
    this.#polling = this.#poll(urls)
  }

  async #poll(urls: ReadonlyArray<string>): Promise<void> {
    while (!this.#stopped) {
      await Promise.all(urls.map((url) => this.#ask(url)))
      await pause(100)
    }
  }

  async #ask(url: string): Promise<void> {
    const askedAt = performance.now()
    const { status } = await call(`${url}/readyz`, { patience: 5_000 }).catch(() => ({ status: 0 }))
    if (status === 200) this.#readyAt.set(url, askedAt)
    else this.#readyAt.delete(url)
  }

  #ready(): ReadonlyArray<string> {
    const since = performance.now() - knownMsMax
    return [...this.#readyAt].flatMap(([url, askedAt]) => (askedAt > since ? url : []))
  }

  async call(path: string, request: Parameters<typeof call>[1]) {
    let ready = this.#ready()
    for (; ready.length === 0; ready = this.#ready()) await pause(10)
    const url = ready[this.#next++ % ready.length] ?? ""
    try {
      const answer = await call(`${url}${path}`, request)
      if (answer.status >= 500) this.failures.push(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      return answer
    } catch (error) {
      this.failures.push(`${path}: ${String(error)} ${error instanceof Error ? String(error.cause) : ""}`)
      return undefined
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#polling
  }
}

describe("rolling restart", () => {
  it("every process restarted in turn under load: no request fails, and no job is lost", {
    timeout: 300_000,
  }, async () => {
    const { place, begin } = await makeApp()
    const duties = ["api", "api", "worker", "worker"]
    const places = await Promise.all(duties.map(place))
    const running = await Promise.all(places.map((one, at) => begin(one, ["--role", duties[at] ?? ""])))
    const account = await makeAccount(running[0]?.url ?? "", 1_000)
    const balancer = new Balancer(running.slice(0, 2).map(({ url }) => url))

    const tasks: Array<string> = []
    let stopped = false
    const clients = Array.from({ length: 4 }, async () => {
      while (!stopped) {
        const json = { model: "gen-image-2", prompt: "a boat [slow 0.1s]", size: "256x256" }
        const answer = await balancer.call("/v1/images/tasks", { key: account.key, json })
        const id = at(answer?.body, "task_id")
        if (typeof id !== "string") continue
        tasks.push(id)
        await balancer.call(`/v1/tasks/${id}?wait=1`, { key: account.key })
        await pause(betweenMs)
      }
    })
    for (const [index, one] of places.entries()) {
      const old = running[index]
      if (old === undefined) throw new Error("no process")
      expect(await old.end("SIGTERM")).toBe(0)
      servers.delete(old)
      await begin(one, ["--role", duties[index] ?? ""])
      await pause(300)
    }
    stopped = true
    await Promise.all(clients)
    expect(balancer.failures).toEqual([])
    expect(tasks.length).toBeGreaterThan(20)
    for (const id of tasks) {
      const answer = await balancer.call(`/v1/tasks/${id}?wait=30`, { key: account.key })
      expect([id, at(answer?.body, "state")]).toEqual([id, "completed"])
    }
    await balancer.stop()
  })
})
