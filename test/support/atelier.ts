import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { FileBlobs } from "@atelier/blobs"
import {
  Access,
  Admin,
  Callback,
  Downloads,
  Executors,
  type GeneratedImage,
  type Generation,
  type ImageBytes,
  type ImageChannel,
  type ImageModel,
  ImageModels,
  LedgerStore,
  type Principal,
  ReferenceImages,
  refuse,
  Services,
  type StorageError,
  TaskSignals,
  type ToolExecutor,
  type UpstreamError,
  usd,
} from "@atelier/core"
import { Sql } from "@atelier/sql"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The behaviour of the scripted parts of the application under test; tests replace it. */
export interface Script {
  generate: (input: Parameters<ImageChannel["generate"]>[0]) => Effect.Effect<Generation, UpstreamError>
  repeatable: boolean
  /** A second channel, tried after the first; absent: there is none. */
  backup?: ImageChannel["generate"]
  checkReferences: (urls: ReadonlyArray<string>) => Effect.Effect<void>
  runTool: (job: Parameters<ToolExecutor["run"]>[0], toolId: string) => ReturnType<ToolExecutor["run"]>
  download: Downloads["Service"]["image"]
  post: Callback["Service"]["post"]
  /** The references of the calls of `generate`, in order. */
  readonly generated: Array<string>
}

export class TestScript extends Context.Service<TestScript, Script>()("test/Script") {}

/** An image of arbitrary bytes, which core does not look at. */
export const image = (text: string): ImageBytes => ({
  bytes: new TextEncoder().encode(text),
  contentType: "image/png",
  width: 16,
  height: 16,
})

/** Results in memory, as tools return small ones. */
export const heldResults: Script["runTool"] = ({ outputFormats }) =>
  Effect.succeed({
    results: outputFormats.map((format) => {
      const data = new TextEncoder().encode(`as ${format}`)
      return { format, data, bytes: data.length, contentType: "text/plain" }
    }),
    warnings: [],
  })

export const generation = (images: ReadonlyArray<GeneratedImage>): Generation => ({
  images,
  jobId: null,
  text: null,
  seed: null,
})

/** A model at 0.1 USD for each image: 50,000 units. */
const model: ImageModel = {
  id: "test-model",
  ownedBy: "test",
  created: 0,
  endpoints: ["/v1/images/tasks"],
  parameters: { n: { type: "integer", default: 1, minimum: 1, maximum: 4 } },
  limits: { n: 4, reference_images: 2, prompt_chars: 1000 },
  pricing: { unit: "image", currency: "USD", table: [{ usd: "0.1" }] },
  delivery: "archive",
  parse: (body) => {
    const { n = 1, prompt, images = [], callback_url, job_id } = body
    if (typeof n !== "number" || !Number.isInteger(n) || n < 1 || n > 4) {
      return Effect.fail(refuse("invalid_parameter", "`n` must be 1 to 4.", { param: "n" }))
    }
    const request = {
      model: "test-model",
      prompt: String(prompt),
      n,
      width: 16,
      height: 16,
      size: null,
      resolution: null,
      quality: null,
      seed: null,
      images: Array.isArray(images) ? images.map(String) : [],
      extra: {},
      parentJobId: typeof job_id === "string" ? job_id : null,
      callbackUrl: typeof callback_url === "string" ? callback_url : null,
    }
    return Effect.succeed({ request, warnings: [] })
  },
  price: ({ n }) => [{ description: "image", quantity: n, unitPriceUsd: usd("0.1") }],
}

const scripted = Layer.sync(TestScript, () => {
  const script: Script = {
    generate: ({ request }) =>
      Effect.succeed(
        generation(Array.from({ length: request.n }, (_, index) => image(`${request.prompt} ${index}`))),
      ),
    repeatable: true,
    checkReferences: () => Effect.void,
    runTool: ({ outputDirectory, outputFormats }) =>
      Effect.map(outputDirectory, (directory) => ({
        results: outputFormats.map((format) => {
          const path = join(directory, format)
          writeFileSync(path, `as ${format}`)
          return { format, path, bytes: 3 + format.length, contentType: "text/plain" }
        }),
        warnings: [],
      })),
    download: (url) => Effect.succeed(image(url)),
    post: () => Effect.succeed(200),
    generated: [],
  }
  return script
})

