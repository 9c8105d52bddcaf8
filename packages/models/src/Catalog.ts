import { globMatches, type ImageChannel, ImageModels } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Artgen from "./Artgen.ts"
import * as FaultyChannel from "./FaultyChannel.ts"
import * as GenImage from "./GenImage.ts"
import * as ImagineImage from "./ImagineImage.ts"
import * as LocalChannel from "./LocalChannel.ts"
import { type ModelFamily, successorAmong } from "./ModelFamily.ts"
import * as TestImage from "./TestImage.ts"

/** Every family of the service but the test vendor's. */
export const families: ReadonlyArray<ModelFamily> = [GenImage.family, ImagineImage.family, Artgen.family]

/** A channel and the models that it serves, by id or glob. */
export interface ChannelRoute {
  readonly channel: ImageChannel
  readonly models: ReadonlyArray<string>
}

const serves = (route: ChannelRoute, model: string): boolean =>
  route.models.some((pattern) => globMatches(pattern, model))

/**
 * The models of some families on some channels. Channels that serve a model are tried in the order given; a
 * model that none serves is not live.
 */
export const make = (options: {
  readonly families: ReadonlyArray<ModelFamily>
  readonly channels: ReadonlyArray<ChannelRoute>
}): ImageModels["Service"] => {
  const channelsOf = (model: string): ReadonlyArray<ImageChannel> =>
    options.channels.filter((route) => serves(route, model)).map(({ channel }) => channel)
  const models = options.families
    .flatMap((family) => family.models)
    .filter((model) => channelsOf(model.id).length > 0)
  const byId = new Map(models.map((model) => [model.id, model]))
  return ImageModels.of({
    models,
    find: (id) => byId.get(id),
    successorOf: (id) => (byId.has(id) ? undefined : successorAmong(options.families, id)),
    channelsFor: (model) => Effect.sync(() => channelsOf(model)),
    channel: (id) => options.channels.find(({ channel }) => channel.id === id)?.channel,
  })
}

/** The catalog over channels that the caller has made. */
export const layer = (options: {
  readonly families?: ReadonlyArray<ModelFamily>
  readonly channels: ReadonlyArray<ChannelRoute>
}): Layer.Layer<ImageModels> => Layer.sync(ImageModels, () => make({ families, ...options }))

/**
 * Every model on the embedded `local` channel, as without configuration; `testImage` adds `test-image` on the
 * `faulty` channel (contract, Running it).
 */
export const layerLocal = (options: { readonly testImage?: boolean } = {}): Layer.Layer<ImageModels> =>
  Layer.effect(
    ImageModels,
    Effect.gen(function* () {
      const channel = yield* LocalChannel.make
      const local = { channel, models: families.flatMap(({ models }) => models.map(({ id }) => id)) }
      if (options.testImage !== true) return make({ families, channels: [local] })
      return make({
        families: [...families, TestImage.family],
        channels: [local, { channel: FaultyChannel.make(channel), models: ["test-image"] }],
      })
    }),
  )
