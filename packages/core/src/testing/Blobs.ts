import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer as shared, type Vitest } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { StorageError } from "../domain/CoreError.ts"
import { Blobs } from "../ports/Blobs.ts"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const readAll = Effect.fnUntraced(function* (
  key: string,
  range?: { readonly start: number; readonly end: number },
) {
  const blobs = yield* Blobs
  const chunks = yield* Stream.runCollect(blobs.read(key, range))
  return Buffer.concat(chunks).toString()
})

const isSame = Effect.fnUntraced(function* (key: string, bytes: Uint8Array) {
  const blobs = yield* Blobs
  return Buffer.concat(yield* Stream.runCollect(blobs.read(key))).equals(bytes)
})

/** More than any adapter sends, or keeps in memory, at once. */
const manyBytes = (): Uint8Array => new Uint8Array(20 * 1024 * 1024 + 1).map((_, index) => (index * 31) % 251)

const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "blobs-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
)

/** Keys that leave their place or that no store takes. */
const refusedKeys = [
  "",
  "/",
  "a//b",
  "/a",
  "a/../",
  "../",
  "..",
  "a/../b",
  "./a",
  "a/.",
  "a\\b",
  "a b",
  "a\0",
  "é",
  "x".repeat(2000),
]

/** What every adapter of `Blobs` holds. The layer starts empty. */
export const blobsSuite = (name: string, layer: Layer.Layer<Blobs, unknown>): void => {
  shared(layer)(`${name}: contract of Blobs`, (it) => {
    objects(it)
    ranges(it)
    localPaths(it)
    removals(it)
  })
}

type Methods = Vitest.MethodsNonLive<Blobs>

const objects = (it: Methods): void => {
  it.effect("an object is read as it was put, the empty one included", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      yield* blobs.put("objects/one.txt", bytesOf("hello"))
      yield* blobs.put("objects/empty", new Uint8Array())
      assert.strictEqual(yield* readAll("objects/one.txt"), "hello")
      assert.strictEqual(yield* readAll("objects/empty"), "")
      assert.deepStrictEqual(yield* blobs.stat("objects/one.txt"), Option.some({ bytes: 5 }))
    }),
  )

  it.effect("putting a key again replaces the object whole", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      yield* blobs.put("again", bytesOf("a longer first version"))
      yield* blobs.put("again", bytesOf("second"))
      assert.strictEqual(yield* readAll("again"), "second")
    }),
  )

  it.effect("of concurrent puts of one key, one is there whole", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const versions = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000 + index))
      yield* Effect.forEach(versions, (text) => blobs.put("raced", bytesOf(text)), {
        concurrency: "unbounded",
      })
      assert.include(versions, yield* readAll("raced"))
    }),
  )

  it.effect("putFile takes the file over", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const path = join(yield* temporaryDirectory, "made.bin")
      yield* Effect.promise(() => writeFile(path, "from a file"))
      yield* blobs.putFile("taken/over.bin", path)
      assert.strictEqual(yield* readAll("taken/over.bin"), "from a file")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => stat(path)))))
    }),
  )

  it.effect("an object of many megabytes is put from bytes and from a file", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const bytes = manyBytes()
      const path = join(yield* temporaryDirectory, "many.bin")
      yield* Effect.promise(() => writeFile(path, bytes))
      yield* blobs.put("many/bytes", bytes)
      yield* blobs.putFile("many/file", path)
      for (const key of ["many/bytes", "many/file"]) {
        assert.deepStrictEqual(yield* blobs.stat(key), Option.some({ bytes: bytes.length }))
        assert.isTrue(yield* isSame(key, bytes))
      }
    }),
  )

  it.effect("an empty file becomes an empty object", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const path = join(yield* temporaryDirectory, "empty")
      yield* Effect.promise(() => writeFile(path, ""))
      yield* blobs.putFile("taken/empty", path)
      assert.deepStrictEqual(yield* blobs.stat("taken/empty"), Option.some({ bytes: 0 }))
    }),
  )

  it.effect("putFile takes regular files only: no link to another's file becomes an object", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const directory = yield* temporaryDirectory
      yield* Effect.promise(() => writeFile(join(directory, "another's"), "secret"))
      yield* Effect.promise(() => symlink(join(directory, "another's"), join(directory, "link")))
      const error = yield* Effect.flip(blobs.putFile("linked", join(directory, "link")))
      assert.strictEqual(error._tag, "StorageError")
      assert.deepStrictEqual(yield* blobs.stat("linked"), Option.none())
    }),
  )

  it.effect("every character of a key is a character of it", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const keys = ["AZ/az/09/._-", "-/_/..x/...", "az/AZ", "a.tar.gz"]
      for (const key of keys) yield* blobs.put(key, bytesOf(key))
      for (const key of keys) assert.strictEqual(yield* readAll(key), key)
    }),
  )

  it.effect("what is absent has no stat and cannot be read", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      assert.deepStrictEqual(yield* blobs.stat("absent/at-all"), Option.none())
      assert.strictEqual((yield* Effect.flip(readAll("absent/at-all")))._tag, "StorageError")
    }),
  )

  it.effect("a key that leaves its place is refused everywhere", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      for (const key of refusedKeys) {
        const attempts: ReadonlyArray<Effect.Effect<unknown, StorageError, Blobs>> = [
          blobs.put(key, bytesOf("x")),
          blobs.stat(key),
          readAll(key),
          blobs.remove(key),
        ]
        for (const each of attempts) assert.strictEqual((yield* Effect.flip(each))._tag, "StorageError")
      }
    }),
  )
}

