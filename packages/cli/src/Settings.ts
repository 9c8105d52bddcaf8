import { existsSync, readFileSync } from "node:fs"
import { isIP } from "node:net"
import { dirname, join, resolve } from "node:path"
import { secretKeyBytes } from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type BlobSettings, readBlobSettings } from "./BlobSettings.ts"
import { type ConfigFile, parse } from "./ConfigFile.ts"
import { SettingError } from "./SettingError.ts"
import { readTraceSettings, type TraceSettings } from "./TraceSettings.ts"
import { type Environment, matching, readVariable, type Variable } from "./Variable.ts"

/** The settings of a server, from the environment and the configuration file (contract, Running it). */
export interface Settings {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly database: Database
  readonly blobs: BlobSettings
  /** How clients reach the server, without a trailing slash; none: by the address that it listens on. */
  readonly publicUrl: string | undefined
  /** The start of result links; none: the public URL. */
  readonly mediaUrl: string | undefined
  /** None: the admin API is off. */
  readonly adminToken: Redacted.Redacted | undefined
  /** Keys for webhook secrets: the first encrypts, all can decrypt. None: secrets are stored unencrypted. */
  readonly secretKeys: ReadonlyArray<Redacted.Redacted<Uint8Array>>
  /** How strongly parsing processes are isolated. */
  readonly sandbox: "auto" | "require" | "off"
  /** Lines below it are not logged. */
  readonly logLevel: "debug" | "info" | "warn" | "error"
  /** Where traces go; none: no spans are made. */
  readonly traces: TraceSettings | undefined
  readonly config: ConfigFile
  readonly configFile: ConfigSource
}

/** Where the database is; a URL may hold a password. */
export type Database =
  | { readonly dialect: "sqlite"; readonly file: string }
  | { readonly dialect: "postgres"; readonly url: Redacted.Redacted }

/** Where the configuration is: a file that is named must be there, the default one may be absent. */
export interface ConfigSource {
  readonly path: string
  readonly required: boolean
}

const port: Variable<number> = {
  name: "ATELIER_PORT",
  allowed: "an integer from 0 to 65535 (0: any free port)",
  schema: matching(/^\d{1,5}$/).pipe(
    Schema.decodeTo(Schema.FiniteFromString),
    Schema.check(Schema.isLessThanOrEqualTo(65_535)),
  ),
}

const isHost = (text: string): boolean =>
  isIP(text) !== 0 || /^(?!\d+(\.\d+)*$)[a-z0-9]([a-z0-9.-]{0,252})$/i.test(text)

const host: Variable<string> = {
  name: "ATELIER_HOST",
  allowed: "an IP address or a host name",
  schema: Schema.String.check(Schema.makeFilter(isHost)),
}

/** Everything before the colon is the scheme; the rest is a path, absolute or relative to the working directory. */
const sqlitePath = matching(/^sqlite:(?!:memory:)[^\0]+$/)

const isPostgresUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null &&
    /^postgres(ql)?:$/.test(url.protocol) &&
    url.hostname !== "" &&
    /^\/[^/]+$/.test(url.pathname) &&
    url.hash === ""
  )
}

const databaseUrl: Variable<string> = {
  name: "ATELIER_DATABASE_URL",
  allowed: "sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  schema: Schema.Union([sqlitePath, Schema.String.check(Schema.makeFilter(isPostgresUrl))]),
}

const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "")
  )
}

const baseUrl = (name: string): Variable<string> => ({
  name,
  allowed: "an http:// or https:// URL without credentials, query and fragment",
  schema: Schema.String.check(Schema.makeFilter(isBaseUrl)),
})

/** Placeholders from the example files are public, and refused. */
const adminToken: Variable<string> = {
  name: "ATELIER_ADMIN_TOKEN",
  allowed:
    "1 to 256 printable ASCII characters without spaces, not one from an example (`openssl rand -hex 24` makes one)",
  schema: matching(/^(?!change-?me)[\x21-\x7e]{1,256}$/i),
  secret: true,
}

const secretKeyPattern = /^([0-9a-f]{64}|[A-Za-z0-9+/_-]{43}=?)$/i

