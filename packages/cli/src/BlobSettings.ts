import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { SettingError } from "./SettingError.ts"
import { type Environment, matching, readVariable, type Variable } from "./Variable.ts"

/** Where images, uploads and results are. */
export type BlobSettings =
  | { readonly kind: "file"; readonly directory: string }
  | {
      readonly kind: "s3"
      readonly bucket: string
      /** Prefix of every key: empty, or ending in a slash. */
      readonly prefix: string
      readonly region: string
      /** None: AWS's own of the region. */
      readonly endpoint: string | undefined
      readonly accessKeyId: string
      readonly secretAccessKey: Redacted.Redacted
      readonly sessionToken: Redacted.Redacted | undefined
    }

interface Bucket {
  readonly bucket: string
  readonly prefix: string
  readonly region: string
  readonly endpoint: string | undefined
}

const bucketShape = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const prefixShape = /^(?!.*(^|\/)\.{1,2}(\/|$))[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/
const prefixCharsMax = 200
const regionShape = /^[a-z0-9-]{2,40}$/
/** The region that a self-hosted server without regions is given. */
const defaultRegion = "us-east-1"

/**
 * `s3://bucket/prefix?endpoint=…&region=…`; undefined if the text is not one. Without an endpoint a region must be
 * named.
 */
const parseBucket = (text: string): Bucket | undefined => {
  const url = URL.parse(text)
  if (url?.protocol !== "s3:" || !bucketShape.test(url.hostname) || url.hash !== "" || url.port !== "") return
  if (url.username !== "" || url.password !== "") return
  const prefix = url.pathname.replace(/^\/|\/$/g, "")
  if (prefix !== "" && !(prefixShape.test(prefix) && prefix.length <= prefixCharsMax)) return
  const names = [...url.searchParams.keys()]
  if (new Set(names).size < names.length || names.some((name) => !["endpoint", "region"].includes(name)))
    return
  const endpoint = url.searchParams.get("endpoint")
  const region = url.searchParams.get("region") ?? (endpoint === null ? "" : defaultRegion)
  if (!regionShape.test(region) || (endpoint !== null && !isEndpoint(endpoint))) return
  return {
    bucket: url.hostname,
    prefix: prefix === "" ? "" : `${prefix}/`,
    region,
    endpoint: endpoint?.replace(/\/+$/, ""),
  }
}

const isEndpoint = (text: string): boolean => {
  const url = URL.parse(text)
  return (
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "")
  )
}

const blobUrl: Variable<string> = {
  name: "ATELIER_BLOB_URL",
  allowed:
    "file:PATH, s3://BUCKET/PREFIX?region=REGION or s3://BUCKET/PREFIX?endpoint=URL&region=REGION (the prefix may be left out)",
  schema: Schema.Union([
    matching(/^file:(?!:memory:)[^\0]+$/),
    Schema.String.check(Schema.makeFilter((text) => parseBucket(text) !== undefined)),
  ]),
}

const credential = (name: string): Variable<string> => ({
  name,
  allowed: "printable ASCII characters without spaces",
  schema: matching(/^[\x21-\x7e]{1,4096}$/),
  secret: true,
})

const accessKeyId = credential("AWS_ACCESS_KEY_ID")
const secretAccessKey = credential("AWS_SECRET_ACCESS_KEY")
const sessionToken = credential("AWS_SESSION_TOKEN")

/** Reads where the blobs are; the credentials of a bucket only where there is one. */
export const readBlobSettings = Effect.fnUntraced(function* (
  environment: Environment,
): Effect.fn.Return<BlobSettings, SettingError> {
  const text = (yield* readVariable(environment, blobUrl)) ?? "file:./data/blobs"
  const bucket = parseBucket(text)
  if (bucket === undefined) return { kind: "file", directory: resolve(text.slice("file:".length)) }
  const token = yield* readVariable(environment, sessionToken)
  return {
    kind: "s3",
    ...bucket,
    accessKeyId: yield* required(environment, accessKeyId),
    secretAccessKey: Redacted.make(yield* required(environment, secretAccessKey)),
    sessionToken: token === undefined ? undefined : Redacted.make(token),
  }
})

const required = (environment: Environment, variable: Variable<string>) =>
  Effect.flatMap(readVariable(environment, variable), (value) =>
    value === undefined
      ? Effect.fail(
          new SettingError({
            setting: variable.name,
            problem: `expected ${variable.allowed}, since ${blobUrl.name} names a bucket; it is not set`,
          }),
        )
      : Effect.succeed(value),
  )
