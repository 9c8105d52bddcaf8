/**
 * The half of intake that runs inside a parsing process: it reads hostile bytes and imports nothing but
 * Node, so that such a process boots quickly. `@atelier/intake` itself is the half that runs the processes.
 */

export { type CompoundFile, openCompoundFile } from "./Cfb.ts"
export { nameContent } from "./ContentName.ts"
export { JsonCount, JsonExcess, type JsonLimits, parseJson } from "./Json.ts"
export { type IntakeLimits, intakeLimits } from "./Limits.ts"
export {
  type OfficePackage,
  openPackage,
  type PackageFormat,
  verifyPackage,
} from "./OfficePackage.ts"
export { Refusal } from "./Refusal.ts"
export { type Relationship, relationshipsOf } from "./Relationships.ts"
export { detectSignature, isScript, type Signature } from "./Signature.ts"
export { escapeJson, scanText, type TextScan } from "./TextScan.ts"
export { firstInvalidUtf8, hasByteOrderMark, textFault, withoutByteOrderMark } from "./Utf8.ts"
export { inspectXls } from "./Xls.ts"
export {
  readXml,
  verifyXml,
  type XmlReader,
  type XmlReaderOptions,
  type XmlToken,
  type XmlVocabulary,
  xmlClose,
  xmlEnd,
  xmlStart,
  xmlText,
  xmlVocabulary,
} from "./Xml.ts"
export { decodeXml } from "./XmlSource.ts"
export { openZip, type ZipArchive } from "./Zip.ts"
