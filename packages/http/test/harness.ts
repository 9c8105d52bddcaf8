import { mkdtemp, rm } from "node:fs/promises"
import { request as httpRequest, type OutgoingHttpHeaders } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { requireContract } from "@atelier/api/testing"
import { FileBlobs } from "@atelier/blobs"
import {
  Admin,
  Callback,
  Downloads,
  defaultLimits,
  type ExecutorFailed,
  Executors,
  ExecutorUnavailable,
  FileRefused,
  type ImageModel,
  ImageModels,
  type ImageRequest,
  type KeySettings,
  Limits,
  type LimitValues,
  RateLimiter,
  ReferenceImages,
  refuse,
  Services,
  TaskSignals,
  type ToolExecutor,
  usd,
} from "@atelier/core"
import { failingStores } from "@atelier/core/testing"
import { Sql } from "@atelier/sql"
import { Context, Effect, Layer, Logger, Metric, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpServer } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { makeServer } from "../src/index.ts"

export const adminToken = "admin-token-of-the-tests"
export const mediaUrl = "https://media.example.com"

export interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
  readonly text: string
  /** The parsed body; undefined where it is not JSON. */
  readonly json: unknown
}

export interface Call {
  readonly method?: string
  readonly path: string
  /** API key or token; absent: no `Authorization` header. */
  readonly key?: string | undefined
  readonly headers?: OutgoingHttpHeaders
  /** A string or bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown
}

const model = (id: string, overrides: Partial<ImageModel> = {}): ImageModel => ({
  id,
  ownedBy: "atelier",
  created: 1_767_225_600,
  endpoints: ["/v1/images/tasks", "/v1/images/generations"],
  parameters: { n: { type: "integer", minimum: 1, maximum: 4, default: 1 } },
  limits: { n: 4, reference_images: 2, prompt_chars: 1000 },
  pricing: { unit: "image", currency: "USD", table: [{ usd: 0.03 }] },
  delivery: "archive",
  parse: (body) => {
    const n = body["n"] ?? 1
    if (typeof n !== "number" || n < 1 || n > 4) {
      return Effect.fail(
        refuse("invalid_parameter", `\`n\` must be from 1 to 4; got ${JSON.stringify(n)}.`, { param: "n" }),
      )
    }
    const images = Array.isArray(body["images"]) ? body["images"].map(String) : []
    const request: ImageRequest = {
      model: id,
      prompt: String(body["prompt"] ?? ""),
      n,
      width: 1024,
      height: 1024,
      size: null,
      resolution: null,
      quality: null,
      seed: null,
      images,
      extra: {},
      parentJobId: null,
      callbackUrl: null,
    }
    const warnings = "surprise" in body ? [{ code: "unknown_field", message: "`surprise` is ignored." }] : []
    return Effect.succeed({ request, warnings })
  },
  price: (request) => [{ description: "image", quantity: request.n, unitPriceUsd: usd("0.03") }],
  ...overrides,
})

const models = [
  model("test-1"),
  model("test-2"),
  model("sync-only", { endpoints: ["/v1/images/generations"] }),
  model("dies", { parse: () => Effect.die(new Error("secret of the service")) }),
]

const imageModels = Layer.succeed(ImageModels, {
  models,
  find: (id) => models.find((candidate) => candidate.id === id),
  successorOf: () => undefined,
  channels: [
    {
      id: "vendor",
      adapter: "openai-images",
      models: ["test-*"],
      priority: 0,
      weight: 1,
      costs: { "test-*": "0.02" },
      breaker: Effect.succeed("half_open" as const),
      calls: Effect.succeed({
        inUse: 2,
        limit: 8,
        errors: [
          {
            at: 1_767_225_600_123,
            reason: "unavailable" as const,
            message: "429",
            taskId: "imgtask_1" as const,
          },
        ],
      }),
    },
  ],
  channelsFor: () => Effect.succeed([]),
  channel: () => undefined,
})

const executor = (id: string): ToolExecutor => ({
  definition: {
    id,
    name: id,
    description: "of the tests",
    extensions: [".txt", ".json"],
    maxFileBytes: 1000,
    timeoutSeconds: 30,
    outputFormats: ["markdown", "json"],
    unitPriceUsd: "0.0001",
  },
  inspect: ({ filename }) => {
    if (filename.startsWith("broken")) {
      return Effect.fail(new FileRefused({ code: "file_corrupt", message: "The file is broken." }))
    }
    if (filename.startsWith("outage")) {
      return Effect.fail(new ExecutorUnavailable({ code: "executor_unavailable", message: "Not now." }))
    }
    return Effect.succeed({ contentType: "text/plain" })
  },
  run: () => Effect.never as Effect.Effect<never, ExecutorFailed>,
})

const limits: LimitValues = {
  ...defaultLimits,
  json_body_bytes_max: 2048,
  json_body_blend_bytes_max: 8192,
}

/** A server on a free port over real SQLite and real blobs, without workers: tasks stay where tests put them. */
export class Harness extends Context.Service<
  Harness,
  {
    readonly call: (call: Call) => Effect.Effect<Answer>
    readonly port: number
    readonly directory: string
    /** A key of a new user with a wallet of `balance` dollars. */
    readonly newKey: (
      settings?: KeySettings,
      balance?: string,
    ) => Effect.Effect<{ readonly key: string; readonly keyId: string; readonly userId: string }>
  }
>()("test/Harness") {}

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "atelier-http-test-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
)

