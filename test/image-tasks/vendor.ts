import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import { onTestFinished } from "vitest"
import { at } from "../support/server.ts"

/** A picture of one pixel. */
export const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

/** One request as the vendor got it. */
export interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body; undefined where it is no JSON. */
  readonly json: unknown
  /** The body, a character for each byte. */
  readonly text: string
}

export type Reply = (response: ServerResponse, asked: Asked) => void | Promise<void>

/**
 * An image vendor on 127.0.0.1 that speaks the API of each adapter under a path of its own, and serves the
 * pictures that it made. It does what it is asked unless a prompt or a path has a script.
 */
export interface Vendor {
  readonly url: string
  /** Replies to a prompt or a path one after another, the last one forever. */
  readonly on: (promptOrPath: string, ...replies: ReadonlyArray<Reply>) => void
  /** Requests for this prompt or of this path, in the order of arrival. */
  readonly asked: (promptOrPath: string) => ReadonlyArray<Asked>
  readonly close: () => void
}

export const openVendor = async (): Promise<Vendor> => {
  const seen: Array<Asked> = []
  const scripts = new Map<string, Array<Reply>>()
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const asked: Asked = {
      path: request.url ?? "",
      headers: request.headers,
      json: parsed(body.toString()),
      text: body.toString("latin1"),
    }
    seen.push(asked)
    const script = scripts.get(promptOf(asked)) ?? scripts.get(asked.path) ?? []
    const reply = (script.length > 1 ? script.shift() : script[0]) ?? deliver
    await reply(response, asked)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  return {
    url,
    on: (promptOrPath, ...replies) => scripts.set(promptOrPath, [...replies]),
    asked: (promptOrPath) =>
      seen.filter((asked) => promptOf(asked) === promptOrPath || asked.path === promptOrPath),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const promptOf = ({ json, text }: Asked): string =>
  String(at(json, "prompt") ?? /name="prompt"\r\n\r\n(.*)\r\n/.exec(text)?.[1] ?? "")

/** What the vendor does unless it is told otherwise: the pictures in Base64, or links to them. */
export const deliver: Reply = (response, asked) => {
  if (!asked.path.includes("/images/")) return void response.end(pixel)
  const { json, headers, path } = asked
  const n = Number(at(json, "n") ?? at(json, "sequential_image_generation_options.max_images") ?? 1)
  const name = encodeURIComponent(promptOf(asked))
  const images = Array.from({ length: n }, (_, index) =>
    path.startsWith("/openai/")
      ? { b64_json: pixel.toString("base64") }
      : { url: `http://${headers.host}/made/${name}/${index}.png` },
  )
  return answer(200, { data: images })(response, asked)
}

/** The path of a picture that was made of a prompt. */
export const madeOf = (prompt: string, index = 0): string =>
  `/made/${encodeURIComponent(prompt)}/${index}.png`

export const answer =
  (status: number, json: object): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(json))
  }

/** The connection is lost after the request came whole. */
export const cut: Reply = (response) => void response.socket?.destroy()

/**
 * A reply that is given when the test says so, or has ended; `asked` settles when the first request has come
 * to it.
 */
export const held = (reply: Reply = deliver) => {
  const gate = Promise.withResolvers<void>()
  const arrival = Promise.withResolvers<void>()
  onTestFinished(() => gate.resolve())
  const waiting: Reply = async (response, asked) => {
    arrival.resolve()
    await gate.promise
    await reply(response, asked)
  }
  return { reply: waiting, asked: arrival.promise, open: () => gate.resolve() }
}
