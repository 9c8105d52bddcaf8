import { assert, it } from "@effect/vitest"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { StorageError } from "../src/domain/CoreError.ts"
import type { ToolFile } from "../src/domain/ToolFile.ts"
import { Blobs } from "../src/ports/Blobs.ts"
import { FileStore } from "../src/ports/FileStore.ts"
import { ReferenceImages } from "../src/ports/ReferenceImages.ts"
import { Transaction } from "../src/ports/Transaction.ts"
import { HeldImages } from "../src/services/HeldImages.ts"
import { aKey, aUser } from "../src/testing/fixtures.ts"

it.effect("contract, Later decisions: of the images of an edit all are kept, or none", () => {
  const files = new Map<string, ToolFile>()
  const store = Layer.mock(FileStore, {
    heldBytes: () => Effect.succeed(0),
    insert: (file) => Effect.sync(() => void files.set(file.id, file)),
    setStatus: (id, from, to) =>
      Effect.sync(() => {
        const file = files.get(id)
        if (file?.status !== from) return false
        files.set(id, { ...file, status: to })
        return true
      }),
  })
  const blobs = Layer.mock(Blobs, {
    putFile: (_blob, path) => {
      const cause = new Error("the disk is full")
      return path === "third" ? Effect.fail(new StorageError({ operation: "putFile", cause })) : Effect.void
    },
  })
  const layer = HeldImages.layer.pipe(
    Layer.provide([
      store,
      blobs,
      layerWebCrypto,
      Layer.mock(ReferenceImages, { typeOf: () => "image/png" }),
      Layer.mock(Transaction, { run: (effect) => effect, waiting: () => ({ count: 0, millis: 0 }) }),
    ]),
  )
  const image = (path: string) => ({
    param: "image",
    path,
    filename: "image.png",
    bytes: 1,
    sha256: "",
    begin: new Uint8Array(),
  })
  const user = aUser()
  const principal = { user, key: aKey({ userId: user.id }) }
  const statuses = () => [...files.values()].map(({ status }) => status)
  return Effect.gen(function* () {
    const held = yield* HeldImages
    yield* held.hold(principal, [image("first"), image("second")])
    assert.deepStrictEqual(statuses(), ["ready", "ready"])
    files.clear()
    yield* Effect.flip(held.hold(principal, [image("first"), image("second"), image("third")]))
    assert.deepStrictEqual(statuses(), ["deleting", "deleting", "uploading"])
  }).pipe(Effect.provide(layer))
})
