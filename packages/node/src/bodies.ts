/** Fields that every image model takes. */
interface CommonBody {
  /** What to make, or how to edit. */
  readonly prompt: string
  /** How many images; 1 where absent. */
  readonly n?: number
  /** Reference images: public http or https addresses. `images` and `image_urls` are one field. */
  readonly images?: ReadonlyArray<string>
  readonly image_urls?: ReadonlyArray<string>
  readonly seed?: number
  /** A public HTTPS address that is told of the final state; `onFinished` needs none. */
  readonly callback_url?: string
  /** Refuses a request whose fee is higher, in US dollars. */
  readonly max_cost_usd?: number | string
}

/** `gen-image-2`, `gen-image-2.5`. */
export interface GenImageBody extends CommonBody {
  /** `auto`, a ratio such as `16:9`, or WIDTHxHEIGHT. */
  readonly size?: string
  readonly resolution?: "1K" | "2K" | "4K"
  readonly quality?: "auto" | "low" | "medium" | "high"
}

/** `imagine-image-2.0`. */
export interface ImagineImageBody extends CommonBody {
  /** `auto` or one of its 13 ratios. */
  readonly size?: string
  readonly resolution?: "1K" | "2K"
  readonly quality?: "low" | "medium"
}

/** `dream-*`, `alt-dream-*`. */
export interface DreamBody extends CommonBody {
  /** `auto`, a tier, a ratio, or WIDTHxHEIGHT. */
  readonly size?: string
  readonly resolution?: "1K" | "2K" | "4K"
  readonly quality?: "standard" | "fast"
}

/** `artgen`: one operation, one image. */
export interface ArtgenBody extends Omit<CommonBody, "prompt" | "n"> {
  /** Some operations need none. */
  readonly prompt?: string
  readonly n?: 1
  readonly size?: string
  readonly quality?: "standard" | "hd"
  readonly mode?: "fast" | "turbo"
  /** The operation; absent: a picture of the prompt. */
  readonly generation_type?: string
  readonly metadata?: {
    /** `data.job_id` of the finished step that this one builds on. */
    readonly job_id?: string
    /** A Base64 Data URL of an image. */
    readonly mask?: string
  }
}

/** Every field of the built-in families, for a model whose name is not known when the code is written. */
export interface AnyImageBody extends Omit<CommonBody, "prompt"> {
  readonly prompt?: string
  readonly size?: string
  readonly resolution?: string
  readonly quality?: string
  readonly mode?: string
  readonly generation_type?: string
  readonly metadata?: { readonly job_id?: string; readonly mask?: string }
}

/**
 * Bodies of models that plugins and the configuration add, by their id. Add to it:
 * `declare module "@atelier/node" { interface ImageBodies { "swatch-1": { prompt: string; size?: "small" | "large" } } }`
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add to it
export interface ImageBodies {}

/** What a model takes. A field that it does not take is a type error where its name is written in the code. */
export type ImageBody<M extends string> = M extends keyof ImageBodies
  ? ImageBodies[M]
  : M extends `gen-image-${string}`
    ? GenImageBody
    : M extends `imagine-image-${string}`
      ? ImagineImageBody
      : M extends `dream-${string}` | `alt-dream-${string}`
        ? DreamBody
        : M extends "artgen"
          ? ArtgenBody
          : AnyImageBody
