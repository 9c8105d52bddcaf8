import { type ContentTypes, readContentTypes } from "./ContentTypes.ts"
import { holdsMacros, lacksPart } from "./DocumentRefusals.ts"
import type { IntakeLimits } from "./Limits.ts"
import { openOpenDocument } from "./OpenDocument.ts"
import { entryKinds, openXmlKinds, type PackageKind } from "./PackageKinds.ts"
import { quote } from "./Quote.ts"
import { Refusal } from "./Refusal.ts"
import { type Relationship, relationshipsOf } from "./Relationships.ts"
import type { ZipArchive } from "./Zip.ts"

/** What an archive is, whether that is accepted or not. */
export interface PackageIdentity {
  readonly kind: PackageKind
  /** Empty where the kind has none that is known here. */
  readonly mainPart: string
  /** The content type of a part in lower case, as an OOXML package declares it; undefined if it does not. */
  readonly contentTypeOf: (part: string) => string | undefined
  /** Of the main part of an OOXML package, by id and in their order; others have none. */
  readonly relationships: ReadonlyMap<string, Relationship>
}

/**
 * Tells what an archive is by its content types, its mimetype or its entries. Throws a `Refusal` for what no
 * document may be: `file_macro`, `file_encrypted`, `file_corrupt`.
 */
export const identifyPackage = (archive: ZipArchive, limits: IntakeLimits): PackageIdentity => {
  const contentTypes = readContentTypes(archive, limits)
  if (contentTypes !== undefined) return identifyOpenXml(archive, contentTypes, limits)
  const document = openOpenDocument(archive, limits)
  const plain = { contentTypeOf: () => undefined, relationships: new Map() }
  if (document !== undefined) return { ...document, ...plain }
  const known = entryKinds.find(([entry]) => archive.has(entry))
  return { kind: { name: known?.[1] ?? "a ZIP archive" }, mainPart: "", ...plain }
}

const identifyOpenXml = (
  archive: ZipArchive,
  contentTypes: ContentTypes,
  limits: IntakeLimits,
): PackageIdentity => {
  checkParts(archive, contentTypes)
  const contentTypeOf = contentTypes.of
  const mainPart = findMainPart(archive, contentTypes, limits)
  if (mainPart === undefined) {
    const kind = { name: "a package without a document" }
    return { kind, mainPart: "", contentTypeOf, relationships: new Map() }
  }
  const relationships = relationshipsOf(archive, mainPart, limits)
  for (const { type } of relationships.values()) {
    if (macroRelationship.test(type)) throw holdsMacros(`a relationship of type ${quote(type)}`)
  }
  const type = contentTypes.of(mainPart) ?? "unknown"
  const kind = openXmlKinds.get(type) ?? { name: `a package whose main part is of type ${quote(type)}` }
  return { kind, mainPart, contentTypeOf, relationships }
}

const findMainPart = (
  archive: ZipArchive,
  contentTypes: ContentTypes,
  limits: IntakeLimits,
): string | undefined => {
  const relationships = [...relationshipsOf(archive, "", limits).values()].filter(({ external }) => !external)
  const [main, second] = relationships.filter(({ type }) => type === "officeDocument")
  if (main !== undefined && second !== undefined) {
    throw new Refusal(
      "file_corrupt",
      `The file has two main parts, ${quote(main.target)} and ${quote(second.target)}.`,
    )
  }
  if (main !== undefined && !archive.has(main.target)) throw lacksPart(quote(main.target))
  const other = relationships.find(({ target }) => openXmlKinds.has(contentTypes.of(target) ?? ""))
  return (main ?? other)?.target
}

/** Macros count by a part's name, by its content type and by the relationship that leads to it. */
const checkParts = (archive: ZipArchive, contentTypes: ContentTypes): void => {
  for (const name of archive.names) {
    if (macroPart.test(name)) throw holdsMacros(quote(name))
    const type = contentTypes.of(name) ?? ""
    const kind = openXmlKinds.get(type)
    if (kind?.isMacro) throw holdsMacros(`it is ${kind.name}`)
    if (kind === undefined && macroContentType.test(type) && !isBinaryWorkbook(type)) {
      throw holdsMacros(`${quote(name)}, which is of type ${quote(type)}`)
    }
  }
}

const macroPart = /(^|\/)(vbaProject\w*\.bin|vbaData\.xml)$|^xl\/macrosheets\//i
const macroContentType = /vbaproject|vbadata|macrosheet|macroenabled/
const macroRelationship = /^(vbaProject|wordVbaData|xlMacrosheet|xlIntlMacrosheet)$/i

/** The type of a binary workbook, in which charts keep their data, says "macroEnabled" whatever it holds. */
const isBinaryWorkbook = (type: string): boolean => type.startsWith("application/vnd.ms-excel.sheet.binary.")
