import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Installed with the server; the packages of other languages are named alike. */
const english = "@tesseract.js-data/eng"

/** Where the data of a language lie: the whole-number form of its best model, which is small and quick. */
export const languageFile = (language: string): string => {
  const main = import.meta.resolve(english.replace(/eng$/, language))
  return join(dirname(fileURLToPath(main)), "4.0.0_best_int", `${language}.traineddata.gz`)
}

/** The first language whose data are not installed; undefined if all are. */
export const missingLanguage = (languages: ReadonlyArray<string>): string | undefined =>
  languages.find((language) => {
    try {
      return !existsSync(languageFile(language))
    } catch {
      return true
    }
  })
