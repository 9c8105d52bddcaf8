import { once } from "node:events"
import { createServer, type Server as HttpServer } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
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

/** A server that answers as Tika does, when it works. */
interface Vendor {
  readonly url: string
  /** Answers 503 to so many of the next requests. */
  outages: number
  /** How often it was asked. */
  asked: number
  readonly server: HttpServer
}

const startVendor = async (): Promise<Vendor> => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      vendor.asked++
      const works = vendor.outages-- <= 0
      response.writeHead(works ? 200 : 503, { "content-type": "text/html;charset=UTF-8" })
      response.end(works ? "<html><body><p>From the vendor</p></body></html>" : "")
    })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const vendor: Vendor = { url: `http://127.0.0.1:${port}`, outages: 0, asked: 0, server }
  return vendor
}

describe.each([
  ["an outage of the converter is retried within the task's time", 300_000, 1],
  ["a converter that stays out: the task fails at its deadline, and is refunded", 2_500, 1_000],
])("document-tools 3: %s", (_rule, tool_task_deadline_ms, outages) => {
  let vendor: Vendor
  let installation: Installation
  let server: Server
  let account: Account

  beforeAll(async () => {
    vendor = await startVendor()
    vendor.outages = outages
    installation = await install({
      converter: { adapter: "tika", base_url: vendor.url },
      limits: { tool_task_deadline_ms },
    })
    server = await serve(installation)
    account = await makeAccount(server.url, 1)
  })
  afterAll(async () => {
    await server.end("SIGTERM")
    installation.remove()
    vendor.server.close()
  })

  it("by the server as it is configured", async () => {
    const { key } = account
    const form = formOf("table.csv", "a,b\n1,2\n")
    const upload = await call(`${server.url}/v1/tools/file-md-json/files`, { key, form })
    expect(upload.status).toBe(201)
    const invoked = await call(`${server.url}/v1/tools/file-md-json/invoke`, {
      key,
      headers: { "idempotency-key": "converter-test" },
      json: { input: { file_id: textAt(upload.body, "id") } },
    })
    const id = textAt(invoked.body, "id")
    const { body: task } = await call(`${server.url}/v1/tasks/${id}?wait=60`, { key })
    const result = await call(`${server.url}/v1/tasks/${id}/result?format=json`, { key })
    if (outages === 1) {
      // document-tools 1: 0.001 USD for each document, 500 units, however often the vendor was asked.
      const billing = { pre_deducted: 500, charged: 500, refunded: 0 }
      expect(task).toMatchObject({ status: "succeeded", billing })
      expect(vendor.asked).toBe(2)
      expect(result.body).toMatchObject({
        markdown: "From the vendor\n",
        structure_source: "converter:tika",
      })
    } else {
      const billing = { pre_deducted: 500, charged: 0, refunded: 500 }
      expect(task).toMatchObject({ status: "failed", error: { code: "timeout" }, billing })
      expect(vendor.asked).toBeGreaterThan(0)
      expect(result.status).toBe(409)
    }
  })
})
