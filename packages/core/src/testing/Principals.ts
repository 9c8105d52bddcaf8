import { assert, layer as shared } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ApiKey, Principal, User } from "../domain/Principal.ts"
import { KeyStore } from "../ports/KeyStore.ts"
import { Transaction } from "../ports/Transaction.ts"
import { aKey, aUser } from "./fixtures.ts"

/** The store of a second process. */
class Other extends Context.Service<Other, KeyStore["Service"]>()("@atelier/core/testing/Principals/Other") {}

const now = 1000

const stored = Effect.fnUntraced(function* (given: Partial<ApiKey> = {}) {
  const keys = yield* KeyStore
  const user = aUser()
  const key = aKey({ userId: user.id, ...given })
  yield* keys.insertUser(user)
  yield* keys.insertKey(key)
  return { user, key }
})

/** The principal as both processes give it, which is the same. */
const found = Effect.fnUntraced(function* (digest: string, at = now) {
  const [one, other] = [
    yield* (yield* KeyStore).findByDigest(digest, at),
    yield* (yield* Other).findByDigest(digest, at),
  ]
  assert.deepStrictEqual(one, other)
  return Option.getOrUndefined(one)
})

const changes: Readonly<Record<string, Partial<ApiKey>>> = {
  "it is disabled": { disabled: true },
  "it expires": { expiresAt: 1 },
  "its models": { models: ["dream-*"] },
  "its tools": { tools: ["text-md-json"] },
  "its addresses": { ipAllowlist: ["192.0.2.1"] },
  "its rate": { ratePerMinute: 1 },
  "its quota": { quotaUnits: 1 },
  "its group": { group: "beta" },
  "its name": { name: "second" },
  "its webhook secret": {
    webhookSecret: "whsec_bmV3",
    previousWebhookSecret: "whsec_b2xk",
    previousWebhookUntil: 9,
  },
}

/**
 * What `KeyStore.findByDigest` holds where two processes have one database: a principal may be given from memory, and
 * never one that was changed before it was asked for. `layer` and `other` are of one database.
 */
export const principalSuite = (
  name: string,
  layer: Layer.Layer<KeyStore | Transaction, unknown>,
  other: Layer.Layer<KeyStore, unknown>,
): void => {
  const another = Layer.effect(Other, KeyStore).pipe(Layer.provide(Layer.fresh(other)))
  shared(Layer.merge(layer, another), { excludeTestServices: true })(
    `${name}: principals of two processes`,
    (it) => {
      for (const [what, change] of Object.entries(changes)) {
        it.effect(`a change of a key is in force at once, whichever process makes it: ${what}`, () =>
          Effect.gen(function* () {
            const { user, key } = yield* stored()
            for (const writer of [yield* KeyStore, yield* Other]) {
              assert.deepStrictEqual(yield* found(key.digest), { user, key })
              yield* writer.updateKey({ ...key, ...change })
              assert.deepStrictEqual(yield* found(key.digest), { user, key: { ...key, ...change } })
              yield* writer.updateKey(key)
            }
          }),
        )
      }

      it.effect("a user who is disabled is so at once, in both", () =>
        Effect.gen(function* () {
          const { user, key } = yield* stored()
          for (const writer of [yield* KeyStore, yield* Other]) {
            for (const disabled of [true, false]) {
              yield* writer.setUserDisabled(user.id, disabled)
              assert.deepStrictEqual((yield* found(key.digest))?.user, { ...user, disabled } satisfies User)
            }
          }
        }),
      )

      it.effect("a rotated digest is void at once, or when its time is over", () =>
        Effect.gen(function* () {
          const { user, key } = yield* stored()
          assert.isDefined(yield* found(key.digest))
          const rotated = {
            ...key,
            digest: `new ${key.digest}`,
            previousDigest: key.digest,
            previousUntil: 2000,
          }
          yield* (yield* Other).updateDigest(rotated)
          assert.deepStrictEqual(yield* found(key.digest, 1999), { user, key: rotated })
          assert.deepStrictEqual(yield* found(rotated.digest, 1999), { user, key: rotated })
          assert.isUndefined(yield* found(key.digest, 2000))
          yield* (yield* Other).updateDigest({ ...rotated, previousDigest: null, previousUntil: null })
          assert.isUndefined(yield* found(key.digest, 1999))
        }),
      )

      it.effect("an unchanged principal is not read again", () =>
        Effect.gen(function* () {
          const keys = yield* KeyStore
          const { key } = yield* stored()
          const first = Option.getOrThrow(yield* keys.findByDigest(key.digest, now))
          assert.strictEqual(Option.getOrThrow(yield* keys.findByDigest(key.digest, now)), first)
          yield* keys.updateKey(key)
          assert.notStrictEqual(Option.getOrThrow(yield* keys.findByDigest(key.digest, now)), first)
        }),
      )

      it.effect(
        "what is not committed is told to its own transaction alone, and forgotten where it fails",
        () =>
          Effect.gen(function* () {
            const keys = yield* KeyStore
            const { run } = yield* Transaction
            const { user, key } = yield* stored()
            const disabled = { ...key, disabled: true }
            yield* Effect.flip(
              run(
                Effect.gen(function* () {
                  yield* keys.updateKey(disabled)
                  assert.deepStrictEqual(
                    yield* keys.findByDigest(key.digest, now),
                    Option.some<Principal>({ user, key: disabled }),
                  )
                  return yield* Effect.fail("undone")
                }),
              ),
            )
            // Another change takes the number that the undone one had.
            yield* keys.setUserDisabled(user.id, false)
            assert.deepStrictEqual(yield* found(key.digest), { user, key })
          }),
      )

      it.effect(
        "readers that race with changes never get one older than what was committed when they asked",
        () =>
          Effect.gen(function* () {
            const { key } = yield* stored({ ratePerMinute: 0 })
            const [one, two] = [yield* KeyStore, yield* Other]
            const rounds = 60
            let committed = 0
            const write = Effect.gen(function* () {
              for (let round = 1; round <= rounds; round++) {
                yield* (round % 2 === 0 ? one : two).updateKey({ ...key, ratePerMinute: round })
                committed = round
                yield* Effect.yieldNow
              }
            })
            const read = (store: KeyStore["Service"]) =>
              Effect.gen(function* () {
                while (committed < rounds) {
                  const least = committed
                  const { ratePerMinute } = Option.getOrThrow(yield* store.findByDigest(key.digest, now)).key
                  assert.isAtLeast(ratePerMinute ?? -1, least)
                  yield* Effect.yieldNow
                }
              })
            const readers = [one, two, one, two, one, two].map(read)
            yield* Effect.all([write, ...readers], { concurrency: "unbounded", discard: true })
            assert.strictEqual((yield* found(key.digest))?.key.ratePerMinute, rounds)
          }),
      )
    },
  )
}
