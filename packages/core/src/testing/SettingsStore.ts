import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type AuditEntry, SettingsStore } from "../ports/SettingsStore.ts"
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
        const target = "key_newest"
        const entry = anEntry({ target, before: null, after: { a: [1] } })
        yield* settings.appendAudit(entry)
        yield* settings.appendAudit({ ...entry, at: 4, role: null, ip: null, requestId: null })
        yield* Effect.flip(run(Effect.andThen(settings.appendAudit(entry), Effect.fail("no"))))
        const found = yield* settings.listAudit({ target, limit: 5 })
        assert.deepStrictEqual(
          found.map(({ sequence, ...rest }) => rest),
          [{ ...entry, at: 4, role: null, ip: null, requestId: null }, entry],
        )
        const first = yield* settings.listAudit({ target, limit: 1 })
        assert.deepStrictEqual(first, found.slice(0, 1))
        const after = first[0]?.sequence ?? 0
        assert.deepStrictEqual(yield* settings.listAudit({ target, limit: 5, after }), found.slice(1))
      }),
    )

    it.effect("the audit log is searched by who, what, which, in which request and with what outcome", () =>
      Effect.gen(function* () {
        const settings = yield* SettingsStore
        const one = anEntry({ actor: "adm_1", action: "user.grant", target: "usr_1", requestId: "req_1" })
        const refused = anEntry({
          actor: "adm_2",
          action: "key.update",
          target: "usr_2",
          requestId: "req_2",
          outcome: "refused",
          code: "not_found",
        })
        yield* settings.appendAudit(one)
        yield* settings.appendAudit(refused)
        for (const wanted of [one, refused]) {
          const { actor, action, target, requestId, outcome } = wanted
          const filters = [{ actor }, { action }, { target }, { requestId: requestId ?? "" }]
          for (const filter of [...filters, { actor, outcome }]) {
            const found = yield* settings.listAudit({ ...filter, limit: 10 })
            assert.deepStrictEqual(
              found.map(({ sequence, ...rest }) => rest),
              [wanted],
            )
          }
        }
        assert.deepStrictEqual(
          yield* settings.listAudit({ actor: "adm_1", outcome: "refused", limit: 5 }),
          [],
        )
      }),
    )
  })
}

const anEntry = (given: Partial<AuditEntry>): AuditEntry => ({
  at: 5,
  actor: "ATELIER_ADMIN_TOKEN",
  role: "owner",
  ip: "203.0.113.7",
  requestId: "req_0",
  action: "test",
  target: "none",
  before: { quota: null },
  after: null,
  outcome: "done",
  code: null,
  ...given,
})
