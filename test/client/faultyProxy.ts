import { once } from "node:events"
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from "node:http"
import { controlPaths, type Fault, type Plan } from "./faults.ts"

export interface FaultyProxy {
  readonly url: string
  readonly close: () => Promise<void>
}

/** Answers requests that are not for the service, such as a test's own pages; false where it knows none. */
export type Pages = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

interface Whole {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: Buffer
}

/** Two servers: what is asked below `/busy` goes to the one that begins no image. */
export interface Servers {
  readonly idle: string
  readonly busy: string
}

/**
 * A proxy before real servers that breaks the requests which a plan names. `POST /__account` makes a user with a
 * key, `/__reset` takes the plan of a key and begins counting again, `/__log` tells what the key asked since.
 */
export const openFaultyProxy = async (
  servers: Servers,
  newAccount: (upstream: string) => Promise<string>,
  pages: Pages = async () => false,
): Promise<FaultyProxy> => {
  const runs = new Map<string, { readonly plans: ReadonlyArray<Plan>; readonly log: Array<string> }>()
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request)
    const isBusy = request.url?.startsWith("/busy/") === true
    if (isBusy) request.url = request.url?.slice("/busy".length) ?? "/"
    const upstream = isBusy ? servers.busy : servers.idle
    if (request.url === controlPaths.account)
      return void response.end(JSON.stringify(await newAccount(upstream)))
    if (request.url === controlPaths.reset) {
      const { key, plans } = JSON.parse(String(body))
      runs.set(`Bearer ${key}`, { plans, log: [] })
      return void response.end("{}")
    }
    if (request.url === controlPaths.log) {
      const { key } = JSON.parse(String(body))
      return void response.end(JSON.stringify(runs.get(`Bearer ${key}`)?.log))
    }
    if (!request.url?.startsWith("/v1/")) {
      if (!(await pages(request, response))) response.writeHead(404).end()
      return
    }
    const { plans, log } = runs.get(request.headers.authorization ?? "") ?? { plans: [], log: [] }
    const at = log.push(`${request.method} ${request.url.replace(/_[0-9a-z]{26}/g, "_ID")}`) - 1
    const fault = plans.find((plan) => plan.at === at)?.fault
    await (fault === undefined
      ? pass(upstream, request, body, response)
      : breaking(fault, request, response, () => whole(upstream, request, body)))
  }
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("no port")
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    },
  }
}

const bodyOf = async (stream: IncomingMessage): Promise<Buffer> => Buffer.concat(await stream.toArray())

const send = (upstream: string, { method, url, headers }: IncomingMessage, body: Buffer) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const address = new URL(url ?? "/", upstream)
    const { connection: _, ...rest } = headers
    const options = {
      method: method ?? "GET",
      headers: { ...rest, host: address.host },
      agent: false as const,
    }
    forward(address, options, resolve).on("error", reject).end(body)
  })

const pass = async (
  upstream: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<void> => {
  const reply = await send(upstream, request, body)
  response.writeHead(reply.statusCode ?? 500, reply.headers)
  response.on("close", () => reply.destroy())
  reply.pipe(response)
}

const whole = async (upstream: string, request: IncomingMessage, body: Buffer): Promise<Whole> => {
  const reply = await send(upstream, request, body)
  return { status: reply.statusCode ?? 500, headers: reply.headers, body: await bodyOf(reply) }
}

const html = { "content-type": "text/html" }
const json = { "content-type": "application/json" }
const page = "<html><body>Bad Gateway</body></html>"

const refusal = (type: string, code: string): string =>
  JSON.stringify({ error: { message: "Planned.", type, code, param: null }, request_id: "req_planned" })

const anotherTask = JSON.stringify({
  object: "image.task",
  id: `imgtask_${"0".repeat(26)}`,
  state: "completed",
})

const breaking = async (
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
  act: () => Promise<Whole>,
): Promise<void> => {
  switch (fault) {
    case "reset":
      return void request.socket.destroy()
    case "lost":
      await act()
      return void request.socket.destroy()
    case "silent":
      return void (await act())
    case "cut": {
      const { status, headers, body } = await act()
      const { "transfer-encoding": _, ...rest } = headers
      response.writeHead(status, { ...rest, "content-length": body.length + 1 })
      response.write(body.subarray(0, body.length / 2), () => request.socket.destroy())
      return
    }
    case "429":
      return void response
        .writeHead(429, { ...json, "retry-after": "0" })
        .end(refusal("rate_limit_error", "rate_limited"))
    case "500":
      return void response.writeHead(500, json).end(refusal("server_error", "internal_error"))
    case "503":
      return void response
        .writeHead(503, { ...json, "retry-after": "0" })
        .end(refusal("server_error", "overloaded"))
    case "gateway":
      return void response.writeHead(502, html).end(page)
    case "gateway-after":
      await act()
      return void response.writeHead(502, html).end(page)
    case "portal":
      return void response.writeHead(200, html).end(page)
    case "empty": {
      const { status } = await act()
      return void response.writeHead(status, json).end("{}")
    }
    case "other": {
      const { status } = await act()
      return void response.writeHead(status, json).end(anotherTask)
    }
  }
}
