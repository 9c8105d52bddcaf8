import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { createServer as createSecureServer } from "node:https"
import { join } from "node:path"
import { root } from "../../scripts/workspace.ts"
import { at } from "./server.ts"

const fixture = (name: string): string => join(root, "test", "image-tasks", "fixtures", name)

/** A picture of one pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** One received callback. */
export interface Delivered {
  readonly event: string
  readonly type: string
}

/**
 * External services that count what reaches them, however often servers die: an image vendor that
 * takes no client-side key, and a customer's receiver of callbacks.
 */
export interface Outside {
  /** Paid requests by their prompt. */
  readonly generations: ReadonlyMap<string, number>
  /** Callbacks by their task. */
  readonly callbacks: ReadonlyMap<string, ReadonlyArray<Delivered>>
  readonly callbackUrl: string
  /** The settings with which a server reaches both. */
  readonly channel: object
  readonly network: object
  readonly environment: Readonly<Record<string, string>>
  readonly close: () => void
}

/** A vendor takes up to this long, so that a kill can happen during its work. */
const thinkMsMax = 120

export const openOutside = async (random: () => number): Promise<Outside> => {
  const generations = new Map<string, number>()
  const callbacks = new Map<string, Array<Delivered>>()
  const vendor = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const prompt = String(at(body, "prompt"))
    generations.set(prompt, (generations.get(prompt) ?? 0) + 1)
    const images = Array.from({ length: Number(at(body, "n") ?? 1) }, () => ({ b64_json: pixel }))
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data: images }))
    }, random() * thinkMsMax)
  })
  const receiver = createSecureServer(
    { cert: readFileSync(fixture("receiver.cert.pem")), key: readFileSync(fixture("receiver.key.pem")) },
    async (request, response) => {
      const body = await bodyOf(request)
      const task = String(at(body, "data.id"))
      const event = String(request.headers["webhook-id"])
      callbacks.set(task, [...(callbacks.get(task) ?? []), { event, type: String(at(body, "type")) }])
      response.writeHead(204).end()
    },
  )
  const [vendorPort, receiverPort] = await Promise.all([portOf(vendor), portOf(receiver)])
  return {
    generations,
    callbacks,
    callbackUrl: `https://127.0.0.1:${receiverPort}/hook`,
    channel: {
      id: "counted",
      adapter: "openai-images",
      base_url: `http://127.0.0.1:${vendorPort}`,
      api_key: "vendor-key",
      models: { "gen-image-2.5": "*" },
    },
    network: { allow_private: ["127.0.0.1/32"] },
    environment: { NODE_EXTRA_CA_CERTS: fixture("receiver.cert.pem") },
    close: () => {
      for (const server of [vendor, receiver]) {
        server.closeAllConnections()
        server.close()
      }
    },
  }
}

/** A request whose sender dies midway has no body. */
const bodyOf = async (request: AsyncIterable<Buffer>): Promise<unknown> => {
  const chunks: Array<Buffer> = []
  try {
    for await (const chunk of request) chunks.push(chunk)
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

const portOf = async (server: Server | ReturnType<typeof createSecureServer>): Promise<number> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return address.port
}
