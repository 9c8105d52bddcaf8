import { globMatches, type ImageChannel, ImageModels, type ModelOverride } from "@atelier/core"
import {
  Catalog,
  Channel as ChannelRouting,
  FaultyChannel,
  LocalChannel,
  type ModelFamily,
  TestImage,
  UpstreamHttp,
} from "@atelier/models"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { adaptersOf } from "./adapters.ts"
import { apiKeyOf } from "./apiKeyOf.ts"
import type { ChannelSetting } from "./ChannelSetting.ts"
import type { LoadedPlugin } from "./Plugin.ts"
import { SettingRefused } from "./SettingRefused.ts"

const testModel = "test-image"

/** Without a configured channel every model is served by the embedded one (contract, Running it). */
const byDefault: ReadonlyArray<ChannelSetting> = [{ id: "local", adapter: "local", models: { "*": "*" } }]
const testVendor: ChannelSetting = {
  id: "test-vendor",
  adapter: "faulty",
  models: { [testModel]: testModel },
}

export interface ImageModelSettings {
  readonly channels: ReadonlyArray<ChannelSetting>
  /** The `models` of the configuration: those with a `family` are made. */
  readonly models: { readonly [idOrGlob: string]: ModelOverride }
  readonly plugins: ReadonlyArray<LoadedPlugin>
  /** Adds the test vendor's model where no channel serves it. */
  readonly testImage: boolean
}

/** The image models of the built-in families, of plugins and of the configuration, on the configured channels. */
export const imageModels = (
  settings: ImageModelSettings,
): Layer.Layer<ImageModels, SettingRefused, UpstreamHttp> =>
  Layer.effect(
    ImageModels,
    Effect.gen(function* () {
      const { plugins } = settings
      const given = settings.channels.length === 0 ? byDefault : settings.channels
      const offersTest = given.some(servesTestModel)
      const channels = settings.testImage && !offersTest ? [testVendor, ...given] : given
      const families = [
        ...(yield* imageFamilies(settings)),
        ...(channels.some(({ adapter }) => adapter === "faulty") ? [TestImage.family] : []),
      ]
      // What draws here is looked for where something is drawn here.
      const local = yield* Effect.cached(LocalChannel.make)
      const routes = yield* Effect.forEach(channels, (channel) =>
        Effect.map(makeChannel(channel, local, plugins), (made) => ({
          channel: made,
          adapter: channel.adapter,
          models: Object.keys(channel.models),
          // The test vendor goes before a channel that serves everything.
          priority: channel.priority ?? (channel.adapter === "faulty" ? -1 : 0),
          weight: channel.weight ?? 1,
          costs: channel.costs ?? {},
        })),
      )
      return Catalog.make({ families, channels: routes })
    }),
  )

/** The built-in families, those of plugins, and the models that the configuration makes. */
export const imageFamilies = Effect.fnUntraced(function* ({
  models,
  plugins,
}: Pick<ImageModelSettings, "models" | "plugins">): Effect.fn.Return<
  ReadonlyArray<ModelFamily>,
  SettingRefused
> {
  const known = [...Catalog.families, ...plugins.flatMap(({ plugin }) => plugin.families ?? [])]
  yield* requireDifferent(known)
  return [...known, yield* configuredFamily(models, known)]
})

const requireDifferent = (families: ReadonlyArray<ModelFamily>): Effect.Effect<void, SettingRefused> => {
  const ids = families.flatMap(({ models }) => models.map(({ id }) => id))
  const twice = ids.find((id, index) => ids.indexOf(id) < index)
  return twice === undefined
    ? Effect.void
    : Effect.fail(new SettingRefused({ setting: "plugins", problem: `there are two models ${twice}` }))
}

const idForm = /^[a-z0-9][a-z0-9._-]{0,99}$/