const send = (port: number, { method = "GET", path, key, headers = {}, body }: Call) =>
  Effect.callback<Answer>((resume) => {
    const bytes =
      body === undefined || typeof body === "string" || body instanceof Uint8Array
        ? body
        : JSON.stringify(body)
    const request = httpRequest(
      {
        host: "127.0.0.1",
        port,
        method,
        path,
        agent: false,
        headers: {
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(bytes === undefined ? {} : { "content-length": Buffer.byteLength(bytes) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk)
          // It goes on for minutes: its first event is enough.
          if (path === "/admin/v1/overview/events") response.destroy()
        })
        response.on("close", () => {
          const answer = {
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
            ),
            text: Buffer.concat(chunks).toString("latin1"),
            json: parse(Buffer.concat(chunks).toString()),
          }
          const received = { method, path, ...answer, text: Buffer.concat(chunks).toString() }
          resume(
            Effect.sync(() => {
              if (response.complete) requireContract(received)
              return answer
            }),
          )
        })
      },
    )
    request.on("error", (error) => resume(Effect.die(error)))
    request.end(bytes)
  })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const listen = Layer.effect(
  Harness,
  Effect.gen(function* () {
    const { address } = yield* HttpServer.HttpServer
    const port = "port" in address ? address.port : 0
    const admin = yield* Admin
    const folder = yield* Folder
    return Harness.of({
      port,
      directory: folder,
      call: (call) => send(port, call),
      newKey: Effect.fnUntraced(function* (settings = {}, balance = "1") {
        const { user } = yield* admin.createUser({ name: "tester", balanceUsd: usd(balance) })
        const { key, secret } = yield* admin.createKey(user.id, settings)
        return { key: secret, keyId: key.id, userId: user.id }
      }, Effect.orDie),
    })
  }),
)

class Folder extends Context.Service<Folder, string>()("test/Folder") {
  static readonly layer = Layer.effect(Folder, directory)
}

const database = Layer.unwrap(
  Effect.map(Folder, (folder) => Sql.layerSqliteClient({ filename: join(folder, "test.db") })),
)

const ports = Layer.unwrap(
  Effect.map(Folder, (folder) =>
    Layer.mergeAll(
      FileBlobs.layer({ directory: join(folder, "blobs") }),
      imageModels,
      Layer.succeed(Executors, [executor("test-tool"), executor("other-tool")]),
      ReferenceImages.layerUnchecked,
      Downloads.layerOffline,
      Callback.layerOffline,
      TaskSignals.layerMemory,
      RateLimiter.layerMemory,
      SecureRandom.layerWebCrypto,
    ),
  ),
)

export const layerWith = (
  options: {
    readonly adminToken?: string | null
    readonly trustedProxies?: ReadonlyArray<string>
    readonly corsOrigins?: ReadonlyArray<string>
    readonly limits?: Partial<LimitValues>
    /** Where log lines go; absent: nowhere, since tests that provoke faults look at the answers. */
    readonly logger?: Logger.Logger<unknown, void>
  } = {},
) =>
  listen.pipe(
    Layer.provideMerge(server(options)),
    Layer.provideMerge(Services.layer),
    Layer.provideMerge(ports),
    Layer.provideMerge(failingStores(Sql.layerSqliteStores)),
    Layer.provideMerge(database),
    Layer.provideMerge(Layer.succeed(Limits, { ...limits, ...options.limits })),
    Layer.provideMerge(Logger.layer(options.logger === undefined ? [] : [options.logger])),
    Layer.provideMerge(Folder.layer),
    Layer.provideMerge(ownMetrics),
  )

/** Metrics of this server alone. */
export const ownMetrics = Layer.sync(Metric.MetricRegistry, () => new Map())

/** Metrics as they are read. */
export const metricsText = Effect.map(Effect.context<never>(), (context) =>
  PrometheusMetrics.formatUnsafe(context),
)

const server = (options: NonNullable<Parameters<typeof layerWith>[0]>) =>
  Layer.unwrap(
    Effect.map(Folder, (folder) =>
      makeServer({
        spoolDirectory: join(folder, "spool"),
        host: "127.0.0.1",
        port: 0,
        publicUrl: "http://127.0.0.1",
        mediaUrl: `${mediaUrl}/`,
        trustedProxies: options.trustedProxies ?? [],
        corsOrigins: options.corsOrigins ?? [],
        ...(options.adminToken === null
          ? {}
          : { adminToken: Redacted.make(options.adminToken ?? adminToken) }),
      }),
    ),
  )

/** A multipart form; parts with a file name are files. */
export const form = (
  parts: ReadonlyArray<{ readonly name: string; readonly filename?: string; readonly content: string }>,
  ending = "--form--\r\n",
) => ({
  headers: { "content-type": "multipart/form-data; boundary=form" },
  body: `${parts
    .map(({ name, filename, content }) => {
      const file = filename === undefined ? "" : `; filename="${filename}"`
      return `--form\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`
    })
    .join("")}${ending}`,
})

const ErrorShape = Schema.Struct({
  error: Schema.Struct({
    message: Schema.NonEmptyString,
    type: Schema.String,
    code: Schema.String,
    param: Schema.NullOr(Schema.String),
  }),
  request_id: Schema.String.check(Schema.isPattern(/^req_[0-9a-hjkmnp-tv-z]{26}$/)),
  data: Schema.optionalKey(Schema.Struct({ task_id: Schema.String })),
  task_id: Schema.optionalKey(Schema.String),
})

/** The error of an answer; dies where its body has another shape than every error has. */
export const errorOf = (answer: Answer): typeof ErrorShape.Type =>
  Schema.decodeUnknownSync(ErrorShape, { onExcessProperty: "error" })(answer.json)
