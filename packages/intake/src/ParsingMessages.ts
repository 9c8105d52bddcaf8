import * as Schema from "effect/Schema"

/**
 * What crosses to a parsing process: which exported function of which module to call with what. Documents
 * and results pass as file paths inside `input`, never themselves.
 */
export interface ParsingJob {
  /** URL of the module. */
  readonly module: string
  readonly function: string
  readonly input: Schema.Json
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
