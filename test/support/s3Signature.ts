import { createHash, createHmac } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"

/** What a request was signed with (AWS Signature Version 4, in the `Authorization` header). */
interface Signed {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex")
const hmac = (key: Buffer | string, text: string): Buffer => createHmac("sha256", key).update(text).digest()

/**
 * The code with which S3 refuses a request for its signature or for the hash of its body; undefined for one that is
 * correctly signed. Written from the specification, independently of the client that it checks.
 */
export const refusedCode = (
  { method, target, headers }: Signed,
  body: Uint8Array,
  { accessKeyId, secretAccessKey }: { readonly accessKeyId: string; readonly secretAccessKey: string },
): "InvalidAccessKeyId" | "SignatureDoesNotMatch" | "XAmzContentSHA256Mismatch" | undefined => {
  const [, id, date, region, names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? "",
    ) ?? []
  if (id !== accessKeyId) return "InvalidAccessKeyId"
  const [path = "", query = ""] = target.split("?")
  const parameters =
    query === "" ? [] : query.split("&").map((pair) => (pair.includes("=") ? pair : `${pair}=`))
  const canonical = [
    method,
    path,
    parameters.toSorted().join("&"),
    ...names.split(";").map((name) => `${name}:${String(headers[name] ?? "").trim()}`),
    "",
    names,
    headers["x-amz-content-sha256"],
  ].join("\n")
  const scope = `${date}/${region}/s3/aws4_request`
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, sha256(canonical)].join("\n")
  const key = [date ?? "", region ?? "", "s3", "aws4_request"].reduce<Buffer | string>(
    (inner, part) => hmac(inner, part),
    `AWS4${secretAccessKey}`,
  )
  if (hmac(key, text).toString("hex") !== signature) return "SignatureDoesNotMatch"
  return headers["x-amz-content-sha256"] === sha256(body) ? undefined : "XAmzContentSHA256Mismatch"
}
