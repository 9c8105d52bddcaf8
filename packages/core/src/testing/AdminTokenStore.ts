import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { AdminSession } from "../domain/AdminToken.ts"
import { AdminTokenStore } from "../ports/AdminTokenStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { anAdminToken } from "./fixtures.ts"

/** What every adapter of `AdminTokenStore` holds. The layer starts empty. */
export const adminTokenStoreSuite = (
  name: string,
  layer: Layer.Layer<AdminTokenStore | Transaction, unknown>,
): void => {
  shared(layer)(`${name}: contract of AdminTokenStore`, (it) => {
    it.effect("tokens are read as written, and listed newest first, page by page", () =>
      Effect.gen(function* () {
        const store = yield* AdminTokenStore
        const { run } = yield* Transaction
        const tokens = [
          anAdminToken({ role: "owner" }),
          anAdminToken({ role: "support", expiresAt: 7 }),
          anAdminToken({ role: "read", disabled: true }),
        ]
        yield* Effect.forEach(tokens, store.insert)
        for (const token of tokens) {
          assert.deepStrictEqual(yield* store.get(token.id), Option.some(token))
          assert.deepStrictEqual(yield* run(store.lock(token.id)), Option.some(token))
        }
        assert.deepStrictEqual(yield* store.get("adm_none"), Option.none())
        const newest = tokens.toReversed()
        const page = yield* store.list({ limit: 2 })
        assert.deepStrictEqual(page, newest.slice(0, 2))
        assert.deepStrictEqual(yield* store.list({ after: page[1]?.id ?? "", limit: 5 }), newest.slice(2))
      }),
    )

    it.effect("a token is found by its digest, and by the one before a rotation until its time is over", () =>
      Effect.gen(function* () {
        const store = yield* AdminTokenStore
        const token = anAdminToken()
        yield* store.insert(token)
        const rotated = {
          ...token,
          digest: "new",
          hint: "sk-atladm-new",
          previousDigest: token.digest,
          previousUntil: 2000,
          disabled: true,
        }
        const forged = { name: "forged", role: "owner", expiresAt: 1, createdAt: 1 } as const
        assert.isTrue(yield* store.update({ ...rotated, ...forged }))
        assert.deepStrictEqual(yield* store.findByDigest("new", 9000), Option.some(rotated))
        assert.deepStrictEqual(yield* store.findByDigest(token.digest, 1999), Option.some(rotated))
        assert.deepStrictEqual(yield* store.findByDigest(token.digest, 2000), Option.none())
        assert.deepStrictEqual(yield* store.findByDigest("no such digest", 1), Option.none())
        assert.isFalse(yield* store.update(anAdminToken()))
        assert.strictEqual((yield* Effect.flip(store.insert(token)))._tag, "StorageError")
      }),
    )

    it.effect(
      "a session is found by its digest until it expires, is closed, or newer ones take its place",
      () =>
        Effect.gen(function* () {
          const store = yield* AdminTokenStore
          const { run } = yield* Transaction
          const session = (digest: string, createdAt: number, tokenDigest = "token") => ({
            digest,
            tokenDigest,
            createdAt,
            expiresAt: createdAt + 100,
          })
          const insert = (one: AdminSession, keep = 9) => run(store.insertSession(one, keep))
          const found = (digest: string, now: number) =>
            Effect.map(store.findSession(digest, now), Option.isSome)
          yield* insert(session("a", 1))
          assert.deepStrictEqual(yield* store.findSession("a", 100), Option.some(session("a", 1)))
          assert.isFalse(yield* found("a", 101))
          yield* insert(session("b", 2))
          yield* insert(session("other", 2, "another token"))
          yield* insert(session("c", 3), 2)
          const kept = yield* Effect.forEach(["a", "b", "c", "other"], (digest) => found(digest, 4))
          assert.deepStrictEqual(kept, [false, true, true, true])
          yield* store.removeSession("b")
          yield* store.removeSession("no such session")
          assert.isFalse(yield* found("b", 4))
          // What expired is removed, not only left out.
          yield* insert(session("d", 200))
          assert.deepStrictEqual(yield* Effect.forEach(["c", "other", "d"], (digest) => found(digest, 5)), [
            false,
            false,
            true,
          ])
        }),
    )
  })
}
