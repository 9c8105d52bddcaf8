import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type Environment, matching, readVariable, type Variable } from "./Variable.ts"

/** Where spans go, and which; the variables and their defaults are OpenTelemetry's. Times are milliseconds. */
export interface TraceSettings {
  readonly url: URL
  readonly headers: Redacted.Redacted<{ readonly [name: string]: string }>
  readonly encoding: "json" | "protobuf"
  readonly compression: "gzip" | "none"
  readonly timeoutMs: number
  readonly exportIntervalMs: number
  readonly batchSpansMax: number
  readonly serviceName: string
  readonly sampler: Sampler
}

/** `ratio`: of the traces that begin here. `followsParent`: a caller's `traceparent` decides where there is one. */
export interface Sampler {
  readonly ratio: number
  readonly followsParent: boolean
}

const literals = <const A extends ReadonlyArray<string>>(name: string, values: A): Variable<A[number]> => ({
  name,
  allowed: values.join(", "),
  schema: Schema.Literals(values),
})

const isEndpoint = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.hash === ""
}

const endpoint = (name: string): Variable<string> => ({
  name,
  allowed: "an http:// or https:// URL of a collector's OTLP/HTTP port, such as http://127.0.0.1:4318",
  schema: Schema.String.check(Schema.makeFilter(isEndpoint)),
})

const pairsOf = (text: string): { readonly [name: string]: string } =>
  Object.fromEntries(
    text
      .split(",")
      .filter((pair) => pair.trim() !== "")
      .map((pair) => {
        const end = pair.indexOf("=")
        return [pair.slice(0, end).trim(), decodeURIComponent(pair.slice(end + 1).trim())]
      }),
  )

const arePairs = (text: string): boolean =>
  text.split(",").every((pair) => pair.trim() === "" || /^\s*[!#$%&'*+.^_`|~0-9A-Za-z-]+\s*=/.test(pair)) &&
  isDecodable(text)

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const pairs = (name: string, secret: boolean): Variable<string> => ({
  name,
  allowed: "NAME=VALUE pairs, separated by commas, values percent-encoded",
  schema: Schema.String.check(Schema.makeFilter(arePairs)),
  secret,
})

const integer = (name: string): Variable<number> => ({
  name,
  allowed: "a whole number from 1 to 3600000",
  schema: matching(/^\d{1,7}$/).pipe(
    Schema.decodeTo(Schema.FiniteFromString),
    Schema.check(Schema.isBetween({ minimum: 1, maximum: 3_600_000 })),
  ),
})

const ratio: Variable<number> = {
  name: "OTEL_TRACES_SAMPLER_ARG",
  allowed: "a number from 0 to 1",
  schema: matching(/^\d+(\.\d+)?$/).pipe(
    Schema.decodeTo(Schema.FiniteFromString),
    Schema.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  ),
}

const sampler = literals("OTEL_TRACES_SAMPLER", [
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
  "always_on",
  "always_off",
  "traceidratio",
])

/** What a service without a name is called. */
const serviceNameDefault = "atelier"

/** Undefined: spans go nowhere, and none are made. */
export const readTraceSettings = Effect.fnUntraced(function* (environment: Environment) {
  const optional = <A>(variable: Variable<A>) => readVariable(environment, variable)
  /** The variable for traces, or the one for all signals. */
  const either = Effect.fnUntraced(function* <A>(make: (name: string) => Variable<A>, name: string) {
    const own = yield* optional(make(`OTEL_EXPORTER_OTLP_TRACES_${name}`))
    const shared = yield* optional(make(`OTEL_EXPORTER_OTLP_${name}`))
    return own ?? shared
  })
  const disabled = yield* optional(literals("OTEL_SDK_DISABLED", ["true", "false"]))
  const exporter = yield* optional(literals("OTEL_TRACES_EXPORTER", ["otlp", "none"]))
  const own = yield* optional(endpoint("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"))
  const shared = yield* optional(endpoint("OTEL_EXPORTER_OTLP_ENDPOINT"))
  if (disabled === "true" || exporter === "none" || (own ?? shared) === undefined) return undefined
  const protocol = yield* either((name) => literals(name, ["http/protobuf", "http/json"]), "PROTOCOL")
  const headers = yield* either((name) => pairs(name, true), "HEADERS")
  const attributes = pairsOf((yield* optional(pairs("OTEL_RESOURCE_ATTRIBUTES", false))) ?? "")
  const settings: TraceSettings = {
    url: own === undefined ? tracesBelow(shared ?? "") : new URL(own),
    headers: Redacted.make(pairsOf(headers ?? "")),
    encoding: protocol === "http/json" ? "json" : "protobuf",
    compression: (yield* either((name) => literals(name, ["gzip", "none"]), "COMPRESSION")) ?? "none",
    timeoutMs: (yield* either(integer, "TIMEOUT")) ?? 10_000,
    exportIntervalMs: (yield* optional(integer("OTEL_BSP_SCHEDULE_DELAY"))) ?? 5_000,
    batchSpansMax: (yield* optional(integer("OTEL_BSP_MAX_EXPORT_BATCH_SIZE"))) ?? 512,
    serviceName: environment["OTEL_SERVICE_NAME"] || attributes["service.name"] || serviceNameDefault,
    sampler: samplerOf((yield* optional(sampler)) ?? "parentbased_always_on", (yield* optional(ratio)) ?? 1),
  }
  return settings
})

/** OpenTelemetry: the path for traces is below that of the endpoint for all signals. */
const tracesBelow = (base: string): URL => {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`
  return url
}

const samplerOf = (name: string, given: number): Sampler => ({
  ratio: name.endsWith("always_on") ? 1 : name.endsWith("always_off") ? 0 : given,
  followsParent: name.startsWith("parentbased_"),
})
