import * as Context from "effect/Context"
import * as Schema from "effect/Schema"

const Language = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9_]{1,30}$/, { expected: 'a language code of Tesseract such as "eng"' }),
)

/** What an operator sets for all document tools. Names are those of the configuration file. */
export const DocumentSettings = Schema.Struct({
  refuse_without_text_layer: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      "Whether `file-md-json` refuses a PDF without a text layer at upload; by default its result is empty, with a warning.",
    default: false,
  }),
  page_offsets: Schema.optionalKey(Schema.Boolean).annotateKey({
    description:
      "Whether results in JSON say where each page, slide or sheet stands in the Markdown (`pages`, `slides`, `sheets`).",
    default: false,
  }),
  scan_languages: Schema.optionalKey(
    Schema.Array(Language).check(Schema.isMinLength(1), Schema.isMaxLength(8)),
  ).annotateKey({
    description: "Languages that `scan-md-json` reads, the most frequent first.",
    default: ["eng"],
  }),
})
export type DocumentSettings = typeof DocumentSettings.Type

export const CurrentDocumentSettings = Context.Reference<DocumentSettings>(
  "@atelier/core/domain/DocumentSettings",
  { defaultValue: () => ({}) },
)
