import { readXml, xmlClose, xmlEnd, xmlStart, xmlText, xmlVocabulary } from "@atelier/intake/bytes"
import { drawingText } from "./drawingText.ts"
import { Inline } from "./Inline.ts"

const vocabulary = xmlVocabulary(
  {
    a: ["http://schemas.openxmlformats.org/drawingml/2006/main", "http://purl.oclc.org/ooxml/drawingml/main"],
    dgm: [
      "http://schemas.openxmlformats.org/drawingml/2006/diagram",
      "http://purl.oclc.org/ooxml/drawingml/diagram",
    ],
  },
  ["dgm:pt", "dgm:cxn", "a:p", "a:br", "a:t"],
)

const point = vocabulary.number("dgm:pt")
const connection = vocabulary.number("dgm:cxn")
const paragraph = vocabulary.number("a:p")
const lineBreak = vocabulary.number("a:br")
const text = vocabulary.number("a:t")

/** A text of a diagram (SmartArt). */
export interface DiagramText {
  /** From 0, at most one more than the text before. */
  readonly depth: number
  readonly markdown: string
}

/** A diagram's points with text, and what is below each of its points. */
interface Model {
  readonly root: string
  readonly texts: ReadonlyMap<string, string>
  readonly children: ReadonlyMap<string, ReadonlyArray<string>>
}

const depthMax = 16

/** The texts of a diagram, from its data (`source` names the part). How it is drawn is not read. */
export const readDiagram = (bytes: Uint8Array, source: string): ReadonlyArray<DiagramText> => {
  const { root, texts, children } = readModel(bytes, source)
  const found: Array<DiagramText> = []
  const seen = new Set<string>()
  const waiting = [{ id: root, depth: -1 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { id, depth } = next
    if (seen.has(id)) continue
    seen.add(id)
    const markdown = texts.get(id) ?? ""
    const own = markdown === "" ? depth : Math.min(depthMax, depth + 1)
    if (markdown !== "") found.push({ depth: own, markdown })
    for (const child of (children.get(id) ?? []).toReversed()) waiting.push({ id: child, depth: own })
  }
  return found
}

const readModel = (bytes: Uint8Array, source: string): Model => {
  let root = ""
  const texts = new Map<string, string>()
  const children = new Map<string, Array<{ readonly id: string; readonly order: number }>>()
  let line = new Inline()
  let id: string | undefined
  const xml = readXml(bytes, { vocabulary, source, textIn: [text] })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlText) line.add(drawingText(xml.text()), 0, "")
    else if (token === xmlStart && xml.element === point) {
      const type = xml.attribute("type") ?? "node"
      id = ["node", "asst", "doc"].includes(type) ? xml.attribute("modelId") : undefined
      if (type === "doc") root = id ?? ""
    } else if (token === xmlStart && xml.element === connection) {
      if ((xml.attribute("type") ?? "parOf") !== "parOf") continue
      const [above = "", below = ""] = [xml.attribute("srcId"), xml.attribute("destId")]
      const known = children.get(above) ?? []
      children.set(above, known)
      known.push({ id: below, order: Number(xml.attribute("srcOrd") ?? 0) })
    } else if (token === xmlStart && xml.element === lineBreak) line.add("\n", 0, "")
    else if (token === xmlClose && xml.element === paragraph) {
      const markdown = line.toMarkdown().trim()
      line = new Inline()
      const before = id === undefined ? undefined : texts.get(id)
      if (id === undefined || markdown === "") continue
      texts.set(id, before === undefined ? markdown : `${before}\n${markdown}`)
    }
  }
  return { root, texts, children: new Map([...children].map(([key, list]) => [key, inOrder(list)])) }
}

const inOrder = (
  children: ReadonlyArray<{ readonly id: string; readonly order: number }>,
): ReadonlyArray<string> => children.toSorted((a, b) => a.order - b.order).map(({ id }) => id)
