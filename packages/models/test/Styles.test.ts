import { assert, describe, it } from "@effect/vitest"
import { stylesFor } from "../src/art/Styles.ts"

const abstract = ["bauhaus", "mosaic", "pebbles", "ribbons", "scallops"]
const namesFor = (prompt: string) =>
  stylesFor(prompt)
    .map(({ name }) => name)
    .toSorted()

describe("the styles of the embedded artist", () => {
  it("draw the subjects that they know", () => {
    for (const [prompt, style] of [
      ["Tokyo at night", "city"],
      ["old cities", "city"],
      ["Waves on the beach", "sea"],
      ["two foxes", "forest"],
      ["starry sky over galaxies", "orbits"],
      ["dunes", "dunes"],
      ["The Alps at sunrise", "mountains"],
      ["Butterflies", "meadow"],
    ] as const) {
      assert.deepStrictEqual(namesFor(prompt), [style], prompt)
    }
  })

  it("draw a subject that none of them knows as abstract art, not as another subject", () => {
    for (const prompt of [
      "An alpaca with a beard",
      "A sandwich and a glass of beer",
      "Our search for a start-up in the busy season",
      "Invoice 2026-11",
      "一只红色的狐狸",
      "",
    ]) {
      assert.deepStrictEqual(namesFor(prompt), abstract, prompt)
    }
  })
})
