import { type OfficePackage, Refusal, readXml, xmlEnd, xmlStart } from "@atelier/intake/bytes"
import { vocabulary } from "./vocabulary.ts"

const slideId = vocabulary.number("p:sldId")

/**
 * The parts of the slides in the order in which they are shown: that of their relationships in the main part,
 * whatever the parts are called. Throws a `Refusal` (`file_corrupt`) if one is not in the file.
 */
export const slidesOf = ({ archive, mainPart, relationships }: OfficePackage): ReadonlyArray<string> => {
  const slides = new Set<string>()
  const bytes = archive.read(mainPart)
  if (bytes === undefined) return []
  const xml = readXml(bytes, { vocabulary, source: mainPart, textIn: [] })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token !== xmlStart || xml.element !== slideId) continue
    const number = slides.size + 1
    const relationship = relationships.get(xml.attribute("r:id") ?? "")
    if (relationship?.type !== "slide" || relationship.external || !archive.has(relationship.target)) {
      throw new Refusal(
        "file_corrupt",
        `The presentation lists ${number} slides or more, but slide ${number} is not in the file.`,
      )
    }
    if (slides.has(relationship.target)) {
      throw new Refusal(
        "file_corrupt",
        `The presentation lists one slide twice, the second time as slide ${number}.`,
      )
    }
    slides.add(relationship.target)
  }
  return [...slides]
}
