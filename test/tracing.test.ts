import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openVendor, type Vendor } from "./image-tasks/vendor.ts"
import { type CollectedSpan, type Collector, openCollector } from "./support/collector.ts"
import { type PostgresServer, startPostgres } from "./support/postgresServer.ts"
import {
  type Account,
  call,
  formOf,
  type Installation,
  install,
  makeAccount,
  run,
  type Server,
  serve,
  textAt,
} from "./support/server.ts"

const prompt = "a lighthouse that no collector may know of"
const vendorKey = "vendor-key-that-no-collector-may-know-of"
const callerSpan = "00f067aa0ba902b7"
const newTrace = () => randomBytes(16).toString("hex")

let vendor: Vendor
let collector: Collector
let receiver: Receiver
const installations: Array<Installation> = []
const servers: Array<Server> = []

interface Receiver {
  readonly url: string
  readonly headers: ReadonlyArray<IncomingHttpHeaders>
  readonly close: () => void
}

const openReceiver = async (): Promise<Receiver> => {
  const headers: Array<IncomingHttpHeaders> = []
  const server = createServer((request, response) => {
    headers.push(request.headers)
    request.resume().on("end", () => response.end())
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : ""
  return { url: `http://127.0.0.1:${port}/hook`, headers, close: () => server.close() }
}

beforeAll(async () => {
  vendor = await openVendor()
  collector = await openCollector()
  receiver = await openReceiver()
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end("SIGKILL")))
  for (const installation of installations) installation.remove()
  for (const each of [vendor, collector, receiver]) each.close()
})

const telemetry = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  OTEL_EXPORTER_OTLP_HEADERS: "x-collector-key=of%20the%20collector",
  OTEL_BSP_SCHEDULE_DELAY: "50",
})

const place = async (environment: Readonly<Record<string, string>>): Promise<Installation> => {
  const made = await install({
    channels: [
      {
        id: "vendor",
        adapter: "openai-images",
        base_url: `${vendor.url}/openai`,
        api_key: vendorKey,
        models: { "*": "*" },
      },
    ],
    network: { allow_private: ["127.0.0.1/32"] },
  })
  installations.push(made)
  return { ...made, environment: { ...made.environment, ...telemetry(), ...environment } }
}

const start = async (
  environment: Readonly<Record<string, string>> = {},
  command: "serve" | "dev" = "serve",
  args: ReadonlyArray<string> = [],
) => {
  const server = await serve(await place(environment), command, args)
  servers.push(server)
  return server
}

const submit = async (
  { url }: Server,
  { key }: Account,
  { traceId, flags = "01", json = {} }: { traceId: string; flags?: string; json?: object },
) => {
  const answer = await call(`${url}/v1/images/tasks`, {
    key,
    headers: { traceparent: `00-${traceId}-${callerSpan}-${flags}` },
    json: { model: "gen-image-2", prompt, size: "256x256", ...json },
  })
  expect(answer.status, JSON.stringify(answer.body)).toBe(202)
  return textAt(answer.body, "task_id")
}

const named = (spans: ReadonlyArray<CollectedSpan>, name: string): CollectedSpan => {
  const found = spans.find((span) => span.name === name)
  if (found === undefined) throw new Error(`no span ${name} among ${spans.map((span) => span.name)}`)
  return found
}

/** The names from a span up to the caller's own. */
const pathOf = (spans: ReadonlyArray<CollectedSpan>, span: CollectedSpan): ReadonlyArray<string> => {
  const above = spans.find(({ spanId }) => spanId === span.parentSpanId)
  if (above !== undefined) return [span.name, ...pathOf(spans, above)]
  return [span.name, span.parentSpanId === callerSpan ? "the caller" : `lost: ${span.parentSpanId}`]
}

/** The upstream's call and the job's run have ended. */
const hasRun = (spans: ReadonlyArray<CollectedSpan>) => spans.some(({ name }) => name === "RunJob.run")

