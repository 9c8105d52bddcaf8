import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { S3Blobs } from "@atelier/blobs"
import { Blobs, StorageError } from "@atelier/core"
import { it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest"
import { type Fault, type S3Server, type Seen, startS3 } from "./support/s3Server.ts"

let s3: S3Server
let bucket: string
let directory: string

beforeAll(async () => {
  s3 = await startS3()
  directory = mkdtempSync(join(tmpdir(), "s3-faults-"))
})
afterAll(async () => {
  await s3.stop()
  rmSync(directory, { recursive: true, force: true })
})
beforeEach(async () => {
  bucket = await s3.bucket()
})
afterEach(() => s3.disturb(undefined))

const retriesMax = 3
const limits = { retries_max: retriesMax, retry_ms: 2, idle_ms_max: 5_000, abort_ms_max: 5_000 }
/** For silence that is meant: all that is sent is small. */
const impatient = { ...limits, idle_ms_max: 300 }

const optionsOf = (more: Partial<S3Blobs.S3Options> = {}): S3Blobs.S3Options => ({
  bucket,
  prefix: "",
  region: "us-east-1",
  endpoint: s3.endpoint,
  accessKeyId: s3.credentials.AWS_ACCESS_KEY_ID,
  secretAccessKey: Redacted.make(s3.credentials.AWS_SECRET_ACCESS_KEY),
  sessionToken: undefined,
  directory,
  limits,
  ...more,
})

/** Runs over a bucket that was opened without a fault. */
const over = <A, E>(
  run: (blobs: Blobs["Service"]) => Effect.Effect<A, E>,
  more: Partial<S3Blobs.S3Options> = {},
) =>
  Effect.flatMap(Blobs, (blobs) => {
    s3.seen()
    return run(blobs)
  }).pipe(Effect.provide(S3Blobs.layer(optionsOf(more))))

/** The first requests that are meant meet these faults, one each. */
const first = (faults: ReadonlyArray<Fault>, meant: (seen: Seen) => boolean = () => true) => {
  const left = [...faults]
  s3.disturb((seen) => (meant(seen) ? left.shift() : undefined))
}
const always = (fault: Fault, meant: (seen: Seen) => boolean = () => true) =>
  s3.disturb((seen) => (meant(seen) ? fault : undefined))

const isCompletion = ({ method, query }: Seen) => method === "POST" && query.has("uploadId")
const isPart = ({ method, query }: Seen) => method === "PUT" && query.has("partNumber")
const isAbort = ({ method, query }: Seen) => method === "DELETE" && query.has("uploadId")

const bytesOf = (length: number, seed = 1): Uint8Array =>
  new Uint8Array(length).map((_, index) => (index * 31 + seed * 7 + (index >> 8)) % 251)
const small = bytesOf(100_000)
/** Three parts. */
const large = bytesOf(20 * 1024 * 1024)

const readAll = (blobs: Blobs["Service"], key: string, range?: { start: number; end: number }) =>
  Effect.map(Stream.runCollect(blobs.read(key, range)), (chunks) => Buffer.concat(chunks))
const expectObject = (blobs: Blobs["Service"], key: string, bytes: Uint8Array) =>
  Effect.map(readAll(blobs, key), (read) => expect(read.equals(bytes)).toBe(true))

/** No parts of an unfinished upload are left: a bucket that has any cannot be deleted. */
const expectNoLeftovers = (blobs: Blobs["Service"]) =>
  Effect.gen(function* () {
    for (const key of yield* Effect.promise(() => s3.keys(bucket))) yield* blobs.remove(key)
    expect(yield* Effect.promise(() => s3.deleteBucket(bucket))).toBe(true)
  })

describe("a request that can succeed on repetition is repeated", () => {
  const passing: ReadonlyArray<readonly [string, ReadonlyArray<Fault>]> = [
    ["500 and 503", [500, 503, 503].map((status) => ({ kind: "status", status }))],
    ["429", [{ kind: "status", status: 429 }]],
    ["silence", [{ kind: "silence" }]],
    ["an answer that is lost", [{ kind: "unanswered" }, { kind: "unanswered" }]],
  ]
  it.live.each(passing)("%s: every operation succeeds", ([, faults]) =>
    over(
      (blobs) =>
        Effect.gen(function* () {
          const disturbed = <A, E>(run: Effect.Effect<A, E>) =>
            Effect.andThen(
              Effect.sync(() => first(faults)),
              run,
            )
          yield* disturbed(blobs.put("a/one", small))
          yield* disturbed(blobs.put("a/two", small))
          yield* disturbed(expectObject(blobs, "a/one", small))
          expect(yield* disturbed(blobs.stat("a/one"))).toMatchObject({ value: { bytes: small.length } })
          yield* disturbed(blobs.remove("a/one"))
          yield* disturbed(blobs.remove("a/"))
          expect(yield* Effect.promise(() => s3.keys(bucket))).toEqual([])
        }),
      { limits: impatient },
    ),
  )

  it.live("an upload that was damaged in transit is refused and sent again", () =>
    over((blobs) =>
      Effect.gen(function* () {
        first([{ kind: "damaged" }, { kind: "damaged" }])
        yield* blobs.put("damaged", small)
        yield* expectObject(blobs, "damaged", small)
        first([{ kind: "damaged" }], isPart)
        yield* blobs.put("damaged", large)
        yield* expectObject(blobs, "damaged", large)
      }),
    ),
  )
})

describe("a request that cannot succeed fails as a StorageError, after a bounded number of attempts", () => {
  const lasting: ReadonlyArray<readonly [string, Fault, number]> = [
    ["500", { kind: "status", status: 500 }, 1 + retriesMax],
    ["silence", { kind: "silence" }, 1 + retriesMax],
    ["lost answers", { kind: "unanswered" }, 1 + retriesMax],
    ["403", { kind: "status", status: 403 }, 1],
    ["501", { kind: "status", status: 501 }, 1],
  ]
  it.live.each(lasting)("%s", ([, fault, attempts]) =>
    over(
      (blobs) =>
        Effect.gen(function* () {
          yield* blobs.put("there", small)
          always(fault)
          const operations: ReadonlyArray<Effect.Effect<unknown, StorageError>> = [
            blobs.put("a", small),
            readAll(blobs, "there"),
            blobs.stat("there"),
            blobs.remove("there"),
            blobs.remove("there/"),
            Effect.scoped(blobs.localPath("there")),
          ]
          for (const operation of operations) {
            s3.seen()
            expect(yield* Effect.flip(operation)).toBeInstanceOf(StorageError)
            expect(s3.seen().length).toBe(attempts)
          }
        }),
      { limits: impatient },
    ),
  )

  it.live("a file that could not be uploaded is still there", () =>
    over((blobs) =>
      Effect.gen(function* () {
        const path = join(directory, "kept")
        writeFileSync(path, small)
        always({ kind: "status", status: 500 })
        expect(yield* Effect.flip(blobs.putFile("kept", path))).toBeInstanceOf(StorageError)
        expect(existsSync(path)).toBe(true)
      }),
    ),
  )

  it.live("an upload that is always damaged stores nothing", () =>
    over((blobs) =>
      Effect.gen(function* () {
        always({ kind: "damaged" }, ({ method }) => method === "PUT")
        expect(yield* Effect.flip(blobs.put("damaged", small))).toBeInstanceOf(StorageError)
        expect(yield* Effect.promise(() => s3.keys(bucket))).toEqual([])
      }),
    ),
  )
})

describe("what is read is whole, or fails", () => {
  it.live("a body that breaks off is resumed where it ended, for the same object", () =>
    over((blobs) =>
      Effect.gen(function* () {
        yield* blobs.put("cut", large)
        s3.seen()
        first([10_000, 3_000_000, 1, 7_000_000].map((bytes) => ({ kind: "cut", bytes })))
        yield* expectObject(blobs, "cut", large)
        const [whole, ...resumed] = s3.seen()
        expect(whole?.headers.range).toBeUndefined()
        expect(resumed.length).toBeGreaterThan(0)
        for (const { headers } of resumed) {
          expect(headers.range).toMatch(/^bytes=\d+-\d+$/)
          expect(headers["if-match"]).toMatch(/^".+"$/)
        }
      }),
    ),
  )

  it.live("so is a body that stays silent, and a range", () =>
    over(
      (blobs) =>
        Effect.gen(function* () {
          yield* blobs.put("stalled", small)
          first([
            { kind: "stalled", bytes: 20_000 },
            { kind: "cut", bytes: 20_000 },
          ])
          const read = yield* readAll(blobs, "stalled", { start: 1_000, end: 90_000 })
          expect(read.equals(small.subarray(1_000, 90_001))).toBe(true)
        }),
      { limits: impatient },
    ),
  )

  it.live("an object that was replaced meanwhile is not mixed from two versions", () =>
    over((blobs) =>
      Effect.gen(function* () {
        yield* blobs.put("replaced", bytesOf(large.length, 1))
        first([{ kind: "cut", bytes: 4_000_000 }])
        const replacing = blobs.put("replaced", bytesOf(large.length, 2))
        const reading = Stream.runForEach(blobs.read("replaced"), () => (replaced ? Effect.void : replace))
        let replaced = false
        const replace = Effect.suspend(() => {
          replaced = true
          return replacing
        })
        expect(yield* Effect.flip(reading)).toBeInstanceOf(StorageError)
      }),
    ),
  )

  it.live("silent connections are closed", () =>
    over((blobs) =>
      Effect.gen(function* () {
        yield* blobs.put("barren", small)
        always({ kind: "cut", bytes: 0 })
        expect(yield* Effect.flip(readAll(blobs, "barren"))).toBeInstanceOf(StorageError)
        always({ kind: "cut", bytes: 0 })
        expect(yield* Effect.flip(Effect.scoped(blobs.localPath("barren")))).toBeInstanceOf(StorageError)
        expect(readdirSync(join(directory, "temporary"))).toEqual([])
      }),
    ),
  )

  it.live("a reader that is slower than the server's time-out keeps reading", () =>
    over(
      (blobs) =>
        Effect.gen(function* () {
          yield* blobs.put("slow", small)
          const slowly = Stream.tap(blobs.read("slow"), () => Effect.sleep(impatient.idle_ms_max * 2))
          const chunks = yield* Stream.runCollect(slowly)
          expect(Buffer.concat(chunks).equals(small)).toBe(true)
        }),
      { limits: impatient },
    ),
  )
})

describe("an upload in parts becomes the object, or leaves nothing", () => {
  it.live("the answer to its last step is lost, or says too late that it failed: it is uploaded again", () =>
    over((blobs) =>
      Effect.gen(function* () {
        for (const kind of ["unanswered", "error in 200"] as const) {
          first([{ kind }], isCompletion)
          yield* blobs.put(kind.replaceAll(" ", "-"), large)
          yield* expectObject(blobs, kind.replaceAll(" ", "-"), large)
        }
        yield* expectNoLeftovers(blobs)
      }),
    ),
  )

  it.live("parts are repeated one by one", () =>
    over((blobs) =>
      Effect.gen(function* () {
        first([{ kind: "status", status: 503 }, { kind: "unanswered" }], isPart)
        yield* blobs.put("parts", large)
        expect(s3.seen().filter(isPart).length).toBe(3 + 2)
        yield* expectObject(blobs, "parts", large)
        yield* expectNoLeftovers(blobs)
      }),
    ),
  )

  it.live("one that fails is aborted, whichever step fails", () =>
    over((blobs) =>
      Effect.gen(function* () {
        for (const step of [isPart, isCompletion]) {
          always({ kind: "status", status: 500 }, step)
          expect(yield* Effect.flip(blobs.put("failed", large))).toBeInstanceOf(StorageError)
        }
        first([{ kind: "status", status: 503 }], isAbort)
        always({ kind: "status", status: 500 }, ({ query }) => query.get("partNumber") === "2")
        expect(yield* Effect.flip(blobs.put("failed", large))).toBeInstanceOf(StorageError)
        s3.disturb(undefined)
        expect(yield* Effect.promise(() => s3.keys(bucket))).toEqual([])
        yield* expectNoLeftovers(blobs)
      }),
    ),
  )

  it.live("one that is interrupted is aborted", () =>
    over((blobs) =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        s3.disturb((seen) => {
          if (!isPart(seen)) return undefined
          Deferred.doneUnsafe(begun, Effect.void)
          return { kind: "silence" }
        })
        const fiber = yield* Effect.forkChild(blobs.put("interrupted", large))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(fiber)
        s3.disturb(undefined)
        yield* expectNoLeftovers(blobs)
      }),
    ),
  )
})

