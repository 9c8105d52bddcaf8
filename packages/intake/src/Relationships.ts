import { type IntakeLimits, intakeLimits } from "./Limits.ts"
import { quote } from "./Quote.ts"
import { Refusal } from "./Refusal.ts"
import { readXml, xmlEnd, xmlStart, xmlVocabulary } from "./Xml.ts"
import type { ZipArchive } from "./Zip.ts"

/** One relationship of an OOXML part. */
export interface Relationship {
  readonly id: string
  /** The last segment of the relationship type, which transitional and strict files share: `slide`. */
  readonly type: string
  /**
   * A part's name as the archive spells it, resolved against the source part; a name that is not there if
   * the target is missing or outside. A target inside the source part begins with `#`. For an external
   * target the URL as written.
   */
  readonly target: string
  readonly external: boolean
}

const vocabulary = xmlVocabulary({ r: ["http://schemas.openxmlformats.org/package/2006/relationships"] }, [
  "r:Relationship",
])
const elementRelationship = vocabulary.number("r:Relationship")

/**
 * The relationships of a part, by id and in their order; empty if it has none. The part `""` is the package
 * itself. Throws a `Refusal`.
 */
export const relationshipsOf = (
  archive: ZipArchive,
  part: string,
  limits: IntakeLimits = intakeLimits,
): ReadonlyMap<string, Relationship> => {
  const slash = part.lastIndexOf("/") + 1
  const source = `${part.slice(0, slash)}_rels/${part.slice(slash)}.rels`
  const relationships = new Map<string, Relationship>()
  const bytes = archive.read(source)
  if (bytes === undefined) return relationships
  const xml = readXml(bytes, { vocabulary, limits, source })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token !== xmlStart || xml.element !== elementRelationship) continue
    const id = xml.attribute("Id")
    const type = xml.attribute("Type")
    const target = xml.attribute("Target")
    if (id === undefined || type === undefined || target === undefined) continue
    if (relationships.size >= limits.relationships_max) {
      throw new Refusal(
        "archive_limit_exceeded",
        `${quote(source)} gives more than ${limits.relationships_max} relationships; at most ${limits.relationships_max} are allowed (relationships_max).`,
      )
    }
    if (relationships.has(id)) {
      throw new Refusal("file_corrupt", `${quote(source)} gives the relationship ${quote(id)} twice.`)
    }
    const external = xml.attribute("TargetMode") === "External"
    relationships.set(id, {
      id,
      type: type.slice(type.lastIndexOf("/") + 1),
      target: external ? target : resolveTarget(archive, part.slice(0, slash), target),
      external,
    })
  }
  return relationships
}

const resolveTarget = (archive: ZipArchive, folder: string, target: string): string => {
  if (target.startsWith("#")) return target
  const path = target.replaceAll("\\", "/").replace(/[?#].*$/s, "")
  const name = resolvePath(path.startsWith("/") ? path : `${folder}${path}`)
  return archive.find(name) ?? archive.find(decodePercent(name)) ?? name
}

/** A path that climbs out keeps its `..`, which is the name of no entry. */
const resolvePath = (path: string): string => {
  // Nearly every path; much faster.
  if (!/^\/|\/\/|\/$|(^|\/)\.\.?(\/|$)/.test(path)) return path
  const segments: Array<string> = []
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue
    if (segment === ".." && segments.length > 0 && segments.at(-1) !== "..") segments.pop()
    else segments.push(segment)
  }
  return segments.join("/")
}

const decodePercent = (name: string): string => {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
