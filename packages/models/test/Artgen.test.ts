import { formatUsd, priceTotal, type RequestBody } from "@atelier/core"
import { Artgen } from "@atelier/models"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import fc from "fast-check"
import { artgenBody, dataUrl, modelIn, parsed, pngHead, refusalOf, requestOf } from "./support.ts"

const artgen = modelIn(Artgen.family.models, "artgen")
const image = dataUrl(pngHead(40, 30))
const url = "https://example.com/a.png"

/** The operations of the contract, written a second time. */
const withoutJob = ["imagine", "blend", "describe"]
const withJob = [
  ...["seed", "inpaint", "reroll", "upscale2", "upscale4", "zoom_out_1.5", "zoom_out_2"],
  ...[1, 2, 3, 4].flatMap((cell) => [`variation${cell}`, `upsample${cell}`]),
  ...["pan_left", "pan_right", "pan_up", "pan_down"],
]
const all = [...withoutJob, ...withJob]

const messageOf = (body: RequestBody) => refusalOf(artgen, body).message
const paramOf = (body: RequestBody) => refusalOf(artgen, body).param
const costOf = (body: RequestBody) => formatUsd(priceTotal(artgen.price(requestOf(artgen, body))))

describe("image-tasks 2.2: artgen", () => {
  it("mode: fast or turbo; default fast", () => {
    assert.strictEqual(requestOf(artgen, { prompt: "a" }).extra["mode"], "fast")
    assert.strictEqual(requestOf(artgen, { prompt: "a", mode: "turbo" }).extra["mode"], "turbo")
    assert.strictEqual(
      messageOf({ prompt: "a", mode: "relax" }),
      '`mode` must be one of fast, turbo; got "relax".',
    )
  })

  it("quality: hd becomes the high-definition flag; standard is the other value", () => {
    const { extra, quality } = requestOf(artgen, { prompt: "a", quality: "hd" })
    assert.deepStrictEqual([quality, extra["hd"]], ["hd", true])
    const standard = requestOf(artgen, { prompt: "a", quality: "standard" })
    assert.deepStrictEqual([standard.quality, standard.extra["hd"]], ["standard", false])
    assert.strictEqual(paramOf({ prompt: "a", quality: "high" }), "quality")
  })

  it("contract, Images: generation_type is one of the operations; none is imagine", () => {
    assert.sameMembers([...(artgen.parameters["generation_type"]?.enum ?? [])], all)
    assert.strictEqual(requestOf(artgen, { prompt: "a" }).extra["generation_type"], "imagine")
    for (const wrong of ["variation5", "upscale3", "zoom_out", "IMAGINE", "", "constructor", 1])
      assert.strictEqual(paramOf({ prompt: "a", generation_type: wrong }), "generation_type")
  })

  it.each(all)("%s is accepted with what it needs", (operation) => {
    const request = requestOf(artgen, artgenBody(operation))
    assert.strictEqual(request.extra["generation_type"], operation)
    assert.strictEqual(request.parentJobId, withJob.includes(operation) ? "local-step" : null)
    assert.strictEqual(request.n, 1)
    assert.strictEqual(Artgen.extraOf(request)?.generation_type, operation)
  })

  it.each(withJob)("metadata.job_id: %s requires it", (operation) => {
    const { metadata: _, ...without } = artgenBody(operation)
    for (const body of [without, { ...without, metadata: {} }, { ...without, metadata: { job_id: null } }]) {
      const error = refusalOf(artgen, body)
      assert.deepStrictEqual([error.code, error.param], ["invalid_parameter", "metadata.job_id"])
      assert.include(error.message, operation)
    }
  })

  it.each(withoutJob)("metadata.job_id: %s builds on no step and does not take it", (operation) => {
    assert.strictEqual(paramOf({ ...artgenBody(operation), metadata: { job_id: "j" } }), "metadata.job_id")
  })

  it("metadata.job_id: 1 to 512 printable ASCII characters; metadata is an object", () => {
    const body = artgenBody("upscale2")
    for (const jobId of ["", "a b", "é", "a\n", "j".repeat(513), 7, {}, ["j"]])
      assert.strictEqual(paramOf({ ...body, metadata: { job_id: jobId } }), "metadata.job_id")
    for (const metadata of ["j", 7, [], true]) assert.strictEqual(paramOf({ ...body, metadata }), "metadata")
    const longest = "j".repeat(512)
    assert.strictEqual(requestOf(artgen, { ...body, metadata: { job_id: longest } }).parentJobId, longest)
  })

  it("metadata.mask: inpaint requires it, and no other operation takes it", () => {
    const body = artgenBody("inpaint")
    assert.strictEqual(requestOf(artgen, body).extra["mask"], image)
    assert.strictEqual(paramOf({ ...body, metadata: { job_id: "j" } }), "metadata.mask")
    for (const operation of withJob.filter((each) => each !== "inpaint"))
      assert.strictEqual(
        paramOf({ ...artgenBody(operation), metadata: { job_id: "j", mask: image } }),
        "metadata.mask",
      )
  })

  it("metadata.mask: a Base64 Data URL whose bytes are an image", () => {
    for (const mask of [url, "data:image/png;base64,", dataUrl(Buffer.from("no image")), 7, [image], "x"])
      assert.strictEqual(
        paramOf({ ...artgenBody("inpaint"), metadata: { job_id: "j", mask } }),
        "metadata.mask",
      )
  })

  it("images (blend): 2 to 5 Base64 Data URLs", () => {
    const blend = (images: ReadonlyArray<string>) => ({ generation_type: "blend", images })
    for (const count of [2, 3, 4, 5]) {
      const images = Array.from({ length: count }, () => image)
      assert.deepStrictEqual(requestOf(artgen, blend(images)).images, images)
    }
    for (const count of [0, 1, 6])
      assert.strictEqual(paramOf(blend(Array.from({ length: count }, () => image))), "images")
    assert.strictEqual(paramOf({ generation_type: "blend" }), "images")
    assert.strictEqual(paramOf(blend([image, url])), "images.1")
    assert.strictEqual(
      messageOf(blend([image])),
      "`images` must hold 2 to 5 images for the operation blend; got an array of 1.",
    )
  })

  it("contract, Images: describe needs one image, by URL or as a Data URL", () => {
    const describe = (images: ReadonlyArray<string>) => ({ generation_type: "describe", images })
    assert.deepStrictEqual(requestOf(artgen, describe([url])).images, [url])
    assert.deepStrictEqual(requestOf(artgen, describe([image])).images, [image])
    assert.strictEqual(paramOf(describe([])), "images")
    assert.strictEqual(paramOf(describe([image, image])), "images")
  })

  it("operations on a finished step take no image; imagine takes up to 5 as references", () => {
    for (const operation of withJob)
      assert.strictEqual(paramOf({ ...artgenBody(operation), images: [url] }), "images")
    const images = [url, image, url, url, url]
    assert.deepStrictEqual(requestOf(artgen, { prompt: "a", images }).images, images)
    assert.strictEqual(artgen.limits.reference_images, 5)
  })

  it("prompt: required by imagine and inpaint, a wish for the others", () => {
    for (const operation of ["imagine", "inpaint"]) {
      const { prompt: _, ...without } = artgenBody(operation)
      for (const body of [without, { ...without, prompt: " " }]) assert.strictEqual(paramOf(body), "prompt")
    }
    assert.strictEqual(requestOf(artgen, artgenBody("variation2")).prompt, "")
    assert.strictEqual(requestOf(artgen, { ...artgenBody("variation2"), prompt: "more" }).prompt, "more")
    for (const prompt of [7, ["a"], "a\0", "a".repeat(6_001)])
      assert.strictEqual(paramOf({ ...artgenBody("reroll"), prompt }), "prompt")
  })

  it("image-tasks 2.1: size is an aspect ratio, n is 1", () => {
    assert.strictEqual(requestOf(artgen, { prompt: "a", size: "16:9" }).size, "16:9")
    assert.strictEqual(requestOf(artgen, { prompt: "a" }).size, "1:1")
    assert.isNull(requestOf(artgen, { ...artgenBody("upscale2"), size: "16:9" }).size)
    for (const size of ["1024x1024", "auto", "4:1", "0:1", "wide"])
      assert.strictEqual(paramOf({ prompt: "a", size }), "size")
    for (const n of [0, 2, 4]) assert.strictEqual(paramOf({ prompt: "a", n }), "n")
  })

  it("contract, Images: not offered on the synchronous endpoint; upstream links are handed on", () => {
    assert.deepStrictEqual(artgen.endpoints, ["/v1/images/tasks"])
    assert.strictEqual(artgen.delivery, "passthrough")
    assert.isUndefined(artgen.deliveryFixed)
  })

  it("the listing names the fields of metadata by their path", () => {
    assert.strictEqual(artgen.parameters["metadata"]?.type, "object")
    assert.include(artgen.parameters["metadata.job_id"]?.description ?? "", "imagine, blend, describe")
    assert.include(artgen.parameters["metadata.mask"]?.description ?? "", "inpaint")
  })

  it.effect("contract, Images: unknown fields of metadata are ignored and listed by their path", () =>
    Effect.gen(function* () {
      const { warnings } = yield* artgen.parse({
        ...artgenBody("seed"),
        metadata: { job_id: "j", order: 7, "job_id.x": 1, toString: 1 },
        "metadata.mask": image,
      })
      assert.deepStrictEqual(
        warnings.map(({ message }) => message),
        [
          'artgen has no such parameter; ignored: "metadata.order", "metadata.job_id.x", "metadata.toString", "metadata.mask".',
        ],
      )
    }),
  )
})

