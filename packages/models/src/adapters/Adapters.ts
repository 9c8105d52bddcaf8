import type { ImageChannel } from "@atelier/core"
import * as Schema from "effect/Schema"
import type { AdapterSettings, MakeChannel } from "./Adapter.ts"
import * as ArkImages from "./ArkImages.ts"
import * as Automatic1111 from "./Automatic1111.ts"
import * as Bfl from "./Bfl.ts"
import * as ComfyUi from "./ComfyUi.ts"
import * as Fal from "./Fal.ts"
import * as Gemini from "./Gemini.ts"
import * as Imagine from "./Imagine.ts"
import * as MidjourneyProxy from "./MidjourneyProxy.ts"
import * as OpenAiImages from "./OpenAiImages.ts"
import * as Replicate from "./Replicate.ts"
import * as Stability from "./Stability.ts"

/** An adapter as the configuration uses it: the schema of its options, and its `make` over unread options. */
export interface Adapter {
  readonly Options: Schema.Codec<object, unknown>
  /** Where the vendor is; absent: a channel must say it. */
  readonly baseUrl?: string
  /** Throws where the options were not checked by `Options` before. */
  readonly make: (settings: Omit<AdapterSettings, "options">, options: unknown) => ImageChannel
}

/** What a module of an adapter exports: `make`, and the schema of the channel's `options`; absent: it has none. */
export interface AdapterModule<O extends object> {
  readonly Options?: Schema.Codec<O, unknown>
  readonly baseUrl?: string
  readonly make: MakeChannel<O>
}

const NoOptions = Schema.Struct({})

/** Makes an adapter that the configuration can name; plugins list what it gives. */
export const defineAdapter = <O extends object = object>(module: AdapterModule<O>): Adapter => {
  const { Options } = module
  return {
    Options: Options ?? NoOptions,
    ...(module.baseUrl === undefined ? {} : { baseUrl: module.baseUrl }),
    make: (settings, options) =>
      module.make(
        Options === undefined
          ? settings
          : { ...settings, options: Schema.decodeUnknownSync(Options)(options) },
      ),
  }
}

/** Adapters of upstreams that are called over HTTP, by the name that a channel's `adapter` has. */
export const httpAdapters = {
  "openai-images": defineAdapter(OpenAiImages),
  imagine: defineAdapter(Imagine),
  "ark-images": defineAdapter(ArkImages),
  "midjourney-proxy": defineAdapter(MidjourneyProxy),
  automatic1111: defineAdapter(Automatic1111),
  comfyui: defineAdapter({ Options: ComfyUi.Options, make: ComfyUi.make }),
  replicate: defineAdapter({ Options: Replicate.Options, baseUrl: Replicate.baseUrl, make: Replicate.make }),
  bfl: defineAdapter({ Options: Bfl.Options, baseUrl: Bfl.baseUrl, make: Bfl.make }),
  gemini: defineAdapter({ Options: Gemini.Options, baseUrl: Gemini.baseUrl, make: Gemini.make }),
  stability: defineAdapter({
    Options: Stability.Options,
    baseUrl: Stability.baseUrl,
    make: Stability.make,
  }),
  fal: defineAdapter({ Options: Fal.Options, baseUrl: Fal.baseUrl, make: Fal.make }),
} as const
export type HttpAdapterName = keyof typeof httpAdapters
