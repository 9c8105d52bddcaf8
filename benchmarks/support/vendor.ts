import { Worker } from "node:worker_threads"

const many = 100_000_000

/**
 * A vendor of images in a thread of its own that answers at once: `gen-image-2` by a link, which is passed through,
 * `gen-image-2.5` by a small PNG, which is archived.
 */
export const startVendor = (): Promise<{ readonly url: string; readonly close: () => void }> =>
  new Promise((resolve) => {
    const source = `
      const { createServer } = require("node:http")
      const { parentPort } = require("node:worker_threads")
      const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
      const answers = {
        "/link/images/generations": { created: 1, data: [{ url: "https://cdn.example.com/1.png" }] },
        "/bytes/images/generations": { created: 1, data: [{ b64_json: png }] },
      }
      createServer((request, response) => {
        request.resume().on("end", () => {
          response.writeHead(200, { "content-type": "application/json" })
          response.end(JSON.stringify(answers[request.url]))
        })
      }).listen(0, "127.0.0.1", function () { parentPort.postMessage(this.address().port) })`
    const worker = new Worker(source, { eval: true })
    worker.once("message", (port: number) =>
      resolve({ url: `http://127.0.0.1:${port}`, close: () => worker.terminate() }),
    )
  })

/** The configuration of a server over the vendor, without limits on rates. */
export const vendorConfig = (url: string) => {
  const channel = (id: string, path: string, model: string) => ({
    id,
    adapter: "openai-images",
    base_url: `${url}/${path}`,
    models: { [model]: "vendor-model" },
  })
  return {
    channels: [channel("links", "link", "gen-image-2"), channel("bytes", "bytes", "gen-image-2.5")],
    models: { "gen-image-2": { delivery: "passthrough" } },
    network: { allow_private: ["127.0.0.1/32"] },
    limits: { rate_per_minute: many, rate_burst: many, image_tasks_per_user_max: many },
  }
}