describe("Data URLs of images", () => {
  const blend = (one: string) => ({ generation_type: "blend", images: [image, one] })

  it("the bytes decide what an image is", () => {
    const png = pngHead(40, 30)
    for (const [good, what] of [
      [dataUrl(png, "image/jpeg"), "another image type in the head"],
      [dataUrl(png).replace("data:image/png;base64", "DATA:IMAGE/PNG;BASE64"), "capitals"],
      [dataUrl(Buffer.from("474946383961280028000000ff", "hex"), "image/gif"), "GIF"],
    ] as const)
      assert.isTrue(Result.isSuccess(parsed(artgen, blend(good))), what)
    for (const [bad, what] of [
      [dataUrl(png, "text/html"), "not an image's head"],
      [dataUrl(png).replace(";base64", ""), "not Base64 by its head"],
      [`${dataUrl(png)}!`, "not Base64"],
      [dataUrl(png).slice(0, -3), "cut Base64"],
      [dataUrl(png.subarray(0, 12)), "cut image"],
      [dataUrl(pngHead(0, 30)), "no width"],
      [dataUrl(Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "image/svg+xml"), "SVG"],
      ["data:,", "empty"],
    ] as const)
      assert.strictEqual(paramOf(blend(bad)), "images.1", what)
  })

  it("an image may have 20 MiB and no byte more", () => {
    const bytes = Buffer.alloc(20 * 1024 * 1024 + 1)
    pngHead(40, 30).copy(bytes)
    assert.isTrue(Result.isSuccess(parsed(artgen, blend(dataUrl(bytes.subarray(0, -1))))))
    const error = refusalOf(artgen, blend(dataUrl(bytes)))
    assert.strictEqual(error.param, "images.1")
    assert.include(error.message, "20971520")
    assert.isBelow(error.message.length, 300)
  })
})

