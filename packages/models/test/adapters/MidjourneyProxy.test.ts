import type { ImageRequest, RequestBody, UpstreamError } from "@atelier/core"
import { Artgen } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import * as MidjourneyProxy from "../../src/adapters/MidjourneyProxy.ts"
import { withoutPricedFlags } from "../../src/adapters/midjourney/Prompt.ts"
import { countRequests } from "../../src/testing/drive.ts"
import { reference, secret, settingsAt, verdictOf, withClient } from "../../src/testing/settings.ts"
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
  silence,
  tooManyRequests,
  type Vendor,
} from "../../src/testing/vendor.ts"
import { sampleBytes } from "../http/samples.ts"
import { artgenBody, modelIn, requestOf } from "../support.ts"

const artgen = modelIn(Artgen.family.models, "artgen")
const id = "1320098173412546"
const imageUrl = "https://cdn.example.com/1.png"
const imagine = "/mj-fast/mj/submit/imagine"
const action = "/mj-fast/mj/submit/action"
const modal = "/mj-fast/mj/submit/modal"
const fetchOf = (task: string) => `/mj/task/${task}/fetch`
const list = "/mj/task/list"

const reply = (code: number, more: object = {}, status = 200) =>
  json({ code, description: "", result: id, properties: {}, ...more }, status)
const accepted = reply(1)
const refused = (code: number, description: string, status = 200) =>
  reply(code, { description, result: null }, status)
const task = (status: string, more: object = {}) =>
  json({ id, action: "IMAGINE", status, progress: "", failReason: null, ...more })
const success = task("SUCCESS", { progress: "100%", imageUrl })
const failure = (failReason: string) => task("FAILURE", { failReason })

const requestFor = (body: RequestBody = { prompt: "a fox" }): ImageRequest => requestOf(artgen, body)

interface Run {
  readonly request?: ImageRequest
  readonly upstreamId?: string | null
}

/** A vendor, a channel on it, and what a run of the channel saved and told. */
const channelOn = Effect.fnUntraced(function* (options: MidjourneyProxy.Options = {}) {
  const vendor = yield* makeVendor
  const settings = yield* settingsAt(vendor.url, options)
  const { drive, http } = countRequests(settings.http)
  const channel = MidjourneyProxy.make({ ...settings, http })
  const saved: Array<string> = []
  const progress: Array<number> = []
  const generate = ({ request = requestFor(), upstreamId = null }: Run = {}) =>
    channel.generate({
      reference,
      request,
      upstreamId,
      onAccepted: (upstream) => Effect.sync(() => void saved.push(upstream)),
      onProgress: (percent) => Effect.sync(() => void progress.push(percent)),
    })
  const run = (input: Run = {}) => drive(generate(input))
  const fail = (input: Run = {}) => drive(Effect.flip(generate(input)))
  return { vendor, channel, saved, progress, run, fail, generate, drive }
})

const bodiesOf = (vendor: Vendor, path: string) => vendor.asked("POST", path).map((request) => request.json)

