import { ModelPrice } from "@atelier/core"
import { type HttpAdapterName, httpAdapters } from "@atelier/models"
import * as Schema from "effect/Schema"
import { builtInAdapters } from "./adapters.ts"

/** Image channels are named so in logs and in stored tasks. */
const Id = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,63}$/, {
    expected: "1 to 64 lower-case letters, digits and hyphens",
  }),
)

const atLeast = (minimum: number) => Schema.Int.check(Schema.isGreaterThanOrEqualTo(minimum))

const shared = {
  id: Id,
  models: Schema.Record(Schema.String, Schema.String).annotate({
    description: "Public model id or glob, and the upstream's name for it; `*`: the public name.",
  }),
  priority: Schema.optionalKey(Schema.Int).annotateKey({
    description: "Lower ones are tried first.",
    default: 0,
  }),
  weight: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))).annotateKey({
    description: "Share among channels of equal priority.",
    default: 1,
  }),
  costs: Schema.optionalKey(Schema.Record(Schema.String, ModelPrice)).annotateKey({
    description:
      "What the upstream takes for an image in US dollars, by public model id or glob, in the form of a model's price; shown beside the prices.",
  }),
}

const LocalChannel = Schema.Struct({
  ...shared,
  adapter: Schema.Literal("local").annotate({ description: "Real images without a network." }),
})
const FaultyChannel = Schema.Struct({
  ...shared,
  adapter: Schema.Literal("faulty").annotate({ description: "The test vendor." }),
})

/** An address of an upstream as the configuration has it. */
export const HttpUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/, {
    expected: "an http or https URL without credentials, query and fragment",
  }),
)

/** The fields of a setting that needs a key. */
export const apiKeyFields = {
  api_key: Schema.optionalKey(Schema.String),
  api_key_env: Schema.optionalKey(Schema.String).annotateKey({
    description: "Name of the environment variable that holds the key.",
  }),
}

const upstream = {
  ...shared,
  ...apiKeyFields,
  concurrency: Schema.optionalKey(atLeast(1)).annotateKey({
    description: "Most requests at once; absent: no bound.",
  }),
}

const httpChannel = <N extends HttpAdapterName>(name: N) =>
  Schema.Struct({
    ...upstream,
    base_url: HttpUrl,
    adapter: Schema.Literal(name),
    options: Schema.optionalKey(httpAdapters[name].Options),
  })

/** Of a vendor whose address the adapter knows. */
const vendorChannel = <N extends HttpAdapterName>(name: N) =>
  Schema.Struct({
    ...upstream,
    base_url: Schema.optionalKey(HttpUrl).annotateKey({ default: httpAdapters[name].baseUrl }),
    adapter: Schema.Literal(name),
    options: Schema.optionalKey(httpAdapters[name].Options),
  })

const PluginChannel = Schema.Struct({
  ...upstream,
  base_url: Schema.optionalKey(HttpUrl).annotateKey({
    description: "Where the upstream is; the adapter may know it.",
  }),
  adapter: Schema.String.check(
    Schema.makeFilter((name) => !builtInAdapters.includes(name), {
      expected: "the name of a plugin's adapter",
    }),
  ).annotate({ description: "Of a plugin." }),
  options: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
})

/** A channel of an adapter that needs no plugin. */
export const BuiltInChannel = Schema.Union([
  LocalChannel,
  FaultyChannel,
  httpChannel("openai-images"),
  httpChannel("imagine"),
  httpChannel("ark-images"),
  httpChannel("midjourney-proxy"),
  httpChannel("automatic1111"),
  httpChannel("comfyui"),
  vendorChannel("replicate"),
  vendorChannel("fal"),
  vendorChannel("bfl"),
  vendorChannel("gemini"),
  vendorChannel("stability"),
])

/** One entry of `channels` (contract, Running it): an upstream and the models that it serves. */
export const ChannelSetting = Schema.Union([BuiltInChannel, PluginChannel])
export type ChannelSetting = typeof ChannelSetting.Type
