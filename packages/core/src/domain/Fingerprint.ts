import { hash } from "node:crypto"

/** JSON values as `JSON.parse` gives them. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json }

/**
 * Canonical JSON by RFC 8785: members sorted by UTF-16 code units, no white space, numbers as ECMAScript
 * prints them. The value must come from `JSON.parse` and be nested a bounded number of levels.
 */
export const canonicalJson = (value: Json): string => {
  if (value === null || typeof value !== "object") return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  const record = value as { readonly [key: string]: Json }
  const members = Object.keys(record)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key] as Json)}`)
  return `{${members.join(",")}}`
}

/** Whether arrays and objects are nested deeper than `levels`; walks no deeper than that. */
export const isDeeperThan = (value: Json, levels: number): boolean => {
  if (value === null || typeof value !== "object") return false
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1))
}

/** SHA-256 over the canonical JSON of a request body, hex (contract, Images: Idempotency). */
export const fingerprint = (body: Json): string => sha256(canonicalJson(body))

/** SHA-256 of a text or bytes, hex. */
export const sha256 = (data: string | Uint8Array): string => hash("sha256", data, "hex")
