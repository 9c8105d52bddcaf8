import {
  type CoreError,
  globMatches,
  type ImageModel,
  type ImageRequest,
  type Json,
  type ParameterSpec,
  type PriceLine,
  type PricingDisplay,
  type RequestBody,
  type Warning,
} from "@atelier/core"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Field from "./Fields.ts"

/** What one file of this package declares: live models, and closed names with the model that follows them. */
export interface ModelFamily {
  /** What `models.<id>.family` of the configuration calls it (contract, Catalog and plugins). */
  readonly name?: string
  readonly models: ReadonlyArray<ImageModel>
  readonly closed: ReadonlyArray<{ readonly pattern: string; readonly successor: string }>
  /** Makes a model of the family that is not in its list, where a channel names one; undefined for another's. */
  readonly named?: (id: string) => ImageModel | undefined
  /** Makes a model of the family under an id of the operator's, with the prices of the family's first model. */
  readonly make?: (id: string) => ImageModel
}

/** The successor of a closed model, among some families (image-tasks 9.4). */
export const successorAmong = (families: ReadonlyArray<ModelFamily>, id: string): string | undefined =>
  families.flatMap(({ closed }) => closed).find(({ pattern }) => globMatches(pattern, id))?.successor

/** The part of a request that a family's own fields decide. */
export interface FamilyPart {
  readonly width: number | null
  readonly height: number | null
  readonly size: string | null
  readonly resolution: string | null
  readonly quality: string | null
  readonly extra: { readonly [name: string]: Json }
  readonly parentJobId?: string | null
}

/** Fields that every image model reads. */
interface CommonValues {
  readonly prompt: string
  readonly n: number
  readonly images: ReadonlyArray<string>
  readonly seed: number | null
  readonly callback_url: string | null
}

/** One model. `fields` are those beside prompt, n, images, seed and callback_url. */
export interface Declaration<F extends Field.Fields> {
  readonly id: string
  readonly created: number
  readonly endpoints: ImageModel["endpoints"]
  readonly delivery: ImageModel["delivery"]
  readonly deliveryFixed?: boolean
  readonly synchronous?: ImageModel["synchronous"]
  readonly promptCharsMax: number
  readonly nMax: number
  readonly imagesMax: number
  readonly fields: F
  /** The instruction, where it is not required; by default it is, with `promptCharsMax`. */
  readonly prompt?: Field.Field<string>
  /** The reference images, where they are more than public URLs; by default those, up to `imagesMax`. */
  readonly images?: Field.Field<ReadonlyArray<string>>
  /** Whether a request may bring a mask (`POST /v1/images/edits`). */
  readonly masks?: boolean
  /** Makes the family's part of the request, and refuses what the fields cannot tell one by one. */
  readonly resolve: (values: Field.Values<F> & CommonValues) => Field.Reading<FamilyPart>
  readonly pricing: PricingDisplay
  /** The columns of the price table that a request falls under; by default its own resolution and quality. */
  readonly tier?: ImageModel["tier"]
  readonly price: (request: ImageRequest) => ReadonlyArray<PriceLine>
}

/** Fields that other parts of the service read; no model warns of them. */
const serviceFields = ["model", "max_cost_usd", "user", "stream", "response_format"]
/** A warning lists no more names than this, each no longer than that. */
const ignoredNamesMax = 20
const ignoredNameCharsMax = 60

/** A model whose listing and validation come from the same fields. */
export const declareModel = <F extends Field.Fields>(declaration: Declaration<F>): ImageModel => {
  const { id, created, endpoints, delivery, promptCharsMax, nMax, imagesMax, pricing, price } = declaration
  const { deliveryFixed, synchronous } = declaration
  const common = {
    prompt: declaration.prompt ?? Field.prompt(promptCharsMax),
    n: Field.integer({ minimum: 1, maximum: nMax, default: 1 }),
    images: declaration.images ?? Field.imageUrls(imagesMax),
    seed: Field.seed,
    callback_url: Field.callbackUrl,
  }
  const fields: Field.Fields = { ...common, ...declaration.fields }
  const parameters = parametersOf(fields)
  const read = (body: RequestBody): Field.Reading<ImageRequest> =>
    Result.gen(function* () {
      const values = {
        ...(yield* Field.readAll(common, body)),
        ...(yield* Field.readAll(declaration.fields, body)),
      }
      const { prompt, n, images, seed, callback_url: callbackUrl } = values
      const part = yield* declaration.resolve(values)
      return { model: id, prompt, n, images, seed, parentJobId: null, callbackUrl, ...part }
    })
  return {
    id,
    ownedBy: "atelier",
    created,
    endpoints,
    parameters,
    limits: { n: nMax, reference_images: imagesMax, prompt_chars: promptCharsMax },
    pricing,
    delivery,
    ...(deliveryFixed === undefined ? {} : { deliveryFixed }),
    ...(synchronous === undefined ? {} : { synchronous }),
    ...(declaration.masks === undefined ? {} : { masks: declaration.masks }),
    ...(declaration.tier === undefined ? {} : { tier: declaration.tier }),
    price,
    parse: (body): Effect.Effect<{ request: ImageRequest; warnings: ReadonlyArray<Warning> }, CoreError> =>
      Effect.suspend(() =>
        Effect.map(Effect.fromResult(read(body)), (request) => ({
          request,
          warnings: ignored(id, unknownFields(fields, body)),
        })),
      ),
  }
}

const parametersOf = (fields: Field.Fields, path = ""): { readonly [name: string]: ParameterSpec } =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { aliases, members = {}, spec }]) => [
      ...[name, ...aliases].map((each) => [path + each, spec] as const),
      ...Object.entries(parametersOf(members, `${path}${name}.`)),
    ]),
  )

/** Paths of the fields of a body that the model does not read. */
const unknownFields = (fields: Field.Fields, body: RequestBody): ReadonlyArray<string> => {
  const known = new Set(Object.entries(fields).flatMap(([name, { aliases }]) => [name, ...aliases]))
  return Object.entries(body).flatMap(([name, value]) => {
    if (!known.has(name)) return serviceFields.includes(name) ? [] : [name]
    const members = fields[name]?.members ?? {}
    if (!Field.isObject(value)) return []
    return Object.keys(value)
      .filter((member) => !Object.hasOwn(members, member))
      .map((member) => `${name}.${member}`)
  })
}

/** Fields that the model does not read are ignored and named (contract, Images). */
const ignored = (id: string, names: ReadonlyArray<string>): ReadonlyArray<Warning> => {
  if (names.length === 0) return []
  const listed = names
    .slice(0, ignoredNamesMax)
    .map((name) => JSON.stringify(name.slice(0, ignoredNameCharsMax)))
    .join(", ")
  const more = names.length > ignoredNamesMax ? ` and ${names.length - ignoredNamesMax} more` : ""
  return [
    { code: "unknown_parameter_ignored", message: `${id} has no such parameter; ignored: ${listed}${more}.` },
  ]
}
