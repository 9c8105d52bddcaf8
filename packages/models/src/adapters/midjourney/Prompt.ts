import type { ImageRequest } from "@atelier/core"
import type { ArtgenExtra } from "../../Artgen.ts"
import { parseRatio } from "../../PixelSize.ts"

/**
 * Flags that decide what a request costs: speed, definition, and how many jobs it makes. The service sets
 * speed and definition itself, by `mode` and `quality`, and sells one job; so a prompt may not carry them.
 * Dashes that keyboards put in place of `--` count too.
 */
const pricedFlags =
  /(^|\s)(?:--|[—–])(?:fast|turbo|relax|hd|sd|(?:repeat|r)(?:\s+\d+)?|(?:quality|q)(?:\s+[\d.]+)?)(?=\s|$)/gi

/**
 * The prompt as its customer wrote it, without flags that change its price. Braces, which would make a job for
 * each of the words in them, become parentheses.
 */
export const withoutPricedFlags = (prompt: string): string =>
  prompt.replace(pricedFlags, " ").replaceAll("{", "(").replaceAll("}", ")").replace(/ {2,}/g, " ").trim()

const hasFlag = (prompt: string, names: string): boolean =>
  new RegExp(`(?:^|\\s)(?:--|[—–])(?:${names})(?:\\s|$)`, "i").test(prompt)

/**
 * The prompt of an imagine: reference images by URL go before it; ratio, seed and high definition behind it,
 * unless the prompt has its own ratio or seed. `speed` adds the mode as a flag.
 */
export const imaginePrompt = (
  { images, prompt, seed, size }: ImageRequest,
  { hd, mode }: Pick<ArtgenExtra, "hd" | "mode">,
  speed: boolean,
): string => {
  const text = withoutPricedFlags(prompt)
  const ratio = size === null || size === "1:1" ? undefined : wholeRatio(size)
  return [
    ...images.filter((image) => !image.startsWith("data:")),
    text,
    ...(ratio === undefined || hasFlag(text, "ar|aspect") ? [] : [`--ar ${ratio}`]),
    ...(seed === null || hasFlag(text, "seed") ? [] : [`--seed ${seed}`]),
    ...(hd ? ["--hd"] : []),
    ...(speed ? [`--${mode}`] : []),
  ].join(" ")
}

/** Ratios upstream are of whole numbers: `19.5:9` is `13:6`. */
const wholeRatio = (size: string): string | undefined => {
  const ratio = parseRatio(size)
  if (ratio === undefined) return undefined
  const unit = divisor(ratio.across, ratio.down)
  return `${ratio.across / unit}:${ratio.down / unit}`
}

const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))

/** A blend has three forms. */
export const blendDimensions = (size: string | null): "PORTRAIT" | "SQUARE" | "LANDSCAPE" => {
  const ratio = parseRatio(size ?? "")
  if (ratio === undefined || ratio.across === ratio.down) return "SQUARE"
  return ratio.across > ratio.down ? "LANDSCAPE" : "PORTRAIT"
}
