import { readdirSync, readFileSync } from "node:fs"
import { extname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { converterOf } from "../benchmarks/support/converter.ts"
import { compared, f1, type Scores, sumOf } from "../benchmarks/support/scores.ts"
import { structureOf } from "../benchmarks/support/structure.ts"
import { root } from "../scripts/workspace.ts"
import { corpusIsThere } from "./support/corpus.ts"

/**
 * The headings, list items and tables of documents of the corpus, as a person wrote them down who looked at the pages:
 * `FOLDER.NAME.md` for the document `FOLDER/NAME`.
 */
const folder = join(root, "test", "fixtures", "truth")
const names = readdirSync(folder)

const convert = await converterOf()

const scoreOf = async (name: string): Promise<Scores> => {
  const [, source, file] = /^([^.]+)\.(.+)\.md$/.exec(name) ?? []
  const document = readFileSync(join(root, "..", "shared", "corpus", source ?? "", file ?? ""))
  const markdown = await convert(document, file ?? "")
  return compared(structureOf(markdown), structureOf(readFileSync(join(folder, name), "utf8")))
}

/** The best that was reached; a change that lowers it has to say why. */
const reached = {
  ".pdf": { headings: 0.87, items: 1, cells: 0.9 },
} as const

describe.skipIf(!corpusIsThere)(
  "structure of documents beside what a person wrote (needs ../shared/corpus)",
  () => {
    it.each(Object.entries(reached))("of %s", async (extension, bounds) => {
      const scores: Array<Scores> = []
      for (const name of names.filter((each) => extname(each.replace(/\.md$/, "")) === extension))
        scores.push(await scoreOf(name))
      for (const [measure, bound] of Object.entries(bounds))
        expect(f1(sumOf(scores, measure)), measure).toBeGreaterThanOrEqual(bound)
    })
  },
)
