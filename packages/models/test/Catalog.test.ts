import type { ImageChannel } from "@atelier/core"
import { ImageModels } from "@atelier/core"
import { Catalog, GenImage } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"

const channel = (id: string): ImageChannel => ({
  id,
  repeatable: false,
  generate: () => Effect.die("not used"),
})

describe("the catalog", () => {
  it.effect("contract, Running it: without configuration every model is on the local adapter", () =>
    Effect.gen(function* () {
      const models = yield* ImageModels
      assert.includeMembers(
        models.models.map(({ id }) => id),
        [
          ...["gen-image-2", "gen-image-2.5", "imagine-image-2.0", "artgen"],
          ...["dream-4.5", "dream-4.0", "alt-dream-3"],
        ],
      )
      for (const { id } of models.models) assert.strictEqual((yield* models.channelsFor(id))[0]?.id, "local")
      assert.isUndefined(models.find("test-image"))
    }).pipe(Effect.provide(Catalog.layerLocal())),
  )

  it.effect("contract, Running it: test-image is on the faulty adapter where it is configured", () =>
    Effect.gen(function* () {
      const models = yield* ImageModels
      assert.isDefined(models.find("test-image"))
      assert.strictEqual((yield* models.channelsFor("test-image"))[0]?.id, "faulty")
      assert.strictEqual(models.channel("faulty")?.id, "faulty")
      assert.strictEqual((yield* models.channelsFor("gen-image-2"))[0]?.id, "local")
    }).pipe(Effect.provide(Catalog.layerLocal({ testImage: true }))),
  )

  it.effect("image-tasks 9.4: older versioned art models are closed and name their successor", () =>
    Effect.gen(function* () {
      const models = yield* ImageModels
      assert.strictEqual(models.successorOf("artgen-v6"), "artgen")
      assert.isUndefined(models.find("artgen-v6"))
      assert.isUndefined(models.successorOf("artgen"))
      assert.isUndefined(models.successorOf("gen-image-2"))
      assert.isUndefined(models.successorOf("no-such-model"))
    }).pipe(Effect.provide(Catalog.layerLocal())),
  )

  it.effect("channels that serve a model come by priority; a model that none serves is not live", () =>
    Effect.gen(function* () {
      const models = yield* ImageModels
      assert.deepStrictEqual(
        models.models.map(({ id }) => id),
        ["gen-image-2", "gen-image-2.5"],
      )
      const channels = yield* models.channelsFor("gen-image-2")
      assert.deepStrictEqual(
        channels.map(({ id }) => id),
        ["one", "two"],
      )
      assert.strictEqual((yield* models.channelsFor("gen-image-2.5"))[0]?.id, "two")
      assert.isUndefined(models.find("imagine-image-2.0"))
      assert.isUndefined(models.channel("three"))
    }).pipe(
      Effect.provide(
        Catalog.layer({
          families: [GenImage.family],
          channels: [
            { channel: channel("two"), models: ["gen-image-*"], priority: 1 },
            { channel: channel("one"), models: ["gen-image-2"] },
          ],
        }),
      ),
    ),
  )
})
