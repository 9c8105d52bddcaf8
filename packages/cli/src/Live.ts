import { dirname, resolve } from "node:path"
import { FileBlobs, S3Blobs } from "@atelier/blobs"
import {
  CatalogOverrides,
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
import { NotebookExecutor } from "@atelier/executor-notebook"
import { PptxExecutor } from "@atelier/executor-pptx"
import { TextExecutor } from "@atelier/executor-text"
import { ParsingPool, type SandboxLevel } from "@atelier/intake"
import { FaultyDownloads, Outgoing } from "@atelier/models"
import { imageModels, loadPlugins, type SettingRefused, withPluginTools } from "@atelier/plugin"
import { Sql } from "@atelier/sql"
import * as Cause from "effect/Cause"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Converters from "./Converters.ts"
import { explain } from "./explain.ts"
import { FileOverrides, followConfig } from "./followConfig.ts"
import { requireKnownOverrides } from "./requireKnownOverrides.ts"
import { SettingError } from "./SettingError.ts"
import { type Settings, workDirectory } from "./Settings.ts"
import * as SecretKey from "./secretKey.ts"

/** The values of the configuration that every part reads: limits, catalog overrides, the rate of units. */
export const values = (settings: Settings, overrides = new FileOverrides(settings.config)) => {
  const { limits, units_per_usd: unitsPerUsd } = settings.config
  return Layer.mergeAll(
    SecretKey.layer(settings),
    Layer.succeed(Limits, { ...defaultLimits, ...limits }),
    Layer.succeed(CatalogOverrides, overrides),
    unitsPerUsd === undefined ? Layer.empty : Layer.succeed(UnitsPerUsd, unitsPerUsd),
  )
}

/** Processes of one Postgres count the requests of a key together. */
export const stores = ({ database }: Settings) =>
  opened(
    "ATELIER_DATABASE_URL",
    database.dialect === "sqlite"
      ? Layer.merge(Sql.layerSqlite({ filename: database.file }), RateLimiter.layerMemory)
      : Sql.layerPostgres({ url: Redacted.value(database.url) }),
  )

/** Processes on one Postgres notify each other of changes; a SQLite database has one process. */
const signals = ({ database }: Settings) =>
  database.dialect === "sqlite"
    ? TaskSignals.layerMemory
    : opened("ATELIER_DATABASE_URL", Sql.layerPostgresSignals({ url: Redacted.value(database.url) }))

export const blobs = (settings: Settings) =>
  opened(
    "ATELIER_BLOB_URL",
    settings.blobs.kind === "file"
      ? FileBlobs.layer({ directory: settings.blobs.directory })
      : S3Blobs.layer({ ...settings.blobs, directory: workDirectory(settings) }),
  )

/** Storage that cannot be opened is reported as an invalid setting. */
const opened = <A>(setting: string, storage: Layer.Layer<A, StorageError>): Layer.Layer<A, SettingError> =>
  Layer.catchTag(storage, "StorageError", (error) =>
    Layer.effectContext(Effect.fail(new SettingError({ setting, problem: explain(Cause.fail(error)) }))),
  )

/** The plugins that the configuration names; paths are from its folder. */
export const plugins = ({ config, configFile }: Settings) =>
  loadPlugins(config.plugins ?? [], dirname(resolve(configFile.path)))

/** The document tools of this process, those of plugins too; they run in the parsing pool. */
export const executors = (settings: Settings) => {
  const { config, sandbox } = settings
  const convert = Effect.flatMap(Converters.make(config.converter), ConvertExecutor.make)
  const builtIn = Effect.all([TextExecutor.make, PptxExecutor.make, convert, NotebookExecutor.make])
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

/** Reports how strongly parsing processes are isolated; refuses to start below the required level. */
const requireSandbox = Effect.fnUntraced(function* ({ sandbox }: Settings) {
  const pool = yield* ParsingPool
  const said = Effect.flatMap(pool.sandbox, ({ level, missing }) =>
    level === "namespaces"
      ? Effect.logInfo(`parsing processes: sandbox ${level}`)
      : Effect.logWarning(`parsing processes: sandbox ${level}, ${weakness[level]}`).pipe(
          Effect.annotateLogs({ missing }),
        ),
  )
  // The start waits for it only if it may be refused.
  if (sandbox !== "require") return yield* Effect.asVoid(Effect.forkScoped(Effect.ignore(said)))
  yield* Effect.mapError(
    said,
    ({ detail }) => new SettingError({ setting: "ATELIER_SANDBOX", problem: detail }),
  )
})

/** What each level leaves open, for operators. */
export const weakness: { readonly [L in Exclude<SandboxLevel, "namespaces">]: string } = {
  network: "which leaves files to their permissions and to Node",
  user: "which leaves the network open, and files to their permissions and to Node",
  runtime: "which leaves the network open, and files and other processes to Node alone",
  off: "which leaves everything open that this user may do",
}

/** Outgoing calls; links of the test vendor are served in process. */
const outgoing = ({ config }: Settings, { loopbackCallbacks }: Options) =>
  FaultyDownloads.layer.pipe(
    Layer.provideMerge(
      Outgoing.layer({ allowPrivate: config.network?.allow_private ?? [], loopbackCallbacks }),
    ),
  )

/** A storage failure while the secret key is checked is reported for the database's setting. */
export const checkedSecretKey = Effect.catchTag(SecretKey.requireSecretKey, "StorageError", (error) =>
  Effect.fail(new SettingError({ setting: "ATELIER_DATABASE_URL", problem: explain(Cause.fail(error)) })),
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