describe("midjourney-proxy: requests", () => {
  const png = `data:image/png;base64,${Buffer.from(sampleBytes("png")).toString("base64")}`
  const sized = { base64Array: [], state: reference }
  const rows: ReadonlyArray<readonly [string, RequestBody, string, object]> = [
    ["imagine", { prompt: "a fox" }, imagine, { prompt: "a fox", ...sized }],
    [
      "turbo",
      { prompt: "a fox", mode: "turbo" },
      "/mj-turbo/mj/submit/imagine",
      { prompt: "a fox", ...sized },
    ],
    ["hd", { prompt: "a fox", quality: "hd" }, imagine, { prompt: "a fox --hd", ...sized }],
    [
      "a ratio of whole numbers, and a seed",
      { prompt: "a fox", size: "2.5:1", seed: 7 },
      imagine,
      { prompt: "a fox --ar 5:2 --seed 7", ...sized },
    ],
    [
      "a prompt's own ratio and seed stay",
      { prompt: "a fox --ar 3:2 --seed 1", size: "16:9", seed: 7 },
      imagine,
      { prompt: "a fox --ar 3:2 --seed 1", ...sized },
    ],
    [
      "flags that change the price are left out, what only looks like one stays",
      { prompt: "--turbo a {red, blue} fox —hd --repeat 4 --q 4 --hdr --v 7 --relax --r 2" },
      imagine,
      { prompt: "a (red, blue) fox --hdr --v 7", ...sized },
    ],
    [
      "references: links before the prompt, Data URLs beside it",
      { prompt: "a fox", images: ["https://example.org/a.png", png] },
      imagine,
      { prompt: "https://example.org/a.png a fox", base64Array: [png], state: reference },
    ],
    [
      "blend",
      { generation_type: "blend", images: [png, png], size: "2:3" },
      "/mj-fast/mj/submit/blend",
      { base64Array: [png, png], dimensions: "PORTRAIT", state: reference },
    ],
  ]
  it.effect.each(rows)("%s", ([, body, path, sent]) =>
    withClient(
      Effect.gen(function* () {
        const { run, saved, vendor } = yield* channelOn()
        vendor.on("POST", path, accepted)
        vendor.on("GET", fetchOf(id), success)
        const generation = yield* run({ request: requestFor(body) })
        assert.deepStrictEqual(bodiesOf(vendor, path), [sent])
        assert.deepStrictEqual(generation, { images: [{ url: imageUrl }], jobId: id, text: null, seed: null })
        assert.deepStrictEqual(saved, [id])
        for (const { headers } of vendor.requests) assert.strictEqual(headers["mj-api-secret"], secret)
      }),
    ),
  )

  it("no prompt keeps a flag that changes its price, and loses anything else", () => {
    const kept = fc.constantFrom("a", "fox,", "--ar 3:2", "--hdr", "--v 7", "fast", "-r", "--no red", "—")
    const priced = fc.constantFrom(
      "--fast",
      "--TURBO",
      "—relax",
      "--hd",
      "–repeat 4",
      "--r 2",
      "--q .5",
      "--sd",
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(kept, priced)), (pieces) => {
        const isPriced = (piece: string) => /^(--|—|–)(fast|turbo|relax|hd|sd|repeat|r|q)\b/i.test(piece)
        const rest = pieces.filter((piece) => piece === "--hdr" || !isPriced(piece))
        assert.strictEqual(withoutPricedFlags(pieces.join(" ")), rest.join(" "))
      }),
    )
  })

  it.effect("mode_by prompt: one path, and the mode as a flag", () =>
    withClient(
      Effect.gen(function* () {
        const { run, vendor } = yield* channelOn({ mode_by: "prompt" })
        vendor.on("POST", "/mj/submit/imagine", reply(22))
        vendor.on("GET", fetchOf(id), success)
        yield* run({ request: requestFor({ prompt: "a fox --fast", mode: "turbo" }) })
        assert.deepStrictEqual(bodiesOf(vendor, "/mj/submit/imagine"), [
          { prompt: "a fox --turbo", ...sized },
        ])
      }),
    ),
  )

  it.effect("describe: the image's bytes go along, words come back", () =>
    withClient(
      Effect.gen(function* () {
        const { run, vendor } = yield* channelOn()
        const { url } = vendor.link(sampleBytes("png"))
        vendor.on("POST", "/mj-fast/mj/submit/describe", accepted)
        const finalPrompt = "1️⃣ A fox\n\n2️⃣ Another fox"
        vendor.on("GET", fetchOf(id), task("SUCCESS", { imageUrl, properties: { finalPrompt } }))
        const request = requestFor({ generation_type: "describe", images: [url] })
        const generation = yield* run({ request })
        assert.deepStrictEqual(bodiesOf(vendor, "/mj-fast/mj/submit/describe"), [
          { base64: png, state: reference },
        ])
        assert.deepStrictEqual(generation, { images: [], jobId: id, text: finalPrompt, seed: null })
      }),
    ),
  )

  it.effect("seed: asked of the finished step; it can be asked again, so it is never ambiguous", () =>
    withClient(
      Effect.gen(function* () {
        const { fail, run, saved, vendor } = yield* channelOn()
        const path = "/mj/task/9/image-seed"
        const request = requestFor({ generation_type: "seed", metadata: { job_id: "9" } })
        vendor.on("GET", path, reply(1, { result: "4294967295" }))
        assert.deepStrictEqual(yield* run({ request }), {
          images: [],
          jobId: "9",
          text: null,
          seed: 4_294_967_295,
        })
        const verdicts: Array<ReadonlyArray<string | number>> = []
        vendor.on(
          "GET",
          path,
          cutBeforeHeaders,
          htmlError(502),
          refused(3, "关联任务不存在或已失效", 404),
          refused(9, "timeout"),
        )
        for (let count = 0; count < 4; count++) verdicts.push(verdictOf(yield* fail({ request })))
        assert.deepStrictEqual(verdicts, [
          ["unavailable"],
          ["unavailable"],
          ["rejected"],
          ["unavailable", 30_000],
        ])
        assert.deepStrictEqual(saved, [])
      }),
    ),
  )
})

