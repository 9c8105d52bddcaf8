import { dirname, join, resolve } from "node:path"
import { FileBlobs, MemoryBlobs, S3Blobs } from "@atelier/blobs"
import {
  type AdminTasks,
  CatalogOverrides,
  Services as CoreServices,
  CurrentDocumentSettings,
  CurrentFinishedHandler,
  defaultLimits,
  Executors,
  type FinishedHandler,
  type KeyStore,
  Limits,
  TaskSignals,
  UnitsPerUsd,
  Workers,
} from "@atelier/core"
import { EpubExecutor } from "@atelier/executor-epub"
import { NotebookExecutor } from "@atelier/executor-notebook"
import { PptxExecutor } from "@atelier/executor-pptx"
import { TextExecutor } from "@atelier/executor-text"
import { ParsingPool, reportSandbox, WorkerModules } from "@atelier/intake"
import { FaultyDownloads, Outgoing } from "@atelier/models"
import { imageModels, loadPlugins, SettingRefused, withPluginTools } from "@atelier/plugin"
import { ApplicationSql, Sql } from "@atelier/sql"
import * as Context from "effect/Context"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { loggerLayer } from "./logger.ts"
import type { AtelierOptions } from "./Options.ts"
import { loadConvert, loadPostgres, loadScan } from "./optional.ts"

/** The start of the addresses of archived images, without a slash at its end. */
export const MediaUrl = Context.Reference<string>("@atelier/node/MediaUrl", { defaultValue: () => "" })

type Database =
  | { readonly dialect: "sqlite"; readonly filename: string }
  | { readonly dialect: "postgres"; readonly url: string }

const wrong = (setting: string, problem: string) => new SettingRefused({ setting, problem })

/** The database that the text of an option names; throws `SettingRefused`. */
const databaseOf = (text: string): Database => {
  if (text.startsWith("sqlite:") && text.length > "sqlite:".length) {
    const path = text.slice("sqlite:".length)
    return { dialect: "sqlite", filename: path === ":memory:" ? path : resolve(path) }
  }
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return { dialect: "postgres", url: text }
  const shown = JSON.stringify(text.replace(/:\/\/.*@/, "://…@"))
  throw wrong("database", `expected sqlite:PATH, sqlite::memory: or postgres://…, got ${shown}`)
}

const databaseLayers = (database: Database, connections: number | undefined) => {
  if (database.dialect === "sqlite") {
    return Layer.merge(Sql.layerSqliteStores, ApplicationSql.layer).pipe(
      Layer.provide(Sql.layerSqliteClient({ filename: database.filename })),
      Layer.merge(TaskSignals.layerMemory),
    )
  }
  const { url } = database
  const stores = Effect.map(loadPostgres, (postgres) =>
    Layer.merge(postgres.layerStores({ url }), ApplicationSql.layer).pipe(
      Layer.provide(postgres.layerClient({ url, ...(connections === undefined ? {} : { connections }) })),
      Layer.merge(postgres.layerSignals({ url })),
    ),
  )
  return Layer.unwrap(stores)
}

const inMemory = ":memory:"

const blobsLayer = (given: string | undefined, database: Database) => {
  const text = given ?? defaultBlobs(database)
  if (text === "memory:") return MemoryBlobs.layer
  if (text.startsWith("file:")) {
    const path = text.startsWith("file://") ? new URL(text).pathname : text.slice("file:".length)
    return FileBlobs.layer({ directory: resolve(path) })
  }
  if (text.startsWith("s3://")) return S3Blobs.layer(bucketOf(text, database))
  throw wrong("blobs", `expected file:PATH, memory: or s3://BUCKET?region=…, got ${JSON.stringify(text)}`)
}

const defaultBlobs = (database: Database): string => {
  if (database.dialect === "postgres") {
    throw wrong("blobs", "is needed with Postgres: file:PATH on a shared disk, or s3://BUCKET?region=…")
  }
  return database.filename === inMemory ? "memory:" : `file:${join(dirname(database.filename), "blobs")}`
}

/** Work files of uploads and downloads lie beside the database, or in the working directory. */
const bucketOf = (text: string, database: Database) => {
  const url = new URL(text)
  const prefix = url.pathname.replace(/^\/|\/$/g, "")
  const { AWS_ACCESS_KEY_ID: accessKeyId = "", AWS_SECRET_ACCESS_KEY: secret = "" } = process.env
  if (accessKeyId === "" || secret === "") {
    throw wrong("blobs", "needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, since it names a bucket")
  }
  const token = process.env["AWS_SESSION_TOKEN"]
  const near =
    database.dialect === "sqlite" && database.filename !== inMemory ? dirname(database.filename) : "data"
  return {
    bucket: url.hostname,
    prefix: prefix === "" ? "" : `${prefix}/`,
    region: url.searchParams.get("region") ?? "us-east-1",
    endpoint: url.searchParams.get("endpoint")?.replace(/\/+$/, ""),
    accessKeyId,
    secretAccessKey: Redacted.make(secret),
    sessionToken: token === undefined ? undefined : Redacted.make(token),
    directory: resolve(near, "work"),
  }
}

