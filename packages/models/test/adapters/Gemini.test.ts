import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Gemini from "../../src/adapters/Gemini.ts"
import { channelContract } from "../../src/testing/channelContract.ts"
import { samplePng } from "../../src/testing/samples.ts"
import { generate, secret, settingsAt, withClient } from "../../src/testing/settings.ts"
import { json, makeVendor } from "../../src/testing/vendor.ts"

const path = "/models/up-gen-image-2:generateContent"
const base64 = Buffer.from(samplePng).toString("base64")
const part = (data: string) => ({ inlineData: { mimeType: "image/png", data } })
const candidate = (parts: ReadonlyArray<object>, finishReason = "STOP") => ({
  candidates: [{ content: { role: "model", parts }, finishReason }],
})

channelContract({
  name: "gemini",
  make: Gemini.make,
  submit: { method: "POST", path },
  accepted: (image) => candidate([{ text: "Here it is." }, part(image)]),
  inBytes: true,
  rejections: [
    json({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }),
    json(candidate([{ text: "I cannot." }], "IMAGE_SAFETY")),
  ],
})

describe("gemini: requests", () => {
  it.effect(
    "the prompt, a ratio and a reference image's bytes, by Google's header; drafts are left out",
    () =>
      withClient(
        Effect.gen(function* () {
          const vendor = yield* makeVendor
          const settings = yield* settingsAt(vendor.url, { sizes: true })
          const { url } = vendor.link(samplePng)
          const draft = { ...part(base64), thought: true }
          vendor.on("POST", path, json(candidate([draft, part(base64)])))
          const { images } = yield* generate(Gemini.make(settings), {
            size: "16:9",
            resolution: "2K",
            images: [url],
            n: 2,
          })
          assert.lengthOf(images, 1)
          assert.deepStrictEqual(vendor.asked("POST", path)[0]?.json, {
            contents: [{ role: "user", parts: [{ text: "a lighthouse" }, part(base64)] }],
            generationConfig: {
              responseModalities: ["IMAGE"],
              imageConfig: { aspectRatio: "16:9", imageSize: "2K" },
            },
          })
          assert.strictEqual(vendor.asked("POST", path)[0]?.headers["x-goog-api-key"], secret)
        }),
      ),
  )

  it.effect("a wrong key, which Google answers with 400, is the operator's fault", () =>
    withClient(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        const error = { code: 400, message: "API key not valid.", status: "INVALID_ARGUMENT" }
        vendor.on("POST", path, json({ error }, 400))
        const failure = yield* Effect.flip(
          generate(Gemini.make(yield* settingsAt<Gemini.Options>(vendor.url))),
        )
        assert.strictEqual(failure.reason, "unavailable")
      }),
    ),
  )
})
