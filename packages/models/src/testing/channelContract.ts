import type { ImageChannel, ImageRequest, UpstreamError } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { AdapterSettings } from "../adapters/Adapter.ts"
import { countRequests } from "./drive.ts"
import { samplePng } from "./samples.ts"
import { reference, requestWith, secret, settingsAt, withClient } from "./settings.ts"
import {
  bytes,
  cutAfterHeaders,
  cutBeforeHeaders,
  cutMidBody,
  held,
  htmlError,
  json,
  makeVendor,
  type Reply,
  tooManyRequests,
  type Vendor,
} from "./vendor.ts"

/** A route of the vendor, as `vendor.on` takes it. */
interface Route {
  readonly method: string
  readonly path: string | RegExp
}

/** An adapter under test, and how its vendor speaks. `image` is a link to an image, or its Base64 in `inBytes`. */
export interface ChannelSubject<O extends object> {
  readonly name: string
  readonly make: (settings: AdapterSettings<O>) => ImageChannel
  readonly options?: O
  /** A request that the adapter serves. */
  readonly request?: Partial<ImageRequest>
  /** Where a generation is ordered. */
  readonly submit: Route
  /** The answer to an order: the images, or that it was accepted. */
  readonly accepted: (image: string) => unknown
  /** For a vendor that is asked later: where, and what it answers. */
  readonly poll?: Route & {
    /** The id that `accepted` names. */
    readonly id: string
    readonly pending: unknown
    readonly finished: (image: string) => unknown
    readonly failed: unknown
    /** Where the images are asked for by a request of their own after `finished`. */
    readonly result?: Route & { readonly reply: (image: string) => Reply }
  }
  /** Answers to the order that refuse its content. */
  readonly rejections: ReadonlyArray<Reply>
  /** The vendor answers with bytes in Base64, not with links. */
  readonly inBytes?: boolean
}

/** What a channel did: its accepted ids, its progress, and what came out. */
const start = Effect.fnUntraced(function* <O extends object>(
  { make, options, request }: ChannelSubject<O>,
  upstreamId: string | null = null,
) {
  const vendor = yield* makeVendor
  const settings = yield* settingsAt(vendor.url, options)
  const { drive, http } = countRequests(settings.http)
  const channel = make({ ...settings, http })
  const events: Array<string> = []
  const run = channel.generate({
    reference,
    request: requestWith(request),
    upstreamId,
    onAccepted: (id) => Effect.sync(() => void events.push(`accepted ${id}`)),
    onProgress: () => Effect.void,
  })
  return { vendor, channel, events, run, ended: drive(Effect.result(run), 1000) }
})

const imageOf = <O extends object>({ inBytes }: ChannelSubject<O>, vendor: Vendor): string =>
  inBytes === true ? Buffer.from(samplePng).toString("base64") : vendor.link(samplePng).url

/** Makes the vendor answer an order well, and whatever follows it. */
const behaveWell = <O extends object>(subject: ChannelSubject<O>, vendor: Vendor): void => {
  const { accepted, poll, submit } = subject
  const image = imageOf(subject, vendor)
  vendor.on(submit.method, submit.path, json(accepted(image)))
  if (poll === undefined) return
  vendor.on(poll.method, poll.path, json(poll.pending), json(poll.finished(image)))
  if (poll.result !== undefined) vendor.on(poll.result.method, poll.result.path, poll.result.reply(image))
}

/**
 * What every channel over HTTP holds, whatever it is called: at most one generation is ordered, what was accepted is
 * saved before anything else and never ordered again, failures say truthfully whether they may be repeated, and the
 * key is in a header alone.
 */