describe("midjourney-proxy: operations on a finished step", () => {
  const hash = "7af96d1a-67c7-4d74-b173-8430c98c7631"
  const custom = (name: string) => `MJ::${name}::${hash}`
  const grid = [1, 2, 3, 4].flatMap((n) => [`JOB::upsample::${n}`, `JOB::variation::${n}`])
  const single = [
    ...["JOB::upsample_v6_2x_subtle::1", "JOB::upsample_v6_2x_creative::1", "JOB::upsample_v5_4x::1"],
    ...["JOB::low_variation::1", "Inpaint::1", "Outpaint::50::1", "Outpaint::75::1", "CustomZoom"],
    ...["JOB::pan_left::1", "JOB::pan_right::1", "JOB::pan_up::1", "JOB::pan_down::1"],
  ]
  const buttons = [...grid, ...single, "JOB::reroll::0"].map((name) => ({
    customId: custom(name),
    label: "",
  }))
  const parent = (more: object = {}) => json({ id: "9", status: "SUCCESS", ...more })
  const expected: ReadonlyArray<readonly [string, string]> = [
    ...[1, 2, 3, 4].flatMap(
      (n) =>
        [
          [`upsample${n}`, `JOB::upsample::${n}`],
          [`variation${n}`, `JOB::variation::${n}`],
        ] as const,
    ),
    ["reroll", "JOB::reroll::0"],
    ["upscale2", "JOB::upsample_v6_2x_subtle::1"],
    ["upscale4", "JOB::upsample_v5_4x::1"],
    ["zoom_out_1.5", "Outpaint::75::1"],
    ["zoom_out_2", "Outpaint::50::1"],
    ["pan_left", "JOB::pan_left::1"],
    ["pan_right", "JOB::pan_right::1"],
    ["pan_up", "JOB::pan_up::1"],
    ["pan_down", "JOB::pan_down::1"],
  ]
  const onStep = (operation: string) => requestFor({ ...artgenBody(operation), ...stepNine(operation) })
  const stepNine = (operation: string): RequestBody => {
    const { metadata } = artgenBody(operation)
    return { metadata: { ...Object(metadata), job_id: "9" } }
  }

  it.effect.each(expected)("%s is the step's button", ([operation, name]) =>
    withClient(
      Effect.gen(function* () {
        const { run, vendor } = yield* channelOn()
        vendor.on("GET", fetchOf("9"), parent({ buttons }))
        vendor.on("POST", action, accepted)
        vendor.on("GET", fetchOf(id), success)
        assert.strictEqual((yield* run({ request: onStep(operation) })).jobId, id)
        const sent = { taskId: "9", customId: custom(name), state: reference }
        assert.deepStrictEqual(bodiesOf(vendor, action), [sent])
      }),
    ),
  )

  it("every operation has its button here, or its own endpoint", () => {
    const others = ["imagine", "blend", "describe", "seed", "inpaint"]
    assert.sameMembers([...others, ...expected.map(([operation]) => operation)], [...Artgen.operationNames])
  })

  const changes: ReadonlyArray<readonly [string, object]> = [
    ["upsample3", { action: "UPSCALE", index: 3 }],
    ["variation2", { action: "VARIATION", index: 2 }],
    ["reroll", { action: "REROLL" }],
  ]
  it.effect.each(changes)("%s is a change, where steps have no buttons", ([operation, change]) =>
    withClient(
      Effect.gen(function* () {
        const { run, vendor } = yield* channelOn({ mode_by: "prompt" })
        vendor.on("GET", fetchOf("9"), parent())
        vendor.on("POST", "/mj/submit/change", accepted)
        vendor.on("GET", fetchOf(id), success)
        yield* run({ request: onStep(operation) })
        const sent = { taskId: "9", ...change, state: reference }
        assert.deepStrictEqual(bodiesOf(vendor, "/mj/submit/change"), [sent])
      }),
    ),
  )

  const refusals: ReadonlyArray<readonly [string, string, Reply, ReadonlyArray<string | number>]> = [
    ["a step without the button", "upscale4", parent({ buttons: buttons.slice(0, 8) }), ["rejected"]],
    ["a step without buttons", "pan_up", parent(), ["rejected"]],
    ["a step that is not finished", "reroll", parent({ status: "IN_PROGRESS" }), ["rejected"]],
    ["a step that is unknown", "reroll", bytes("", "application/json"), ["rejected"]],
    ["a look that tells nothing", "reroll", htmlError(502), ["unavailable"]],
    ["a look that is cut", "reroll", cutBeforeHeaders, ["unavailable"]],
  ]
  it.effect.each(refusals)("%s: nothing is submitted", ([, operation, answer, verdict]) =>
    withClient(
      Effect.gen(function* () {
        const { fail, vendor } = yield* channelOn()
        vendor.on("GET", fetchOf("9"), answer)
        assert.deepStrictEqual(verdictOf(yield* fail({ request: onStep(operation) })), verdict)
        assert.strictEqual(vendor.asked("POST", /./).length, 0)
      }),
    ),
  )

  const waiting = reply(21, { description: "Waiting for window confirm" })
  const inpaint = onStep("inpaint")
  const mask = Artgen.extraOf(inpaint)?.mask
  const confirmed = { taskId: id, prompt: "a", maskBase64: mask }

  it.effect("inpaint: its window is confirmed with prompt and mask; saved before it is sent", () =>
    withClient(
      Effect.gen(function* () {
        const { run, saved, vendor } = yield* channelOn()
        vendor.on("GET", fetchOf("9"), parent({ buttons }))
        vendor.on("POST", action, waiting)
        const before: Array<ReadonlyArray<string>> = []
        vendor.on("POST", modal, (exchange) => {
          before.push([...saved])
          return accepted(exchange)
        })
        vendor.on("GET", fetchOf(id), task("MODAL"), task("IN_PROGRESS"), success)
        assert.strictEqual((yield* run({ request: inpaint })).jobId, id)
        assert.deepStrictEqual(bodiesOf(vendor, modal), [confirmed])
        assert.deepStrictEqual(before, [[`${id}:window`, id]])
      }),
    ),
  )

  it.effect("inpaint, resumed: a window that was certainly not confirmed is, another never again", () =>
    withClient(
      Effect.gen(function* () {
        const { fail, run, saved, vendor } = yield* channelOn()
        vendor.on("POST", modal, accepted)
        vendor.on("GET", fetchOf(id), success)
        yield* run({ request: inpaint, upstreamId: `${id}:window` })
        assert.deepStrictEqual(bodiesOf(vendor, modal), [confirmed])
        assert.deepStrictEqual(saved, [id])
        vendor.on("GET", fetchOf(id), task("MODAL"))
        const lost = yield* fail({ request: inpaint, upstreamId: id })
        assert.deepStrictEqual(verdictOf(lost), ["failed"])
        assert.isAtLeast(yield* Clock.currentTimeMillis, 600_000)
        assert.strictEqual(vendor.asked("POST", /./).length, 1)
      }),
    ),
  )

  it.effect("inpaint: a confirmation that is not taken is undone, one that is lost shows at the task", () =>
    withClient(
      Effect.gen(function* () {
        const { fail, run, saved, vendor } = yield* channelOn()
        const upstreamId = `${id}:window`
        vendor.on("POST", modal, refused(23, "full"))
        assert.deepStrictEqual(verdictOf(yield* fail({ request: inpaint, upstreamId })), [
          "unavailable",
          30_000,
        ])
        assert.deepStrictEqual(saved, [id, upstreamId])
        vendor.on("POST", modal, cutBeforeHeaders)
        vendor.on("GET", fetchOf(id), task("MODAL"), success)
        assert.strictEqual((yield* run({ request: inpaint, upstreamId })).jobId, id)
        vendor.on("POST", modal, refused(24, "nude"))
        assert.deepStrictEqual(verdictOf(yield* fail({ request: inpaint, upstreamId })), ["rejected"])
      }),
    ),
  )

  it.effect("a variation that asks for confirmation gets it; one that is there already is polled", () =>
    withClient(
      Effect.gen(function* () {
        const { run, vendor } = yield* channelOn()
        vendor.on("GET", fetchOf("9"), parent({ buttons }))
        vendor.on("POST", action, waiting, reply(21, { description: "任务已存在" }))
        vendor.on("POST", modal, reply(22))
        vendor.on("GET", fetchOf(id), success)
        yield* run({ request: onStep("variation1") })
        assert.deepStrictEqual(bodiesOf(vendor, modal), [{ taskId: id }])
        yield* run({ request: onStep("upsample1") })
        assert.strictEqual(vendor.asked("POST", modal).length, 1)
      }),
    ),
  )
})