const models = Layer.effect(
  ImageModels,
  Effect.gen(function* () {
    const script = yield* TestScript
    const channel: ImageChannel = {
      id: "scripted",
      get repeatable() {
        return script.repeatable
      },
      generate: (input) =>
        Effect.suspend(() => {
          script.generated.push(input.reference)
          return script.generate(input)
        }),
    }
    const backup: ImageChannel = {
      id: "backup",
      repeatable: true,
      generate: (input) => (script.backup ?? script.generate)(input),
    }
    const channels = () => (script.backup === undefined ? [channel] : [channel, backup])
    return ImageModels.of({
      models: [model],
      find: (id) => (id === model.id ? model : undefined),
      successorOf: (id) => (id === "old-model" ? model.id : undefined),
      channels: ["scripted", "backup"].map((id) => ({
        id,
        adapter: null,
        models: [model.id],
        priority: 0,
        weight: 1,
        costs: {},
        breaker: Effect.succeed("closed"),
        calls: Effect.succeed({ inUse: 0, limit: null, errors: [] }),
      })),
      channelsFor: () => Effect.sync(channels),
      channel: (id) => channels().find((candidate) => candidate.id === id),
    })
  }),
)

const executors = Layer.effect(
  Executors,
  Effect.gen(function* () {
    const script = yield* TestScript
    const tool = (id: string): ToolExecutor => ({
      definition: {
        id,
        name: id,
        description: id,
        extensions: [".txt"],
        maxFileBytes: 1000,
        timeoutSeconds: 30,
        outputFormats: ["markdown", "json"],
        unitPriceUsd: "0.0001",
      },
      inspect: () => Effect.succeed({ contentType: "text/plain" }),
      run: (job) => Effect.suspend(() => script.runTool(job, id)),
    })
    return [tool("test-tool"), tool("other-tool")]
  }),
)

const references = Layer.effect(
  ReferenceImages,
  Effect.gen(function* () {
    const script = yield* TestScript
    return { typeOf: () => "image/png", check: (urls) => Effect.suspend(() => script.checkReferences(urls)) }
  }),
)

const downloads = Layer.effect(
  Downloads,
  Effect.gen(function* () {
    const script = yield* TestScript
    return { image: (url) => Effect.suspend(() => script.download(url)) }
  }),
)

const callback = Layer.effect(
  Callback,
  Effect.gen(function* () {
    const script = yield* TestScript
    return {
      check: () => Effect.void,
      post: (url, headers, body) => Effect.suspend(() => script.post(url, headers, body)),
    }
  }),
)

/** A directory that is removed with the scope. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "atelier-test-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true })),
)

type StoresLayer<More = never> = Layer.Layer<Sql.Stores | More, StorageError>

/**
 * Every service over real SQLite and real files, with a scripted upstream and a scripted tool. No workers.
 * `wrap` stands before the stores.
 */
export const atelierOver = <More>(directory: string, wrap: (stores: StoresLayer) => StoresLayer<More>) =>
  Services.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(models, executors, references, downloads, callback)),
    Layer.provideMerge(
      Layer.mergeAll(
        wrap(Sql.layerSqlite({ filename: join(directory, "atelier.db") })),
        FileBlobs.layer({ directory: join(directory, "blobs") }),
        SecureRandom.layerWebCrypto,
        TaskSignals.layerMemory,
        scripted,
      ),
    ),
  )

/** The application in a fresh directory. */
export const freshAtelier = Layer.unwrap(
  Effect.map(temporaryDirectory, (directory) => atelierOver(directory, (stores) => stores)),
)

/** A user with a wallet and one key. */
export const principalWith = Effect.fnUntraced(function* (
  balanceUsd: string,
  settings: Parameters<Admin["Service"]["createKey"]>[1] = {},
) {
  const admin = yield* Admin
  const access = yield* Access
  const { user } = yield* admin.createUser({ name: "test", balanceUsd: usd(balanceUsd) })
  const { secret } = yield* admin.createKey(user.id, settings)
  return yield* access.authenticate(secret, null)
})

/** The ledger agrees with every balance, and the user's balance is this. */
export const balanceOf = Effect.fnUntraced(function* (principal: Principal) {
  const ledger = yield* LedgerStore
  const wrong = yield* ledger.audit
  if (wrong.length > 0) return yield* Effect.die(new Error(`the ledger disagrees with ${wrong.join(", ")}`))
  const { wallet, held, spent } = yield* ledger.balance(principal.user.id)
  return { wallet, held, spent }
})
