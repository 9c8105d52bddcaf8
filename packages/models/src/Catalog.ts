import { type ImageModel, ImageModels } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Artgen from "./Artgen.ts"
import { type ChannelRoute, inOrder, serves, watched } from "./Channel.ts"
import * as Dream from "./Dream.ts"
import * as FaultyChannel from "./FaultyChannel.ts"
import * as GenImage from "./GenImage.ts"
import * as ImagineImage from "./ImagineImage.ts"
import * as LocalChannel from "./LocalChannel.ts"
import { type ModelFamily, successorAmong } from "./ModelFamily.ts"
import * as TestImage from "./TestImage.ts"

/** Every family of the service but the test vendor's. */
export const families: ReadonlyArray<ModelFamily> = [
  GenImage.family,
  ImagineImage.family,
  Dream.family,
  Artgen.family,
]

/**
 * The models of some families on some channels. A model that no channel serves is not live; one that is not
 * listed, of a family that takes others, is live where a channel names it. Channels of a model are tried by
 * priority, and among equals in a random order by weight, drawn each time.
 */
export const make = (options: {
  readonly families: ReadonlyArray<ModelFamily>
  readonly channels: ReadonlyArray<ChannelRoute>
}): ImageModels["Service"] => {
  const channels = options.channels.map(watchedRoute)
  const routesOf = (model: string) => channels.filter((route) => serves(route, model))
  const models = [...listed(options.families), ...named(options)].filter(({ id }) => routesOf(id).length > 0)
  const byId = new Map(models.map((model) => [model.id, model]))
  return ImageModels.of({
    models,
    find: (id) => byId.get(id),
    channels: channels.map(
      ({ calls, channel, models, adapter = null, costs = {}, priority = 0, weight = 1 }) => ({
        id: channel.id,
        adapter,
        models,
        priority,
        weight,
        costs,
        breaker: channel.breaker ?? Effect.succeed("closed"),
        calls,
      }),
    ),
    successorOf: (id) => (byId.has(id) ? undefined : successorAmong(options.families, id)),
    channelsFor: (model) =>
      Effect.map(inOrder(routesOf(model)), (routes) => routes.map(({ channel }) => channel)),
    channel: (id) => channels.find(({ channel }) => channel.id === id)?.channel,
  })
}

/** A guarded channel is watched within its guard: what the guard refuses never reached the upstream. */
const watchedRoute = (route: ChannelRoute) => {
  const { calls } = route.channel
  if (calls !== undefined) return { ...route, calls }
  const channel = watched(route.channel, null)
  return { ...route, channel, calls: channel.calls }
}

const listed = (families: ReadonlyArray<ModelFamily>): ReadonlyArray<ImageModel> =>
  families.flatMap(({ models }) => models)

/** Models that only the channels name. */
const named = ({ channels, families }: Parameters<typeof make>[0]): ReadonlyArray<ImageModel> => {
  const known = new Set(listed(families).map(({ id }) => id))
  const ids = new Set(channels.flatMap(({ models }) => models).filter((id) => !id.includes("*")))
  return [...ids]
    .filter((id) => !known.has(id))
    .flatMap((id) => families.flatMap((family) => family.named?.(id) ?? []))
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
