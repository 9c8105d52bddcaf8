import { join } from "node:path"
import {
  Access,
  Admin,
  Audit,
  CatalogOverrides,
  Channels,
  Executors,
  ImageModels,
  ModelCatalog,
  ToolCatalog,
  type ToolExecutor,
  type Usd,
  Wallet,
} from "@atelier/core"
import { Catalog, type Channel } from "@atelier/models"
import { Sql } from "@atelier/sql"
import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { principalWith, temporaryDirectory } from "../support/atelier.ts"

const channel = { id: "one", repeatable: true, generate: () => Effect.die("not used") }

/** `publishedByDefault` as the tool's author declares it. */
const tool = (id: string, publishedByDefault: boolean | undefined): ToolExecutor => ({
  definition: {
    id,
    name: id,
    description: id,
    extensions: [".txt"],
    maxFileBytes: 1000,
    timeoutSeconds: 1,
    outputFormats: ["markdown"],
    unitPriceUsd: "0.1",
    ...(publishedByDefault === undefined ? {} : { publishedByDefault }),
  },
  inspect: () => Effect.die("not used"),
  run: () => Effect.die("not used"),
})

/** The catalogs over real SQLite, under a configuration that passes on every model's images and publishes a tool. */
const catalogs = Layer.unwrap(
  Effect.map(temporaryDirectory, (directory) =>
    Layer.merge(Admin.layer, Channels.layer).pipe(
      Layer.provideMerge(Layer.mergeAll(ModelCatalog.layer, ToolCatalog.layer, Wallet.layer)),
      Layer.provideMerge(Layer.merge(Access.layer, Audit.layer)),
      Layer.provideMerge(
        Layer.mergeAll(
          Sql.layerSqlite({ filename: join(directory, "atelier.db") }),
          SecureRandom.layerWebCrypto,
          Layer.succeed(Executors, [
            tool("everyday", undefined),
            tool("special", false),
            tool("wanted", false),
          ]),
          Layer.sync(ImageModels, () =>
            Catalog.make({ families: Catalog.families, channels: [{ channel, models: ["*", "dream-9"] }] }),
          ),
          Layer.succeed(CatalogOverrides, {
            tools: { wanted: { published: true } },
            models: { "*": { delivery: "passthrough" } },
          }),
        ),
      ),
    ),
  ),
)

describe("image-tasks 1.5: delivery of the dream-* and alt-dream-* families", () => {
  it.effect("a configuration that passes on every model's images does not reach them", () =>
    Effect.gen(function* () {
      const catalog = yield* ModelCatalog
      const listed = yield* catalog.list(yield* principalWith("1"))
      const delivery = Object.fromEntries(listed.map((model) => [model.id, model.delivery]))
      assert.deepStrictEqual(delivery, {
        "gen-image-2": "passthrough",
        "gen-image-2.5": "passthrough",
        "imagine-image-2.0": "passthrough",
        "dream-4.5": "archive",
        "dream-4.0": "archive",
        "alt-dream-3": "archive",
        artgen: "passthrough",
        "dream-9": "archive",
      })
    }).pipe(Effect.provide(catalogs)),
  )

  it.effect("an administrator who would pass them on is refused, and what else may change changes", () =>
    Effect.gen(function* () {
      const catalog = yield* ModelCatalog
      for (const id of ["dream-4.5", "alt-dream-3", "dream-9"]) {
        const error = yield* Effect.flip(catalog.override(id, { enabled: false, delivery: "passthrough" }))
        assert.deepInclude(error, { code: "invalid_parameter", param: "delivery" })
        const entry = yield* catalog.override(id, { price: "0.5", delivery: "archive" })
        assert.deepStrictEqual([entry.enabled, entry.model.delivery], [true, "archive"])
      }
      const entry = yield* catalog.override("gen-image-2", { delivery: "archive" })
      assert.strictEqual(entry.model.delivery, "archive")
    }).pipe(Effect.provide(catalogs)),
  )
})

