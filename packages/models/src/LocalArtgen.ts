import { type ImageRequest, sha256 } from "@atelier/core"
import { parseJson } from "@atelier/intake/bytes"
import type { ArtgenExtra, OperationName } from "./Artgen.ts"
import type { PictureOrder, Place, SheetOrder } from "./art/Picture.ts"
import * as DataUrl from "./DataUrl.ts"
import { type Pixels, pixelsOf } from "./PixelSize.ts"

/** Longest edge of an upscaled image. */
const edgeMax = 3840
/** Bytes of the prompt, written as JSON, that go from step to step: a job id stays below 512 characters. */
const carriedBytesMax = 120

/**
 * Everything that a step's image follows from. It is written into the step's job id, so that the next step
 * finds it again in any process.
 */
interface Step {
  readonly prompt: string
  readonly seed: number
  /** 1 to 4: one picture of a grid; 0: the grid of four. */
  readonly cell: number
  /** Pixels in which it is drawn. */
  readonly width: number
  readonly height: number
  /** Its pixels are this many times those in which it is drawn. */
  readonly scale: number
  /** The picture of the step before, which lies on this one. */
  readonly inner: {
    readonly frame: Frame
    readonly prompt: string
    readonly seed: number
    readonly cell: number
  } | null
}

const frames = [
  "inpaint",
  "zoom_out_1.5",
  "zoom_out_2",
  "pan_left",
  "pan_right",
  "pan_up",
  "pan_down",
] as const
type Frame = (typeof frames)[number]

/** What the local adapter answers to an operation. */
export type ArtgenAnswer =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Seed"; readonly seed: number }
  | {
      readonly _tag: "Image"
      readonly sheet: SheetOrder
      readonly jobId: string
      readonly seed: number
    }

/**
 * The answer of the embedded adapter to any `artgen` operation: the same reference and request give the same.
 * Steps show what was asked of them: an upscale is the same picture with more pixels, an upsample one quarter of
 * its grid, a zoom the picture within a wider one.
 */
export const answer = (reference: string, request: ImageRequest, extra: ArtgenExtra): ArtgenAnswer => {
  const operation = extra.generation_type
  if (operation === "describe") return { _tag: "Text", text: describe(request.images[0] ?? "") }
  const parent = request.parentJobId === null ? undefined : stepOf(request.parentJobId)
  if (operation === "seed") return { _tag: "Seed", seed: parent?.seed ?? 0 }
  const step = parent === undefined ? firstStep(request, extra) : nextStep(request, operation, parent)
  return {
    _tag: "Image",
    sheet: sheetOf(step, request.model),
    jobId: jobIdOf(reference, step),
    seed: step.seed,
  }
}

const firstStep = (request: ImageRequest, { hd }: ArtgenExtra): Step => ({
  prompt: carried(request.prompt),
  seed: request.seed ?? seedFrom(request.prompt, ...request.images),
  cell: 0,
  ...pixelsOf({ ...request, resolution: hd ? "2K" : "1K" }),
  scale: 1,
  inner: null,
})

const nextStep = (request: ImageRequest, operation: OperationName, parent: Step): Step => {
  const numbered = /^(variation|upsample)([1-4])$/.exec(operation)
  const cell = Number(numbered?.[2] ?? parent.cell)
  if (numbered?.[1] === "upsample") return { ...parent, cell, scale: 1, inner: null }
  if (operation === "upscale2" || operation === "upscale4") {
    const factor = operation === "upscale2" ? 2 : 4
    const most = edgeMax / Math.max(parent.width, parent.height)
    return { ...parent, scale: Math.max(parent.scale, Math.min(parent.scale * factor, most)) }
  }
  const prompt = request.prompt.trim() === "" ? parent.prompt : carried(request.prompt)
  const seed =
    request.seed ??
    seedFrom(operation, prompt, String(parent.seed), String(cell), parent.inner === null ? "" : "again")
  const next: Step = { ...parent, prompt, seed, scale: 1, inner: null }
  const frame = frames.find((each) => each === operation)
  if (frame === undefined) return { ...next, cell: 0 }
  const { cell: of, prompt: before, seed: under } = parent
  return { ...next, cell: 1, inner: { frame, prompt: before, seed: under, cell: of } }
}

/** Where the picture before lies on the new one, in parts of the sheet. */
const places: { readonly [F in Frame]: Place } = {
  inpaint: { x: 0, y: 0, width: 1, height: 1 },
  "zoom_out_1.5": { x: 1 / 6, y: 1 / 6, width: 2 / 3, height: 2 / 3 },
  zoom_out_2: { x: 0.25, y: 0.25, width: 0.5, height: 0.5 },
  pan_left: { x: 0.5, y: 0, width: 1, height: 1 },
  pan_right: { x: -0.5, y: 0, width: 1, height: 1 },
  pan_up: { x: 0, y: 0.5, width: 1, height: 1 },
  pan_down: { x: 0, y: -0.5, width: 1, height: 1 },
}
const whole: Place = { x: 0, y: 0, width: 1, height: 1 }
/** What an inpainting puts into the picture. */
const patch: Place = { x: 0.3, y: 0.3, width: 0.4, height: 0.4 }
const quarters: ReadonlyArray<Place> = [0, 1, 2, 3].map((at) => ({
  x: (at % 2) / 2,
  y: Math.floor(at / 2) / 2,
  width: 0.5,
  height: 0.5,
}))

