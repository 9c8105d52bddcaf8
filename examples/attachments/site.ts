import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { join } from "node:path"
import type { Attachments } from "./attachments.ts"
import { type DocumentService, toolFor } from "./service.ts"

const page = readFileSync(join(import.meta.dirname, "page.html"))

/** The site: one page, and the attachment interface that the page uses. A real one asks who the visitor is. */
export const makeSite = (attachments: Attachments, service: DocumentService): Server => {
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const route = `${request.method} ${request.url}`
    const id = /^GET \/attachments\/([0-9a-f-]{36})$/.exec(route)?.[1]
    if (route === "GET /") {
      response.setHeader("content-type", "text/html; charset=utf-8").end(page)
    } else if (route === "GET /attachments") {
      answer(response, 200, await offer(service))
    } else if (route === "POST /attachments") {
      await attach(request, response)
    } else {
      const view = id === undefined ? undefined : attachments.get(id)
      answer(response, view === undefined ? 404 : 200, view ?? { problem: "There is nothing here." })
    }
  }

  const attach = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = nameOf(request)
    const tool = toolFor(await service.tools(), name)
    if (tool === undefined) return answer(response, 415, { problem: "Files of this type are not accepted." })
    const content = await bodyOf(request, tool.max_file_bytes)
    if (content !== undefined) return answer(response, 202, attachments.add(name, content))
    // The rest of the file is not read.
    response.setHeader("connection", "close")
    answer(response, 413, {
      problem: `Files of this type may have at most ${megabytes(tool.max_file_bytes)}.`,
    })
  }

  return createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) answer(response, 500, { problem: "This site has an internal error." })
    })
  })
}

/** What may be attached, for the page: what the catalog offers now, without naming the tools. */
const offer = async (service: DocumentService) => {
  const tools = await service.tools()
  return { types: [...new Set(tools.flatMap(({ extensions }) => extensions))] }
}

const nameOf = ({ headers }: IncomingMessage): string => {
  try {
    return decodeURIComponent(String(headers["x-file-name"] ?? ""))
  } catch {
    return ""
  }
}

/** The body, or undefined as soon as it exceeds the limit. */
const bodyOf = async (
  request: IncomingMessage,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > bytesMax) return undefined
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

const megabytes = (bytes: number): string => `at most ${Math.round(bytes / 104_857.6) / 10} MB`

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}
