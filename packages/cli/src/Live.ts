import { dirname, resolve } from "node:path"
import { FileBlobs, S3Blobs } from "@atelier/blobs"
import {
  CatalogOverrides,
  CurrentDocumentSettings,
  defaultLimits,
  Executors,
  Limits,
  RateLimiter,
  Services,
  type StorageError,
  TaskSignals,
  UnitsPerUsd,
} from "@atelier/core"
import { ConvertExecutor } from "@atelier/executor-convert"
import { EpubExecutor } from "@atelier/executor-epub"
import { NotebookExecutor } from "@atelier/executor-notebook"
import { PptxExecutor } from "@atelier/executor-pptx"
import { ScanExecutor } from "@atelier/executor-scan"
import { TextExecutor } from "@atelier/executor-text"
import { ParsingPool, reportSandbox } from "@atelier/intake"
import { FaultyDownloads, Outgoing, UpstreamHttp } from "@atelier/models"
import { describePlugins, imageModels, loadPlugins, SettingRefused, withPluginTools } from "@atelier/plugin"
import { Sql } from "@atelier/sql"
import { Postgres } from "@atelier/sql/postgres"
import * as Cause from "effect/Cause"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Converters from "./Converters.ts"
import { databaseProblem } from "./databaseAway.ts"
import { explain } from "./explain.ts"
import { FileOverrides, followConfig } from "./followConfig.ts"
import { requireKnownOverrides } from "./requireKnownOverrides.ts"
import { SettingError } from "./SettingError.ts"
import { type Settings, workDirectory } from "./Settings.ts"
import * as SecretKey from "./secretKey.ts"

/** The values of the configuration that every part reads: limits, catalog overrides, the rate of units. */
export const values = (settings: Settings, overrides = new FileOverrides(settings.config)) => {
  const { documents = {}, limits, units_per_usd: unitsPerUsd } = settings.config
  return Layer.mergeAll(
    SecretKey.layer(settings),
    Layer.succeed(Limits, { ...defaultLimits, ...limits }),
    Layer.succeed(CatalogOverrides, overrides),
    Layer.succeed(CurrentDocumentSettings, documents),
    unitsPerUsd === undefined ? Layer.empty : Layer.succeed(UnitsPerUsd, unitsPerUsd),
  )
}

/** Processes of one Postgres count the requests of a key together. */
export const stores = ({ database }: Settings) =>
  opened(
    database.dialect === "sqlite"
      ? Layer.merge(Sql.layerSqlite({ filename: database.file }), RateLimiter.layerMemory)
      : Postgres.layer({ url: Redacted.value(database.url) }),
  )

/** Processes on one Postgres notify each other of changes; a SQLite database has one process. */
const signals = ({ database }: Settings) =>
  database.dialect === "sqlite"
    ? TaskSignals.layerMemory
    : opened(Postgres.layerSignals({ url: Redacted.value(database.url) }))

export const blobs = (settings: Settings) =>
  opened(
    settings.blobs.kind === "file"
      ? FileBlobs.layer({ directory: settings.blobs.directory })
      : S3Blobs.layer({ ...settings.blobs, directory: workDirectory(settings) }),
    (error) => new SettingError({ setting: "ATELIER_BLOB_URL", problem: explain(Cause.fail(error)) }),
  )

/** Storage that cannot be opened is reported as an invalid setting. */
const opened = <A>(
  storage: Layer.Layer<A, StorageError>,
  problemOf: (error: StorageError) => SettingError = databaseProblem,
): Layer.Layer<A, SettingError> =>
  Layer.catchTag(storage, "StorageError", (error) => Layer.effectContext(Effect.fail(problemOf(error))))

/** The plugins that the configuration names; paths are from its folder. */
export const plugins = ({ config, configFile }: Settings) =>
  loadPlugins(config.plugins ?? [], dirname(resolve(configFile.path)))

/** What they add; they were loaded, or the start refused. */
export const pluginListings = (settings: Settings) =>
  Effect.orDie(Effect.flatMap(plugins(settings), describePlugins))

const scanRefused = (problem: string) => new SettingRefused({ setting: "documents.scan_languages", problem })

