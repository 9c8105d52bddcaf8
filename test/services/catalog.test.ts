import { join } from "node:path"
import {
  Access,
  Admin,
  CatalogOverrides,
  Executors,
  ImageModels,
  ModelCatalog,
  ToolCatalog,
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

/** The catalogs over real SQLite, under a configuration that passes on every model's images. */
const catalogs = Layer.unwrap(
  Effect.map(temporaryDirectory, (directory) =>
    Admin.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(ModelCatalog.layer, ToolCatalog.layer, Wallet.layer)),
      Layer.provideMerge(Access.layer),
      Layer.provideMerge(
        Layer.mergeAll(
          Sql.layerSqlite({ filename: join(directory, "atelier.db") }),
          SecureRandom.layerWebCrypto,
          Layer.succeed(Executors, []),
          Layer.sync(ImageModels, () =>
            Catalog.make({ families: Catalog.families, channels: [{ channel, models: ["*", "dream-9"] }] }),
          ),
          Layer.succeed(CatalogOverrides, { tools: {}, models: { "*": { delivery: "passthrough" } } }),
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
