import { nameContent } from "./ContentName.ts"
import { isOther } from "./DocumentRefusals.ts"
import { openLegacyDocument } from "./LegacyOffice.ts"
import { type IntakeLimits, intakeLimits } from "./Limits.ts"
import { identifyPackage } from "./PackageIdentity.ts"
import { formatNames, type PackageFormat } from "./PackageKinds.ts"
import { Refusal } from "./Refusal.ts"
import { type Relationship, relationshipsOf } from "./Relationships.ts"
import { detectSignature } from "./Signature.ts"
import { verifyXml } from "./Xml.ts"
import { openZip, type ZipArchive } from "./Zip.ts"

export type { PackageFormat } from "./PackageKinds.ts"

/** A zipped document whose directory and declarations were checked. */
export interface OfficePackage {
  readonly format: PackageFormat
  readonly archive: ZipArchive
  /** Name of the main part: `ppt/presentation.xml`, `word/document.xml`, `xl/workbook.xml`, `content.xml`. */
  readonly mainPart: string
  /** The content type of a part in lower case, as an OOXML package declares it; undefined if it does not. */
  readonly contentTypeOf: (part: string) => string | undefined
  /** Of the main part of an OOXML package, by id and in their order; others have none. */
  readonly relationships: ReadonlyMap<string, Relationship>
}

/**
 * Opens a document that claims to be of `expected`: first by its signature (an OOXML in CFB is encrypted, any
 * other format is named), then by its content types or its ODF mimetype and manifest. Throws a `Refusal`:
 * `file_type_not_accepted` (another format), `file_macro`, `file_encrypted`, `file_corrupt`,
 * `archive_limit_exceeded` (document-tools 4.2 and 8).
 */
export const openPackage = (
  bytes: Uint8Array,
  expected: PackageFormat,
  limits: IntakeLimits = intakeLimits,
): OfficePackage => {
  const format = detectSignature(bytes)?.format
  if (format === "cfb") throw isOther(openLegacyDocument(bytes).name, formatNames[expected])
  if (format !== "zip") throw isOther(nameContent(bytes), formatNames[expected])
  const archive = openZip(bytes, limits)
  const { kind, ...identity } = identifyPackage(archive, limits)
  if (kind.format !== expected) throw isOther(kind.name, formatNames[expected])
  return { format: expected, archive, ...identity }
}

/**
 * Inflates every part and checks every XML part: what passes can be read by any library. A part to which nothing
 * leads may be no XML, as long as it defines no document type. Throws a `Refusal`.
 */
export const verifyPackage = (document: OfficePackage, limits: IntakeLimits = intakeLimits): void => {
  const isLenient = document.format === "odt" || document.format === "ods"
  const faults = new Map<string, Refusal>()
  document.archive.verify((name, bytes) => {
    if (!isXmlPart(document, name, bytes)) return
    try {
      verifyXml(bytes, { source: name, limits, isLenient })
    } catch (error) {
      if (!Refusal.is(error) || error.code !== "file_corrupt" || definesType(bytes)) throw error
      faults.set(name, error)
    }
  })
  if (faults.size === 0) return
  const isUsed = isLenient ? isUsedInOpenDocument : usedParts(document, limits)
  for (const [name, fault] of faults) if (isUsed(name)) throw fault
}

const definesType = (bytes: Uint8Array): boolean => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  return text.includes("<!DOCTYPE") || text.includes("<!ENTITY")
}

const isUsedInOpenDocument = (name: string): boolean =>
  /(?:^|\/)(?:content|styles|meta|settings|manifest)\.xml$/i.test(name)

/**
 * The parts to which relationships lead from the main part, with the parts that hold these relationships. Without the
 * documents of any format that a Word document may have inside (`w:altChunk`).
 */
const usedParts = (
  { archive, mainPart }: OfficePackage,
  limits: IntakeLimits,
): ((name: string) => boolean) => {
  const used = new Set([mainPart])
  for (const part of used) {
    for (const { type, target, external } of relationshipsOf(archive, part, limits).values()) {
      if (!external && type !== "aFChunk" && archive.has(target)) used.add(target)
    }
  }
  return (name) =>
    used.has(name) || used.has(name.replace(/(^|\/)_rels\/([^/]*)\.rels$/i, "$1$2")) || isOwn(name)
}

/** What the package says of itself. */
const isOwn = (name: string): boolean => /^(?:\[Content_Types\]\.xml|_rels\/\.rels)$/i.test(name)

const isXmlPart = ({ contentTypeOf }: OfficePackage, name: string, bytes: Uint8Array): boolean => {
  // OpenOffice writes empty files there.
  if (bytes.length === 0 && /(^|\/)Configurations2\//.test(name)) return false
  return /\.(xml|rels|rdf)$/i.test(name) || /[+/]xml$/.test(contentTypeOf(name) ?? "")
}
