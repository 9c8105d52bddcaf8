import { type ImageChannel, ImageModels } from "@atelier/core"
import { Catalog, FaultyChannel, LocalChannel, TestImage } from "@atelier/models"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Channel } from "./ConfigFile.ts"

const testModel = "test-image"

/** Without a configured channel every model is served by the embedded one (contract, Running it). */
const byDefault: ReadonlyArray<Channel> = [{ id: "local", adapter: "local", models: { "*": "*" } }]
const testVendor: Channel = { id: "faulty", adapter: "faulty", models: { [testModel]: testModel } }

/** The image models on the configured channels; `testImage` adds the test vendor's where no channel has it. */
export const layer = (
  configured: ReadonlyArray<Channel>,
  options: { readonly testImage: boolean },
): Layer.Layer<ImageModels> =>
  Layer.effect(
    ImageModels,
    Effect.map(LocalChannel.make, (local) => {
      const given = configured.length === 0 ? byDefault : configured
      const offersTest = given.some(({ adapter }) => adapter === "faulty")
      const channels = options.testImage && !offersTest ? [testVendor, ...given] : given
      const families = channels.some(({ adapter }) => adapter === "faulty")
        ? [...Catalog.families, TestImage.family]
        : Catalog.families
      return Catalog.make({
        families,
        channels: channels.map((channel, position) => ({
          channel: { ...adapterOf(channel, local), id: channel.id },
          models: Object.keys(channel.models),
          // Unless priorities are given, the channels are tried in the order of the file.
          priority: position,
        })),
      })
    }),
  )

const adapterOf = ({ adapter }: Channel, local: ImageChannel): ImageChannel =>
  adapter === "faulty" ? FaultyChannel.make(local) : local
