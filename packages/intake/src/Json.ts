import { withoutByteOrderMark } from "./Utf8.ts"

/** Bounds on what a JSON text may hold, whatever its size. */
export interface JsonLimits {
  /** Objects and lists inside one another. */
  readonly json_depth_max: number
  /** Values of every kind, the outermost included. */
  readonly json_values_max: number
  /** Members of all objects together. */
  readonly json_keys_max: number
  /** Objects and lists together; absent: as many as values. */
  readonly json_nodes_max?: number
}

/** The text goes beyond a limit; the message names the limit, the count and the byte, from 0. */
export class JsonExcess extends Error {
  constructor(limit: keyof JsonLimits, max: number, at: number) {
    super(`At byte ${at} the JSON is ${max + 1} ${units[limit]}; the limit ${limit} is ${max}.`)
  }
}

const units: { readonly [L in keyof JsonLimits]-?: string } = {
  json_depth_max: "levels deep",
  json_values_max: "values long",
  json_keys_max: "object members long",
  json_nodes_max: "objects and lists long",
}

/**
 * The value of a JSON text in UTF-8: the one place where JSON that others wrote is parsed. Throws `JsonExcess`
 * where it goes beyond a limit, before anything is built of it, and what `TextDecoder` and `JSON.parse` throw
 * where it is not UTF-8 or not JSON. A byte order mark is skipped.
 */
export const parseJson = (bytes: Uint8Array, limits: JsonLimits): unknown => {
  const text = withoutByteOrderMark(bytes)
  requireWithin(text, limits)
  return JSON.parse(utf8.decode(text))
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const quote = 0x22
const backslash = 0x5c

/** Bytes that neither begin nor end a value: white space and commas, and what follows in a number or a name. */
const filling = 0
const open = 1
const close = 2
const string = 3
const colon = 4
const scalar = 5

const classes = new Uint8Array(256).fill(scalar)
for (const [kind, characters] of [
  [filling, " \t\n\r,"],
  [open, "[{"],
  [close, "]}"],
  [string, '"'],
  [colon, ":"],
] as const) {
  for (const character of characters) classes[character.charCodeAt(0)] = kind
}

/**
 * One pass, without allocation. What is not JSON is counted as it comes: up to the first fault, where
 * `JSON.parse` ends too, the counts are exact.
 */
const requireWithin = (bytes: Uint8Array, limits: JsonLimits): void => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const { length } = text
  const { json_depth_max, json_keys_max, json_values_max, json_nodes_max = Number.POSITIVE_INFINITY } = limits
  let depth = 0
  let nodes = 0
  /** Values, and keys. */
  let items = 0
  let keys = 0
  for (let at = 0; at < length; at++) {
    const kind = classes[text[at] as number]
    if (kind === filling) {
      while (classes[text[at + 1] as number] === filling) at++
      continue
    }
    if (kind === string) {
      items++
      at = endOfString(text, at)
    } else if (kind === scalar) {
      items++
      while (classes[text[at + 1] as number] === scalar) at++
    } else if (kind === colon) {
      if (++keys > json_keys_max) throw new JsonExcess("json_keys_max", json_keys_max, at)
    } else if (kind === open) {
      items++
      if (++depth > json_depth_max) throw new JsonExcess("json_depth_max", json_depth_max, at)
      if (++nodes > json_nodes_max) throw new JsonExcess("json_nodes_max", json_nodes_max, at)
    } else depth--
    // A key counts as a value until its colon is read.
    if (items - keys > json_values_max + 1) throw new JsonExcess("json_values_max", json_values_max, at)
  }
  if (items - keys > json_values_max) throw new JsonExcess("json_values_max", json_values_max, length)
}

/** Most strings end within this; the end of a longer one is searched for, which is far faster by the byte. */
const stepBytesMin = 48

/**
 * The offset of the quote that closes the string that opens at `start`; the text's length where there is none.
 * Each search that finds an escaped quote makes the steps between searches longer, so that a text of them costs
 * a few searches.
 */
const endOfString = (text: Buffer, start: number): number => {
  const { length } = text
  let at = start + 1
  for (let step = stepBytesMin; ; step *= 2) {
    const searched = Math.min(at + step, length)
    for (; at < searched; at++) {
      const byte = text[at]
      if (byte === quote) return at
      if (byte === backslash) at++
    }
    if (at >= length) return length
    const found = text.indexOf(quote, at)
    if (found < 0) return length
    let slashes = 0
    while (found - slashes > at && text[found - slashes - 1] === backslash) slashes++
    if (slashes % 2 === 0) return found
    at = found + 1
  }
}
