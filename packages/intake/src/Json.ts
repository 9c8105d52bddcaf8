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
  /** Characters of strings that are escaped: each takes `JSON.parse` longer than a hundred that are not; absent: any. */
  readonly json_escapes_max?: number
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
  json_escapes_max: "escapes long",
}

/**
 * The value of a JSON text in UTF-8: the one place where JSON that others wrote is parsed. Throws `JsonExcess`
 * where it goes beyond a limit, before anything is built of it, and what `TextDecoder` and `JSON.parse` throw
 * where it is not UTF-8 or not JSON. A byte order mark is skipped.
 */
export const parseJson = (bytes: Uint8Array, limits: JsonLimits): unknown => {
  const count = new JsonCount(limits)
  count.add(bytes)
  return count.parse(bytes)
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
 * Counts what a JSON text holds while it arrives, in one pass without allocation. What is not JSON is counted as it
 * comes: up to the first fault, where `JSON.parse` ends too, the counts are exact.
 */
export class JsonCount {
  readonly #limits: Required<JsonLimits>
  /** Bytes that were counted. */
  #length = 0
  #depth = 0
  #nodes = 0
  /** Values, and keys. */
  #items = 0
  #keys = 0
  #inString = false
  /** The last byte was a backslash that escapes the next one. */
  #escaped = false
  #inScalar = false
  #escapes = 0
  /** The last byte began an escape. */
  #inEscape = false

  constructor(limits: JsonLimits) {
    const any = Number.POSITIVE_INFINITY
    this.#limits = { json_nodes_max: any, json_escapes_max: any, ...limits }
  }

  /** Counts the next bytes of the text. Throws `JsonExcess` where it goes beyond a limit. */
  add(bytes: Uint8Array): void {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let at = this.#length === 0 ? bytes.length - withoutByteOrderMark(bytes).length : 0
    this.#countEscapes(text)
    if (this.#inString) at = this.#endString(text, at)
    while (at < text.length) at = this.#next(text, at)
    this.#length += text.length
  }

  #countEscapes(text: Buffer): void {
    const { json_escapes_max } = this.#limits
    if (json_escapes_max === Number.POSITIVE_INFINITY || text.length === 0) return
    let at = text.indexOf(backslash, this.#inEscape ? 1 : 0)
    for (; at >= 0 && at + 1 < text.length; at = text.indexOf(backslash, at + 2)) {
      if (++this.#escapes > json_escapes_max) throw this.#excess("json_escapes_max", at)
    }
    this.#inEscape = at >= 0
    if (at >= 0 && ++this.#escapes > json_escapes_max) throw this.#excess("json_escapes_max", at)
  }

  /** The value of the text, whose bytes were all counted. */
  parse(bytes: Uint8Array): unknown {
    if (this.#items - this.#keys > this.#limits.json_values_max) throw this.#excess("json_values_max", 0)
    return JSON.parse(utf8.decode(withoutByteOrderMark(bytes)))
  }

  /** Counts what begins at `at`; where the next one may begin. */
  #next(text: Buffer, at: number): number {
    const kind = classes[text[at] as number]
    const { json_depth_max, json_keys_max, json_nodes_max, json_values_max } = this.#limits
    if (kind === scalar) {
      if (!this.#inScalar) this.#items++
      this.#inScalar = true
      let end = at + 1
      while (classes[text[end] as number] === scalar) end++
      this.#requireValues(json_values_max, at)
      return end
    }
    this.#inScalar = false
    if (kind === filling) {
      let end = at + 1
      while (classes[text[end] as number] === filling) end++
      return end
    }
    if (kind === string) {
      this.#items++
      this.#requireValues(json_values_max, at)
      return this.#endString(text, at + 1)
    }
    if (kind === colon) {
      if (++this.#keys > json_keys_max) throw this.#excess("json_keys_max", at)
    } else if (kind === open) {
      this.#items++
      if (++this.#depth > json_depth_max) throw this.#excess("json_depth_max", at)
      if (++this.#nodes > json_nodes_max) throw this.#excess("json_nodes_max", at)
      this.#requireValues(json_values_max, at)
    } else this.#depth--
    return at + 1
  }

  /** A key counts as a value until its colon is read. */
  #requireValues(max: number, at: number): void {
    if (this.#items - this.#keys > max + 1) throw this.#excess("json_values_max", at)
  }

  #excess(limit: keyof JsonLimits, at: number): JsonExcess {
    return new JsonExcess(limit, this.#limits[limit], this.#length + at)
  }

  /** Where the text goes on after the string that `at` lies in; its length where the string has not ended yet. */
  #endString(text: Buffer, at: number): number {
    const from = this.#escaped ? at + 1 : at
    const end = endOfString(text, from)
    this.#inString = end >= text.length
    this.#escaped = end > text.length
    return this.#inString ? text.length : end + 1
  }
}

/** Most strings end within this; the end of a longer one is searched for, which is far faster by the byte. */
const stepBytesMin = 48

/**
 * The offset of the quote that closes the string that `start` lies in; where there is none the text's length, and one
 * more where its last byte escapes the next. Each search that finds an escaped quote makes the steps between searches
 * longer, so that a text of them costs a few searches.
 */
const endOfString = (text: Buffer, start: number): number => {
  const { length } = text
  let at = start
  for (let step = stepBytesMin; ; step *= 2) {
    const searched = Math.min(at + step, length)
    for (; at < searched; at++) {
      const byte = text[at]
      if (byte === quote) return at
      if (byte === backslash) at++
    }
    if (at >= length) return at
    const found = text.indexOf(quote, at)
    const end = found < 0 ? length : found
    let slashes = 0
    while (end - slashes > at && text[end - slashes - 1] === backslash) slashes++
    if (found < 0) return length + (slashes % 2)
    if (slashes % 2 === 0) return found
    at = found + 1
  }
}
