import { type IntakeLimits, intakeLimits } from "./Limits.ts"
import { quote } from "./Quote.ts"
import { Refusal } from "./Refusal.ts"
import { readXml, xmlEnd, xmlStart, xmlVocabulary } from "./Xml.ts"
import type { ZipArchive } from "./Zip.ts"
import { nameKey } from "./ZipName.ts"

const source = "[Content_Types].xml"

const vocabulary = xmlVocabulary({ c: ["http://schemas.openxmlformats.org/package/2006/content-types"] }, [
  "c:Default",
  "c:Override",
])
const elementDefault = vocabulary.number("c:Default")
const elementOverride = vocabulary.number("c:Override")

/** What an OOXML package says about its parts. */
export interface ContentTypes {
  /** The content type of a part that is there, in lower case; undefined if the package does not say. */
  readonly of: (part: string) => string | undefined
}

/** The content types of an OOXML package; undefined if the archive is not one. Throws a `Refusal`. */
export const readContentTypes = (
  archive: ZipArchive,
  limits: IntakeLimits = intakeLimits,
): ContentTypes | undefined => {
  const bytes = archive.read(source)
  if (bytes === undefined) return undefined
  // Only what is there is kept: a document may declare millions of parts.
  const byExtension = new Map<string, string>()
  const byName = new Map<string, string>()
  const extensions = new Set(archive.names.map((name) => partExtensionOf(nameKey(name))))
  const xml = readXml(bytes, { vocabulary, limits, source })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token !== xmlStart) continue
    const type = xml.attribute("ContentType")?.trim().toLowerCase()
    if (type === undefined) continue
    if (xml.element === elementDefault) {
      const extension = nameKey(xml.attribute("Extension") ?? "")
      if (extensions.has(extension)) declare(byExtension, extension, type)
    } else if (xml.element === elementOverride) {
      const part = archive.find(partName(xml.attribute("PartName") ?? ""))
      if (part !== undefined) declare(byName, nameKey(part), type)
    }
  }
  return {
    of: (part) => {
      const key = nameKey(part)
      return byName.get(key) ?? byExtension.get(partExtensionOf(key))
    },
  }
}

const declare = (types: Map<string, string>, key: string, type: string): void => {
  const declared = types.get(key) ?? type
  if (declared !== type) {
    throw new Refusal(
      "file_corrupt",
      `${quote(source)} gives ${quote(key)} two types, ${quote(declared)} and ${quote(type)}.`,
    )
  }
  types.set(key, type)
}

/** A part's name as the archive has it, without the slash. */
const partName = (name: string): string => name.replaceAll("\\", "/").replace(/^\//, "")

const partExtensionOf = (key: string): string => key.slice(key.lastIndexOf(".") + 1)