type Picture = Pick<Step, "prompt" | "seed" | "cell">

const sheetOf = (step: Step, model: string): SheetOrder => {
  const sheet = pixelsAt(step)
  const lone = (picture: Picture, at: Place, bare = false) => ({
    order: orderOf(picture, step, model, bare),
    place: {
      x: at.x * sheet.width,
      y: at.y * sheet.height,
      width: at.width * sheet.width,
      height: at.height * sheet.height,
    },
  })
  const lay = (picture: Picture, at: Place) =>
    picture.cell === 0
      ? quarters.map((quarter, index) => lone({ ...picture, cell: index + 1 }, within(at, quarter)))
      : [lone(picture, at)]
  const { inner } = step
  if (inner === null) return { ...sheet, pictures: lay(step, whole) }
  const pictures =
    inner.frame === "inpaint"
      ? [...lay(inner, whole), lone(step, patch, true)]
      : [lone(step, whole, true), ...lay(inner, places[inner.frame])]
  return { ...sheet, pictures }
}

const within = (outer: Place, part: Place): Place => ({
  x: outer.x + part.x * outer.width,
  y: outer.y + part.y * outer.height,
  width: part.width * outer.width,
  height: part.height * outer.height,
})

/** A picture is drawn in the whole size of its step wherever it lies, so that it stays the same picture. */
const orderOf = (
  { cell, prompt, seed }: Picture,
  { height, width }: Pixels,
  model: string,
  bare: boolean,
): PictureOrder => ({
  prompt,
  model,
  width,
  height,
  seed,
  index: cell - 1,
  references: 0,
  bare,
})

const pixelsAt = ({ height, scale, width }: Step): Pixels => ({
  width: Math.round(width * scale),
  height: Math.round(height * scale),
})

const carried = (prompt: string): string => {
  let [text, bytes] = ["", 0]
  for (const character of prompt) {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2
    if (bytes > carriedBytesMax) break
    text += character
  }
  return text
}

const seedFrom = (...parts: ReadonlyArray<string>): number =>
  Number.parseInt(sha256(parts.join("\n")).slice(0, 8), 16)

/** `local-`, 16 digits of the reference's hash, and the step. */
const jobIdOf = (reference: string, step: Step): string => {
  const { cell, height, inner, prompt, scale, seed, width } = step
  const before = inner === null ? [] : [inner.frame, inner.prompt, inner.seed, inner.cell]
  const written = JSON.stringify([prompt, seed, cell, width, height, scale, ...before])
  return `local-${sha256(reference).slice(0, 16)}-${Buffer.from(written).toString("base64url")}`
}

/** The step of a job id; of an id that this adapter did not make, one that follows from it. */
const stepOf = (jobId: string): Step => {
  const [prompt, seed, cell, width, height, scale, frame, ...before] = decode(jobId)
  const [innerPrompt, innerSeed, innerCell] = before
  if (
    typeof prompt !== "string" ||
    !isWhole(seed) ||
    !isWhole(cell) ||
    !isWhole(width) ||
    !isWhole(height) ||
    typeof scale !== "number"
  ) {
    return { prompt: "", seed: seedFrom(jobId), cell: 0, width: 1024, height: 1024, scale: 1, inner: null }
  }
  const known = frames.find((each) => each === frame)
  const inner =
    known !== undefined && typeof innerPrompt === "string" && isWhole(innerSeed) && isWhole(innerCell)
      ? { frame: known, prompt: innerPrompt, seed: innerSeed, cell: innerCell }
      : null
  return { prompt, seed, cell, width, height, scale, inner }
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

const jobLimits = { json_depth_max: 4, json_values_max: 32, json_keys_max: 0 }

const decode = (jobId: string): ReadonlyArray<unknown> => {
  try {
    const written = parseJson(Buffer.from(jobId.slice("local-".length + 17), "base64url"), jobLimits)
    return Array.isArray(written) ? written : []
  } catch {
    return []
  }
}

const subjects = ["a quiet shore", "a city at dusk", "hills in the mist", "a garden in flower"]
const manners = ["flat colour print", "paper collage", "soft gouache", "woodcut in three inks"]
const lights = ["early light", "golden hour", "overcast sky", "moonlight"]

/** Words about an image: what its bytes tell, and four prompts that follow from it. Nothing is fetched. */
const describe = (image: string): string => {
  const hash = sha256(image)
  const pick = (from: ReadonlyArray<string>, at: number): string =>
    from[Number.parseInt(hash.slice(at, at + 2), 16) % from.length] ?? ""
  const prompts = [0, 6, 12, 18].map(
    (at, index) => `${index + 1}. ${pick(subjects, at)}, ${pick(manners, at + 2)}, ${pick(lights, at + 4)}`,
  )
  return [whatItIs(image), ...prompts].join("\n")
}

const whatItIs = (image: string): string => {
  if (!DataUrl.isDataUrl(image)) return `An image at ${URL.parse(image)?.host ?? "an unknown address"}.`
  const read = DataUrl.read(image)
  if (typeof read === "string") return "An image that cannot be read."
  const { height, type, width } = read.header
  const form = width === height ? "square" : width > height ? "landscape" : "portrait"
  return `A ${form} ${type.slice("image/".length).toUpperCase()} image of ${width} × ${height} pixels.`
}