describe("one server on SQLite", () => {
  let server: Server
  let account: Account

  beforeAll(async () => {
    server = await start({ OTEL_SERVICE_NAME: "pictures" }, "dev")
    account = await makeAccount(server.url, 100)
  })

  it("one trace goes from the caller's request through run, upstream and archive to the callback", async () => {
    const traceId = newTrace()
    const id = await submit(server, account, { traceId, json: { callback_url: receiver.url } })
    const isWhole = (spans: ReadonlyArray<CollectedSpan>) =>
      spans.filter(({ name }) => name === "RunJob.run").length === 2
    const spans = await collector.trace(traceId, isWhole)

    expect(pathOf(spans, named(spans, "ImageTasks.submit"))).toEqual([
      "ImageTasks.submit",
      "POST /v1/images/tasks",
      "the caller",
    ])
    const [upstream, delivery] = spans.filter(({ kind, name }) => kind === 3 && name === "POST")
    if (upstream === undefined || delivery === undefined) throw new Error("two calls were expected")
    expect(pathOf(spans, upstream).slice(0, 3)).toEqual(["POST", "RunImage.attempt", "RunJob.run"])
    expect(pathOf(spans, upstream).slice(-2)).toEqual(["POST /v1/images/tasks", "the caller"])
    expect(pathOf(spans, delivery).slice(0, 3)).toEqual(["POST", "RunCallback.run", "RunJob.run"])
    // The callback was queued by the step that ended the task.
    expect(pathOf(spans, delivery)).toContain("Transitions.apply")
    expect(pathOf(spans, delivery).at(-1)).toBe("the caller")
    expect(pathOf(spans, named(spans, "Archive.deliver"))).toContain("RunImage.attempt")

    expect(named(spans, "RunJob.run").attributes).toMatchObject({
      "atelier.task_id": id,
      "atelier.model": "gen-image-2",
      "atelier.attempt": 1,
    })
    expect(named(spans, "RunImage.attempt").attributes).toMatchObject({
      "atelier.channel": "vendor",
      "atelier.outcome": "ok",
    })
    expect(new Set(spans.map(({ service }) => service))).toEqual(new Set(["pictures"]))
  })

  it("the upstream and the callback's receiver are told the place in the trace", async () => {
    const traceId = newTrace()
    const own = { prompt: "a second lighthouse", callback_url: receiver.url }
    await submit(server, account, { traceId, json: own })
    const spans = await collector.trace(
      traceId,
      (all) => all.filter(({ name }) => name === "RunJob.run").length === 2,
    )
    const ids = new Set(spans.map(({ spanId }) => spanId))
    const upstream = vendor.asked("a second lighthouse")[0]?.headers["traceparent"]
    const told = receiver.headers.map(({ traceparent }) => String(traceparent))
    for (const place of [String(upstream), told.find((each) => each.includes(traceId)) ?? ""]) {
      const [version, trace, span, flags] = place.split("-")
      expect([version, trace, flags]).toEqual(["00", traceId, "01"])
      expect(ids).toContain(span)
    }
  })

  it("a document's trace has the run of its tool", async () => {
    const traceId = newTrace()
    const upload = await call(`${server.url}/v1/tools/text-md-json/files`, {
      key: account.key,
      form: formOf("secret-name.md", "# Words that no collector may know of\n"),
    })
    await call(`${server.url}/v1/tools/text-md-json/invoke`, {
      key: account.key,
      headers: { "idempotency-key": "a-traced-document", traceparent: `00-${traceId}-${callerSpan}-01` },
      json: { input: { file_id: textAt(upload.body, "id") } },
    })
    const spans = await collector.trace(traceId, hasRun)
    expect(pathOf(spans, named(spans, "Executor.run")).slice(0, 3)).toEqual([
      "Executor.run",
      "RunTool.run",
      "RunJob.run",
    ])
    expect(pathOf(spans, named(spans, "Executor.run")).at(-1)).toBe("the caller")
  })

  it("a request that is refused, and one that is not traced by its caller", async () => {
    const [refused, untraced, after] = [newTrace(), newTrace(), newTrace()]
    const answer = await call(`${server.url}/v1/images/tasks`, {
      key: account.key,
      headers: { traceparent: `00-${refused}-${callerSpan}-01` },
      json: { model: "gen-image-2", prompt, n: "words that no collector may know of" },
    })
    expect(answer.status).toBe(400)
    await submit(server, account, { traceId: untraced, flags: "00" })
    await submit(server, account, { traceId: after })
    await collector.trace(after, hasRun)
    const spans = await collector.trace(refused, (all) => all.length > 0)
    expect(named(spans, "POST /v1/images/tasks")).toMatchObject({
      isError: false,
      attributes: { "http.response.status_code": 400 },
    })
    expect(collector.spans().filter(({ traceId }) => traceId === untraced)).toEqual([])
  })

  it("no attribute holds what a caller sent, a secret, a link or an address of a client", () => {
    const text = collector.text()
    expect(text).not.toMatch(/no collector may know of|secret-name|sk-atl|whsec_|\/hook|127\.0\.0\.1:/)
    expect(collector.headers().at(-1)).toMatchObject({ "x-collector-key": "of the collector" })
  })

  it("only requests and jobs begin a trace; monitoring begins none", async () => {
    for (const path of ["/healthz", "/readyz", "/metrics"]) await call(`${server.url}${path}`)
    const traceId = newTrace()
    await submit(server, account, { traceId })
    await collector.trace(traceId, hasRun)
    const roots = collector.spans().filter(({ parentSpanId }) => parentSpanId === undefined)
    expect(new Set(roots.map(({ kind }) => kind))).toEqual(new Set([2]))
    expect(roots.filter(({ name }) => /healthz|readyz|metrics/.test(name))).toEqual([])
  })
})

