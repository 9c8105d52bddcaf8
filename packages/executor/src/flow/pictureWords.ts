/** What programs put in the place of a description: the name of a file, or its path. */
const fileName = /\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|svg|webp)$/i
/** The same without its end, such as `j0395699` and `MS_logo_K`: one word with a sign of such names, or more digits than those of standards and years have. */
const codeName = /^(?=[!-~]*[_[]|(?:\D*\d){6})[!-~]+$/

/** What Office adds to the descriptions that it makes itself. */
const madeByProgram =
  /(?:description automatically generated(?: with (?:very )?(?:low|medium|high) confidence)?|ai-generated content may be incorrect|KI-generierte Inhalte können fehlerhaft sein|le contenu généré par l[’']IA peut être incorrect|el contenido generado por IA puede ser incorrecto|AI 生成的内容可能不正确|AI 生成コンテンツは誤りを含む可能性があります)[.。]?$/i

/** The description of a picture by its author: empty where it is the name of a file. */
export const pictureWords = (description: string): string => {
  const words = description.trim().replace(madeByProgram, "").trimEnd()
  return fileName.test(words) || codeName.test(words) ? "" : words
}
