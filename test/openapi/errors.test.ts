import { openApiDocument } from "@atelier/api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
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
beforeAll(async () => {
  installation = await install()
  server = await serve(installation)
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
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

/** Ids differ from one answer to the next. */
const withoutIds = (error: unknown): unknown =>
  JSON.parse(JSON.stringify(error).replaceAll(/(imgtask|tooltask)_[0-9a-z]{26}/g, "$1_…"))

const image = { model: "gen-image-2", prompt: "a heron" }
const unknownTask = "imgtask_01k8a3v5w2x9y7z4q6r8s1t3v5"

/** Requests that are refused as the document shows it, by status. */
const provoked: {
  readonly [status: string]: {
    readonly code: string
    readonly send: (key: string) => Promise<{ readonly path: string; readonly call: Call }>
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
  415: {
    code: "unsupported_media_type",
    send: async (key) => ({
      path: "/v1/images/tasks",
      call: { key, json: image, headers: { "content-type": "text/plain" } },
    }),
  },
}

const invocation = async (key: string): Promise<Call> => {
  const form = new FormData()
  form.append("file", new Blob(["# Notes"]), "notes.md")
  const file = await call(`${server.url}/v1/tools/text-md-json/files`, { key, form })
  return {
    key,
    json: { input: { file_id: textAt(file.body, "id") }, options: { output_formats: ["markdown"] } },
    headers: { "Idempotency-Key": "example-0001" },
  }
}

describe("examples of errors in the OpenAPI document", () => {
  it.for(Object.keys(provoked).map(Number))("%i is what the service answers", async (status) => {
    const { key } = await makeAccount(server.url, 1)
    const { path, call: request } = (await provoked[status]?.send(key)) ?? { path: "", call: {} }
    const answer = await call(`${server.url}${path}`, request)
    expect(answer.status).toBe(status)
    expect(withoutIds(at(answer.body, "error"))).toEqual(withoutIds(shownOf(status)))
  })
})