const secretKeys: Variable<string> = {
  name: "ATELIER_SECRET_KEY",
  allowed: `${secretKeyBytes} bytes in base64 or hex (openssl rand -base64 32); several, by comma: the first encrypts`,
  schema: Schema.String.check(
    Schema.makeFilter((text) => text.split(",").every((key) => secretKeyPattern.test(key))),
  ),
  secret: true,
}

const keyOf = (text: string): Redacted.Redacted<Uint8Array> =>
  Redacted.make(Buffer.from(text, text.length === 2 * secretKeyBytes ? "hex" : "base64"))

const sandbox: Variable<Settings["sandbox"]> = {
  name: "ATELIER_SANDBOX",
  allowed: "auto, require or off",
  schema: Schema.Literals(["auto", "require", "off"]),
}

const logLevel: Variable<Settings["logLevel"]> = {
  name: "ATELIER_LOG_LEVEL",
  allowed: "debug, info, warn or error",
  schema: Schema.Literals(["debug", "info", "warn", "error"]),
}

/** Reads every setting; the first invalid one is refused by name. An empty variable counts as unset. */
export const load = Effect.fnUntraced(function* (environment: Environment) {
  const optional = <A>(variable: Variable<A>) => readVariable(environment, variable)
  const configFile = configSource(environment)
  const token = yield* optional(adminToken)
  const mediaUrl = yield* optional(baseUrl("ATELIER_MEDIA_URL"))
  const publicUrl = yield* optional(baseUrl("ATELIER_PUBLIC_URL"))
  const settings: Settings = {
    host: (yield* optional(host)) ?? "127.0.0.1",
    port: (yield* optional(port)) ?? 8787,
    database: databaseOf((yield* optional(databaseUrl)) ?? `sqlite:${defaultDataDirectory}/atelier.db`),
    blobs: yield* readBlobSettings(environment),
    publicUrl: publicUrl && withoutSlash(publicUrl),
    mediaUrl: mediaUrl && withoutSlash(mediaUrl),
    adminToken: token === undefined ? undefined : Redacted.make(token),
    secretKeys: (yield* optional(secretKeys))?.split(",").map(keyOf) ?? [],
    sandbox: (yield* optional(sandbox)) ?? "auto",
    logLevel: (yield* optional(logLevel)) ?? "info",
    traces: yield* readTraceSettings(environment),
    config: yield* readConfig(configFile),
    configFile,
  }
  return settings
})

const defaultDataDirectory = "./data"

/** The folder of the database, where `dev` keeps its key. */
export const dataDirectory = ({ database }: Settings): string =>
  database.dialect === "sqlite" ? dirname(database.file) : resolve(defaultDataDirectory)

const databaseOf = (url: string): Database =>
  url.startsWith("sqlite:")
    ? { dialect: "sqlite", file: pathOf(url) }
    : { dialect: "postgres", url: Redacted.make(url) }

/** The local folder for uploads in progress and temporary files: in that of the blobs, or beside the database. */
export const workDirectory = (settings: Settings): string =>
  settings.blobs.kind === "file" ? settings.blobs.directory : join(dataDirectory(settings), "work")

const pathOf = (url: string): string => resolve(url.slice(url.indexOf(":") + 1))
const withoutSlash = (url: string): string => url.replace(/\/+$/, "")

const defaultConfigFile = "./atelier.config.json"

const configSource = ({ ATELIER_CONFIG: named }: Environment): ConfigSource =>
  named === undefined || named === ""
    ? { path: defaultConfigFile, required: false }
    : { path: named, required: true }

/** The current content of the configuration file. */
export const readConfig = ({ path, required }: ConfigSource): Effect.Effect<ConfigFile, SettingError> =>
  Effect.suspend(() => {
    if (!required && !existsSync(path)) return Effect.succeed({})
    const text = readText(path)
    if (text !== undefined) return parse(text, path)
    const problem = `expected a readable JSON file, got ${JSON.stringify(path)}`
    return Effect.fail(new SettingError({ setting: "ATELIER_CONFIG", problem }))
  })

const readText = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}