export const channelContract = <O extends object>(subject: ChannelSubject<O>): void => {
  const { poll, submit } = subject
  const orders = (vendor: Vendor) => vendor.asked(submit.method, submit.path).length

  describe(`${subject.name}: contract of channels`, () => {
    it.effect("an order becomes images; the key is in headers, never in an address or a body", () =>
      withClient(
        Effect.gen(function* () {
          const { ended, events, vendor } = yield* start(subject)
          behaveWell(subject, vendor)
          const result = yield* ended
          assert.strictEqual(result._tag, "Success", JSON.stringify(result))
          if (result._tag === "Success") assert.isAtLeast(result.success.images.length, 1)
          assert.strictEqual(orders(vendor), 1)
          if (poll !== undefined) assert.deepStrictEqual(events, [`accepted ${poll.id}`])
          for (const { body, path } of vendor.requests) {
            assert.notInclude(path, secret)
            assert.notInclude(body.toString("latin1"), secret)
          }
        }),
      ),
    )

    it.effect.each([
      ["cut before an answer", cutBeforeHeaders],
      ["cut after the headers", cutAfterHeaders],
      ["cut in the middle", cutMidBody(JSON.stringify(subject.accepted("x")))],
      ["a proxy's 502", htmlError(502)],
      ["a proxy's 504", htmlError(504)],
    ] satisfies ReadonlyArray<readonly [string, Reply]>)(
      "an order that is %s is ambiguous, and sent once",
      ([, reply]) =>
        withClient(
          Effect.gen(function* () {
            const { ended, vendor } = yield* start(subject)
            vendor.on(submit.method, submit.path, reply)
            const result = yield* ended
            assert.strictEqual(reasonOf(result), "ambiguous")
            assert.strictEqual(orders(vendor), 1)
          }),
        ),
    )

    it.effect("429 is unavailable, when the vendor says; a wrong key is too; neither says the key", () => {
      const logged: Array<string> = []
      return withClient(
        Effect.gen(function* () {
          const busy = yield* start(subject)
          busy.vendor.on(submit.method, submit.path, tooManyRequests("7"))
          const later = yield* busy.ended
          assert.strictEqual(reasonOf(later), "unavailable")
          if (later._tag === "Failure") assert.strictEqual(later.failure.retryAfterMillis, 7000)
          for (const status of [401, 402, 403]) {
            const wrong = yield* start(subject)
            wrong.vendor.on(submit.method, submit.path, json({ error: `${status} for ${secret}` }, status))
            const result = yield* wrong.ended
            assert.strictEqual(reasonOf(result), "unavailable", String(status))
            if (result._tag === "Failure") assert.notInclude(result.failure.message, secret)
          }
          assert.notInclude(logged.join("\n"), secret)
        }),
        logged,
      )
    })

    it.effect("a refusal of the content is rejected", () =>
      withClient(
        Effect.forEach(
          subject.rejections,
          Effect.fnUntraced(function* (reply) {
            const { ended, vendor } = yield* start(subject)
            vendor.on(submit.method, submit.path, reply)
            assert.strictEqual(reasonOf(yield* ended), "rejected")
          }),
        ),
      ),
    )

    it.effect("an answer that is too large, and one without images, never ends as a success", () =>
      withClient(
        Effect.gen(function* () {
          for (const reply of [json({}), json([]), json("accepted"), bytes("not json", "application/json")]) {
            const { ended, vendor } = yield* start(subject)
            vendor.on(submit.method, submit.path, reply)
            const result = yield* ended
            assert.include(["failed", "ambiguous"], reasonOf(result))
            assert.strictEqual(orders(vendor), 1)
          }
        }),
      ),
    )

    it.effect("no more images than were asked for are handed on", () =>
      withClient(
        Effect.gen(function* () {
          const { ended, vendor } = yield* start(subject)
          behaveWell(subject, vendor)
          const result = yield* ended
          const { n } = requestWith(subject.request)
          if (result._tag === "Success") assert.isAtMost(result.success.images.length, n)
        }),
      ),
    )

    if (poll === undefined) return

    it.effect("what was accepted is polled by the next process, and never ordered again", () =>
      withClient(
        Effect.gen(function* () {
          const { ended, events, vendor } = yield* start(subject, poll.id)
          behaveWell(subject, vendor)
          const result = yield* ended
          assert.strictEqual(result._tag, "Success", JSON.stringify(result))
          assert.strictEqual(orders(vendor), 0)
          assert.deepStrictEqual(events, [])
        }),
      ),
    )

    it.effect("the id is saved before the first look; a run that is stopped then orders nothing more", () =>
      withClient(
        Effect.gen(function* () {
          const { events, run, vendor } = yield* start(subject)
          const first = held(json(poll.pending))
          vendor.on(submit.method, submit.path, json(subject.accepted("x")))
          vendor.on(poll.method, poll.path, first.reply)
          const fiber = yield* Effect.forkChild(run)
          yield* Effect.promise(() => first.waiting)
          assert.deepStrictEqual(events, [`accepted ${poll.id}`])
          yield* Fiber.interrupt(fiber)
          first.open()
          assert.strictEqual(orders(vendor), 1)
        }),
      ),
    )

    it.effect("looks that are cut, refused, slow down, lie or miss it are no verdict", () =>
      withClient(
        Effect.gen(function* () {
          const { ended, vendor } = yield* start(subject)
          behaveWell(subject, vendor)
          vendor.on(
            poll.method,
            poll.path,
            cutBeforeHeaders,
            json({ error: "no" }, 401),
            tooManyRequests("2"),
            htmlError(502),
            json({ error: "not found" }, 404),
            json({ lies: true }),
            bytes("not json", "application/json"),
            cutMidBody(JSON.stringify(poll.pending)),
            json(poll.pending),
            json(poll.finished(imageOf(subject, vendor))),
          )
          const result = yield* ended
          assert.strictEqual(result._tag, "Success", JSON.stringify(result))
          assert.strictEqual(orders(vendor), 1)
        }),
      ),
    )

    it.effect("a vendor that stays silent frees the worker, and one that lost it fails the task", () =>
      withClient(
        Effect.gen(function* () {
          const quiet = yield* start(subject, poll.id)
          quiet.vendor.on(poll.method, poll.path, htmlError(503))
          assert.strictEqual(reasonOf(yield* quiet.ended), "unavailable")
          const lost = yield* start(subject, poll.id)
          assert.strictEqual(reasonOf(yield* lost.ended), "failed")
        }),
      ),
    )

    it.effect("a generation that the vendor failed is failed", () =>
      withClient(
        Effect.gen(function* () {
          const { ended, vendor } = yield* start(subject, poll.id)
          vendor.on(poll.method, poll.path, json(poll.failed))
          if (poll.result !== undefined) {
            vendor.on(poll.result.method, poll.result.path, json({ detail: "it failed" }, 500))
          }
          assert.strictEqual(reasonOf(yield* ended), "failed")
        }),
      ),
    )
  })
}

const reasonOf = (
  result: { readonly _tag: "Success" } | { readonly _tag: "Failure"; readonly failure: UpstreamError },
): string => (result._tag === "Failure" ? result.failure.reason : "success")