describe("processes on one Postgres", () => {
  let postgres: PostgresServer

  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(async () => {
    await postgres.stop()
  })

  it("a trace goes on in the process that runs the task", async () => {
    const database = await postgres.database()
    const home = await place({})
    const shared = {
      ATELIER_DATABASE_URL: database,
      ATELIER_BLOB_URL: `file:${home.directory}/blobs`,
      ATELIER_PUBLIC_URL: "https://images.example.com",
    }
    const accepting = await start(shared, "serve", ["--role", "api"])
    const running = await start(shared, "serve", ["--role", "worker"])
    const account = await makeAccount(accepting.url, 10)
    const traceId = newTrace()
    await submit(accepting, account, { traceId })
    const spans = await collector.trace(
      traceId,
      (all) => hasRun(all) && all.some(({ name }) => name === "POST /v1/images/tasks"),
    )
    const submitted = named(spans, "ImageTasks.submit")
    const run = named(spans, "RunJob.run")
    expect(pathOf(spans, run).at(-1)).toBe("the caller")
    expect(pathOf(spans, run)).toContain("ImageTasks.submit")
    expect(run.instance).not.toBe(submitted.instance)
    await Promise.all([accepting, running].map((server) => server.end("SIGTERM")))
  })
})

describe("a collector that is away", () => {
  it("costs no task", async () => {
    const server = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" })
    const account = await makeAccount(server.url, 10)
    const id = await submit(server, account, { traceId: newTrace() })
    const { body } = await call(`${server.url}/v1/tasks/${id}?wait=30`, { key: account.key })
    expect(body).toMatchObject({ state: "completed" })
    expect(await server.end("SIGTERM")).toBe(0)
  })
})

describe("settings", () => {
  it("a bad value refuses the start, by its name", async () => {
    const bad: ReadonlyArray<readonly [name: string, value: string, problem: RegExp]> = [
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317", /http:\/\/ or https:\/\//],
      ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", /http\/protobuf, http\/json, got "grpc"/],
      ["OTEL_EXPORTER_OTLP_HEADERS", "a secret without a name", /NAME=VALUE pairs.*not shown/],
      ["OTEL_TRACES_SAMPLER", "sometimes", /parentbased_always_on/],
      ["OTEL_TRACES_SAMPLER_ARG", "2", /from 0 to 1/],
    ]
    await Promise.all(
      bad.map(async ([name, value, problem]) => {
        const finished = await run(await place({ [name]: value }), ["serve"])
        expect([name, finished.code === 0]).toEqual([name, false])
        expect(finished.stderr).toContain(name)
        expect(finished.stderr).toMatch(problem)
      }),
    )
  })

  it("nothing is sent where it is turned off, or nothing is sampled", async () => {
    const off = [
      { OTEL_SDK_DISABLED: "true" },
      { OTEL_TRACES_EXPORTER: "none" },
      { OTEL_TRACES_SAMPLER: "always_off" },
    ]
    await Promise.all(
      off.map(async (environment) => {
        const server = await start(environment)
        const account = await makeAccount(server.url, 10)
        const traceId = newTrace()
        const id = await submit(server, account, { traceId })
        await call(`${server.url}/v1/tasks/${id}?wait=30`, { key: account.key })
        // What is there is sent at the end.
        expect(await server.end("SIGTERM")).toBe(0)
        expect(collector.spans().filter((span) => span.traceId === traceId)).toEqual([])
      }),
    )
  })
})
