import OpenAI, { AuthenticationError } from "openai"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  type Account,
  type Installation,
  install,
  makeAccount,
  type Server,
  serve,
} from "./support/server.ts"

let installation: Installation
let server: Server
let account: Account

beforeAll(async () => {
  installation = await install()
  server = await serve(installation)
  account = await makeAccount(server.url, 1)
})
afterAll(async () => {
  await server.end("SIGTERM")
  installation.remove()
})

const client = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 })

describe("the OpenAI client", () => {
  it("lists models and reads one of them", async () => {
    const { data } = await client(account.key).models.list()
    const ids = data.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(["gen-image-2", "gen-image-2.5", "imagine-image-2.0"]))
    expect(await client(account.key).models.retrieve("gen-image-2")).toMatchObject({
      id: "gen-image-2",
      object: "model",
    })
  })

  it("gets an error that it can read for a wrong key", async () => {
    const error = await client(`sk-atl-${"A".repeat(43)}`)
      .models.list()
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({
      status: 401,
      code: "invalid_api_key",
      type: "authentication_error",
      param: null,
      requestID: expect.stringMatching(/^req_[0-9a-z]{26}$/),
    })
  })
})
