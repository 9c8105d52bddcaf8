import type { RequestBody, TaskId } from "@atelier/core"
import { Artgen, LocalChannel } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { answer } from "../src/LocalArtgen.ts"
import {
  artgenBody,
  dataUrl,
  firstOf,
  generate,
  hashesOf,
  modelIn,
  pngHead,
  readPng,
  requestOf,
} from "./support.ts"

const artgen = modelIn(Artgen.family.models, "artgen")
const bodyOf = (body: RequestBody) => requestOf(artgen, body)
const step = (generationType: string, jobId: string, more: RequestBody = {}) =>
  bodyOf({ ...artgenBody(generationType), ...more, metadata: { job_id: jobId } })

/** What the local adapter would draw, without drawing it. */
const planOf = (body: RequestBody, reference = "imgtask_one") => {
  const request = bodyOf(body)
  const extra = Artgen.extraOf(request)
  if (extra === undefined) throw new Error("no artgen request")
  const plan = answer(reference, request, extra)
  if (plan._tag !== "Image") throw new Error("no image")
  return plan
}

/** The first step, in the smallest size that there is. */
const first = { prompt: "A fox in the snow", size: "3:1" }

describe("contract, Running it: artgen on the embedded local adapter", () => {
  it.effect("imagine gives one image, its job id and its seed, the same each time", () =>
    Effect.gen(function* () {
      const channel = yield* LocalChannel.make
      const made = yield* generate(channel, bodyOf(first))
      const again = yield* generate(channel, bodyOf(first))
      assert.strictEqual(made.images.length, 1)
      const { height, width } = readPng(firstOf(made).bytes)
      assert.isAtMost(Math.abs(width / height - 3), 0.05)
      assert.deepStrictEqual(hashesOf(again), hashesOf(made))
      assert.strictEqual(again.jobId, made.jobId)
      const other = yield* generate(channel, bodyOf(first), "imgtask_other" as TaskId)
      assert.notStrictEqual(other.jobId, made.jobId)
      assert.deepStrictEqual(hashesOf(other), hashesOf(made))
    }),
  )

  it.effect("every operation on a finished step gives what it is for, and its picture differs", () =>
    Effect.gen(function* () {
      const channel = yield* LocalChannel.make
      const made = yield* generate(channel, bodyOf(first))
      const jobId = made.jobId ?? ""
      const seen = new Set(hashesOf(made))
      const operations = ["upsample1", "variation1", "reroll", "upscale2", "zoom_out_2", "pan_left", "pan_up"]
      for (const operation of operations) {
        const next = yield* generate(channel, step(operation, jobId))
        assert.strictEqual(next.images.length, 1, operation)
        for (const hash of hashesOf(next)) {
          assert.isFalse(seen.has(hash), operation)
          seen.add(hash)
        }
      }
    }),
  )

  it.effect("describe gives words about the image and no image", () =>
    Effect.gen(function* () {
      const channel = yield* LocalChannel.make
      const describe = (image: string) =>
        generate(channel, bodyOf({ generation_type: "describe", images: [image] }))
      const { images, jobId, seed, text } = yield* describe(dataUrl(pngHead(640, 480)))
      assert.deepStrictEqual([images.length, jobId, seed], [0, null, null])
      assert.match(
        text ?? "",
        /^A landscape PNG image of 640 × 480 pixels\.\n1\. .+\n2\. .+\n3\. .+\n4\. .+$/,
      )
      assert.match(
        (yield* describe("https://example.com/a.png")).text ?? "",
        /^An image at example\.com\.\n1\. /,
      )
    }),
  )

  it.effect("seed gives the seed of the step; the same seed in a request gives its picture again", () =>
    Effect.gen(function* () {
      const channel = yield* LocalChannel.make
      const made = yield* generate(channel, bodyOf(first))
      const { images, seed, text } = yield* generate(channel, step("seed", made.jobId ?? ""))
      assert.deepStrictEqual([images.length, seed, text], [0, made.seed, null])
      const again = yield* generate(channel, bodyOf({ ...first, seed }))
      assert.deepStrictEqual(hashesOf(again), hashesOf(made))
    }),
  )

  it("an upsample is one quarter of its grid, an upscale the same picture with more pixels", () => {
    const grid = planOf({ prompt: "A fox" })
    assert.strictEqual(grid.sheet.pictures.length, 4)
    const { jobId, sheet } = planOf({ generation_type: "upsample3", metadata: { job_id: grid.jobId } })
    assert.deepStrictEqual(
      sheet.pictures.map(({ order }) => order),
      [grid.sheet.pictures[2]?.order],
    )
    const upscaled = planOf({ generation_type: "upscale2", metadata: { job_id: jobId } })
    assert.deepStrictEqual([upscaled.sheet.width, upscaled.sheet.height], [2048, 2048])
    assert.deepStrictEqual(
      upscaled.sheet.pictures.map(({ order }) => order),
      sheet.pictures.map(({ order }) => order),
    )
    const largest = planOf({ generation_type: "upscale4", metadata: { job_id: upscaled.jobId } })
    assert.deepStrictEqual([largest.sheet.width, largest.sheet.height], [3840, 3840])
    const again = planOf({ generation_type: "upscale4", metadata: { job_id: largest.jobId } })
    assert.deepStrictEqual([again.sheet.width, again.sheet.height], [3840, 3840])
  })

  it("a zoom, a pan and an inpaint keep the picture before within a new one, through upscales", () => {
    const { jobId, sheet } = planOf({
      generation_type: "upsample1",
      metadata: { job_id: planOf({ prompt: "A fox" }).jobId },
    })
    const before = sheet.pictures[0]?.order
    for (const operation of [
      "zoom_out_1.5",
      "zoom_out_2",
      "pan_left",
      "pan_right",
      "pan_up",
      "pan_down",
      "inpaint",
    ]) {
      const body = artgenBody(operation)
      const next = planOf({ ...body, metadata: { ...(body["metadata"] as RequestBody), job_id: jobId } })
      const orders = next.sheet.pictures.map(({ order }) => order)
      assert.strictEqual(orders.length, 2)
      assert.deepInclude(orders, before)
      const upscaled = planOf({ generation_type: "upscale2", metadata: { job_id: next.jobId } })
      assert.deepStrictEqual(
        upscaled.sheet.pictures.map(({ order }) => order),
        orders,
      )
    }
  })

  it("hd draws with four times the pixels; a blend follows from every image given", () => {
    assert.strictEqual(planOf({ prompt: "A fox", quality: "hd" }).sheet.width, 2048)
    const blend = (...images: ReadonlyArray<Buffer>) =>
      planOf({ generation_type: "blend", images: images.map((each) => dataUrl(each)) }).sheet
    const [one, two, three] = [pngHead(1, 1), pngHead(2, 2), pngHead(3, 3)]
    assert.deepStrictEqual(blend(one, two), blend(one, two))
    assert.notDeepEqual(blend(one, two), blend(one, three))
  })

  it("whatever the prompts and the steps, a job id is one that artgen takes, and sizes stay within 3840", () => {
    const operations = (artgen.parameters["generation_type"]?.enum ?? []).filter(
      (each) => !["imagine", "blend", "describe", "seed", "inpaint"].includes(each),
    )
    const prompt = fc.string({ unit: "binary", minLength: 1, maxLength: 300 }).filter((text) => {
      return text.trim() !== "" && text.isWellFormed() && !text.includes("\0")
    })
    const steps = fc.array(fc.record({ operation: fc.constantFrom(...operations), prompt }), { maxLength: 6 })
    fc.assert(
      fc.property(
        prompt,
        fc.constantFrom("1:1", "16:9", "1:3"),
        fc.boolean(),
        steps,
        (text, size, hd, then) => {
          let plan = planOf({ prompt: text, size, quality: hd ? "hd" : "standard" })
          for (const { operation, prompt: wish } of then) {
            const body = { generation_type: operation, prompt: wish, metadata: { job_id: plan.jobId } }
            plan = planOf(body)
            assert.isAtMost(Math.max(plan.sheet.width, plan.sheet.height), 3840)
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  it("a job id that another adapter made has a picture, too", () => {
    for (const jobId of ["x", "local-", "local-0123456789abcdef-bnVsbA", "1720000000000000"]) {
      const { sheet } = planOf({ generation_type: "upsample1", metadata: { job_id: jobId } })
      assert.deepStrictEqual([sheet.width, sheet.height], [1024, 1024])
    }
  })
})
