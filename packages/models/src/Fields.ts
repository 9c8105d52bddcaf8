import { type CoreError, type Json, type ParameterSpec, type RequestBody, refuse } from "@atelier/core"
import * as Result from "effect/Result"

/** The outcome of reading one field: its value, or `invalid_parameter` that names field, value and rule. */
export type Reading<A> = Result.Result<A, CoreError>

/** One field of a request body: what the listing says of it, and the only code that reads it. */
export interface Field<A> {
  readonly spec: ParameterSpec
  /** Other names of the same field. */
  readonly aliases: ReadonlyArray<string>
  readonly read: (body: RequestBody, name: string) => Reading<A>
}

/** Fields by name. */
export interface Fields {
  readonly [name: string]: Field<unknown>
}

/** What reading the fields gives. */
export type Values<F extends Fields> = {
  readonly [K in keyof F]: F[K] extends Field<infer A> ? A : never
}

/** Longest piece of an offending value that a message repeats. */
const quoted_chars_max = 80
/** image-tasks 8. */
const callback_url_chars_max = 2048
/** Signed links are long; this is beyond what servers take. */
const image_url_chars_max = 8192
/** Seeds are unsigned 32-bit integers. */
const seed_max = 4_294_967_295

/** An offending value as a message shows it: short, and never a walk through a deep structure. */
export const show = (value: Json | undefined): string => {
  if (value === undefined || value === null) return "nothing"
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === "object") return "an object"
  if (typeof value !== "string") return String(value)
  return value.length <= quoted_chars_max
    ? JSON.stringify(value)
    : `${JSON.stringify(value.slice(0, quoted_chars_max))}… (${value.length} characters)`
}

/** Refuses a field: `` `n` must be an integer from 1 to 10; got "3". `` */
export const invalid = (param: string, rule: string, given: Json | undefined): Reading<never> =>
  Result.fail(refuse("invalid_parameter", `\`${param}\` ${rule}; got ${show(given)}.`, { param }))

/** The value of an optional field; `null`, which clients send for what they leave out, is absence. */
const given = (body: RequestBody, name: string): Json | undefined =>
  Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined

const field = <A>(
  spec: ParameterSpec,
  read: (value: Json | undefined, name: string) => Reading<A>,
): Field<A> => ({
  spec,
  aliases: [],
  read: (body, name) => read(given(body, name), name),
})

/** A text that every store keeps as it is: well-formed Unicode without NUL. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** The required instruction. Length counts UTF-16 code units. */
export const prompt = (charsMax: number): Field<string> =>
  field({ type: "string", description: `Required; 1 to ${charsMax} characters.` }, (value, name) => {
    if (typeof value !== "string" || value.trim() === "")
      return invalid(name, "must be a non-empty string", value)
    if (value.length > charsMax) return invalid(name, `must have at most ${charsMax} characters`, value)
    if (!isStorable(value)) return invalid(name, "must be well-formed Unicode without NUL", value)
    return Result.succeed(value)
  })

/** An integer in a range. Numbers only: a JSON string is refused. */
export const integer = (bounds: {
  readonly minimum: number
  readonly maximum: number
  readonly default: number
}): Field<number> =>
  field({ type: "integer", ...bounds }, (value, name) => {
    if (value === undefined) return Result.succeed(bounds.default)
    return isIntegerWithin(value, bounds.minimum, bounds.maximum)
      ? Result.succeed(value)
      : invalid(name, `must be an integer from ${bounds.minimum} to ${bounds.maximum}`, value)
  })

/** The optional seed: the same request with the same seed gives the same images, where a channel has seeds. */
export const seed: Field<number | null> = field(
  { type: "integer", minimum: 0, maximum: seed_max, description: "Honoured by channels that have seeds." },
  (value, name) => {
    if (value === undefined) return Result.succeed(null)
    return isIntegerWithin(value, 0, seed_max)
      ? Result.succeed(value)
      : invalid(name, `must be an integer from 0 to ${seed_max}`, value)
  },
)

