import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { type CorpusRun, corpusPage, runCorpus } from "../scripts/corpus.ts"
import { root } from "../scripts/workspace.ts"
import { corpusFiles, corpusIsThere } from "./support/corpus.ts"

/** The server and three parsing processes, one of them for checks. */
const serviceBytesMax = 850_000_000

describe.skipIf(!corpusIsThere)("every document of the corpus (needs ../shared/corpus)", () => {
  let run: CorpusRun
  beforeAll(async () => {
    run = await runCorpus()
  })

  it("ends with a result or with a refusal by code", () => {
    expect(new Set(run.passages.map(({ name }) => name)).size).toBe(corpusFiles().length)
    expect(run.passages.filter(({ ending }) => ending.kind === "broken")).toEqual([])
  })

  it("leaves the service below 850 MB of memory, parsing processes included", () => {
    expect(run.peakBytes).toBeLessThan(serviceBytesMax)
  })

  it("is counted in docs/corpus.md", () => {
    expect(corpusPage(run)).toBe(readFileSync(join(root, "docs", "corpus.md"), "utf8"))
  })

  it("never shows the service a reason to log an error", () => {
    expect(run.log.split("\n").filter((line) => /"level":"(ERROR|FATAL|WARN)"/.test(line))).toEqual([])
  })
})
