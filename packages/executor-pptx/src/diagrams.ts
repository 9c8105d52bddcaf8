import { readXml, xmlClose, xmlEnd, xmlStart, xmlText, type ZipArchive } from "@atelier/intake/bytes"
import type { Block } from "./blocks.ts"
import { Paragraph } from "./Paragraph.ts"
import { vocabulary } from "./vocabulary.ts"

const point = vocabulary.number("dgm:pt")
const connection = vocabulary.number("dgm:cxn")
const paragraph = vocabulary.number("a:p")
const lineBreak = vocabulary.number("a:br")
const text = vocabulary.number("a:t")

/** A diagram's points with text, and what is below each of its points. */
interface Model {
  readonly root: string
  readonly texts: ReadonlyMap<string, string>
  readonly children: ReadonlyMap<string, ReadonlyArray<string>>
}

const depthMax = 16

/** The texts of diagrams (SmartArt) as lists, each diagram once. How they are drawn is not read. */
export class Diagrams {
  readonly #archive: ZipArchive
  readonly #read = new Set<string>()

  constructor(archive: ZipArchive) {
    this.#archive = archive
  }

  /** @param part the diagram's data */
  blocks(part: string): ReadonlyArray<Block> {
    if (this.#read.has(part)) return []
    this.#read.add(part)
    const bytes = this.#archive.read(part)
    if (bytes === undefined) return []
    const { root, texts, children } = readModel(bytes, part)
    const blocks: Array<Block> = []
    const seen = new Set<string>()
    const waiting = [{ id: root, depth: -1 }]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { id, depth } = next
      if (seen.has(id)) continue
      seen.add(id)
      const markdown = texts.get(id) ?? ""
      const own = markdown === "" ? depth : Math.min(depthMax, depth + 1)
      if (markdown !== "") blocks.push({ kind: "item", depth: own, markdown, list: texts })
      for (const child of (children.get(id) ?? []).toReversed()) waiting.push({ id: child, depth: own })
    }
    return blocks
  }
}

const readModel = (bytes: Uint8Array, source: string): Model => {
  let root = ""
  const texts = new Map<string, string>()
  const children = new Map<string, Array<{ readonly id: string; readonly order: number }>>()
  const lines = new Paragraph()
  let id: string | undefined
  const xml = readXml(bytes, { vocabulary, source, textIn: [text] })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlText) lines.add(xml.text(), undefined)
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
    } else if (token === xmlStart && xml.element === lineBreak) lines.lineBreak()
    else if (token === xmlClose && xml.element === paragraph) {
      const line = lines.take()
      const before = id === undefined ? undefined : texts.get(id)
      if (id !== undefined && line !== "") texts.set(id, before === undefined ? line : `${before}\n${line}`)
    }
  }
  return { root, texts, children: new Map([...children].map(([key, list]) => [key, inOrder(list)])) }
}

const inOrder = (
  children: ReadonlyArray<{ readonly id: string; readonly order: number }>,
): ReadonlyArray<string> => children.toSorted((a, b) => a.order - b.order).map(({ id }) => id)
