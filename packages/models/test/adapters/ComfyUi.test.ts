import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ComfyUi from "../../src/adapters/ComfyUi.ts"
import { channelContract } from "../../src/testing/channelContract.ts"
import { samplePng } from "../../src/testing/samples.ts"
import {
  generate,
  reference,
  requestWith,
  settingsAt,
  verdictOf,
  withClient,
} from "../../src/testing/settings.ts"
import { bytes, json, makeVendor, type Vendor } from "../../src/testing/vendor.ts"

const id = "0f1c9d2e-6a51-4a3c-8a4e-2f9f5a0d7b11"

const workflow = {
  "3": { class_type: "KSampler", inputs: { seed: 1, steps: 20, latent_image: ["5", 0] } },
  "4": { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "base" } },
  "5": { class_type: "EmptyLatentImage", inputs: { batch_size: 1, height: 512, width: 512 } },
  "6": { class_type: "CLIPTextEncode", inputs: { clip: ["4", 1], text: "" } },
  "9": { class_type: "SaveImage", inputs: { filename_prefix: "a", images: ["8", 0] } },
  "10": { class_type: "LoadImage", inputs: { image: "example.png" } },
}
const options: ComfyUi.Options = {
  workflow,
  fields: {
    prompt: "6.text",
    seed: "3.seed",
    width: "5.width",
    height: "5.height",
    n: "5.batch_size",
    model: "4.ckpt_name",
    images: ["10.image"],
  },
}

const saved = { filename: "a_00001_.png", subfolder: "day 1", type: "output" }
const preview = { filename: "p.png", subfolder: "", type: "temp" }
const history = (more: object = {}) => ({
  [id]: {
    outputs: { "8": { images: [preview] }, "9": { images: [saved] } },
    status: { status_str: "success", completed: true, messages: [] },
    ...more,
  },
})
const failure = (event: string, detail: object) =>
  history({
    outputs: {},
    status: {
      status_str: "error",
      completed: false,
      messages: [
        ["execution_start", {}],
        [event, detail],
      ],
    },
  })

channelContract({
  name: "comfyui",
  make: ComfyUi.make,
  options,
  submit: { method: "POST", path: "/prompt" },
  accepted: () => ({ prompt_id: id, number: 3, node_errors: {} }),
  poll: {
    method: "GET",
    path: `/history/${id}`,
    id,
    pending: {},
    finished: () => history(),
    failed: failure("execution_error", { exception_message: "out of memory", node_type: "KSampler" }),
    result: {
      method: "GET",
      path: "/view",
      reply: (image) => bytes(Buffer.from(image, "base64")),
    },
  },
  rejections: [],
  inBytes: true,
})

const queue = (running: ReadonlyArray<string>, waiting: ReadonlyArray<string>) =>
  json({
    queue_running: running.map((each, number) => [number, each, {}, {}, ["9"]]),
    queue_pending: waiting.map((each, number) => [number, each, {}, {}, ["9"]]),
  })

const behaveWell = (vendor: Vendor) => {
  vendor.on("POST", "/prompt", json({ prompt_id: id, number: 1, node_errors: {} }))
  vendor.on("GET", `/history/${id}`, json({}), json({}), json(history()))
  vendor.on("GET", "/queue", queue([], [id]), queue([id], []))
  vendor.on("GET", "/view", bytes(samplePng))
}

const channelAt = (vendor: Vendor, given: ComfyUi.Options = options) =>
  Effect.map(settingsAt(vendor.url, given), ComfyUi.make)

