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
 * order of the document. Its first line names the document in the corpus.
 */
describe.skipIf(!existsSync(corpus))(
  "documents of the corpus (which is beside the repository) read as written by hand",
  () => {
    for (const name of readdirSync(truths)) {
      const [document = "", ...lines] = readFileSync(join(truths, name), "utf8").split("\n")
      it(document, () => {
        const { markdown } = parsed(readFileSync(join(corpus, document)))
        expect(outlineOf(markdown)).toEqual(handWritten(lines.join("\n")))
      })
    }
  },
)
