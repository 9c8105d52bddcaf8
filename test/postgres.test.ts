import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import {
  type Account,
  call,
  formOf,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

let postgres: PostgresServer
let installations: ReadonlyArray<Installation>
let servers: ReadonlyArray<Server>
let account: Account

/** Two servers over one database and one folder of blobs; they start at once on a database that is empty. */
beforeAll(async () => {
  postgres = await startPostgres()
  const url = await postgres.emptyDatabase()
  const made = [await install(), await install()]
  const shared = {
    ATELIER_DATABASE_URL: url,
    ATELIER_BLOB_URL: `file:${made[0]?.directory}/blobs`,
  }
  installations = made.map((one) => ({ ...one, environment: { ...one.environment, ...shared } }))
  servers = await Promise.all(installations.map((one) => serve(one)))
  account = await makeAccount(url1(), 1)
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end("SIGTERM")))
  for (const installation of installations) installation.remove()
  await postgres.stop()
})

const url1 = () => servers[0]?.url ?? ""
const url2 = () => servers[1]?.url ?? ""

const submitImage = async (url: string) => {
  const json = { model: "gen-image-2", prompt: "a lighthouse at dusk", size: "256x256" }
  const answer = await call(`${url}/v1/images/tasks`, { key: account.key, json })
  expect(answer.status).toBe(202)
  return textAt(answer.body, "task_id")
}

describe("two servers on one Postgres", () => {
  it("an image that is submitted at one is waited for at the other", async () => {
    for (const [here, there] of [
      [url1(), url2()],
      [url2(), url1()],
    ] as const) {
      const id = await submitImage(here)
      const task = await call(`${there}/v1/tasks/${id}?wait=30`, { key: account.key })
      expect(task.body).toMatchObject({ id, state: "completed" })
    }
  })

  it("every change of a task is streamed by a server that did not run it", async () => {
    const ids = await Promise.all([submitImage(url1()), submitImage(url1()), submitImage(url1())])
    const streams = ids.flatMap((id) =>
      [url1(), url2()].map(async (url) => {
        const response = await fetch(`${url}/v1/tasks/${id}/events`, {
          headers: { authorization: `Bearer ${account.key}` },
          signal: AbortSignal.timeout(30_000),
        })
        return response.text()
      }),
    )
    for (const text of await Promise.all(streams)) expect(text).toContain("completed")
  })

  it("a document that is uploaded at one is parsed, and its result is read at the other", async () => {
    const { key } = account
    const text = "# Notes\n\nA first document.\n"
    const form = formOf("notes.md", text)
    const upload = await call(`${url1()}/v1/tools/text-md-json/files`, { key, form })
    expect(upload.status).toBe(201)
    const invoked = await call(`${url2()}/v1/tools/text-md-json/invoke`, {
      key,
      headers: { "idempotency-key": "postgres-document" },
      json: { input: { file_id: textAt(upload.body, "id") } },
    })
    expect(invoked.status).toBe(202)
    const id = textAt(invoked.body, "id")
    const task = await call(`${url1()}/v1/tasks/${id}?wait=30`, { key })
    expect(task.body).toMatchObject({ id, status: "succeeded" })
    const result = await call(`${url2()}/v1/tasks/${id}/result?format=markdown`, { key })
    expect(result.body).toBe(text)
  })
})

/** Forwards to a database until a statement that holds `text` is sent: then there is no database any more. */
const closingAt = async (database: string, text: string) => {
  const { port } = new URL(database)
  const sockets = new Set<Socket>()
  const proxy = createServer((from) => {
    const to = connect(Number(port), "127.0.0.1")
    for (const socket of [from, to]) {
      sockets.add(socket)
      socket.on("error", () => {}).on("close", () => [from, to].map((each) => each.destroy()))
    }
    to.pipe(from)
    from.on("data", (bytes) => {
      if (!bytes.includes(text)) return void to.write(bytes)
      proxy.close()
      for (const socket of sockets) socket.destroy()
    })
  }).listen(0, "127.0.0.1")
  await once(proxy, "listening")
  const address = proxy.address()
  const url = new URL(database)
  url.port = String(typeof address === "object" ? address?.port : "")
  return url.href
}

describe("a server whose Postgres goes away after it was opened", () => {
  it("starts all the same, is not ready, and its metrics are refused", async () => {
    const database = installations[0]?.environment["ATELIER_DATABASE_URL"] ?? ""
    const installation = await install()
    const url = await closingAt(database, "SELECT id, value FROM settings")
    const environment = { ...installation.environment, ATELIER_DATABASE_URL: url }
    const server = await serve({ ...installation, environment })
    const statusOf = async (path: string) => (await call(`${server.url}${path}`)).status
    try {
      expect(await statusOf("/metrics")).toBe(503)
      expect(await statusOf("/readyz")).toBe(503)
      expect(await statusOf("/healthz")).toBe(200)
    } finally {
      expect(await server.end("SIGTERM")).toBe(0)
      installation.remove()
    }
  })
})