describe("midjourney-proxy: submissions that are not accepted", () => {
  const rows: ReadonlyArray<readonly [string, Reply, ReadonlyArray<string | number>]> = [
    ["code 24", refused(24, "可能包含敏感词"), ["rejected"]],
    ["code 4 about content", refused(4, "Banned prompt detected: nude"), ["rejected"]],
    ["code 4 about a parameter", refused(4, "base64格式错误"), ["rejected"]],
    ["code 4 with status 400", refused(4, "prompt is required", 400), ["rejected"]],
    ["code 4 about a quota", refused(4, "quota_not_enough", 400), ["unavailable"]],
    ["code 4 about an account", refused(4, "实例不存在或不可用"), ["unavailable"]],
    ["code 3 without an account", refused(3, "无可用的账号实例"), ["unavailable"]],
    ["code 23", refused(23, "队列已满，请稍后尝试"), ["unavailable", 30_000]],
    ["code 9", refused(9, "提交失败，系统异常"), ["unavailable", 30_000]],
    ["another code", refused(5, "?"), ["failed"]],
    ["401", htmlError(401), ["unavailable"]],
    ["403", htmlError(403), ["unavailable"]],
    ["404", htmlError(404), ["unavailable"]],
    ["429 with seconds", tooManyRequests("7"), ["unavailable", 7000]],
    ["500 with JSON", json({ error: { message: "broken" } }, 500), ["failed"]],
    ["503 with JSON", json({ error: { message: "busy" } }, 503), ["unavailable"]],
  ]
  it.effect.each(rows)("%s", ([, answer, verdict]) =>
    withClient(
      Effect.gen(function* () {
        const { fail, saved, vendor } = yield* channelOn()
        vendor.on("POST", imagine, answer)
        assert.deepStrictEqual(verdictOf(yield* fail()), verdict)
        assert.deepStrictEqual(saved, [])
        assert.strictEqual(vendor.requests.length, 1)
      }),
    ),
  )

  it.effect("no connection: unavailable", () =>
    withClient(
      Effect.gen(function* () {
        const channel = MidjourneyProxy.make(yield* settingsAt<MidjourneyProxy.Options>("http://127.0.0.1:1"))
        const onAccepted = () => Effect.void
        const input = {
          reference,
          request: requestFor(),
          upstreamId: null,
          onAccepted,
          onProgress: onAccepted,
        }
        assert.deepStrictEqual(verdictOf(yield* Effect.flip(channel.generate(input))), ["unavailable"])
        assert.isFalse(channel.repeatable)
      }),
    ),
  )
})

