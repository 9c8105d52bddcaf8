import type { ImageChannel } from "@atelier/core"
import * as Schema from "effect/Schema"
import type { AdapterSettings, MakeChannel } from "./Adapter.ts"
import * as ArkImages from "./ArkImages.ts"
import * as Automatic1111 from "./Automatic1111.ts"
import * as Imagine from "./Imagine.ts"
import * as MidjourneyProxy from "./MidjourneyProxy.ts"
import * as OpenAiImages from "./OpenAiImages.ts"

/** An adapter as the configuration uses it: the schema of its options, and its `make` over unread options. */
export interface AdapterModule {
  readonly Options: Schema.Codec<object, unknown>
  /** Throws where the options were not checked by `Options` before. */
  readonly make: (settings: Omit<AdapterSettings, "options">, options: unknown) => ImageChannel
}

const adapter = <O extends object>(module: {
  readonly Options: Schema.Codec<O, unknown>
  readonly make: MakeChannel<O>
}): AdapterModule => ({
  Options: module.Options,
  make: (settings, options) =>
    module.make({ ...settings, options: Schema.decodeUnknownSync(module.Options)(options) }),
})

/** Adapters of upstreams that are called over HTTP, by the name that a channel's `adapter` has. */
export const httpAdapters = {
  "openai-images": adapter(OpenAiImages),
  imagine: adapter(Imagine),
  "ark-images": adapter(ArkImages),
  "midjourney-proxy": adapter(MidjourneyProxy),
  automatic1111: adapter(Automatic1111),
} as const
export type HttpAdapterName = keyof typeof httpAdapters