const isIntegerWithin = (value: Json, minimum: number, maximum: number): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= minimum && value <= maximum

/** One of a few words. */
export const choice = <const A extends string>(values: ReadonlyArray<A>, preset: NoInfer<A>): Field<A> =>
  field({ type: "string", enum: values, default: preset }, (value, name) => {
    if (value === undefined) return Result.succeed(preset)
    const chosen = values.find((each) => each === value)
    return chosen === undefined
      ? invalid(name, `must be one of ${values.join(", ")}`, value)
      : Result.succeed(chosen)
  })

/** An optional string in a form of its own; `read` gives undefined where the form is broken. */
export const formatted = <A>(form: {
  readonly spec: ParameterSpec
  readonly preset: string
  readonly rule: string
  readonly read: (text: string) => A | undefined
}): Field<A> =>
  field({ default: form.preset, description: form.rule, ...form.spec }, (value, name) => {
    const read =
      value === undefined ? form.read(form.preset) : typeof value === "string" ? form.read(value) : undefined
    return read === undefined ? invalid(name, `must be ${form.rule}`, value) : Result.succeed(read)
  })

/** contract, Waiting: a public HTTPS address; its host is resolved and checked when the callback is sent. */
export const callbackUrl: Field<string | null> = field(
  { type: "string", description: `Public HTTPS address, at most ${callback_url_chars_max} characters.` },
  (value, name) => {
    if (value === undefined) return Result.succeed(null)
    const rule = `must be a public HTTPS address of at most ${callback_url_chars_max} characters`
    return typeof value === "string" && isAddress(value, ["https:"], callback_url_chars_max)
      ? Result.succeed(value)
      : invalid(name, rule, value)
  },
)

/**
 * Reference images by URL: `images` and `image_urls` are one field (contract, Images). An empty list is
 * absence. The addresses are fetched and checked before acceptance, by whoever holds the request.
 */
export const imageUrls = (countMax: number): Field<ReadonlyArray<string>> => ({
  spec: {
    type: "array",
    maximum: countMax,
    description: `Up to ${countMax} public http or https image URLs; \`images\` and \`image_urls\` are one field.`,
  },
  aliases: ["image_urls"],
  read: (body, name) => {
    const images = readUrls(given(body, name), name, countMax)
    const urls = readUrls(given(body, "image_urls"), "image_urls", countMax)
    if (Result.isFailure(images)) return Result.fail(images.failure)
    if (Result.isFailure(urls)) return Result.fail(urls.failure)
    if (images.success === undefined || urls.success === undefined) {
      return Result.succeed(images.success ?? urls.success ?? [])
    }
    return sameTexts(images.success, urls.success)
      ? Result.succeed(images.success)
      : invalid(
          "image_urls",
          `is another name of \`${name}\` and must not differ from it`,
          given(body, "image_urls"),
        )
  },
})

const sameTexts = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index])

const readUrls = <N extends string>(
  value: Json | undefined,
  name: N,
  countMax: number,
): Reading<ReadonlyArray<string> | undefined> => {
  if (value === undefined) return Result.succeed(undefined)
  if (!Array.isArray(value)) return invalid(name, "must be an array of http or https URLs", value)
  if (value.length > countMax) return invalid(name, `must have at most ${countMax} elements`, value)
  const urls: Array<string> = []
  for (const [index, each] of value.entries()) {
    if (typeof each !== "string" || !isAddress(each, ["http:", "https:"], image_url_chars_max)) {
      return invalid(
        `${name}.${index}`,
        "must be a public http or https URL; Base64 and Data URLs are not taken",
        each,
      )
    }
    urls.push(each)
  }
  return Result.succeed(urls)
}

/** A URL with a host and without credentials. */
const isAddress = (text: string, protocols: ReadonlyArray<string>, charsMax: number): boolean => {
  if (text.length > charsMax || !isStorable(text)) return false
  const url = URL.parse(text)
  return (
    url !== null &&
    protocols.includes(url.protocol) &&
    url.hostname !== "" &&
    url.username + url.password === ""
  )
}