/** The document tools of this process, those of plugins too; they run in the parsing pool. */
export const executors = (settings: Settings) => {
  const { config, sandbox } = settings
  const convert = Effect.flatMap(Converters.make(config.converter), ConvertExecutor.make)
  const scan = Effect.mapError(ScanExecutor.make, ({ message }) => scanRefused(message))
  const builtIn = Effect.all([
    TextExecutor.make,
    PptxExecutor.make,
    convert,
    NotebookExecutor.make,
    EpubExecutor.make,
    scan,
  ])
  const all = Effect.gen(function* () {
    return yield* withPluginTools(yield* builtIn, yield* plugins(settings))
  })
  return refusedAsSetting(Layer.effect(Executors, all)).pipe(
    Layer.provideMerge(ParsingPool.layer({ sandbox })),
  )
}

/** The image models on the configured channels, those of plugins and of the configuration too. */
const models = (settings: Settings, { testImage }: Options) =>
  refusedAsSetting(
    Layer.unwrap(
      Effect.map(plugins(settings), (loaded) => {
        const { channels = [], models = {} } = settings.config
        return imageModels({ channels, models, plugins: loaded, testImage })
      }),
    ),
  )

/** What plugins and channels refuse refuses the start. */
const refusedAsSetting = <A, R>(layer: Layer.Layer<A, SettingRefused, R>): Layer.Layer<A, SettingError, R> =>
  Layer.catchTag(layer, "SettingRefused", ({ problem, setting }) =>
    Layer.effectContext(Effect.fail(new SettingError({ setting, problem }))),
  )

/** Refuses to start where parsing processes are isolated less than is required. */
const requireSandbox = ({ sandbox }: Settings) =>
  reportSandbox(sandbox).pipe(
    Effect.mapError(({ detail }) => new SettingError({ setting: "ATELIER_SANDBOX", problem: detail })),
  )

/** Outgoing calls; links of the test vendor are served in process. */
const outgoing = ({ config }: Settings, { loopbackCallbacks }: Options) =>
  FaultyDownloads.layer.pipe(
    Layer.provideMerge(
      Outgoing.layer({ allowPrivate: config.network?.allow_private ?? [], loopbackCallbacks }),
    ),
  )

/** Requests to vendors alone. */
export const upstreams = ({ config }: Settings) =>
  UpstreamHttp.layer({ allowPrivate: config.network?.allow_private ?? [] }).pipe(
    Layer.provide(layerWebCrypto),
  )

/** A storage failure while the secret key is checked is reported for the database's setting. */
export const checkedSecretKey = Effect.catchTag(SecretKey.requireSecretKey, "StorageError", (error) =>
  Effect.fail(databaseProblem(error)),
)

/** What `dev` has, and `serve` has not. */
export interface Options {
  readonly testImage: boolean
  /** Callbacks may go to addresses that name this machine. */
  readonly loopbackCallbacks: boolean
}

/** The models, tools and channels of the settings, for commands that change them. */
export const catalogs = (settings: Settings) => {
  const options: Options = { testImage: false, loopbackCallbacks: false }
  return Layer.merge(models(settings, options), executors(settings)).pipe(
    Layer.provide(outgoing(settings, options)),
    Layer.provide(values(settings)),
  )
}

/** Every service of core over the adapters that the settings name. */
export const services = (settings: Settings, options: Options) => {
  const overrides = new FileOverrides(settings.config)
  const configured = Layer.merge(
    Layer.effectDiscard(
      Effect.all([requireKnownOverrides(settings.config), checkedSecretKey, requireSandbox(settings)], {
        discard: true,
      }),
    ),
    followConfig(settings, overrides),
  )
  return Layer.merge(Services.layer, configured).pipe(
    Layer.provideMerge(Layer.mergeAll(stores(settings), blobs(settings), executors(settings))),
    Layer.provideMerge(models(settings, options)),
    Layer.provideMerge(Layer.mergeAll(outgoing(settings, options), signals(settings))),
    Layer.provideMerge(layerWebCrypto),
    Layer.provideMerge(values(settings, overrides)),
  )
}
