import { holdsMacros, isEncrypted, lacksPart } from "./DocumentRefusals.ts"
import { type IntakeLimits, intakeLimits } from "./Limits.ts"
import { mimetypeKinds, type PackageKind } from "./PackageKinds.ts"
import { quote } from "./Quote.ts"
import { readXml, xmlEnd, xmlStart, xmlVocabulary } from "./Xml.ts"
import type { ZipArchive } from "./Zip.ts"

const manifest = "META-INF/manifest.xml"
const mainPart = "content.xml"

const vocabulary = xmlVocabulary({ m: ["urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"] }, [
  "m:encryption-data",
])
const elementEncryption = vocabulary.number("m:encryption-data")

/** An archive that names its own media type, as OpenDocument files and EPUB books do. */
export interface OpenDocument {
  readonly kind: PackageKind
  readonly mainPart: string
}

/**
 * Reads what an OpenDocument file says of itself; undefined if the archive has no entry `mimetype`. Throws a
 * `Refusal`: `file_encrypted`, `file_macro`, `file_corrupt`.
 */
export const openOpenDocument = (
  archive: ZipArchive,
  limits: IntakeLimits = intakeLimits,
): OpenDocument | undefined => {
  const mimetype = archive.read("mimetype")
  if (mimetype === undefined) return undefined
  const value = Buffer.from(mimetype.subarray(0, mimetypeBytesMax)).toString("latin1").trim()
  const kind = mimetypeKinds.get(value) ?? { name: `an archive of type ${quote(value)}` }
  if (kind.format !== undefined) {
    checkEncryption(archive, limits)
    checkMacros(archive)
    if (!archive.has(mainPart)) throw lacksPart(quote(mainPart))
  }
  return { kind, mainPart }
}

/** Longer than any that is known. */
const mimetypeBytesMax = 100

const checkEncryption = (archive: ZipArchive, limits: IntakeLimits): void => {
  const bytes = archive.read(manifest)
  if (bytes === undefined) throw lacksPart(quote(manifest))
  const xml = readXml(bytes, { vocabulary, limits, source: manifest, isLenient: true })
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlStart && xml.element === elementEncryption) {
      throw isEncrypted()
    }
  }
}

const checkMacros = (archive: ZipArchive): void => {
  const found = archive.names.find((name) => isMacro(name))
  if (found !== undefined) throw holdsMacros(quote(found))
}

/** Libraries of macros; their tables of contents are there also when they are empty. */
const isMacro = (name: string): boolean =>
  /^(Basic|Scripts)\//i.test(name) && !/\/(script|dialog)-l[bc]\.xml$/i.test(name)