const ranges = (it: Methods): void => {
  it.effect("a range gives its bytes, both ends included, and no more than there are", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      yield* blobs.put("ranged", bytesOf("0123456789"))
      assert.strictEqual(yield* readAll("ranged", { start: 2, end: 4 }), "234")
      assert.strictEqual(yield* readAll("ranged", { start: 9, end: 9 }), "9")
      assert.strictEqual(yield* readAll("ranged", { start: 5, end: 500 }), "56789")
    }),
  )

  it.effect("a range that begins behind the end is empty, as every range of the empty object", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      yield* blobs.put("ranged-ten", bytesOf("0123456789"))
      yield* blobs.put("ranged-empty", new Uint8Array())
      assert.strictEqual(yield* readAll("ranged-ten", { start: 10, end: 20 }), "")
      assert.strictEqual(yield* readAll("ranged-empty", { start: 0, end: 20 }), "")
    }),
  )

  it.effect("a reader that stops early leaves nothing that others wait for", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const bytes = new Uint8Array(2_000_000).fill(7)
      yield* blobs.put("left-early", bytes)
      for (let times = 0; times < 20; times++) {
        const [first] = yield* Stream.runCollect(Stream.take(blobs.read("left-early"), 1))
        assert.strictEqual(first?.[0], 7)
      }
      assert.isTrue(yield* isSame("left-early", bytes))
    }),
  )

  it.effect("a large object is read whole, and as ranges that make it up", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const bytes = Uint8Array.from({ length: 1_500_000 }, (_, index) => (index * 31) % 251)
      yield* blobs.put("large", bytes)
      const whole = Buffer.concat(yield* Stream.runCollect(blobs.read("large")))
      assert.isTrue(whole.equals(bytes))
      const middle = Buffer.concat(
        yield* Stream.runCollect(blobs.read("large", { start: 1000, end: 900_000 })),
      )
      assert.isTrue(middle.equals(bytes.subarray(1000, 900_001)))
    }),
  )
}

const localPaths = (it: Methods): void => {
  it.effect("a local path stays readable in its scope, also when the object is replaced or removed", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      yield* blobs.put("local", bytesOf("local bytes"))
      yield* blobs.put("local-replaced", bytesOf("before"))
      const path = yield* blobs.localPath("local")
      const other = yield* blobs.localPath("local-replaced")
      yield* blobs.remove("local")
      yield* blobs.put("local-replaced", bytesOf("after"))
      assert.strictEqual(yield* Effect.promise(() => readFile(path, "utf8")), "local bytes")
      assert.strictEqual(yield* Effect.promise(() => readFile(other, "utf8")), "before")
    }),
  )

  it.effect("a scratch directory is empty, a file made in it can be put, and it is gone with its scope", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      const made = yield* Effect.scoped(
        Effect.gen(function* () {
          const [one, two] = [yield* blobs.scratch, yield* blobs.scratch]
          assert.notStrictEqual(one, two)
          assert.deepStrictEqual(yield* Effect.promise(() => readdir(one)), [])
          yield* Effect.promise(() => writeFile(join(one, "result"), "made in scratch"))
          yield* Effect.promise(() => writeFile(join(one, "left"), "not taken"))
          yield* blobs.putFile("from/scratch", join(one, "result"))
          return one
        }),
      )
      assert.strictEqual(yield* readAll("from/scratch"), "made in scratch")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.tryPromise(() => stat(made)))))
    }),
  )

  it.effect("an absent object has no local path", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      assert.strictEqual((yield* Effect.flip(blobs.localPath("nowhere")))._tag, "StorageError")
    }),
  )
}

const removals = (it: Methods): void => {
  it.effect("remove takes one object; removing what is absent is nothing", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      yield* blobs.put("gone/one", bytesOf("1"))
      yield* blobs.put("gone/two", bytesOf("2"))
      yield* blobs.remove("gone/one")
      yield* blobs.remove("gone/one")
      yield* blobs.remove("gone/never/was")
      assert.deepStrictEqual(yield* blobs.stat("gone/one"), Option.none())
      assert.strictEqual(yield* readAll("gone/two"), "2")
    }),
  )

  it.effect("remove of a key that ends in a slash takes every object below it, and no other", () =>
    Effect.gen(function* () {
      const blobs = yield* Blobs
      yield* blobs.put("tree/a/1", bytesOf("1"))
      yield* blobs.put("tree/a/deep/2", bytesOf("2"))
      yield* blobs.put("tree/ab", bytesOf("3"))
      yield* blobs.remove("tree/a/")
      yield* blobs.remove("tree/a/")
      yield* blobs.remove("tree/a")
      assert.deepStrictEqual(yield* blobs.stat("tree/a/1"), Option.none())
      assert.deepStrictEqual(yield* blobs.stat("tree/a/deep/2"), Option.none())
      assert.strictEqual(yield* readAll("tree/ab"), "3")
    }),
  )
}