describe("midjourney-proxy: submissions whose answer is lost", () => {
  const others = [{ id: "1", state: "imgtask_other", status: "SUCCESS" }, { id: "2" }]
  const lost: ReadonlyArray<readonly [string, Reply]> = [
    ["cut before the answer", cutBeforeHeaders],
    ["cut after its headers", cutAfterHeaders],
    ["cut inside it", cutMidBody(JSON.stringify({ code: 1, result: id }))],
    ["502", htmlError(502)],
    ["500 without JSON", htmlError(500)],
    ["an answer that is no JSON", htmlError(200)],
    ["an answer without an id", reply(1, { result: null })],
  ]
  it.effect.each(lost)("%s: the task is found in the list by its state", ([, answer]) =>
    withClient(
      Effect.gen(function* () {
        const { run, saved, vendor } = yield* channelOn()
        vendor.on("POST", imagine, answer)
        vendor.on(
          "GET",
          list,
          cutBeforeHeaders,
          json(others),
          json([...others, { id, state: reference, status: "IN_PROGRESS" }]),
        )
        vendor.on("GET", fetchOf(id), success)
        assert.strictEqual((yield* run()).jobId, id)
        assert.deepStrictEqual(saved, [id])
        assert.strictEqual(vendor.asked("POST", /./).length, 1)
      }),
    ),
  )

  const unfound: ReadonlyArray<readonly [string, Reply]> = [
    ["a list without it", json(others)],
    ["no list", htmlError(404)],
    ["an invalid list", json({ data: others })],
  ]
  it.effect.each(unfound)("%s: ambiguous after four looks, and not sent again", ([, answer]) =>
    withClient(
      Effect.gen(function* () {
        const { fail, vendor } = yield* channelOn()
        vendor.on("POST", imagine, cutBeforeHeaders)
        vendor.on("GET", list, answer)
        assert.deepStrictEqual(verdictOf(yield* fail()), ["ambiguous"])
        assert.strictEqual(vendor.asked("GET", list).length, 4)
        assert.strictEqual(vendor.asked("POST", /./).length, 1)
      }),
    ),
  )

  it.effect("no answer in two minutes: looked for too", () =>
    withClient(
      Effect.gen(function* () {
        const { generate, vendor } = yield* channelOn()
        const submission = held(silence)
        const listed = held(json([{ id, state: reference }]))
        const fetched = held(success)
        vendor.on("POST", imagine, submission.reply)
        vendor.on("GET", list, listed.reply)
        vendor.on("GET", fetchOf(id), fetched.reply)
        const fiber = yield* Effect.forkChild(generate())
        yield* Effect.promise(() => submission.waiting)
        yield* TestClock.adjust("2 minutes")
        yield* Effect.promise(() => listed.waiting)
        listed.open()
        fetched.open()
        assert.strictEqual((yield* Fiber.join(fiber)).jobId, id)
      }),
    ),
  )
})