describe("whatever faults a bucket's answers meet", () => {
  const fault: fc.Arbitrary<Fault | undefined> = fc.oneof(
    fc.constant(undefined),
    fc.constantFrom<Fault>({ kind: "unanswered" }, { kind: "damaged" }),
    fc.record({ kind: fc.constant("status" as const), status: fc.constantFrom(429, 500, 502, 503) }),
    fc.record({ kind: fc.constant("cut" as const), bytes: fc.nat(150_000) }),
  )

  it.live("what was put is read whole, or a StorageError says that it was not", () =>
    over((blobs) =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(fault, { maxLength: 12 }), fc.nat(5), async (faults, seed) => {
            const bytes = bytesOf(130_000, seed)
            const left = [...faults]
            s3.disturb(() => left.shift())
            const run = Effect.andThen(blobs.put("any", bytes), readAll(blobs, "any"))
            const exit = await Effect.runPromise(Effect.exit(run))
            if (Exit.isSuccess(exit)) expect(exit.value.equals(bytes)).toBe(true)
            else expect(Cause.squash(exit.cause)).toBeInstanceOf(StorageError)
          }),
          { numRuns: 60 },
        ),
      ),
    ),
  )
})

describe("a bucket that cannot be used refuses the start, and says why", () => {
  const refusedWith = (options: Partial<S3Blobs.S3Options>) =>
    Blobs.pipe(
      Effect.provide(S3Blobs.layer(optionsOf(options))),
      Effect.match({
        onSuccess: () => "it was opened",
        onFailure: ({ cause }) => (cause instanceof Error ? cause.message : ""),
      }),
    )

  it.live("by what is set", () =>
    Effect.gen(function* () {
      const secret = Redacted.make("another-secret")
      expect(yield* refusedWith({ bucket: "nowhere" })).toMatch(/"nowhere".*no such bucket/)
      expect(yield* refusedWith({ accessKeyId: "UNKNOWN" })).toContain("AWS_ACCESS_KEY_ID is not known")
      const mismatch = yield* refusedWith({ secretAccessKey: secret })
      expect(mismatch).toContain("AWS_SECRET_ACCESS_KEY does not belong to AWS_ACCESS_KEY_ID")
      expect(mismatch).not.toContain("another-secret")
      expect(yield* refusedWith({ endpoint: "http://127.0.0.1:1" })).toContain("127.0.0.1:1")
    }),
  )

  it.live("by what the server is, or allows", () =>
    Effect.gen(function* () {
      const website = createServer((_, response) => response.end("<html>Welcome</html>")).listen(
        0,
        "127.0.0.1",
      )
      yield* Effect.promise(() => new Promise((resolve) => website.once("listening", resolve)))
      const address = website.address()
      const port = typeof address === "object" ? address?.port : undefined
      const refused = yield* refusedWith({ endpoint: `http://127.0.0.1:${port}` })
      website.close()
      expect(refused).toContain("does not answer as an S3 server does; look at the endpoint")
      for (const [method, permission] of [
        ["GET", "s3:ListBucket"],
        ["PUT", "s3:PutObject"],
        ["DELETE", "s3:DeleteObject"],
      ]) {
        always({ kind: "status", status: 403 }, (seen) => seen.method === method)
        expect(yield* refusedWith({})).toContain(permission)
      }
    }),
  )

  it.live("a usable bucket is left empty by the startup check", () =>
    Effect.gen(function* () {
      expect(yield* refusedWith({ prefix: "some/where/" })).toBe("it was opened")
      expect(yield* Effect.promise(() => s3.keys(bucket))).toEqual([])
    }),
  )
})

it.live("a session token is sent, and signed", () =>
  over(
    (blobs) =>
      Effect.gen(function* () {
        yield* blobs.put("with-token", small)
        const [put] = s3.seen()
        expect(put?.headers["x-amz-security-token"]).toBe("token/of+a=session")
        expect(put?.headers.authorization).toMatch(/SignedHeaders=[^,]*x-amz-security-token/)
      }),
    { sessionToken: Redacted.make("token/of+a=session") },
  ),
)

it.live("more objects than a page lists are removed", () =>
  over((blobs) =>
    Effect.gen(function* () {
      const keys = Array.from({ length: 1_005 }, (_, index) => `pages/${index}`)
      yield* Effect.forEach([...keys, "pages-not"], (key) => blobs.put(key, new Uint8Array(1)), {
        concurrency: 16,
      })
      yield* blobs.remove("pages/")
      expect(yield* Effect.promise(() => s3.keys(bucket))).toEqual(["pages-not"])
    }),
  ),
)
