import type { WireSetting } from "@atelier/api"
import { defaultLimits } from "@atelier/core"
import { type Settings, workDirectory } from "./Settings.ts"
import type { Environment } from "./Variable.ts"

const set = "set"
const unset = "not set"

/** Every setting as it is in force and where it comes from. A secret is only said to be set, URLs are without one. */
export const inForce = (settings: Settings, environment: Environment): ReadonlyArray<WireSetting> => {
  const { config, database } = settings
  const variable = (name: string, value: string, secret = false): WireSetting => ({
    name,
    value,
    source: (environment[name] ?? "") === "" ? "default" : "environment",
    secret,
  })
  const entry = (name: string, value: unknown, isGiven: boolean): WireSetting => ({
    name,
    value: typeof value === "string" ? value : JSON.stringify(value),
    source: isGiven ? "file" : "default",
    secret: false,
  })
  const isSet = (given: unknown) => (given === undefined ? unset : set)
  const { documents = {}, limits = {}, network = {} } = config
  return [
    variable("ATELIER_HOST", settings.host),
    variable("ATELIER_PORT", String(settings.port)),
    variable(
      "ATELIER_DATABASE_URL",
      database.dialect === "sqlite" ? `sqlite:${database.file}` : "postgres://…",
      database.dialect === "postgres",
    ),
    variable(
      "ATELIER_BLOB_URL",
      settings.blobs.kind === "file" ? `file:${settings.blobs.directory}` : "s3://…",
    ),
    variable("ATELIER_PUBLIC_URL", settings.publicUrl ?? unset),
    variable("ATELIER_MEDIA_URL", settings.mediaUrl ?? unset),
    variable("ATELIER_ADMIN_TOKEN", isSet(settings.adminToken), true),
    variable("ATELIER_SECRET_KEY", settings.secretKeys.length === 0 ? unset : set, true),
    variable("ATELIER_SANDBOX", settings.sandbox),
    variable("ATELIER_LOG_LEVEL", settings.logLevel),
    variable(
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      settings.traces === undefined ? unset : settings.traces.url.origin,
    ),
    variable("ATELIER_CONFIG", settings.configFile.path),
    entry("work directory", workDirectory(settings), false),
    entry(
      "channels",
      (config.channels ?? []).map(({ id }) => id).join(", ") || "local",
      config.channels !== undefined,
    ),
    entry("converter", config.converter?.adapter ?? "embedded", config.converter !== undefined),
    entry(
      "documents.refuse_without_text_layer",
      documents.refuse_without_text_layer ?? false,
      documents.refuse_without_text_layer !== undefined,
    ),
    entry("documents.page_offsets", documents.page_offsets ?? false, documents.page_offsets !== undefined),
    entry(
      "documents.scan_languages",
      documents.scan_languages ?? ["eng"],
      documents.scan_languages !== undefined,
    ),
    entry("models", Object.keys(config.models ?? {}), config.models !== undefined),
    entry("tools", Object.keys(config.tools ?? {}), config.tools !== undefined),
    entry("network.allow_private", network.allow_private ?? [], network.allow_private !== undefined),
    entry("network.trusted_proxies", network.trusted_proxies ?? [], network.trusted_proxies !== undefined),
    entry("network.cors_origins", network.cors_origins ?? [], network.cors_origins !== undefined),
    entry(
      "synchronous_idempotency",
      config.synchronous_idempotency ?? false,
      config.synchronous_idempotency !== undefined,
    ),
    entry("account_page", config.account_page ?? false, config.account_page !== undefined),
    entry("units_per_usd", config.units_per_usd ?? 500_000, config.units_per_usd !== undefined),
    ...Object.entries({ ...defaultLimits, ...limits }).map(([name, value]) =>
      entry(`limits.${name}`, value, name in limits),
    ),
  ]
}
