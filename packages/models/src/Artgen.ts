import { type ImageModel, type ImageRequest, type PriceLine, usd } from "@atelier/core"
import * as Result from "effect/Result"
import { isDataUrl } from "./DataUrl.ts"
import * as Field from "./Fields.ts"
import { declareModel, type FamilyPart, type ModelFamily } from "./ModelFamily.ts"
import { parseRatio } from "./PixelSize.ts"

const promptCharsMax = 6_000
/** Upstream task identifiers are shorter; this bounds what is stored and looked up. */
const jobIdCharsMax = 512
/** image-tasks 8: images of a blend. */
const blendImagesMin = 2
const blendImagesMax = 5
/** Widest aspect ratio, to 1. */
const ratioMax = 3

const modes = ["fast", "turbo"] as const
type Mode = (typeof modes)[number]
const qualities = ["standard", "hd"] as const
type Quality = (typeof qualities)[number]

/** What an operation costs, whichever of its group it is. */
type PriceGroup = "generate" | "upsample" | "upscale2" | "upscale4" | "describe" | "seed"

/** What an operation requires of a request, and accepts. */
interface Operation {
  readonly price: PriceGroup
  /** It builds on a finished step: `metadata.job_id` is required, else it is refused. */
  readonly buildsOnJob: boolean
  readonly needsPrompt: boolean
  readonly needsMask: boolean
  readonly imagesMin: number
  readonly imagesMax: number
  /** Its images must be Base64 Data URLs, not addresses. */
  readonly imagesAsData: boolean
  /** It takes an aspect ratio. */
  readonly hasSize: boolean
}

const onJob: Operation = {
  price: "generate",
  buildsOnJob: true,
  needsPrompt: false,
  needsMask: false,
  imagesMin: 0,
  imagesMax: 0,
  imagesAsData: false,
  hasSize: false,
}
const fromNothing = { ...onJob, buildsOnJob: false }

/** contract, Images: every operation of `artgen`. */
const operations = {
  imagine: { ...fromNothing, needsPrompt: true, imagesMax: 5, hasSize: true },
  blend: {
    ...fromNothing,
    imagesMin: blendImagesMin,
    imagesMax: blendImagesMax,
    imagesAsData: true,
    hasSize: true,
  },
  describe: { ...fromNothing, price: "describe", imagesMin: 1, imagesMax: 1 },
  seed: { ...onJob, price: "seed" },
  inpaint: { ...onJob, needsPrompt: true, needsMask: true },
  variation1: onJob,
  variation2: onJob,
  variation3: onJob,
  variation4: onJob,
  upsample1: { ...onJob, price: "upsample" },
  upsample2: { ...onJob, price: "upsample" },
  upsample3: { ...onJob, price: "upsample" },
  upsample4: { ...onJob, price: "upsample" },
  reroll: onJob,
  upscale2: { ...onJob, price: "upscale2" },
  upscale4: { ...onJob, price: "upscale4" },
  "zoom_out_1.5": onJob,
  zoom_out_2: onJob,
  pan_left: onJob,
  pan_right: onJob,
  pan_up: onJob,
  pan_down: onJob,
} as const satisfies { readonly [name: string]: Operation }

/** The name of an operation, as `generation_type` has it. */
export type OperationName = keyof typeof operations
export const operationNames = Object.keys(operations) as ReadonlyArray<OperationName>

/** Published prices of this service, in US dollars for one operation; a configuration replaces them. */
const prices: { readonly [G in PriceGroup]: { readonly [M in Mode]: { readonly [Q in Quality]: string } } } =
  {
    generate: { fast: { standard: "0.04", hd: "0.08" }, turbo: { standard: "0.08", hd: "0.16" } },
    upsample: { fast: { standard: "0.01", hd: "0.01" }, turbo: { standard: "0.02", hd: "0.02" } },
    upscale2: { fast: { standard: "0.04", hd: "0.04" }, turbo: { standard: "0.08", hd: "0.08" } },
    upscale4: { fast: { standard: "0.08", hd: "0.08" }, turbo: { standard: "0.16", hd: "0.16" } },
    describe: { fast: { standard: "0.01", hd: "0.01" }, turbo: { standard: "0.02", hd: "0.02" } },
    seed: { fast: { standard: "0.001", hd: "0.001" }, turbo: { standard: "0.001", hd: "0.001" } },
  }

/** What `artgen` keeps in `ImageRequest.extra`, as an adapter reads it. */
export interface ArtgenExtra {
  readonly mode: Mode
  readonly generation_type: OperationName
  /** The upstream's high-definition flag (image-tasks 2.2: `quality` `hd`). */
  readonly hd: boolean
  /** `inpaint`: the Base64 Data URL of the mask. */
  readonly mask: string | null
}

/** The artgen part of a request; undefined for a request to another family. */
export const extraOf = ({ extra }: ImageRequest): ArtgenExtra | undefined => {
  const { generation_type: operation, mode, hd, mask } = extra
  const name = operationNames.find((each) => each === operation)
  if (name === undefined) return undefined
  return {
    generation_type: name,
    mode: mode === "turbo" ? "turbo" : "fast",
    hd: hd === true,
    mask: typeof mask === "string" ? mask : null,
  }
}

const needing = (test: (operation: Operation) => boolean): string =>
  operationNames.filter((name) => test(operations[name])).join(", ")

const sizeRule = `an aspect ratio WIDTH:HEIGHT up to ${ratioMax}:1`

