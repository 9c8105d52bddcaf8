import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileBlobs } from "@atelier/blobs"
import { Blobs } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { moveBlobs } from "../src/moveBlobs.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "atelier-move-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)
const store = Effect.gen(function* () {
  const built = yield* Layer.build(FileBlobs.layer({ directory: yield* folder }))
  return Context.get(built, Blobs)
})
const bytes = new TextEncoder().encode("a result")
const digest = createHash("sha256").update(bytes).digest("hex")

describe("a blob that the cleanup removes while a backup looks at it", () => {
  /** Removed by the first look, which still found it. */
  const vanishing = Effect.gen(function* () {
    const source = yield* store
    yield* source.put("results/one", bytes)
    yield* source.put("results/two", bytes)
    const removed = Effect.andThen(source.remove("results/one"), Effect.void)
    const stat: typeof source.stat = (key) =>
      key === "results/one" ? Effect.tap(source.stat(key), removed) : source.stat(key)
    return { ...source, stat }
  })
  const named = (required: boolean) =>
    ["results/one", "results/two"]
      .map((key) => ({
        key,
        required,
        bytes: bytes.length,
        owner: "a task",
        accepts: (read: string) => read === digest,
      }))
      .values()

  it.effect("is left out where it need not be there, and what comes after it is copied", () =>
    Effect.gen(function* () {
      const moved = yield* moveBlobs(named(false), { source: yield* vanishing, destination: yield* store })
      assert.deepInclude(moved, { named: 2, copied: 1, faults: 0 })
    }).pipe(Effect.scoped),
  )

  it.effect("is named where it must be there", () =>
    Effect.gen(function* () {
      const moved = yield* moveBlobs(named(true), { source: yield* vanishing, destination: yield* store })
      assert.deepInclude(moved, { copied: 1, faults: 1 })
      assert.deepStrictEqual(moved.examples, ["results/one of a task: is missing"])
    }).pipe(Effect.scoped),
  )
})
