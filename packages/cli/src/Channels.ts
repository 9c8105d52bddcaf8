import { globMatches, type ImageChannel, ImageModels } from "@atelier/core"
import {
  Catalog,
  Channel as ChannelRouting,
  FaultyChannel,
  httpAdapters,
  LocalChannel,
  TestImage,
  UpstreamHttp,
} from "@atelier/models"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { apiKeyOf } from "./apiKeyOf.ts"
import type { Channel } from "./ConfigFile.ts"
import type { SettingError } from "./SettingError.ts"

const testModel = "test-image"

/** Without a configured channel every model is served by the embedded one (contract, Running it). */
const byDefault: ReadonlyArray<Channel> = [{ id: "local", adapter: "local", models: { "*": "*" } }]
const testVendor: Channel = { id: "test-vendor", adapter: "faulty", models: { [testModel]: testModel } }

/** The image models on the configured channels; `testImage` adds the test vendor's model where no channel serves it. */
export const layer = (
  configured: ReadonlyArray<Channel>,
  options: { readonly testImage: boolean },
): Layer.Layer<ImageModels, SettingError, UpstreamHttp> =>
  Layer.effect(
    ImageModels,
    Effect.gen(function* () {
      const local = yield* LocalChannel.make
      const given = configured.length === 0 ? byDefault : configured
      const offersTest = given.some(servesTestModel)
      const channels = options.testImage && !offersTest ? [testVendor, ...given] : given
      const families = channels.some(({ adapter }) => adapter === "faulty")
        ? [...Catalog.families, TestImage.family]
        : Catalog.families
      const routes = yield* Effect.forEach(channels, (channel) =>
        Effect.map(makeChannel(channel, local), (made) => ({
          channel: made,
          models: Object.keys(channel.models),
          // The test vendor goes before a channel that serves everything.
          priority: channel.priority ?? (channel.adapter === "faulty" ? -1 : 0),
          weight: channel.weight ?? 1,
        })),
      )
      return Catalog.make({ families, channels: routes })
    }),
  )

const servesTestModel = ({ adapter, models }: Channel): boolean =>
  adapter === "faulty" && Object.keys(models).some((pattern) => globMatches(pattern, testModel))

const makeChannel = (
  channel: Channel,
  local: ImageChannel,
): Effect.Effect<ImageChannel, SettingError, UpstreamHttp | Scope.Scope> => {
  switch (channel.adapter) {
    case "local":
      return Effect.succeed({ ...local, id: channel.id })
    case "faulty":
      return Effect.succeed({ ...FaultyChannel.make(local), id: channel.id })
    default:
      return makeUpstream(channel)
  }
}

type UpstreamChannel = Exclude<Channel, { readonly adapter: "local" | "faulty" }>

/** A channel over HTTP, behind a circuit breaker and its limit of concurrent requests. */
const makeUpstream = Effect.fnUntraced(function* (channel: UpstreamChannel) {
  const http = yield* UpstreamHttp
  const apiKey = yield* apiKeyOf(`channels (${channel.id})`, channel)
  const made = httpAdapters[channel.adapter].make(
    {
      channelId: channel.id,
      baseUrl: channel.base_url.replace(/\/+$/, ""),
      apiKey,
      upstreamModel: ChannelRouting.upstreamModelFor(channel.models),
      http,
    },
    channel.options ?? {},
  )
  const { breaker } = ChannelRouting.defaultGuard
  return yield* ChannelRouting.guard(made, { breaker, concurrency: channel.concurrency ?? null })
})
