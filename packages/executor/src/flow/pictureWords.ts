/** What programs put in the place of a description: the name of a file, or its path. */
const fileName = /\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|svg|webp|heic|ico|eps|pdf)$/i
/** The same without its end, such as `j0395699` and `MS_logo_K`: one word with a sign of such names, or more digits than those of standards and years have. */
const codeName = /^(?=[!-~]*[_[]|(?:\D*\d){6})[!-~]+$/

/** What Office adds to the descriptions that it makes itself, in the language of its user. */
const madeByProgram = new RegExp(
  `(?:${[
    "description (?:automatically )?generated",
    "automatisch generierte beschreibung",
    "description générée automatiquement",
    "descripción generada automáticamente",
    "descrizione generata automaticamente",
    "descrição gerada automaticamente",
    "automatisch gegenereerde beschrijving",
    "automatiskt genererad beskrivning",
    "automatisk genereret beskrivelse",
    "automatisk generert beskrivelse",
    "ai-generated content may be incorrect",
    "ki-generierte inhalte können fehlerhaft sein",
    "le contenu généré par l[’']ia peut être incorrect",
    "el contenido generado por ia puede ser incorrecto",
    "ai 生成的内容可能不正确",
    "ai 生成コンテンツは誤りを含む可能性があります",
  ].join("|")})(?:,? (?:with|mit|avec|con|com|met|med) [\\p{L} ]{1,40})?[.。]?$`,
  "iu",
)

/** The description of a picture by its author: empty where it is the name of a file. */
export const pictureWords = (description: string): string => {
  const words = description.trim().replace(madeByProgram, "").trimEnd()
  return fileName.test(words) || codeName.test(words) ? "" : words
}
