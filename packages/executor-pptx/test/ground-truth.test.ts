import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { parsed } from "./documents.ts"
import { handWritten, outlineOf } from "./outline.ts"

const corpus = fileURLToPath(new URL("../../../../shared/corpus", import.meta.url))
const truths = fileURLToPath(new URL("ground-truth", import.meta.url))

/**
 * Each truth was written by hand from pictures of the slides as LibreOffice draws them: what stands on a slide, in the
 * order in which it is read (decision 42). Its first line names the document in the corpus, and
 * the slides that were written down where these are not all.
 */
describe.skipIf(!existsSync(corpus))(
  "documents of the corpus (which is beside the repository) read as written by hand",
  () => {
    for (const name of readdirSync(truths)) {
      const [head = "", ...lines] = readFileSync(join(truths, name), "utf8").split("\n")
      const [document = "", slides] = head.split(" ")
      it(head, () => {
        const { markdown } = parsed(readFileSync(join(corpus, document)))
        const read = outlineOf(markdown)
        expect(slides === undefined ? read : onSlides(read, slides.split(","))).toEqual(
          handWritten(lines.join("\n")),
        )
      })
    }
  },
)

const onSlides = (lines: ReadonlyArray<string>, numbers: ReadonlyArray<string>): ReadonlyArray<string> => {
  let slide = ""
  return lines.filter((line) => {
    slide = /^# (\d+)/.exec(line)?.[1] ?? slide
    return numbers.includes(slide)
  })
}
