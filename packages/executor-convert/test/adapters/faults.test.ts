import { defaultLimits, Limits } from "@atelier/core"
import { expect, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import {
  adapters,
  failed,
  failureOf,
  key,
  live,
  outage,
  rejected,
  scripted,
  settingsRefused,
} from "./adapters.ts"
import { convertOne, cutOff, flood, readResults, reply, silence, startVendor } from "./vendor.ts"

for (const adapter of adapters) {
  layer(live)(`faults of the converter ${adapter.name}`, (it) => {
    it.effect("takes faults of the vendor for an outage, and works again after it", () =>
      Effect.gen(function* () {
        const down = reply("java.lang.OutOfMemoryError", "text/plain", 500)
        const { converter } = yield* scripted(adapter, down, reply("", "text/plain", 503), adapter.success)
        expect(yield* Effect.flip(convertOne(converter))).toMatchObject(outage)
        expect(yield* Effect.flip(convertOne(converter))).toMatchObject(outage)
        expect(readResults(yield* convertOne(converter)).markdown).toBe("# Plan\n\nText\n")
      }),
    )

    it.effect.each([408, 429, 500, 502, 503, 504])("takes %i for an outage", (status) =>
      Effect.gen(function* () {
        const failure = yield* failureOf(adapter, reply("private words", "text/plain", status))
        expect(failure).toMatchObject({ ...outage, message: expect.stringContaining(`${status}`) })
        expect(failure.message).not.toContain("private words")
        expect(failure.logged).toMatch(/"Warn".*private words/)
      }),
    )

    it.effect("does not come again before the time that the vendor asks for, in seconds or as a date", () =>
      Effect.gen(function* () {
        const wait = (value: string) => reply("", "text/plain", 429, { "retry-after": value })
        const date = new Date(90_000).toUTCString()
        expect(yield* failureOf(adapter, wait("7"))).toMatchObject({ ...outage, retryAfterMillis: 7000 })
        expect(yield* failureOf(adapter, wait(date))).toMatchObject({ ...outage, retryAfterMillis: 90_000 })
        expect((yield* failureOf(adapter, wait("soon"))).retryAfterMillis).toBe(undefined)
      }),
    )

    it.effect("takes a connection that is refused, or cut inside of the answer, for an outage", () =>
      Effect.gen(function* () {
        const gone = yield* Effect.scoped(startVendor(silence))
        const converter = yield* adapter.make(gone.url)
        expect(yield* Effect.flip(convertOne(converter))).toMatchObject(outage)
        expect(yield* failureOf(adapter, cutOff)).toMatchObject(outage)
      }),
    )

    it.effect(
      "does not ask again after 50 seconds without an answer, which may have cost, and hangs up",
      () =>
        Effect.gen(function* () {
          const { converter, vendor } = yield* scripted(adapter, silence)
          const running = yield* Effect.forkChild(Effect.flip(convertOne(converter)))
          yield* vendor.asked
          yield* TestClock.adjust("49 seconds")
          expect(running.pollUnsafe()).toBe(undefined)
          yield* TestClock.adjust("1 second")
          expect(yield* Fiber.join(running)).toMatchObject({
            code: "timeout",
            retryable: false,
            message: expect.stringContaining("50 s"),
          })
          yield* vendor.hungUp
        }),
    )

    it.effect("hangs up when the task's time is over", () =>
      Effect.gen(function* () {
        const { converter, vendor } = yield* scripted(adapter, silence)
        const running = yield* Effect.forkChild(convertOne(converter))
        yield* vendor.asked
        yield* Fiber.interrupt(running)
        yield* vendor.hungUp
      }),
    )

    it.effect.each([401, 403, 404, 405])(
      "%i: the operator's fault, final, and logged as an error",
      (status) =>
        Effect.gen(function* () {
          const failure = yield* failureOf(adapter, reply("wrong key", "text/plain", status))
          expect(failure).toMatchObject(settingsRefused)
          expect(failure.logged).toMatch(/"Error".*configuration.*wrong key/)
        }),
    )

    it.effect("does not follow redirects", () =>
      Effect.gen(function* () {
        const other = yield* startVendor(adapter.success)
        const redirect = reply("", "text/plain", 307, { location: `${other.url}/elsewhere` })
        expect(yield* failureOf(adapter, redirect)).toMatchObject(settingsRefused)
        expect(other.received).toEqual([])
      }),
    )

    it.effect.each([400, 413, 415, 422])("%i: the document is refused, finally", (status) =>
      Effect.gen(function* () {
        const trace = "org.apache.tika.exception.EncryptedDocumentException\n\tat Parser.java:1"
        const failure = yield* failureOf(adapter, reply(trace, "text/plain", status))
        expect(failure).toMatchObject({ ...rejected, message: expect.stringContaining(`${status}`) })
        expect(failure.message).not.toContain("java")
        expect(failure.vendor.received.length).toBe(1)
      }),
    )

    it.effect.each(adapter.wrongShapes)("an answer with %s is a fault of the converter", ([, wrong]) =>
      Effect.gen(function* () {
        expect(yield* failureOf(adapter, wrong)).toMatchObject(failed)
      }),
    )

    it.effect("an answer that is not UTF-8 is a fault of the converter", () =>
      Effect.gen(function* () {
        expect(yield* failureOf(adapter, reply(Buffer.of(0x22, 0xff, 0x22), adapter.type))).toMatchObject(
          failed,
        )
      }),
    )

    it.effect("document-tools 8: an answer over the result limit is not taken to its end", () =>
      Effect.gen(function* () {
        const failure = yield* failureOf(adapter, flood(adapter.type)).pipe(
          Effect.provideService(Limits, { ...defaultLimits, tool_result_bytes_max: 200_000 }),
        )
        expect(failure).toMatchObject({
          code: "result_too_large",
          retryable: false,
          message: expect.stringContaining("200000 bytes"),
        })
        yield* failure.vendor.hungUp
      }),
    )

    it.effect("tells its key to the vendor alone: not to messages, nor to logs", () =>
      Effect.gen(function* () {
        for (const bad of [reply("", "text/plain", 401), cutOff, reply("", "text/plain", 500)]) {
          const { message, logged } = yield* failureOf(adapter, bad)
          expect(message + logged).not.toContain(key)
        }
      }),
    )
  })
}