/** contract, Catalog and plugins: `models.<id>.family` makes a new public model. */
const configuredFamily = Effect.fnUntraced(function* (
  models: ImageModelSettings["models"],
  families: ReadonlyArray<ModelFamily>,
): Effect.fn.Return<ModelFamily, SettingRefused> {
  const makers = new Map(families.flatMap(({ make, name }) => (name && make ? [[name, make] as const] : [])))
  const known = families.flatMap((family) => family.models.map(({ id }) => id))
  const made = []
  for (const [id, { family }] of Object.entries(models)) {
    if (family === undefined) continue
    const make = makers.get(family)
    if (make === undefined) {
      const problem = `expected one of ${[...makers.keys()].join(", ")}, got ${JSON.stringify(family)}`
      return yield* new SettingRefused({ setting: `models.${id}.family`, problem })
    }
    if (!idForm.test(id)) {
      const problem = "a new model's id is 1 to 100 lower-case letters, digits, dots, hyphens and underscores"
      return yield* new SettingRefused({ setting: `models.${id}`, problem })
    }
    if (known.includes(id)) {
      const problem = "the model is there already; leave its family out"
      return yield* new SettingRefused({ setting: `models.${id}.family`, problem })
    }
    made.push(make(id))
  }
  return { models: made, closed: [] }
})

const servesTestModel = ({ adapter, models }: ChannelSetting): boolean =>
  adapter === "faulty" && Object.keys(models).some((pattern) => globMatches(pattern, testModel))

const makeChannel = (
  channel: ChannelSetting,
  local: Effect.Effect<ImageChannel, never, Scope.Scope>,
  plugins: ReadonlyArray<LoadedPlugin>,
): Effect.Effect<ImageChannel, SettingRefused, UpstreamHttp | Scope.Scope> => {
  switch (channel.adapter) {
    case "local":
      return Effect.map(local, (drawing) => ({ ...drawing, id: channel.id }))
    case "faulty":
      return Effect.map(local, (drawing) => ({ ...FaultyChannel.make(drawing), id: channel.id }))
    default:
      return makeUpstream(channel, plugins)
  }
}

type UpstreamSetting = Exclude<ChannelSetting, { readonly adapter: "local" | "faulty" }>

/** A channel over HTTP, behind a circuit breaker and its limit of concurrent requests. */
const makeUpstream = Effect.fnUntraced(function* (
  channel: UpstreamSetting,
  plugins: ReadonlyArray<LoadedPlugin>,
) {
  const http = yield* UpstreamHttp
  const setting = `channels (${channel.id})`
  const adapters = adaptersOf(plugins)
  const adapter = Object.hasOwn(adapters, channel.adapter) ? adapters[channel.adapter] : undefined
  if (adapter === undefined) {
    const known = ["local", "faulty", ...Object.keys(adapters)].join(", ")
    const problem = `there is no adapter ${JSON.stringify(channel.adapter)}; there are ${known}`
    return yield* new SettingRefused({ setting, problem })
  }
  const { api_key, api_key_env, base_url, concurrency, options = {} } = channel
  const baseUrl = base_url ?? adapter.baseUrl
  if (baseUrl === undefined) {
    return yield* new SettingRefused({ setting, problem: `${channel.adapter} needs a base_url` })
  }
  yield* Effect.mapError(
    Schema.decodeUnknownEffect(adapter.Options, { onExcessProperty: "error" })(options),
    ({ message }) => new SettingRefused({ setting: `${setting}.options`, problem: oneLine(message) }),
  )
  const apiKey = yield* apiKeyOf(setting, {
    ...(api_key === undefined ? {} : { api_key }),
    ...(api_key_env === undefined ? {} : { api_key_env }),
  })
  const made = adapter.make(
    {
      channelId: channel.id,
      baseUrl: baseUrl.replace(/\/+$/, ""),
      apiKey,
      upstreamModel: ChannelRouting.upstreamModelFor(channel.models),
      http,
    },
    options,
  )
  const { breaker } = ChannelRouting.defaultGuard
  return yield* ChannelRouting.guard(made, { breaker, concurrency: concurrency ?? null })
})

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, " ")
