import { type CoreError, type Json, type ParameterSpec, type RequestBody, refuse } from "@atelier/core"
import * as Result from "effect/Result"
import * as DataUrl from "./DataUrl.ts"
import { namesThisMachine } from "./http/UrlPolicy.ts"

/** The outcome of reading one field: its value, or `invalid_parameter` that names field, value and rule. */
export type Reading<A> = Result.Result<A, CoreError>

/** One field of a request body: what the listing says of it, and the only code that reads it. */
export interface Field<A> {
  readonly spec: ParameterSpec
  /** Other names of the same field. */
  readonly aliases: ReadonlyArray<string>
  /** The fields of an object; a listing and a refusal name them by their path, such as `metadata.job_id`. */
  readonly members?: Fields
  /** Reads the field `name` of a body; `path` is what a refusal calls it. */
  readonly read: (body: RequestBody, name: string, path?: string) => Reading<A>
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
const quotedCharsMax = 80
/** image-tasks 8. */
const callbackUrlCharsMax = 2048
/** Signed links are long; this is more than servers accept. */
const imageUrlCharsMax = 8192
/** Seeds are unsigned 32-bit integers. */
const seedMax = 4_294_967_295

/** An offending value as a message shows it: short, and never a walk through a deep structure. */
export const show = (value: Json | undefined): string => {
  if (value === undefined || value === null) return "nothing"
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === "object") return "an object"
  if (typeof value !== "string") return String(value)
  return value.length <= quotedCharsMax
    ? JSON.stringify(value)
    : `${JSON.stringify(value.slice(0, quotedCharsMax))}… (${value.length} characters)`
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
  read: (body, name, path = name) => read(given(body, name), path),
})

/** Reads every field, and gives the first refusal in their order. */
export const readAll = <F extends Fields>(fields: F, body: RequestBody, path = ""): Reading<Values<F>> =>
  Result.all(
    Object.fromEntries(
      Object.entries(fields).map(([name, each]) => [name, each.read(body, name, path + name)]),
    ),
  ) as Reading<Values<F>>

/** An object of fields; absence is an object without any. Unknown members are left to the caller. */
export const object = <F extends Fields>(description: string, members: F): Field<Values<F>> => ({
  spec: { type: "object", description },
  aliases: [],
  members,
  read: (body, name, path = name) => {
    const value = given(body, name) ?? {}
    return isObject(value) ? readAll(members, value, `${path}.`) : invalid(path, "must be an object", value)
  },
})

/** A JSON object: neither null nor an array. */
export const isObject = (value: Json | undefined): value is RequestBody =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A text that every store keeps as it is: well-formed Unicode without NUL. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\0")

/** The required instruction. Length counts UTF-16 code units. */
export const prompt = (charsMax: number): Field<string> =>
  field({ type: "string", description: `Required; 1 to ${charsMax} characters.` }, (value, name) =>
    typeof value !== "string" || value.trim() === ""
      ? invalid(name, "must be a non-empty string", value)
      : boundedText(value, name, charsMax),
  )

/** An instruction that not every operation needs; absent: the empty string. `rule` says when it is needed. */
export const optionalPrompt = (charsMax: number, rule: string): Field<string> =>
  field({ type: "string", description: `${rule} At most ${charsMax} characters.` }, (value = "", name) =>
    typeof value === "string" ? boundedText(value, name, charsMax) : invalid(name, "must be a string", value),
  )

const boundedText = (value: string, name: string, charsMax: number): Reading<string> => {
  if (value.length > charsMax) return invalid(name, `must have at most ${charsMax} characters`, value)
  if (!isStorable(value)) return invalid(name, "must be well-formed Unicode without NUL", value)
  return Result.succeed(value)
}

/** An optional external identifier: printable ASCII without spaces. */
export const identifier = (charsMax: number, description: string): Field<string | null> =>
  field({ type: "string", description }, (value, name) => {
    if (value === undefined) return Result.succeed(null)
    return typeof value === "string" && value.length <= charsMax && /^[\x21-\x7e]+$/.test(value)
      ? Result.succeed(value)
      : invalid(name, `must be 1 to ${charsMax} printable ASCII characters without spaces`, value)
  })

