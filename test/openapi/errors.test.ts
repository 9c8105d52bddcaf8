import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { openApiDocument } from "@atelier/api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type PostgresServer, startPostgres } from "../support/postgresServer.ts"
import {
  type Account,
  type Answer,
  adminToken,
  at,
  type Call,
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
/** It waits for nothing and keeps nothing. */
let hasty: Server
/** Its database is gone. */
let lost: Server
let lostAccount: Account
let postgres: PostgresServer
const installations: Array<Installation> = []
const installed = async (config: object): Promise<Installation> => {
  const made = await install({
    channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
    ...config,
  })
  installations.push(made)
  return made
}

beforeAll(async () => {
  postgres = await startPostgres()
  installation = await installed({})
  const limits = { image_sync_timeout_ms: 1, tool_result_retention_ms: 1 }
  const onPostgres = await installed({})
  onPostgres.environment["ATELIER_DATABASE_URL"] = await postgres.database()
  ;[server, hasty, lost] = await Promise.all([
    serve(installation),
    serve(await installed({ limits })),
    serve(onPostgres),
  ])
  lostAccount = await makeAccount(lost.url, 1)
  await postgres.kill("SIGKILL")
})
afterAll(async () => {
  await Promise.all([server.end("SIGTERM"), hasty.end("SIGKILL"), lost.end("SIGKILL")])
  for (const each of installations) each.remove()
  await postgres.stop()
})

/** The example that the document shows of a status. */
const shownOf = (status: number): unknown => {
  for (const response of Object.values(openApiDocument().components.responses)) {
    const [example] = Object.values(at(response, "content.application/json.examples") as object)
    const { error } = at(example, "value") as { readonly error: { readonly code: string } }
    if (provoked[status]?.code === error.code) return error
  }
  return undefined
}

/** Ids, times and lengths differ from one answer to the next. */
const withoutIds = (error: unknown): unknown =>
  JSON.parse(
    JSON.stringify(error)
      .replaceAll(/(imgtask|tooltask)_[0-9a-z]{26}/g, "$1_…")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "…")
      .replaceAll(/(has|after) [\d.]+ (bytes;|seconds)/g, "$1 … $2"),
  )

const image = { model: "gen-image-2", prompt: "a heron" }
const unknownTask = "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5"

