import { join } from "node:path"
import {
  Access,
  Admin,
  Audit,
  CatalogOverrides,
  Executors,
  ImageModels,
  ModelCatalog,
  ToolCatalog,
  type ToolExecutor,
  Wallet,
} from "@atelier/core"
import { Catalog } from "@atelier/models"
import { Sql } from "@atelier/sql"
import { assert, describe, it } from "@effect/vitest"
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
    Admin.layer.pipe(
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