describe("artgen prices", () => {
  /** The published table in thousandths of a dollar, written a second time: standard and hd. */
  const table: { readonly [operation: string]: readonly [number, number] } = {
    ...Object.fromEntries(all.map((operation) => [operation, [40, 80] as const])),
    ...Object.fromEntries([1, 2, 3, 4].map((cell) => [`upsample${cell}`, [10, 10] as const])),
    upscale2: [40, 40],
    upscale4: [80, 80],
    describe: [10, 10],
    seed: [1, 1],
  }

  it("every operation, mode and quality costs what the table says; turbo costs twice but for seed", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...all),
        fc.constantFrom("fast", "turbo"),
        fc.constantFrom("standard", "hd"),
        (operation, mode, quality) => {
          const base = table[operation]?.[quality === "hd" ? 1 : 0] ?? 0
          const expected = mode === "turbo" && operation !== "seed" ? base * 2 : base
          const cost = costOf({ ...artgenBody(operation), mode, quality })
          assert.strictEqual(Number(cost) * 1000, expected)
          const row = artgen.pricing.table.find(
            (each) =>
              each["operation"] === operation &&
              each["mode"] === mode &&
              (each["quality"] === undefined || each["quality"] === quality),
          )
          assert.strictEqual(row?.["usd"], cost)
        },
      ),
      { numRuns: 400 },
    )
  })

  it("whatever the body, parsing gives a priced request with what its operation needs, or a refusal", () => {
    const metadata = fc.option(
      fc.record(
        { job_id: fc.constantFrom("j", "", 7, null), mask: fc.constantFrom(image, url, null, 7) },
        { requiredKeys: [] },
      ),
    )
    const body = fc.record(
      {
        generation_type: fc.constantFrom(...all, "none"),
        prompt: fc.constantFrom("a", "", null, 7),
        images: fc.option(fc.array(fc.constantFrom(image, url, "data:x"), { maxLength: 6 })),
        metadata,
        mode: fc.constantFrom("fast", "turbo", "slow"),
        quality: fc.constantFrom("hd", "standard", null),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(body, (given) => {
        const result = parsed(artgen, given as RequestBody)
        if (Result.isFailure(result)) {
          assert.strictEqual(result.failure.code, "invalid_parameter")
          assert.match(
            result.failure.param ?? "",
            /^(prompt|mode|generation_type|images(\.\d)?|metadata\.(job_id|mask))$/,
          )
          return
        }
        const request = result.success
        const operation = String(request.extra["generation_type"])
        assert.strictEqual(request.parentJobId !== null, withJob.includes(operation))
        assert.strictEqual(request.extra["mask"] !== null, operation === "inpaint")
        if (operation === "blend")
          assert.isTrue(request.images.every((each) => each.startsWith("data:image/")))
        assert.strictEqual(artgen.price(request).length, 1)
      }),
      { numRuns: 3000 },
    )
  })
})