/** Requests that are refused as the document shows it, by status. */
const provoked: {
  readonly [status: string]: {
    readonly code: string
    /** So many at once, and again until one is refused. */
    readonly atOnce?: number
    readonly send: (
      key: string,
    ) => Promise<{ readonly url?: string; readonly path: string; readonly call: Call }>
  }
} = {
  400: {
    code: "max_cost_exceeded",
    send: async (key) => ({
      path: "/v1/images/tasks",
      call: { key, json: { ...image, max_cost_usd: 0.01 } },
    }),
  },
  401: { code: "invalid_api_key", send: async () => ({ path: "/v1/models", call: { key: "sk-atl-none" } }) },
  402: {
    code: "insufficient_balance",
    send: async () => {
      const { key } = await makeAccount(server.url, 0)
      return { path: "/v1/tools/text-md-json/invoke", call: await invocation(key) }
    },
  },
  403: {
    code: "model_not_allowed",
    send: async () => {
      const { user } = await makeAccount(server.url, 1)
      const made = await call(`${server.url}/admin/v1/users/${user}/keys`, {
        key: adminToken,
        json: { models: ["dream-*"] },
      })
      return { path: "/v1/images/tasks", call: { key: textAt(made.body, "key"), json: image } }
    },
  },
  404: { code: "task_not_found", send: async (key) => ({ path: `/v1/tasks/${unknownTask}`, call: { key } }) },
  406: {
    code: "format_not_requested",
    send: async (key) => {
      const made = await call(`${server.url}/v1/tools/text-md-json/invoke`, await invocation(key))
      return { path: `/v1/tasks/${textAt(made.body, "id")}/result?format=json`, call: { key } }
    },
  },
  409: {
    code: "idempotency_key_reused",
    send: async (key) => {
      const headers = { "Idempotency-Key": "order-1" }
      await call(`${server.url}/v1/images/tasks`, { key, headers, json: image })
      return { path: "/v1/images/tasks", call: { key, headers, json: { ...image, n: 2 } } }
    },
  },
  413: {
    code: "request_too_large",
    send: async (key) => ({
      path: "/v1/images/tasks",
      call: { key, json: { ...image, prompt: "a".repeat(300_000) } },
    }),
  },
  410: {
    code: "result_expired",
    send: async () => {
      const { url } = hasty
      const { key } = await makeAccount(url, 1)
      const made = await call(`${url}/v1/tools/text-md-json/invoke`, await invocation(key, url))
      const path = `/v1/tasks/${textAt(made.body, "id")}`
      await call(`${url}${path}?wait=30`, { key })
      return { url, path: `${path}/result`, call: { key } }
    },
  },
  416: {
    code: "range_not_satisfiable",
    send: async (key) => {
      const made = await call(`${server.url}/v1/images/generations`, { key, json: image })
      const { pathname } = new URL(textAt(made.body, "data.0.url"))
      return { path: pathname, call: { headers: { range: "bytes=200000-" } } }
    },
  },
  429: {
    code: "rate_limited",
    // Its rate is refilled all the time.
    atOnce: 60,
    send: async (key) => ({ path: "/v1/balance", call: { key } }),
  },
  500: {
    code: "internal_error",
    // Reads that meet a commit on its way to the disk see what was there before it, and not the change made here.
    atOnce: 2,
    send: async (key) => {
      const headers = { "Idempotency-Key": "order-2" }
      // While it runs: the answer of a final task is kept.
      const json = { ...image, prompt: "a heron [slow 1h]" }
      const made = await call(`${server.url}/v1/images/tasks`, { key, headers, json })
      const database = new DatabaseSync(join(installation.directory, "data", "atelier.db"), {
        enableForeignKeyConstraints: false,
        timeout: 30_000,
      })
      database.prepare("DELETE FROM tasks WHERE id = ?").run(textAt(made.body, "id"))
      database.close()
      return { path: "/v1/images/tasks", call: { key, headers, json } }
    },
  },
  502: {
    code: "upstream_failed",
    send: async (key) => ({
      path: "/v1/images/generations",
      call: { key, json: { ...image, prompt: "a heron [fail]" } },
    }),
  },
  503: {
    code: "storage_unavailable",
    send: async () => ({
      url: lost.url,
      path: "/v1/images/tasks",
      call: { key: lostAccount.key, json: image },
    }),
  },
  504: {
    code: "generation_timeout",
    send: async () => {
      const { key } = await makeAccount(hasty.url, 1)
      const json = { ...image, prompt: "a heron [slow 5s]" }
      return { url: hasty.url, path: "/v1/images/generations", call: { key, json } }
    },
  },
  415: {
    code: "unsupported_media_type",
    send: async (key) => ({
      path: "/v1/images/tasks",
      call: { key, json: image, headers: { "content-type": "text/plain" } },
    }),
  },
}

const invocation = async (key: string, url = server.url): Promise<Call> => {
  const form = new FormData()
  form.append("file", new Blob(["# Notes"]), "notes.md")
  const file = await call(`${url}/v1/tools/text-md-json/files`, { key, form })
  return {
    key,
    json: { input: { file_id: textAt(file.body, "id") }, options: { output_formats: ["markdown"] } },
    headers: { "Idempotency-Key": "example-0001" },
  }
}

describe("examples of errors in the OpenAPI document", () => {
  it("each is provoked here", () => {
    const shown = Object.keys(openApiDocument().components.responses)
    expect(Object.keys(provoked)).toHaveLength(shown.length)
  })

  it.for(Object.keys(provoked).map(Number))("%i is what the service answers", async (status) => {
    const { key } = await makeAccount(server.url, 1)
    const { send, atOnce = 1 } = provoked[status] ?? {}
    const sent = await send?.(key)
    const ask = () => call(`${sent?.url ?? server.url}${sent?.path}`, sent?.call)
    const isRefused = (answer: Answer) => answer.status === status
    let answers = await Promise.all(Array.from({ length: atOnce }, ask))
    while (atOnce > 1 && !answers.some(isRefused)) answers = await Promise.all(answers.map(ask))
    const answer = answers.find(isRefused) ?? answers[0]
    expect(answer?.status).toBe(status)
    expect(withoutIds(at(answer?.body, "error"))).toEqual(withoutIds(shownOf(status)))
  })
})
