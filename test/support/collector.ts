import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { at } from "./server.ts"

/** A span as a collector got it, its attributes by name. */
export interface CollectedSpan {
  readonly service: string
  readonly instance: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: number
  readonly attributes: { readonly [name: string]: unknown }
  readonly isError: boolean
}

/** A collector on 127.0.0.1 that takes spans by OTLP/HTTP as JSON. */
export interface Collector {
  readonly url: string
  readonly spans: () => ReadonlyArray<CollectedSpan>
  /** Everything that was sent, as text. */
  readonly text: () => string
  readonly headers: () => ReadonlyArray<IncomingHttpHeaders>
  /** The spans of a trace, as soon as they hold what is looked for. */
  readonly trace: (
    traceId: string,
    isWhole: (spans: ReadonlyArray<CollectedSpan>) => boolean,
  ) => Promise<ReadonlyArray<CollectedSpan>>
  readonly close: () => void
}

const lookMs = 50

export const openCollector = async (): Promise<Collector> => {
  const bodies: Array<string> = []
  const headers: Array<IncomingHttpHeaders> = []
  const spans: Array<CollectedSpan> = []
  const server = createServer(async (request, response) => {
    const chunks: Array<Buffer> = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    bodies.push(body)
    headers.push(request.headers)
    if (request.url === "/v1/traces") spans.push(...spansIn(JSON.parse(body)))
    response.writeHead(200, { "content-type": "application/json" }).end("{}")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    spans: () => spans,
    text: () => bodies.join("\n"),
    headers: () => headers,
    trace: async (traceId, isWhole) => {
      const own = () => spans.filter((span) => span.traceId === traceId)
      while (!isWhole(own())) await new Promise((resolve) => setTimeout(resolve, lookMs))
      return own()
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const spansIn = (body: unknown): ReadonlyArray<CollectedSpan> =>
  listAt(body, "resourceSpans").flatMap((resourceSpans) => {
    const resource = valuesIn(at(resourceSpans, "resource.attributes"))
    return listAt(resourceSpans, "scopeSpans")
      .flatMap((scopeSpans) => listAt(scopeSpans, "spans"))
      .map((span) => ({
        service: String(resource["service.name"]),
        instance: String(resource["service.instance.id"]),
        traceId: String(at(span, "traceId")),
        spanId: String(at(span, "spanId")),
        parentSpanId: at(span, "parentSpanId") as string | undefined,
        name: String(at(span, "name")),
        kind: Number(at(span, "kind")),
        attributes: valuesIn(at(span, "attributes")),
        isError: at(span, "status.code") === 2,
      }))
  })

const listAt = (value: unknown, path: string): ReadonlyArray<unknown> => {
  const found = at(value, path)
  return Array.isArray(found) ? found : []
}

const valuesIn = (attributes: unknown): { readonly [name: string]: unknown } =>
  Object.fromEntries(
    (Array.isArray(attributes) ? attributes : []).map((each) => [
      String(at(each, "key")),
      Object.values(at(each, "value") as object)[0],
    ]),
  )