/** The document tools: those of this service and of plugins, in a pool of child processes. */
const executors = (options: AtelierOptions) => {
  const sandbox = options.sandbox ?? "auto"
  // Without one because the application asked for it: that is no news.
  const reported = sandbox === "off" ? Effect.void : Effect.mapError(reportSandbox(sandbox), sandboxRefused)
  return Layer.effect(Executors, Effect.tap(toolsOf(options), reported)).pipe(
    Layer.provide(ParsingPool.layer({ sandbox })),
  )
}

const sandboxRefused = ({ detail }: { readonly detail: string }) => wrong("sandbox", detail)

const scanRefused = ({ message }: { readonly message: string }) => wrong("documents.scan_languages", message)

/** The tools of this service and of plugins. */
export const toolsOf = (options: AtelierOptions) => {
  const { directory = ".", plugins = [] } = options
  return Effect.gen(function* () {
    const convert = yield* loadConvert
    const scan = yield* loadScan
    const builtIn = yield* Effect.all([
      TextExecutor.make,
      PptxExecutor.make,
      ...(convert === undefined
        ? []
        : [Effect.flatMap(convert.EmbeddedConverter.make, convert.ConvertExecutor.make)]),
      NotebookExecutor.make,
      EpubExecutor.make,
      ...(scan === undefined ? [] : [Effect.mapError(scan.ScanExecutor.make, scanRefused)]),
    ])
    const loaded = yield* loadPlugins(plugins, directory)
    const tools = yield* withPluginTools(builtIn, loaded)
    const known = tools.map(({ definition }) => definition.id)
    const unknown = Object.keys(options.tools ?? {}).find((id) => !known.includes(id))
    if (unknown === undefined) return tools
    const missing = Object.entries({ convert, scan })
      .filter(([, loaded]) => loaded === undefined)
      .map(([name]) => `; @atelier/executor-${name} is not installed`)
    return yield* wrong(
      `tools.${unknown}`,
      `there is no such tool; there are ${known.join(", ")}${missing.join("")}`,
    )
  })
}

const models = ({ channels = [], directory = ".", models = {}, plugins = [] }: AtelierOptions) =>
  Layer.unwrap(
    Effect.map(loadPlugins(plugins, directory), (loaded) =>
      imageModels({ channels, models, plugins: loaded, testImage: false }),
    ),
  )

const outgoing = ({ network }: AtelierOptions) =>
  FaultyDownloads.layer.pipe(
    Layer.provideMerge(Outgoing.layer({ allowPrivate: network?.allow_private ?? [] })),
  )

const values = (options: AtelierOptions) => {
  const {
    documents = {},
    models = {},
    tools = {},
    limits = {},
    mediaUrl = "/",
    unitsPerUsd,
    workerModules,
  } = options
  const known = new Set(Object.keys(defaultLimits))
  const unknown = Object.keys(limits).find((name) => !known.has(name))
  if (unknown !== undefined) throw wrong(`limits.${unknown}`, "there is no such limit")
  return Layer.mergeAll(
    Layer.succeed(Limits, { ...defaultLimits, ...limits }),
    Layer.succeed(CatalogOverrides, { models, tools }),
    Layer.succeed(WorkerModules, workerModules),
    Layer.succeed(CurrentDocumentSettings, documents),
    Layer.succeed(MediaUrl, mediaUrl.replace(/\/+$/, "")),
    unitsPerUsd === undefined ? Layer.empty : Layer.succeed(UnitsPerUsd, unitsPerUsd),
    loggerLayer(options.log),
  )
}

/** What a test composes in another way. */
export interface Parts {
  readonly executors: ReturnType<typeof executors>
  readonly models: ReturnType<typeof models>
  readonly outgoing: ReturnType<typeof outgoing>
  readonly workers: Layer.Layer<
    never,
    never,
    AdminTasks | KeyStore | Layer.Services<typeof Workers.layer | typeof Workers.finishedLayer>
  >
  readonly clock: Layer.Layer<never>
}

/** The parts of a service that runs. */
export const livingParts = (options: AtelierOptions): Parts => ({
  executors: executors(options),
  models: models(options),
  outgoing: outgoing(options),
  workers: Layer.merge(options.workers === false ? Layer.empty : Workers.layer, Workers.finishedLayer),
  clock: Layer.empty,
})

/** Everything in one process; throws `SettingRefused` where an option is wrong. */
export const compose = (
  options: AtelierOptions,
  handler: { handler: FinishedHandler | undefined },
  parts: Parts,
) => {
  const database = databaseOf(options.database)
  return parts.workers.pipe(
    Layer.provideMerge(CoreServices.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        databaseLayers(database, options.connections),
        blobsLayer(options.blobs, database),
        parts.executors,
      ),
    ),
    Layer.provideMerge(parts.models),
    Layer.provideMerge(parts.outgoing),
    Layer.provideMerge(layerWebCrypto),
    Layer.provideMerge(Layer.succeed(CurrentFinishedHandler, handler)),
    Layer.provideMerge(values(options)),
    Layer.provideMerge(parts.clock),
  )
}

/** What the calls of this package need. */
export type Services = Layer.Success<ReturnType<typeof compose>>
