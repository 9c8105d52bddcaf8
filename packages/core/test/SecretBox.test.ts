import { makeSecretBox, SecretBox, sealedBy } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"

const key = (fill: number) => Redacted.make(new Uint8Array(32).fill(fill))
const box = (first: number, ...others: ReadonlyArray<number>) =>
  Effect.provide(makeSecretBox([key(first), ...others.map(key)]), SecureRandom.layerWebCrypto)

const secret = "whsec_c2VjcmV0IMO8"

describe("webhook secrets at rest", () => {
  it.effect("what is sealed opens for its owner, tells nothing, and is never sealed the same twice", () =>
    Effect.gen(function* () {
      const { keyIds, seal, open } = yield* box(1)
      const [one, two] = [yield* seal(secret, "key_1"), yield* seal(secret, "key_1")]
      assert.strictEqual(yield* open(one, "key_1"), secret)
      assert.notStrictEqual(one, two)
      assert.notInclude(one, secret.slice(6))
      assert.strictEqual(sealedBy(one), keyIds[0])
      assert.strictEqual((yield* Effect.flip(open(one, "key_2")))._tag, "SecretUnreadable")
    }),
  )

  it.effect("a bit that was changed does not open", () =>
    Effect.gen(function* () {
      const { seal, open } = yield* box(1)
      const sealed = yield* seal(secret, "key_1")
      const start = sealed.lastIndexOf(":") + 1
      const bytes = Buffer.from(sealed.slice(start), "base64url")
      for (const [index, byte] of bytes.entries()) {
        const changed = Buffer.from(bytes)
        changed[index] = byte ^ 1
        yield* Effect.flip(open(sealed.slice(0, start) + changed.toString("base64url"), "key_1"))
      }
      yield* Effect.flip(open(sealed.slice(0, start), "key_1"))
      yield* Effect.flip(open(sealed.slice(0, -30), "key_1"))
    }),
  )

  it.effect("an older key opens, the first one seals, another one does neither", () =>
    Effect.gen(function* () {
      const old = yield* (yield* box(1)).seal(secret, "key_1")
      const both = yield* box(2, 1)
      assert.strictEqual(yield* both.open(old, "key_1"), secret)
      const renewed = yield* both.seal(secret, "key_1")
      assert.strictEqual(sealedBy(renewed), both.keyIds[0])
      const other = yield* Effect.flip((yield* box(3)).open(old, "key_1"))
      assert.include(other.message, String(sealedBy(old)))
    }),
  )

  it.effect("what is plain is read as it is; what is sealed is not read without a key", () =>
    Effect.gen(function* () {
      const withKey = yield* box(1)
      const without = yield* SecretBox
      assert.strictEqual(yield* withKey.open(secret, "key_1"), secret)
      assert.strictEqual(yield* without.open(yield* without.seal(secret, "key_1"), "key_1"), secret)
      yield* Effect.flip(without.open(yield* withKey.seal(secret, "key_1"), "key_1"))
    }),
  )
})
