import { createCipheriv, createDecipheriv } from "node:crypto"
import * as Context from "effect/Context"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { sha256 } from "../domain/Fingerprint.ts"

/** A stored secret that none of the configured keys can decrypt. */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>()("SecretUnreadable", {
  message: Schema.String,
}) {}

/**
 * How recoverable secrets (webhook secrets) are stored. `owner` is the id of the row that a secret belongs
 * to: copied to another row, it cannot be decrypted.
 */
export interface SecretBoxShape {
  /** Ids of the keys that decrypt, the encrypting one first; none: secrets are stored in plain text. */
  readonly keyIds: ReadonlyArray<string>
  readonly seal: (plain: string, owner: string) => Effect.Effect<string>
  readonly open: (stored: string, owner: string) => Effect.Effect<string, SecretUnreadable>
}

const prefix = "sealed:1:"
const keyIdCharacters = 16
const ivBytes = 12
const tagBytes = 16
export const secretKeyBytes = 32

/** The id of the key that a stored secret is encrypted with; null: it is plain text. */
export const sealedBy = (stored: string): string | null =>
  stored.startsWith(prefix) ? stored.slice(prefix.length, prefix.length + keyIdCharacters) : null

/** Without a key: plain secrets are read as they are, encrypted ones are refused. */
const plain: SecretBoxShape = {
  keyIds: [],
  seal: (text) => Effect.succeed(text),
  open: (stored) =>
    sealedBy(stored) === null
      ? Effect.succeed(stored)
      : Effect.fail(new SecretUnreadable({ message: "The secret is encrypted, and no secret key is set." })),
}

export const SecretBox = Context.Reference<SecretBoxShape>("@atelier/core/ports/SecretBox", {
  defaultValue: () => plain,
})

type Key = Redacted.Redacted<Uint8Array>

/** Identifies a key without revealing it. */
const idOf = (key: Key): string =>
  sha256(Buffer.concat([Buffer.from("atelier secret key\n"), Redacted.value(key)])).slice(0, keyIdCharacters)

/**
 * AES-256-GCM: the first key encrypts, all can decrypt; secrets stored before there was a key are read as they
 * are. Each key has 32 bytes.
 */
export const makeSecretBox = Effect.fnUntraced(function* (keys: readonly [Key, ...ReadonlyArray<Key>]) {
  const random = yield* SecureRandom
  const byId = new Map(keys.map((key) => [idOf(key), key]))
  const keyIds = keys.map(idOf)

  const seal = Effect.fnUntraced(function* (text: string, owner: string) {
    const iv = yield* random.randomBytes(ivBytes)
    const cipher = createCipheriv("aes-256-gcm", Redacted.value(keys[0]), iv).setAAD(Buffer.from(owner))
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
    return `${prefix}${keyIds[0]}:${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")}`
  })

  const open = (stored: string, owner: string): Effect.Effect<string, SecretUnreadable> => {
    const id = sealedBy(stored)
    if (id === null) return Effect.succeed(stored)
    const key = byId.get(id)
    if (key === undefined) {
      return Effect.fail(
        new SecretUnreadable({ message: `The secret is encrypted with the key ${id}, which is not set.` }),
      )
    }
    return Effect.try({
      try: () => unseal(key, Buffer.from(stored.slice(prefix.length + id.length + 1), "base64url"), owner),
      catch: () => new SecretUnreadable({ message: "The encrypted secret was changed or moved." }),
    })
  }

  const box: SecretBoxShape = { keyIds, seal, open }
  return box
})

const unseal = (key: Key, bytes: Buffer, owner: string): string => {
  const iv = bytes.subarray(0, ivBytes)
  const tag = bytes.subarray(ivBytes, ivBytes + tagBytes)
  const decipher = createDecipheriv("aes-256-gcm", Redacted.value(key), iv, { authTagLength: tagBytes })
    .setAAD(Buffer.from(owner))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString()
}
