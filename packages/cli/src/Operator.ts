import {
  Access,
  Admin,
  AdminTokens,
  Audit,
  Channels,
  CurrentActor,
  Executors,
  ImageModels,
  ModelCatalog,
  type TaskStore,
  ToolCatalog,
  Wallet,
} from "@atelier/core"
import { Catalog } from "@atelier/models"
import { layerWebCrypto, type SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Live from "./Live.ts"
import * as Settings from "./Settings.ts"

/** Most of operators' commands deal with users and keys: they need no model and no tool, and start no process. */
const noCatalogs = Layer.merge(
  Layer.sync(ImageModels, () => Catalog.make({ families: [], channels: [] })),
  Layer.succeed(Executors, []),
)

/** What operators' commands need to work directly on the database: no server, no admin token, no worker. */
const layer = <E>(
  settings: Settings.Settings,
  catalogs: Layer.Layer<ImageModels | Executors, E, SecureRandom>,
) =>
  Layer.mergeAll(
    Admin.layer,
    AdminTokens.layer,
    Channels.layer,
    Layer.effectDiscard(Live.checkedSecretKey),
  ).pipe(
    Layer.provideMerge(Audit.layer),
    Layer.provide(Layer.mergeAll(ModelCatalog.layer, ToolCatalog.layer, Wallet.layer)),
    Layer.provide(Access.layer),
    Layer.provide(Layer.provideMerge(catalogs, layerWebCrypto)),
    Layer.provideMerge(Live.stores(settings)),
    Layer.provideMerge(Live.values(settings)),
  )

const actor = { id: "command", role: "owner", ip: null, requestId: null } as const

/** Runs an operator's command on the database of the settings in the environment. */
export const withDatabase = <A, E>(command: Effect.Effect<A, E, Admin | AdminTokens | Audit | TaskStore>) =>
  Effect.flatMap(Settings.load(process.env), (settings) =>
    Effect.provide(command, layer(settings, noCatalogs)),
  ).pipe(Effect.provideService(CurrentActor, actor))

/** The same for a command that deals with the models, tools and channels of the settings. */
export const withCatalogs = <A, E>(command: Effect.Effect<A, E, Admin | Channels>) =>
  Effect.flatMap(Settings.load(process.env), (settings) =>
    Effect.provide(command, layer(settings, Live.catalogs(settings))),
  ).pipe(Effect.provideService(CurrentActor, actor))
