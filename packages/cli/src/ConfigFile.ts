import { BlockList, isIP } from "node:net"
import { DocumentSettings, defaultLimits, type LimitValues, ModelOverride, ToolOverride } from "@atelier/core"
import { apiKeyFields, BuiltInChannel, ChannelSetting, HttpUrl } from "@atelier/plugin"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { SettingError } from "./SettingError.ts"

/** Limits that have a largest value, others have none. */
const largest: { readonly [limit: string]: number } = {
  /** contract, Running it: SIGTERM ends the process within 10 s; draining leaves one second for everything else. */
  drain_ms: 9_000,
  /** Arriving uploads are buffered in memory up to this size, and rows that hold them are read whole. */
  small_document_bytes_max: 1024 * 1024,
}

/** Limits that 0 turns off; others are at least 1. */
const mayBeZero: ReadonlySet<string> = new Set(["finished_task_retention_ms"])

const AccountId = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{1,64}$/, { expected: "1 to 64 letters, digits, hyphens and underscores" }),
)

const Converter = Schema.Union([
  Schema.Struct({
    adapter: Schema.Literal("embedded").annotate({ description: "Works here, without a vendor." }),
  }),
  Schema.Struct({
    ...apiKeyFields,
    adapter: Schema.Literal("cloudflare").annotate({
      description: "Cloudflare Workers AI, Markdown Conversion.",
    }),
    account_id: AccountId,
    base_url: Schema.optionalKey(HttpUrl).annotateKey({ default: "https://api.cloudflare.com/client/v4" }),
  }),
  Schema.Struct({
    ...apiKeyFields,
    adapter: Schema.Literal("docling-serve"),
    base_url: HttpUrl,
  }),
  Schema.Struct({
    adapter: Schema.Literal("tika").annotate({ description: "Apache Tika server." }),
    base_url: HttpUrl,
  }),
])
export type Converter = typeof Converter.Type

const differentIds = Schema.makeFilter(
  (channels: ReadonlyArray<ChannelSetting>) => new Set(channels.map(({ id }) => id)).size === channels.length,
  { message: "two channels have the same id" },
)

const integer = (expected: string, maximum = Number.MAX_SAFE_INTEGER, minimum = 1) => {
  const message = `Expected ${expected}`
  return Schema.Number.annotate({ message }).check(
    Schema.isInt({ message }),
    Schema.isBetween({ minimum, maximum }, { message }),
  )
}
const positive = integer("an integer greater than 0")

const natural = integer("an integer that is not negative", undefined, 0)

const limit = (name: string, byDefault: number) => {
  const maximum = largest[name]
  const unbounded = mayBeZero.has(name) ? natural : positive
  return Schema.optionalKey(
    maximum === undefined ? unbounded : integer(`an integer from 1 to ${maximum}`, maximum),
  ).annotateKey({ default: byDefault })
}

const limitFields = Object.fromEntries(
  Object.entries(defaultLimits).map(([name, value]) => [name, limit(name, value)]),
) as { readonly [K in keyof LimitValues]: ReturnType<typeof limit> }

/** True for an IPv4 or IPv6 address or CIDR range. */
const isRange = (text: string): boolean => {
  const [network = "", prefix, ...rest] = text.split("/")
  if (isIP(network) === 0 || rest.length > 0) return false
  if (prefix === undefined) return true
  try {
    new BlockList().addSubnet(network, Number(prefix), isIP(network) === 6 ? "ipv6" : "ipv4")
    return /^\d+$/.test(prefix)
  } catch {
    return false
  }
}

const Range = Schema.String.check(
  Schema.makeFilter(isRange, { expected: "an IP address or a CIDR range such as 10.0.0.0/8" }),
)

/** True for scheme and host, with a port where it is not the scheme's own: as browsers send it. */
const isOrigin = (text: string): boolean =>
  URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text

const Origin = Schema.String.check(
  Schema.makeFilter(isOrigin, { expected: "an origin such as https://app.example.com, without a path" }),
)

/**
 * The configuration file (contract, Running it): channels, converter, catalog overrides, limits. Names are those of the
 * file; a name that is not here is refused.
 */
