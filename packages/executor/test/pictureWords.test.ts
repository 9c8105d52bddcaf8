import { describe, expect, it } from "vitest"
import { pictureWords } from "../src/flow.ts"

describe("what an author says of a picture", () => {
  it("is none of the name of a file, nor what a program adds", () => {
    expect(pictureWords(" A boat. Description automatically generated with low confidence ")).toBe("A boat.")
    expect(pictureWords("A boat\n\nAI-generated content may be incorrect.")).toBe("A boat")
    expect(pictureWords("C:\\pictures\\boat.PNG")).toBe("")
  })

  it("is read in a time that grows with its length", { timeout: 60_000 }, () => {
    const description = `A${" ".repeat(1_000_000)}boat`
    expect(pictureWords(description)).toBe(description)
  })
})