describe("comfyui: requests", () => {
  it.live("the workflow goes with its places filled, and the saved image comes back; previews do not", () =>
    withClient(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        behaveWell(vendor)
        const channel = yield* channelAt(vendor)
        const generation = yield* generate(channel, { seed: 7, n: 2 })
        assert.strictEqual(generation.images.length, 1)
        const [order] = vendor.asked("POST", "/prompt")
        assert.deepStrictEqual(order?.json, {
          prompt: {
            ...workflow,
            "3": { ...workflow[3], inputs: { ...workflow[3].inputs, seed: 7 } },
            "4": { ...workflow[4], inputs: { ckpt_name: "up-gen-image-2" } },
            "5": { ...workflow[5], inputs: { batch_size: 2, height: 1024, width: 1024 } },
            "6": { ...workflow[6], inputs: { ...workflow[6].inputs, text: "a lighthouse" } },
          },
        })
        assert.deepStrictEqual(
          vendor.asked("GET", "/view").map(({ path }) => path),
          ["/view?filename=a_00001_.png&subfolder=day+1&type=output"],
        )
      }),
    ),
  )

  it.live("reference images are stored first, and more than there are places for are refused", () =>
    withClient(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        behaveWell(vendor)
        vendor.on("POST", "/upload/image", json({ name: "stored.png", subfolder: "in", type: "input" }))
        const image = `data:image/png;base64,${Buffer.from(samplePng).toString("base64")}`
        const channel = yield* channelAt(vendor)
        yield* generate(channel, { images: [image] })
        const [order] = vendor.asked("POST", "/prompt")
        assert.include(JSON.stringify(order?.json), '"image":"in/stored.png"')
        const form = yield* Effect.promise(async () => vendor.asked("POST", "/upload/image")[0]?.form())
        assert.strictEqual(form?.get("overwrite"), "true")
        const refused = yield* Effect.flip(generate(channel, { images: [image, image] }))
        assert.deepStrictEqual(verdictOf(refused), ["failed"])
      }),
    ),
  )

  it.effect("a prompt that was interrupted is canceled; a node's failure says which and why", () =>
    withClient(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        const channel = yield* channelAt(vendor)
        const resume = channel.generate({
          reference,
          request: requestWith(),
          upstreamId: id,
          onAccepted: () => Effect.void,
          onProgress: () => Effect.void,
        })
        vendor.on("GET", `/history/${id}`, json(failure("execution_interrupted", {})))
        assert.strictEqual((yield* Effect.flip(resume)).reason, "canceled")
        const detail = { exception_message: "out of\nmemory", node_type: "KSampler" }
        vendor.on("GET", `/history/${id}`, json(failure("execution_error", detail)))
        assert.strictEqual(
          (yield* Effect.flip(resume)).message,
          "The upstream's workflow failed in KSampler: out of memory",
        )
      }),
    ),
  )

  it.effect("only a prompt that runs is interrupted, so that no other one is", () =>
    withClient(
      Effect.gen(function* () {
        const vendor = yield* makeVendor
        const { cancel } = yield* channelAt(vendor)
        vendor.on("GET", "/queue", queue(["another"], [id]), queue([id], []))
        vendor.on("POST", "/interrupt", bytes(""))
        assert.strictEqual(yield* cancel?.(id) ?? Effect.succeed(true), false)
        assert.strictEqual(vendor.asked("POST", "/interrupt").length, 0)
        assert.strictEqual(yield* cancel?.(id) ?? Effect.succeed(false), true)
        assert.deepStrictEqual(vendor.asked("POST", "/interrupt")[0]?.json, { prompt_id: id })
      }),
    ),
  )
})

describe("comfyui: options", () => {
  const problem = (more: object): string => {
    try {
      Schema.decodeUnknownSync(ComfyUi.Options)({ ...options, ...more })
      return "accepted"
    } catch (error) {
      return String(error)
    }
  }

  it("are refused where the workflow cannot be read, is of another format, or lacks a place", () => {
    assert.strictEqual(problem({}), "accepted")
    assert.strictEqual(
      problem({ workflow: "docs/operate/comfyui-workflow.json", fields: { prompt: "6.text" } }),
      "accepted",
    )
    assert.include(problem({ workflow: "missing.json" }), "missing.json cannot be read as JSON")
    assert.include(problem({ workflow: { nodes: [], links: [] } }), "not in ComfyUI's API format")
    assert.include(problem({ fields: { prompt: "6.words" } }), "the workflow has no input 6.words")
    assert.include(problem({ fields: { prompt: "6" } }), "NODE.INPUT")
  })
})
