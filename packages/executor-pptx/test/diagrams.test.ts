import { describe, expect, it } from "vitest"
import { deck, graphic, namespaces, textBox } from "./deck.ts"
import { parsed } from "./documents.ts"

const dgm = "http://schemas.openxmlformats.org/drawingml/2006/diagram"

const point = (id: string, text: string, type = "node") =>
  `<dgm:pt modelId="${id}" type="${type}"><dgm:t>${text
    .split("\n")
    .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
    .join("")}</dgm:t></dgm:pt>`

const below = (above: string, id: string, order: number, type = "parOf") =>
  `<dgm:cxn modelId="c${above}${id}" type="${type}" srcId="${above}" destId="${id}" srcOrd="${order}" destOrd="0"/>`

const data = (points: ReadonlyArray<string>, connections: ReadonlyArray<string>) =>
  `<dgm:dataModel xmlns:dgm="${dgm}" xmlns:a="${namespaces.a}"><dgm:ptLst>${point("doc", "", "doc")}${points.join("")}</dgm:ptLst>` +
  `<dgm:cxnLst>${connections.join("")}</dgm:cxnLst></dgm:dataModel>`

const frame = graphic(
  dgm,
  `<dgm:relIds xmlns:dgm="${dgm}" r:dm="rId7" r:lo="rId8" r:qs="rId9" r:cs="rId10"/>`,
)

const markdownOf = async (model: string, tree = frame): Promise<string> => {
  const relationships = { rId7: { type: "diagramData", target: "../diagrams/data1.xml" } }
  const parts = { "ppt/diagrams/data1.xml": model }
  return parsed(await deck({ slides: [{ tree, relationships }], parts })).markdown
}

describe("diagrams (SmartArt)", () => {
  it("give their text as a list, level by level in the order of the model, not of the file", async () => {
    const model = data(
      [point("2", "Second"), point("1", "First\nline"), point("3", "Inside"), point("4", "Helper", "asst")],
      [below("doc", "2", 1), below("doc", "1", 0), below("1", "3", 0), below("2", "4", 0)],
    )
    expect(await markdownOf(model)).toBe(
      "## Slide 1\n\n- First  \n  line\n  - Inside\n- Second\n  - Helper\n",
    )
  })

  it("leave out what only draws, points without text, and circles", async () => {
    const model = data(
      [point("1", ""), point("2", "Kept"), point("3", "Arrow", "sibTrans"), point("4", "Drawn", "pres")],
      [
        below("doc", "1", 0),
        below("1", "2", 0),
        below("2", "1", 0),
        below("doc", "4", 1),
        below("2", "3", 0, "presOf"),
      ],
    )
    expect(await markdownOf(model)).toBe("## Slide 1\n\n- Kept\n")
  })

  it("are read once, and one whose data are not there is left out", async () => {
    const model = data([point("1", "Once")], [below("doc", "1", 0)])
    expect(await markdownOf(model, frame + textBox("text") + frame)).toBe("## Slide 1\n\n- Once\n\ntext\n")
    const missing = parsed(await deck({ slides: [frame + textBox("text")] }))
    expect(missing.markdown).toBe("## Slide 1\n\ntext\n")
    expect(missing.warnings.map(({ code }) => code)).toEqual(["diagrams_not_interpreted"])
  })
})