export const ConfigFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  channels: Schema.optionalKey(Schema.Array(ChannelSetting).check(differentIds)).annotateKey({
    description: "Upstreams and the models that each serves; without any, every model is served by `local`.",
  }),
  converter: Schema.optionalKey(Converter).annotateKey({
    description: "What converts documents for `file-md-json`; without it, the embedded converter.",
  }),
  documents: Schema.optionalKey(DocumentSettings).annotateKey({
    description: "What holds for all document tools.",
  }),
  plugins: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(100))).annotateKey({
    description:
      "Packages, or paths from the folder of this file, whose tools, adapters and families are added.",
  }),
  models: Schema.optionalKey(Schema.Record(Schema.String, ModelOverride)).annotateKey({
    description: "Overrides by model id or glob; with a `family`, a new model under the id.",
  }),
  tools: Schema.optionalKey(Schema.Record(Schema.String, ToolOverride)).annotateKey({
    description: "Overrides by tool id.",
  }),
  limits: Schema.optionalKey(Schema.Struct(limitFields)).annotateKey({
    description: "Bounds of the service; the unit is the end of each name.",
  }),
  network: Schema.optionalKey(
    Schema.Struct({
      allow_private: Schema.optionalKey(Schema.Array(Range)).annotateKey({
        description: "Private ranges that outgoing requests may reach; keep it to single hosts.",
      }),
      trusted_proxies: Schema.optionalKey(Schema.Array(Range)).annotateKey({
        description: "Proxies in front of the server whose `X-Forwarded-For` is believed.",
      }),
      cors_origins: Schema.optionalKey(Schema.Array(Origin)).annotateKey({
        description: "Origins of web pages that may call `/v1` from a browser; by default none.",
        default: [],
      }),
    }),
  ).annotateKey({ description: "Addresses that are trusted more than others." }),
  synchronous_idempotency: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      "Whether `POST /v1/images/generations` takes `Idempotency-Key` too; by default it ignores the header.",
    default: false,
  }),
  account_page: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether customers have a page of their own at `/account`, which they open with an API key.",
    default: false,
  }),
  units_per_usd: Schema.optionalKey(positive).annotateKey({
    description: "Account quota units that make one US dollar.",
    default: 500_000,
  }),
})
export type ConfigFile = typeof ConfigFile.Type

/** Reads a configuration from JSON text. `source` is what the refusal calls the text. */
export const parse = (text: string, source: string): Effect.Effect<ConfigFile, SettingError> =>
  Effect.suspend(() => {
    const json = parseJson(text)
    if (json === undefined) {
      return Effect.fail(new SettingError({ setting: source, problem: "the file is not valid JSON" }))
    }
    const decode: typeof decodeWithPlugins = hasPlugins(json.value) ? decodeWithPlugins : decodeBuiltIn
    return decode(json.value, { onExcessProperty: "error", errors: "all" }).pipe(
      Effect.mapError((error) => refusal(error.issue, json.value, source)),
    )
  })

const decodeWithPlugins = Schema.decodeUnknownEffect(ConfigFile)
/** Without plugins an adapter is one of those that are known: what is wrong with a channel is said exactly. */
const decodeBuiltIn = Schema.decodeUnknownEffect(
  Schema.Struct({
    ...ConfigFile.fields,
    channels: Schema.optionalKey(Schema.Array(BuiltInChannel).check(differentIds)),
  }),
)

const hasPlugins = (config: unknown): boolean =>
  typeof config === "object" && config !== null && "plugins" in config

const parseJson = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const unknownName = "there is no such setting"

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "UnexpectedKey") return unknownName
    if (issue._tag === "MissingKey") return "the setting is missing"
    return SchemaIssue.defaultLeafHook(issue)
  },
})

const refusal = (issue: SchemaIssue.Issue, input: unknown, source: string): SettingError => {
  // A wrong value is reported before an unknown name, which may follow from it.
  const { issues } = formatIssue(issue)
  const found = issues.find(({ message }) => message !== unknownName) ?? issues[0]
  const path = (found?.path ?? []).map((part) => (typeof part === "object" ? part.key : part))
  const message = found?.message ?? "the value is not allowed"
  const setting = path.length === 0 ? source : `${path.map(String).join(".")} in ${source}`
  const problem = message.startsWith("Expected ")
    ? `expected ${message.slice("Expected ".length)}, got ${show(valueAt(input, path))}`
    : message
  return new SettingError({ setting, problem })
}

const valueAt = (input: unknown, path: ReadonlyArray<PropertyKey>): unknown =>
  path.reduce<unknown>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    input,
  )

const shownCharactersMax = 100

const show = (value: unknown): string => {
  const text = JSON.stringify(value, withoutKeys) ?? "nothing"
  return text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text
}

const withoutKeys = (name: string, value: unknown): unknown => (name === "api_key" ? "***" : value)

/** The JSON Schema of the configuration file, for editors; committed as `docs/config.schema.json`. */
export const configJsonSchema = (): string => {
  const { schema } = Schema.toJsonSchemaDocument(ConfigFile, { onExcessProperty: "error" })
  const document = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Configuration of the atelier server",
    ...(JSON.parse(JSON.stringify(schema), flattened) as object),
  }
  const text = JSON.stringify(document, null, 2)
  // Lists of words on one line, as the formatter of the repository writes them.
  return `${text.replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, words: string) => `[${words.replace(/\s*\n\s*/g, " ")}]`)}\n`
}

/** A reviver that writes `{ type, allOf: [{ minimum }] }` as `{ type, minimum }`. */
const flattened = (_key: string, value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !("allOf" in value)) return value
  const { allOf, ...rest } = value
  return Array.isArray(allOf) ? Object.assign(rest, ...allOf) : value
}
