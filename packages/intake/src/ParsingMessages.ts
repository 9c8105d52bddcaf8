import * as Schema from "effect/Schema"
import type { Bytes, Written } from "./Written.ts"

/** A job for a parsing process: which exported function of which module to call, and its input. */
export interface ParsingJob {
  /** URL of the module. */
  readonly module: string
  readonly function: string
  readonly input: Schema.Json
  /** Files by name: the function finds their bytes in its input, under these names. */
  readonly reads?: Readonly<Record<string, Bytes>>
  /** Files by name: the function fills them by `input.write(name, bytes)`. */
  readonly writes?: Readonly<Record<string, Written>>
  /** Bytes of each file that is written. A function that writes more counts as crashed. */
  readonly writeBytesMax?: number
}

/** The header of a job on the wire: it holds no paths, and the files' bytes follow it in this order. */
export interface JobHead {
  readonly module: string
  readonly function: string
  readonly input: Schema.Json
  readonly reads: ReadonlyArray<{ readonly name: string; readonly bytes: number }>
  readonly writes: ReadonlyArray<string>
}

const Ready = Schema.TaggedStruct("Ready", {})

/** The function returned. */
const Done = Schema.TaggedStruct("Done", { value: Schema.Json, residentBytes: Schema.Number })

/** The function threw a `Refusal`. */
const Refused = Schema.TaggedStruct("Refused", {
  code: Schema.String,
  message: Schema.String,
  residentBytes: Schema.Number,
})

/** The function threw anything else, or there is none of that name. */
const Threw = Schema.TaggedStruct("Threw", { detail: Schema.String })

/** What comes back: once `Ready`, then one of the others for each job. */
export const ParsingReply = Schema.Union([Ready, Done, Refused, Threw])
export type ParsingReply = typeof ParsingReply.Type
