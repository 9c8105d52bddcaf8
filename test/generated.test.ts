import { describe, expect, it } from "vitest"
import { committed, generators } from "../scripts/generate.ts"

describe("generated files are current (else: npm run generate)", () => {
  it("each has one generator", () => {
    const paths = generators.map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
  })
  it.each(generators)("$path", async (generator) => {
    expect(committed(generator)).toBe(await generator.make())
  })
})
