import { assert, layer as shared } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { KeyStore } from "../ports/KeyStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { aKey, aUser, aUserId } from "./fixtures.ts"

/** What every adapter of `KeyStore` holds. The layer starts empty. */
export const keyStoreSuite = (name: string, layer: Layer.Layer<KeyStore | Transaction, unknown>): void => {
  shared(layer)(`${name}: contract of KeyStore`, (it) => {
    it.effect("a store without users is empty", () =>
      Effect.gen(function* () {
        const keys = yield* KeyStore
        assert.isTrue(yield* keys.isEmpty)
        yield* keys.insertUser(aUser())
        assert.isFalse(yield* keys.isEmpty)
      }),
    )

    it.effect("a user is read as written, and can be disabled and enabled", () =>
      Effect.gen(function* () {
        const keys = yield* KeyStore
        const user = aUser({ name: "Grace “Amazing” Hopper" })
        yield* keys.insertUser(user)
        assert.deepStrictEqual(yield* keys.getUser(user.id), Option.some(user))
        assert.isTrue(yield* keys.setUserDisabled(user.id, true))
        assert.deepStrictEqual(yield* keys.getUser(user.id), Option.some({ ...user, disabled: true }))
        assert.isTrue(yield* keys.setUserDisabled(user.id, false))
        assert.isFalse(yield* keys.setUserDisabled(aUserId(), true))
        assert.deepStrictEqual(yield* keys.getUser("usr_none"), Option.none())
        assert.strictEqual((yield* Effect.flip(keys.insertUser(user)))._tag, "StorageError")
      }),
    )

    it.effect("users are listed newest first, page by page", () =>
      Effect.gen(function* () {
        const keys = yield* KeyStore
        const users = [aUser(), aUser(), aUser()]
        yield* Effect.forEach(users, keys.insertUser)
        const newest = users.toReversed()
        const page = yield* keys.listUsers({ limit: 2 })
        assert.deepStrictEqual(page, newest.slice(0, 2))
        const rest = yield* keys.listUsers({ after: page[1]?.id ?? "", limit: 1 })
        assert.deepStrictEqual(rest, newest.slice(2))
      }),
    )

    it.effect(
      "a key is read as written, by its id, by its digest with its user, and in its user's list",
      () =>
        Effect.gen(function* () {
          const keys = yield* KeyStore
          const user = aUser()
          const key = aKey({ userId: user.id, quotaUnits: 500, group: "beta", expiresAt: 12, disabled: true })
          const second = aKey({ userId: user.id, models: [], ratePerMinute: null })
          yield* keys.insertUser(user)
          yield* keys.insertKey(key)
          yield* keys.insertKey(second)
          assert.deepStrictEqual(yield* keys.getKey(key.id), Option.some(key))
          assert.deepStrictEqual(
            yield* keys.findByDigest(second.digest, 1000),
            Option.some({ user, key: second }),
          )
          assert.deepStrictEqual(yield* keys.listKeys(user.id), [second, key])
          assert.deepStrictEqual(yield* keys.findByDigest("no such digest", 1000), Option.none())
          assert.deepStrictEqual(yield* keys.getKey("key_none"), Option.none())
        }),
    )

    it.effect("a digest belongs to one key", () =>
      Effect.gen(function* () {
        const keys = yield* KeyStore
        const user = aUser()
        yield* keys.insertUser(user)
        yield* keys.insertKey(aKey({ userId: user.id, digest: "the same" }))
        const again = keys.insertKey(aKey({ userId: user.id, digest: "the same" }))
        assert.strictEqual((yield* Effect.flip(again))._tag, "StorageError")
      }),
    )

    it.effect(
      "contract, Admin credentials: the digest before a rotation finds its key until its time is over",
      () =>
        Effect.gen(function* () {
          const keys = yield* KeyStore
          const user = aUser()
          const key = aKey({ userId: user.id })
          yield* keys.insertUser(user)
          yield* keys.insertKey(key)
          const rotated = {
            ...key,
            digest: `new ${key.digest}`,
            hint: "sk-atl-efgh",
            previousDigest: key.digest,
            previousUntil: 2000,
          }
          assert.isTrue(yield* keys.updateDigest(rotated))
          const found = Option.some({ user, key: rotated })
          assert.deepStrictEqual(yield* keys.findByDigest(rotated.digest, 5000), found)
          assert.deepStrictEqual(yield* keys.findByDigest(key.digest, 1999), found)
          assert.deepStrictEqual(yield* keys.findByDigest(key.digest, 2000), Option.none())
          yield* keys.updateDigest({ ...rotated, previousDigest: null, previousUntil: null })
          assert.deepStrictEqual(yield* keys.findByDigest(key.digest, 1000), Option.none())
          assert.isFalse(yield* keys.updateDigest(aKey({ userId: user.id })))
        }),
    )

    it.effect("webhook secrets are counted by the secret key that sealed them", () =>
      Effect.gen(function* () {
        const keys = yield* KeyStore
        const user = aUser()
        yield* keys.insertUser(user)
        const before = yield* keys.seals
        const plain = before.find(({ keyId }) => keyId === null)?.count ?? 0
        yield* keys.insertKey(aKey({ userId: user.id }))
        const sealed = "sealed:1:0123456789abcdef:AAAA"
        yield* keys.insertKey(aKey({ userId: user.id, webhookSecret: sealed }))
        yield* keys.insertKey(aKey({ userId: user.id, webhookSecret: sealed }))
        assert.sameDeepMembers(
          [...(yield* keys.seals)],
          [
            { keyId: null, count: plain + 1 },
            { keyId: "0123456789abcdef", count: 2 },
          ],
        )
      }),
    )

    it.effect("a key that is locked is read as it is", () =>
      Effect.gen(function* () {
        const keys = yield* KeyStore
        const { run } = yield* Transaction
        const user = aUser()
        const key = aKey({ userId: user.id })
        yield* keys.insertUser(user)
        yield* keys.insertKey(key)
        assert.deepStrictEqual(yield* run(keys.lockKey(key.id)), Option.some(key))
        assert.deepStrictEqual(yield* run(keys.lockKey("key_none")), Option.none())
      }),
    )

    it.effect("an update writes what an administrator adjusts, and never digest, user or used units", () =>
      Effect.gen(function* () {
        const keys = yield* KeyStore
        const user = aUser()
        const key = aKey({ userId: user.id })
        yield* keys.insertUser(user)
        yield* keys.insertKey(key)
        const adjusted = {
          name: "second",
          models: ["dream-*"],
          tools: ["text-md-json"],
          ipAllowlist: [],
          group: "g",
          quotaUnits: 9,
          ratePerMinute: 1,
          webhookSecret: "whsec_bmV3",
          previousWebhookSecret: "whsec_b2xk",
          previousWebhookUntil: 78,
          disabled: true,
          expiresAt: 77,
        }
        const forged = {
          digest: "forged",
          previousDigest: "forged",
          previousUntil: 9,
          usedUnits: 1_000_000,
          userId: aUserId(),
        }
        assert.isTrue(yield* keys.updateKey({ ...key, ...adjusted, ...forged }))
        assert.deepStrictEqual(yield* keys.getKey(key.id), Option.some({ ...key, ...adjusted }))
        assert.isFalse(yield* keys.updateKey(aKey({ userId: user.id })))
      }),
    )
  })
}