describe("midjourney-proxy: polling", () => {
  it.effect("a resumed task is polled, and nothing is submitted", () =>
    withClient(
      Effect.gen(function* () {
        const { run, saved, vendor } = yield* channelOn()
        vendor.on("GET", fetchOf(id), task("IN_PROGRESS"), task("SUCCESS", { imageUrl, seed: "123" }))
        const generation = yield* run({ upstreamId: id })
        assert.deepStrictEqual(generation, { images: [{ url: imageUrl }], jobId: id, text: null, seed: 123 })
        assert.deepStrictEqual(saved, [])
        assert.strictEqual(vendor.asked("POST", /./).length, 0)
      }),
    ),
  )

  it.effect("progress never goes down, whatever the upstream's messages say", () =>
    withClient(
      Effect.gen(function* () {
        const { progress, run, vendor } = yield* channelOn()
        const told = ["0%", "31%", "15%", "", "46%", "x", "100%", 62, null].map((value) =>
          task("IN_PROGRESS", { progress: value }),
        )
        vendor.on("GET", fetchOf(id), ...told, success)
        yield* run({ upstreamId: id })
        assert.deepStrictEqual(progress, [31, 46, 99])
      }),
    ),
  )

  it.effect("looks come every 2 s at first, and every 15 s later", () =>
    withClient(
      Effect.gen(function* () {
        const { run, vendor } = yield* channelOn()
        const times: Array<number> = []
        const clock = yield* Clock.Clock
        const timed =
          (answer: Reply): Reply =>
          (exchange) => {
            times.push(clock.currentTimeMillisUnsafe())
            return answer(exchange)
          }
        vendor.on("GET", fetchOf(id), ...Array(14).fill(timed(task("IN_PROGRESS"))), success)
        yield* run({ upstreamId: id })
        const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
        assert.deepStrictEqual([gaps[0], gaps.at(-1)], [2000, 15_000])
        // To the test's step of 500 ms.
        assert.isTrue(gaps.every((gap, index) => gap + 500 >= (gaps[index - 1] ?? 0)))
      }),
    ),
  )

  it.effect("looks that fail never lose the task; a Retry-After is waited for", () =>
    withClient(
      Effect.gen(function* () {
        const { run, vendor } = yield* channelOn()
        vendor.on(
          "GET",
          fetchOf(id),
          cutBeforeHeaders,
          htmlError(502),
          htmlError(200),
          json({ error: { message: "no" } }, 401),
          tooManyRequests("100"),
          bytes("", "application/json"),
          task("IN_PROGRESS"),
          success,
        )
        assert.strictEqual((yield* run({ upstreamId: id })).jobId, id)
        assert.isAtLeast(yield* Clock.currentTimeMillis, 100_000)
      }),
    ),
  )

  it.effect("an upstream that is silent for five minutes gives the worker back, and keeps the task", () =>
    withClient(
      Effect.gen(function* () {
        const { fail, vendor } = yield* channelOn()
        vendor.on("GET", fetchOf(id), task("IN_PROGRESS"), htmlError(502))
        assert.deepStrictEqual(verdictOf(yield* fail({ upstreamId: id })), ["unavailable", 60_000])
        const time = yield* Clock.currentTimeMillis
        assert.isTrue(time >= 300_000 && time < 320_000, `${time}`)
      }),
    ),
  )

  const ends: ReadonlyArray<readonly [string, Reply, ReadonlyArray<string | number>]> = [
    ["a banned prompt", failure("[Banned prompt detected] The word nude is banned"), ["rejected"]],
    ["a moderated prompt", failure("[AI moderator] Sorry! Our moderator is unsure"), ["rejected"]],
    ["a sensitive word", failure("可能包含敏感词"), ["rejected"]],
    ["an invalid parameter", failure("[Invalid parameter] Invalid value for --ar"), ["rejected"]],
    ["an invalid link", failure("[Invalid link] Could not fetch image"), ["rejected"]],
    ["another failure", failure("[Internal Server Error] read timed out"), ["failed"]],
    ["a failure without a reason", failure(""), ["failed"]],
    ["a cancelled task", task("CANCEL"), ["failed"]],
    ["a success without a link", task("SUCCESS"), ["failed"]],
    ["a success with no link", task("SUCCESS", { imageUrl: "file:///etc/passwd" }), ["failed"]],
    ["a success with a private link", task("SUCCESS", { imageUrl: "http://10.0.0.1/1.png" }), ["failed"]],
    ["an unknown task", bytes("", "application/json"), ["failed"]],
    ["a task that is null", json(null), ["failed"]],
    ["a task with status 404", htmlError(404), ["failed"]],
    ["a task of a gateway that is not there", refused(4, "task_no_found", 400), ["failed"]],
    [
      "an answer too large",
      ({ response }) => {
        response.writeHead(200, { "content-length": 2 ** 30 })
        response.flushHeaders()
      },
      ["unavailable", 60_000],
    ],
  ]
  it.effect.each(ends)("%s", ([, answer, verdict]) =>
    withClient(
      Effect.gen(function* () {
        const { fail, vendor } = yield* channelOn()
        vendor.on("GET", fetchOf(id), answer)
        assert.deepStrictEqual(verdictOf(yield* fail({ upstreamId: id })), verdict)
      }),
    ),
  )
})

describe("midjourney-proxy: what is reported of a failure", () => {
  it.effect("no key, link or account number in a message or log", () => {
    const logged: Array<string> = []
    return withClient(
      Effect.gen(function* () {
        const { fail, vendor } = yield* channelOn()
        const account = "1118138338562560102"
        const echo = `账号不可用: ${account} ${secret} https://discord.example.com/api?token=hidden`
        vendor.on(
          "POST",
          imagine,
          refused(3, echo),
          json({ error: { message: echo } }, 401),
          refused(5, echo),
        )
        vendor.on("GET", fetchOf(id), failure(echo))
        const errors: Array<UpstreamError> = [yield* fail(), yield* fail(), yield* fail()]
        errors.push(yield* fail({ upstreamId: id }))
        assert.strictEqual(logged.length, 2)
        for (const text of [...errors.map(({ message }) => message), ...logged]) {
          assert.notInclude(text, secret)
        }
        for (const { message } of errors.filter((_, index) => index !== 1)) {
          assert.notInclude(message, account)
          assert.notInclude(message, "hidden")
        }
      }),
      logged,
    )
  })
})
