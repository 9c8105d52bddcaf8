import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import * as Http from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ExecutorOutput } from "@atelier/core"
import { bytesOf } from "@atelier/core/testing"
import type { Converter, ConvertJob } from "@atelier/executor-convert"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/** One request as the vendor got it. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Http.IncomingHttpHeaders
  readonly body: Buffer
  /** The body as a form. */
  readonly form: () => Promise<FormData>
}

/** What a vendor does with a request: anything that a server can do to a connection. */
export type Reply = (response: Http.ServerResponse, received: Received) => void

export interface Vendor {
  /** Without a slash at the end. */
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** Ends when a request has come in whole. */
  readonly asked: Effect.Effect<void>
  /** Ends when a connection was closed by the other side before its answer was complete. */
  readonly hungUp: Effect.Effect<void>
}

/** A vendor's server on loopback that replies with `replies` one after another, and with the last one forever. */
export const startVendor = (...replies: ReadonlyArray<Reply>): Effect.Effect<Vendor, never, Scope.Scope> =>
  Effect.gen(function* () {
    const received: Array<Received> = []
    const asked = Promise.withResolvers<void>()
    const hungUp = Promise.withResolvers<void>()
    const server = Http.createServer(async (request, response) => {
      response.on("close", () => {
        if (!response.writableEnded) hungUp.resolve()
      })
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk)
      const body = Buffer.concat(chunks)
      const { headers, method = "", url = "" } = request
      const form = () => {
        const type = headers["content-type"] ?? ""
        return new Response(body, { headers: { "content-type": type } }).formData()
      }
      const one: Received = { method, path: url, headers, body, form }
      const reply = replies[Math.min(received.length, replies.length - 1)]
      received.push(one)
      asked.resolve()
      reply?.(response, one)
    })
    yield* Effect.promise(() => new Promise<void>((done) => server.listen(0, "127.0.0.1", done)))
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      }),
    )
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    return {
      url: `http://127.0.0.1:${port}`,
      received,
      asked: Effect.promise(() => asked.promise),
      hungUp: Effect.promise(() => hungUp.promise),
    }
  })

export const reply =
  (body: string | Uint8Array, type: string, status = 200, headers: Http.OutgoingHttpHeaders = {}): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": type, ...headers })
    response.end(body)
  }

export const json = (value: unknown, status = 200, headers: Http.OutgoingHttpHeaders = {}): Reply =>
  reply(JSON.stringify(value), "application/json", status, headers)

/** Says how much is to come, sends a part of it, and cuts the connection. */
export const cutOff: Reply = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
  response.write(`{"success": tr`, () => response.socket?.destroy())
}

/** Never answers. */
export const silence: Reply = () => {}

/** Sends without an end until the other side hangs up. */
export const flood =
  (type: string): Reply =>
  (response) => {
    response.writeHead(200, { "content-type": type })
    const chunk = Buffer.alloc(65_536, 0x20)
    const send = () => {
      while (!response.destroyed && response.write(chunk)) {}
    }
    response.on("drain", send)
    send()
  }

/** A document that passed inspection, for a run of its own. */
export const job = (
  filename: string,
  content: string | Uint8Array,
): Effect.Effect<ConvertJob, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "adapter-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
    ),
    (folder) => {
      const path = join(folder, "upload")
      writeFileSync(path, content)
      const outputDirectory = mkdtempSync(join(folder, "output-"))
      return {
        owner: "test",
        path,
        filename,
        bytes: statSync(path).size,
        outputDirectory: Effect.succeed(outputDirectory),
        outputFormats: ["markdown", "json"],
      }
    },
  )

export const readResults = ({ results }: ExecutorOutput) => {
  const read = (format: "markdown" | "json") => {
    const result = results.find((written) => written.format === format)
    return result === undefined ? "" : bytesOf(result).toString()
  }
  const json: unknown = JSON.parse(read("json"))
  return { markdown: read("markdown"), json }
}

/** Converts a small document; its name holds what no vendor needs to know. */
export const convertOne = (converter: Converter, filename = "secret plans.docx", content = "PK content") =>
  Effect.flatMap(job(filename, content), (one) => converter.convert(one))