describe("what a channel's images cost beside their prices", () => {
  const own = (costs: NonNullable<Channel.ChannelRoute["costs"]>) =>
    Effect.gen(function* () {
      const channels = yield* Channels
      const [entry] = yield* channels.entries
      if (entry === undefined) return yield* Effect.die("no channel")
      const prices = yield* channels.prices({ ...entry, costs })
      const shown = (amounts: readonly [Usd, Usd] | null) => amounts?.map(BigDecimal.format) ?? null
      return Object.fromEntries(
        prices.map(({ cost, marginLeast, model, price }) => [
          model,
          [shown(price), shown(cost), marginLeast === null ? null : BigDecimal.format(marginLeast)],
        ]),
      )
    })

  it.effect("a model's own entry is before that of the longest glob; without one there is no cost", () =>
    Effect.gen(function* () {
      const prices = yield* own({ "dream-*": "0.5", "dream-4.*": "0.03", "dream-4.5": "0.01" })
      assert.deepStrictEqual(prices["dream-4.5"]?.[1], ["0.01", "0.01"])
      assert.deepStrictEqual(prices["dream-4.0"]?.[1], ["0.03", "0.03"])
      assert.deepStrictEqual(prices["dream-9"]?.[1], ["0.5", "0.5"])
      assert.deepStrictEqual(prices["gen-image-2"]?.slice(1), [null, null])
    }).pipe(Effect.provide(catalogs)),
  )

  it.effect("each tier is compared with the cost of its tier, and reference images with nothing", () =>
    Effect.gen(function* () {
      const catalog = yield* ModelCatalog
      const table = (factor: number) => ({
        table: [
          { resolution: "1K", quality: "low", usd: 0.01 * factor },
          { resolution: "1K", usd: 0.04 * factor },
          { usd: 0.2 * factor },
        ],
        input_image: "0.001",
      })
      yield* catalog.override("gen-image-2", { price: table(1) })
      const even = yield* own({ "gen-image-2": table(0.5) })
      assert.deepStrictEqual(even["gen-image-2"], [["0.01", "0.2"], ["0.005", "0.1"], "0.005"])
      const tight = yield* own({
        "gen-image-2": { table: [{ usd: "0.01" }, { resolution: "1K", usd: "0.05" }] },
      })
      assert.deepStrictEqual(tight["gen-image-2"], [["0.01", "0.2"], ["0.01", "0.05"], "-0.04"])
    }).pipe(Effect.provide(catalogs)),
  )

  it.effect("a cost that is a factor stays when the price is changed", () =>
    Effect.gen(function* () {
      const catalog = yield* ModelCatalog
      const costs = { "dream-4.5": { factor: "0.5" } }
      const before = yield* own(costs)
      yield* catalog.override("dream-4.5", { price: "0.001" })
      const after = yield* own(costs)
      assert.deepStrictEqual(after["dream-4.5"]?.[0], ["0.001", "0.001"])
      assert.deepStrictEqual(after["dream-4.5"]?.[1], before["dream-4.5"]?.[1])
      assert.match(String(after["dream-4.5"]?.[2]), /^-/)
    }).pipe(Effect.provide(catalogs)),
  )
})

describe("contract, Tools: a tool whose author does not publish it by default", () => {
  const listed = Effect.gen(function* () {
    const catalog = yield* ToolCatalog
    const entries = yield* catalog.list(yield* principalWith("1"))
    return entries.map(({ executor }) => executor.definition.id)
  })

  it.effect("is not there for callers, unless the configuration publishes it", () =>
    Effect.gen(function* () {
      const catalog = yield* ToolCatalog
      const principal = yield* principalWith("1")
      assert.deepStrictEqual(yield* listed, ["everyday", "wanted"])
      assert.deepInclude(yield* Effect.flip(catalog.resolve(principal, "special")), {
        code: "tool_not_found",
      })
      const known = (yield* catalog.entries).map((entry) => [entry.executor.definition.id, entry.published])
      assert.deepStrictEqual(known, [
        ["everyday", true],
        ["special", false],
        ["wanted", true],
      ])
    }).pipe(Effect.provide(catalogs)),
  )

  it.effect(
    "an administrator publishes it, and takes it back, at once; a price alone publishes nothing",
    () =>
      Effect.gen(function* () {
        const catalog = yield* ToolCatalog
        assert.isFalse((yield* catalog.override("special", { unit_price: "0.5" })).published)
        yield* catalog.override("special", { published: true })
        assert.deepStrictEqual(yield* listed, ["everyday", "special", "wanted"])
        assert.isTrue((yield* catalog.resolve(yield* principalWith("1"), "special")).published)
        yield* catalog.override("special", { published: false })
        yield* catalog.override("wanted", { published: false })
        assert.deepStrictEqual(yield* listed, ["everyday"])
      }).pipe(Effect.provide(catalogs)),
  )
})