const fields = {
  mode: Field.choice(modes, "fast"),
  quality: Field.choice(qualities, "standard"),
  generation_type: Field.choice(operationNames, "imagine"),
  size: Field.formatted({
    spec: { type: "string" },
    preset: "1:1",
    rule: `${sizeRule}; used by ${needing(({ hasSize }) => hasSize)}`,
    read: (text) => {
      const ratio = parseRatio(text)
      if (ratio === undefined) return undefined
      const [short, long] = [Math.min(ratio.across, ratio.down), Math.max(ratio.across, ratio.down)]
      return long <= ratioMax * short ? text : undefined
    },
  }),
  metadata: Field.object("Of operations that build on a finished step.", {
    job_id: Field.identifier(
      jobIdCharsMax,
      "`data.job_id` of the finished step that the operation builds on; required by every operation but " +
        `${needing(({ buildsOnJob }) => !buildsOnJob)}, which do not take it.`,
    ),
    mask: Field.imageData(
      `Base64 Data URL of the mask image; required by ${needing(({ needsMask }) => needsMask)}, taken by no other.`,
    ),
  }),
}

type Values = Field.Values<typeof fields> & {
  readonly prompt: string
  readonly images: ReadonlyArray<string>
}

/** Refuses missing and unsupported fields of the operation; one rule a line, in the order of the listing. */
const resolve = (values: Values): Field.Reading<FamilyPart> => {
  const { generation_type: name, images, metadata, mode, prompt, quality, size } = values
  const operation: Operation = operations[name]
  const { job_id: jobId, mask } = metadata
  const of = `for the operation ${name}`
  if (operation.needsPrompt && prompt.trim() === "") {
    return Field.invalid("prompt", `must be a non-empty string ${of}`, prompt)
  }
  if (images.length < operation.imagesMin || images.length > operation.imagesMax) {
    return Field.invalid("images", `must hold ${countOf(operation)} ${of}`, [...images])
  }
  const address = images.findIndex((image) => operation.imagesAsData && !isDataUrl(image))
  if (address >= 0) {
    return Field.invalid(`images.${address}`, `must be a Base64 Data URL ${of}`, images[address])
  }
  if (operation.buildsOnJob && jobId === null) {
    return Field.invalid("metadata.job_id", `must be the \`data.job_id\` of a finished step ${of}`, jobId)
  }
  if (!operation.buildsOnJob && jobId !== null) {
    return Field.invalid("metadata.job_id", `must be left out ${of}, which builds on no step`, jobId)
  }
  if (operation.needsMask && mask === null) {
    return Field.invalid("metadata.mask", `must be a Base64 Data URL of an image ${of}`, mask)
  }
  if (!operation.needsMask && mask !== null) {
    return Field.invalid("metadata.mask", `must be left out ${of}`, mask)
  }
  return Result.succeed({
    width: null,
    height: null,
    size: operation.hasSize ? size : null,
    resolution: null,
    quality,
    parentJobId: jobId,
    extra: { mode, generation_type: name, hd: quality === "hd", mask },
  })
}

const countOf = ({ imagesMax, imagesMin }: Operation): string => {
  if (imagesMax === 0) return "no image"
  if (imagesMin === imagesMax) return imagesMin === 1 ? "exactly 1 image" : `exactly ${imagesMin} images`
  return `${imagesMin} to ${imagesMax} images`
}

const price = (request: ImageRequest): ReadonlyArray<PriceLine> => {
  const {
    generation_type: name,
    hd,
    mode,
  } = extraOf(request) ?? {
    generation_type: "imagine" as const,
    hd: false,
    mode: "fast" as const,
  }
  const quality = hd ? "hd" : "standard"
  return [
    {
      description: `${name}, ${mode}, ${quality}`,
      quantity: 1,
      unitPriceUsd: usd(prices[operations[name].price][mode][quality]),
    },
  ]
}

const priceTable = operationNames.flatMap((operation) =>
  modes.flatMap((mode) => {
    const { hd, standard } = prices[operations[operation].price][mode]
    return hd === standard
      ? [{ operation, mode, usd: standard }]
      : qualities.map((quality) => ({
          operation,
          mode,
          quality,
          usd: prices[operations[operation].price][mode][quality],
        }))
  }),
)

const artgen = (id: string): ImageModel =>
  declareModel({
    id,
    created: 1_767_225_600,
    endpoints: ["/v1/images/tasks"],
    delivery: "passthrough",
    promptCharsMax,
    nMax: 1,
    imagesMax: blendImagesMax,
    prompt: Field.optionalPrompt(
      promptCharsMax,
      `Required by ${needing(({ needsPrompt }) => needsPrompt)}; a wish for the other operations.`,
    ),
    images: Field.images(
      blendImagesMax,
      `blend takes ${blendImagesMin} to ${blendImagesMax} Data URLs, describe exactly one image, imagine ` +
        `up to ${blendImagesMax}; other operations take none.`,
    ),
    fields,
    resolve,
    pricing: { unit: "operation", currency: "USD", table: priceTable },
    price,
  })

/**
 * `artgen`, the unified art model (image-tasks 2.2; contract, Images). One operation a task, and one image: what
 * `imagine`, `blend`, `reroll` and the variations make is one grid of four pictures, whose quarters `upsample1`
 * to `upsample4` and `variation1` to `variation4` take up. Its older versioned names are closed
 * (image-tasks 9.4).
 */
export const family: ModelFamily = {
  name: "artgen",
  models: [artgen("artgen")],
  closed: [{ pattern: "artgen-*", successor: "artgen" }],
  make: artgen,
}
