import { describe, expect, it } from "vitest"
import { pictureWords } from "../src/flow.ts"

describe("what an author says of a picture", () => {
  it("is none of the name of a file, nor what a program adds", () => {
    expect(pictureWords(" A boat. Description automatically generated with low confidence ")).toBe("A boat.")
    expect(pictureWords("A boat\n\nAI-generated content may be incorrect.")).toBe("A boat")
    expect(
      pictureWords("Une barque\n\nDescription générée automatiquement avec un niveau de confiance élevé"),
    ).toBe("Une barque")
    expect(pictureWords("Een boot  \nAutomatisch gegenereerde beschrijving")).toBe("Een boot")
    expect(pictureWords("A boat. Description generated with high confidence")).toBe("A boat.")
    expect(pictureWords("latex-image-1.pdf")).toBe("")
    expect(pictureWords("卡通人物\n\nAI 生成的内容可能不正确。")).toBe("卡通人物")
    expect(pictureWords("C:\\pictures\\boat.PNG")).toBe("")
    for (const name of ["j0395699", "MMj02831010000[1]", "MS_logo", "20250807-172441"])
      expect(pictureWords(name)).toBe("")
    for (const words of ["Harbour", "H2O", "1984", "100%", "ISO27001", "Ship 1024 at sea", "船1024"])
      expect(pictureWords(words)).toBe(words)
  })

  it("is read in a time that grows with its length", { timeout: 60_000 }, () => {
    const description = `A${" ".repeat(1_000_000)}boat`
    expect(pictureWords(description)).toBe(description)
  })
})
