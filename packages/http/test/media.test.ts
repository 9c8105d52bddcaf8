import { Blobs } from "@atelier/core"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { parseRange } from "../src/Range.ts"
import { errorOf, Harness, layerWith } from "./harness.ts"

const hash = "ab".repeat(32)
const path = `/media/${hash}.png`
const etag = `"${hash}"`
const bytes = Uint8Array.from({ length: 1000 }, (_, n) => n % 251)

layer(layerWith(), { excludeTestServices: true })("image-tasks 4.3: permanent links", (it) => {
  it.effect("serve the image to everybody, forever", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const blobs = yield* Blobs
      yield* blobs.put(`media/${hash}.png`, bytes)
      for (const method of ["GET", "HEAD"]) {
        const answer = yield* call({ method, path })
        assert.strictEqual(answer.status, 200)
        assert.strictEqual(answer.headers["content-type"], "image/png")
        assert.strictEqual(answer.headers["content-length"], "1000")
        assert.strictEqual(answer.headers["etag"], etag)
        assert.strictEqual(answer.headers["cache-control"], "public, max-age=31536000, immutable")
        assert.strictEqual(answer.headers["x-content-type-options"], "nosniff")
        assert.strictEqual(answer.text.length, method === "GET" ? 1000 : 0)
      }
    }),
  )

  it.effect("answer conditions and ranges", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const blobs = yield* Blobs
      yield* blobs.put(`media/${hash}.png`, bytes)
      const cases = [
        [{ "if-none-match": etag }, 304, undefined],
        [{ "if-none-match": `"x", W/${etag}` }, 304, undefined],
        [{ "if-none-match": "*" }, 304, undefined],
        [{ "if-none-match": '"x"' }, 200, undefined],
        [{ range: "bytes=0-0" }, 206, "bytes 0-0/1000"],
        [{ range: "bytes=990-" }, 206, "bytes 990-999/1000"],
        [{ range: "bytes=-10" }, 206, "bytes 990-999/1000"],
        [{ range: "bytes=10-5000" }, 206, "bytes 10-999/1000"],
        [{ range: "bytes=0-1, 5-6" }, 200, undefined],
        [{ range: "lines=0-1" }, 200, undefined],
        [{ range: "bytes=0-1", "if-range": etag }, 206, "bytes 0-1/1000"],
        [{ range: "bytes=0-1", "if-range": '"x"' }, 200, undefined],
        [{ range: "bytes=1000-" }, 416, "bytes */1000"],
        [{ range: "bytes=-0" }, 416, "bytes */1000"],
      ] as const
      for (const [headers, status, contentRange] of cases) {
        const answer = yield* call({ path, headers })
        const at = JSON.stringify(headers)
        assert.strictEqual(answer.status, status, at)
        assert.strictEqual(answer.headers["content-range"], contentRange, at)
        if (status === 416) assert.strictEqual(errorOf(answer).error.code, "range_not_satisfiable")
        const [, start, end] = /^bytes (\d+)-(\d+)/.exec(contentRange ?? "") ?? []
        if (status === 206) {
          assert.deepStrictEqual(
            Buffer.from(answer.text, "latin1"),
            Buffer.from(bytes.slice(Number(start), Number(end) + 1)),
          )
        }
      }
    }),
  )

  it.effect("show nothing else: other names are 404", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const blobs = yield* Blobs
      yield* blobs.put("files/secret", bytes)
      const names = [
        "x.png",
        `${hash}.svg`,
        `${hash}.jpg`,
        "..%2ffiles%2fsecret",
        "%2e%2e/files/secret",
        `${hash}.png%00`,
      ]
      for (const name of names) {
        const answer = yield* call({ path: `/media/${name}` })
        assert.strictEqual(answer.status, 404, name)
        assert.strictEqual(errorOf(answer).error.code, "not_found", name)
      }
    }),
  )
})

describe("RFC 9110, 14: one range", () => {
  it("lies within the bytes, or is invalid", () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 200 }),
        fc.option(fc.nat(300), { nil: undefined }),
        fc.option(fc.nat(300), { nil: undefined }),
        (size, first, last) => {
          const range = parseRange(`bytes=${first ?? ""}-${last ?? ""}`, size)
          if (range === null || range === "unsatisfiable") return
          assert.isAtLeast(range.start, 0)
          assert.isAtLeast(range.end, range.start)
          assert.isBelow(range.end, size)
          if (first !== undefined) assert.strictEqual(range.start, first)
        },
      ),
    ))
})
