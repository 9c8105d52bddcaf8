import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SettingsStore } from "../ports/SettingsStore.ts"
import { Transaction } from "../ports/Transaction.ts"

/** What every adapter of `SettingsStore` holds. The layer starts empty. */
export const settingsStoreSuite = (
  name: string,
  layer: Layer.Layer<SettingsStore | Transaction, unknown>,
): void => {
  shared(layer)(`${name}: contract of SettingsStore`, (it) => {
    it.effect("a setting is what was put last, each kind by itself", () =>
      Effect.gen(function* () {
        const settings = yield* SettingsStore
        assert.deepStrictEqual(yield* settings.get("tool", "a"), Option.none())
        yield* settings.put("tool", "a", { published: false })
        yield* settings.put("tool", "a", { published: true, unit_price: "0.001", list: [1, null] })
        yield* settings.put("tool", "b", 7)
        yield* settings.put("model", "a", null)
        const value = { published: true, unit_price: "0.001", list: [1, null] }
        assert.deepStrictEqual(yield* settings.get("tool", "a"), Option.some(value))
        assert.deepStrictEqual(yield* settings.get("model", "a"), Option.some(null))
        assert.deepStrictEqual(
          [...(yield* settings.all("tool"))],
          [
            ["a", value],
            ["b", 7],
          ],
        )
      }),
    )

    it.effect("the audit log is newest first, and undone with its transaction", () =>
      Effect.gen(function* () {
        const settings = yield* SettingsStore
        const { run } = yield* Transaction
        const entry = { at: 5, actor: "admin", action: "key.update", target: "key_1", detail: { a: [1] } }
        yield* settings.appendAudit(entry)
        yield* settings.appendAudit({ ...entry, at: 4, detail: null })
        yield* Effect.flip(run(Effect.andThen(settings.appendAudit(entry), Effect.fail("no"))))
        assert.deepStrictEqual(yield* settings.listAudit(5), [{ ...entry, at: 4, detail: null }, entry])
        assert.deepStrictEqual(yield* settings.listAudit(1), [{ ...entry, at: 4, detail: null }])
      }),
    )
  })
}
