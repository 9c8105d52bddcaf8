import { expect } from "vitest"
import { events } from "../support/answers.ts"
import {
  type Account,
  type Answer,
  adminToken,
  at,
  type Call,
  call,
  install,
  makeAccount,
  serve,
  textAt,
} from "../support/server.ts"
import { openVendor, type Vendor } from "./vendor.ts"

export { events, refusalIn, type ServerSentEvent, unitsOf } from "../support/answers.ts"

const many = 1_000_000

/** A server under test, an account with money, and the vendor that serves its models. */
export interface App {
  readonly url: string
  readonly vendor: Vendor
  readonly account: Account
  /** One request, by the account's key unless it names another. */
  readonly call: (path: string, request?: Call) => Promise<Answer>
  /** Submits a task and expects that it is accepted; its id. */
  readonly submit: (json: object, request?: Call) => Promise<string>
  /** The task's current state. */
  readonly task: (id: string, request?: Call) => Promise<unknown>
  /** The task at its end. */
  readonly done: (id: string, request?: Call) => Promise<unknown>
  /** The task as soon as it has this state. */
  readonly until: (id: string, state: string) => Promise<unknown>
  /** Another key of the account, by the admin API. */
  readonly newKey: (settings?: object) => Promise<{ readonly id: string; readonly key: string }>
  readonly close: () => Promise<void>
}

/** Every model at the vendor, by the adapter of its family; `artgen` and `test-image` are embedded. */
const channelsAt = (url: string) => {
  const keyed = { api_key: "vendor-key" }
  return [
    {
      id: "openai",
      adapter: "openai-images",
      base_url: `${url}/openai`,
      ...keyed,
      models: { "gen-image-*": "*" },
    },
    {
      id: "imagine",
      adapter: "imagine",
      base_url: `${url}/imagine`,
      ...keyed,
      models: { "imagine-image-2.0": "*" },
    },
    {
      id: "ark",
      adapter: "ark-images",
      base_url: `${url}/ark`,
      ...keyed,
      models: { "dream-*": "*", "alt-dream-*": "*" },
    },
    { id: "local", adapter: "local", models: { artgen: "*" } },
    { id: "faulty", adapter: "faulty", models: { "test-image": "*" } },
  ]
}

/** Starts a server and its vendor; `config` changes its configuration, `environment` its server's. */
export const openApp = async (
  config: {
    readonly channels?: (vendor: string) => ReadonlyArray<object>
    readonly limits?: object
    readonly models?: object
    readonly synchronous_idempotency?: boolean
  } = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<App> => {
  const vendor = await openVendor()
  const home = await install({
    channels: (config.channels ?? channelsAt)(vendor.url),
    models: config.models ?? {},
    synchronous_idempotency: config.synchronous_idempotency ?? false,
    limits: { rate_per_minute: many, rate_burst: many, ...config.limits },
    network: { allow_private: ["127.0.0.1/32"] },
  })
  const server = await serve({ ...home, environment: { ...home.environment, ...environment } })
  const account = await makeAccount(server.url, 100)
  const ask = (path: string, request: Call = {}) =>
    call(`${server.url}${path}`, { key: account.key, ...request })
  const task = async (id: string, request: Call = {}) => (await ask(`/v1/tasks/${id}`, request)).body
  return {
    url: server.url,
    vendor,
    account,
    call: ask,
    submit: async (json, request = {}) => {
      const { status, body } = await ask("/v1/images/tasks", { json, ...request })
      expect({ status, body }).toMatchObject({ status: 202 })
      return textAt(body, "task_id")
    },
    task,
    done: async (id, request = {}) => (await ask(`/v1/tasks/${id}?wait=60`, request)).body,
    until: async (id, state) => {
      for await (const { data } of events(`${server.url}/v1/tasks/${id}/events`, account.key)) {
        if (at(data, "state") === state) return data
      }
      throw new Error(`the task never was ${state}: ${JSON.stringify(await task(id))}`)
    },
    newKey: async (settings = {}) => {
      const path = `/admin/v1/users/${account.user}/keys`
      const { body } = await ask(path, { key: adminToken, json: settings })
      return { id: textAt(body, "id"), key: textAt(body, "key") }
    },
    close: async () => {
      vendor.close()
      await server.end("SIGTERM")
      home.remove()
    },
  }
}

let prompts = 0
/** A prompt that no other test uses. */
export const newPrompt = (text = "a boat"): string => `${text}, number ${++prompts}`
