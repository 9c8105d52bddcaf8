import { once } from "node:events"
import { createServer } from "node:http"
import { ExecutorFailed } from "@atelier/core"
import * as Effect from "effect/Effect"
import { afterEach, describe, expect, it } from "vitest"
import { openClockApp, until } from "./document-tools/app.ts"
import { at, call, formOf, install, makeAccount, serve, textAt } from "./support/server.ts"

const endings: Array<() => unknown> = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** A server that answers as Tika does, after so many requests that find it down. */
const startVendor = async (outages: number) => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const works = vendor.asked++ >= outages
      response.writeHead(works ? 200 : 503, { "content-type": "text/html;charset=UTF-8" })
      response.end(works ? "<html><body><p>From the vendor</p></body></html>" : "")
    })
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  endings.push(() => server.close())
  const port = Number(at(server.address(), "port"))
  const vendor = { url: `http://127.0.0.1:${port}`, asked: 0 }
  return vendor
}

/** Sends one document to a server whose converter is such a vendor: the task at its end, and its result. */
const convertOver = async (outages: number, toolTaskDeadlineMs: number) => {
  const vendor = await startVendor(outages)
  const converter = { adapter: "tika", base_url: vendor.url }
  const installation = await install({ converter, limits: { tool_task_deadline_ms: toolTaskDeadlineMs } })
  endings.push(() => installation.remove())
  const server = await serve(installation)
  endings.push(() => server.end("SIGTERM"))
  const { key } = await makeAccount(server.url, 1)
  const form = formOf("table.csv", "a,b\n1,2\n")
  const upload = await call(`${server.url}/v1/tools/file-md-json/files`, { key, form })
  const invoked = await call(`${server.url}/v1/tools/file-md-json/invoke`, {
    key,
    headers: { "idempotency-key": "converter-test" },
    json: { input: { file_id: textAt(upload.body, "id") } },
  })
  const id = textAt(invoked.body, "id")
  const { body: task } = await call(`${server.url}/v1/tasks/${id}?wait=60`, { key })
  const result = await call(`${server.url}/v1/tasks/${id}/result?format=json`, { key })
  return { task, result, asked: vendor.asked }
}

describe("file-md-json over a converter on the network", () => {
  it("an outage is waited out within the task's time, and charged once", async () => {
    const { task, result, asked } = await convertOver(1, 300_000)
    // document-tools 1: 0.001 USD for each document, 500 units.
    const billing = { pre_deducted: 500, charged: 500, refunded: 0 }
    expect(task).toMatchObject({ status: "succeeded", billing })
    expect(result.body).toMatchObject({ markdown: "From the vendor\n", structure_source: "converter:tika" })
    expect(asked).toBe(2)
  })

  it("an outage that outlasts the task's time fails it and refunds it; nothing else is asked", async () => {
    const { task, result, asked } = await convertOver(Number.POSITIVE_INFINITY, 2_500)
    const billing = { pre_deducted: 500, charged: 0, refunded: 500 }
    expect(task).toMatchObject({ status: "failed", error: { code: "timeout" }, billing })
    expect(result.status).toBe(409)
    expect(asked).toBeGreaterThan(0)
  })

  it("a converter that sends `Retry-After` is not asked before then", async () => {
    const app = await openClockApp()
    endings.push(() => app.close())
    const works = app.script.runTool
    const busy = { code: "converter_unavailable", message: "busy", retryable: true, retryAfterMillis: 20_000 }
    app.script.runTool = () => {
      app.script.runTool = works
      return Effect.fail(new ExecutorFailed(busy))
    }
    const id = await app.submit()
    const task = await until(
      async () => {
        await app.passes("1 second")
        return app.task(id)
      },
      (found) => at(found, "status") === "succeeded",
    )
    expect(Number(at(task, "finished_at")) - Number(at(task, "started_at"))).toBeGreaterThanOrEqual(20)
  })
})
