import { hash } from "node:crypto"
import type { Limits } from "./Limits.ts"

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

/**
 * The limit that a value exceeds, as a sentence; undefined where it is within the limits. For values that did not
 * arrive as bytes, whose structure is counted before parsing; visits no more nodes than the limits allow.
 */
export const jsonExcess = (
  value: Json,
  limits: Pick<Limits, "json_depth_max" | "json_values_max" | "json_keys_max">,
): string | undefined => {
  let level: ReadonlyArray<Json> = [value]
  let values = 1
  let keys = 0
  for (let depth = 0; level.length > 0; depth++) {
    const next: Array<Json> = []
    for (const item of level) {
      if (item === null || typeof item !== "object") continue
      const members = Object.values(item)
      values += members.length
      if (!Array.isArray(item)) keys += members.length
      if (depth === limits.json_depth_max) return excess("json_depth_max", limits, "levels deep")
      if (values > limits.json_values_max) return excess("json_values_max", limits, "values long")
      if (keys > limits.json_keys_max) return excess("json_keys_max", limits, "object members long")
      next.push(...members)
    }
    level = next
  }
  return undefined
}

const excess = <L extends keyof Limits>(name: L, limits: Pick<Limits, L>, unit: string): string =>
  `The JSON is more than ${limits[name]} ${unit}; the limit ${name} is ${limits[name]}.`

/** SHA-256 over the canonical JSON of a request body, hex (contract, Images: Idempotency). */
export const fingerprint = (body: Json): string => sha256(canonicalJson(body))

/** SHA-256 of a text or bytes, hex. */
export const sha256 = (data: string | Uint8Array): string => hash("sha256", data, "hex")