/** An optional image as a Base64 Data URL. */
export const imageData = (description: string): Field<string | null> =>
  field({ type: "string", description }, (value, name) => {
    if (value === undefined) return Result.succeed(null)
    const problem = typeof value === "string" ? DataUrl.problemOf(value) : dataUrlRule
    return typeof value === "string" && problem === undefined
      ? Result.succeed(value)
      : invalid(name, problem ?? dataUrlRule, value)
  })

const dataUrlRule = "must be a Base64 Data URL of an image"

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
  { type: "integer", minimum: 0, maximum: seedMax, description: "Honoured by channels that have seeds." },
  (value, name) => {
    if (value === undefined) return Result.succeed(null)
    return isIntegerWithin(value, 0, seedMax)
      ? Result.succeed(value)
      : invalid(name, `must be an integer from 0 to ${seedMax}`, value)
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

/**
 * contract, Waiting: a public HTTPS address; its host is resolved and checked when the callback is sent. Whether one
 * of this machine may be called, over HTTP too, is for the deliverer to say.
 */
export const callbackUrl: Field<string | null> = field(
  { type: "string", description: `Public HTTPS address, at most ${callbackUrlCharsMax} characters.` },
  (value, name) => {
    if (value === undefined) return Result.succeed(null)
    const rule = `must be a public HTTPS address of at most ${callbackUrlCharsMax} characters`
    const schemes = typeof value === "string" && namesThisMachine(value) ? ["http:", "https:"] : ["https:"]
    return typeof value === "string" && isAddress(value, schemes, callbackUrlCharsMax)
      ? Result.succeed(value)
      : invalid(name, rule, value)
  },
)

/** What an element of a list of reference images may be. */
interface ImageForm {
  readonly description: string
  /** What is wrong with an element, phrased to follow its name; undefined for a valid one. */
  readonly problemOf: (element: Json) => string | undefined
}

const publicUrl: ImageForm = {
  description: "public http or https image URLs",
  problemOf: (element) =>
    isImageAddress(element)
      ? undefined
      : "must be a public http or https URL; Base64 and Data URLs are not taken",
}

const urlOrData: ImageForm = {
  description: "public http or https image URLs, or Base64 Data URLs of images",
  problemOf: (element) => {
    if (typeof element === "string" && DataUrl.isDataUrl(element)) return DataUrl.problemOf(element)
    return isImageAddress(element)
      ? undefined
      : "must be a public http or https URL or a Base64 Data URL of an image"
  },
}

const isImageAddress = (element: Json): boolean =>
  typeof element === "string" && isAddress(element, ["http:", "https:"], imageUrlCharsMax)

/** Reference images by URL, at most `countMax`. */
export const imageUrls = (countMax: number): Field<ReadonlyArray<string>> => references(countMax, publicUrl)

/** Reference images by URL or as Base64 Data URLs, at most `countMax`; `rule` says how many it takes when. */
export const images = (countMax: number, rule: string): Field<ReadonlyArray<string>> =>
  references(countMax, { ...urlOrData, description: `${urlOrData.description}. ${rule}` })

/**
 * Reference images: `images` and `image_urls` are one field (contract, Images). An empty list is absence. The
 * addresses are fetched and checked before acceptance, by the submitting service.
 */
const references = (countMax: number, form: ImageForm): Field<ReadonlyArray<string>> => ({
  spec: {
    type: "array",
    maximum: countMax,
    description: `Up to ${countMax} ${form.description}; \`images\` and \`image_urls\` are one field.`,
  },
  aliases: ["image_urls"],
  read: (body, name) => {
    const images = readImages(given(body, name), name, countMax, form)
    const urls = readImages(given(body, "image_urls"), "image_urls", countMax, form)
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

const readImages = (
  value: Json | undefined,
  name: string,
  countMax: number,
  { description, problemOf }: ImageForm,
): Reading<ReadonlyArray<string> | undefined> => {
  if (value === undefined) return Result.succeed(undefined)
  if (!Array.isArray(value)) return invalid(name, `must be an array of ${description}`, value)
  if (value.length > countMax) return invalid(name, `must have at most ${countMax} elements`, value)
  const images: Array<string> = []
  for (const [index, each] of value.entries()) {
    const problem = problemOf(each)
    if (problem !== undefined || typeof each !== "string") {
      return invalid(`${name}.${index}`, problem ?? `must be one of ${description}`, each)
    }
    images.push(each)
  }
  return Result.succeed(images)
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
