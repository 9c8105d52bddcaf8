/** What programs put in the place of a description: the name of a file, or its path. */
const fileName = /\.(?:png|jpe?g|gif|bmp|emf|wmf|tiff?|svg|webp)$/i

/** What Office adds to the descriptions that it makes itself. */
const madeByProgram =
  /(?:description automatically generated(?: with (?:very )?(?:low|medium|high) confidence)?|ai-generated content may be incorrect)\.?$/i

/** The description of a picture by its author: empty where it is the name of a file. */
export const pictureWords = (description: string): string => {
  const words = description.trim().replace(madeByProgram, "").trimEnd()
  return fileName.test(words) ? "" : words
}
