import { type DocumentInput, decodeText, readDocument } from "@atelier/executor/parsing"
import {
  detectSignature,
  inspectXls,
  isScript,
  nameContent,
  openPackage,
  type PackageFormat,
  Refusal,
  verifyPackage,
  verifyXml,
} from "@atelier/intake/bytes"
import { acceptedExtensionOf, type Extension, extensions } from "./formats.ts"

/** A document whose extension, signature and inner structure agree. */
export interface CheckedDocument {
  readonly bytes: Uint8Array
  readonly extension: Extension
}

/** Reads a document and checks it whole (document-tools 4.2 and 8). Throws a `Refusal`. */
export const readChecked = async (input: DocumentInput): Promise<CheckedDocument> => {
  const extension = acceptedExtensionOf(input.filename)
  if (extension === undefined) throw extensionRefused(input.filename)
  const bytes = readDocument(input)
  await checks[extension](bytes)
  return { bytes, extension }
}

const extensionRefused = (filename: string): Refusal => {
  const dot = filename.lastIndexOf(".")
  const found = dot < 0 ? "has no extension" : `is ${JSON.stringify(filename.slice(dot, dot + 32))}`
  return new Refusal("file_type_not_accepted", `The file ${found}; accepted are ${extensions.join(" ")}.`)
}

type Check = (bytes: Uint8Array) => void | Promise<void>

const checkPackage =
  (format: PackageFormat): Check =>
  (bytes) =>
    verifyPackage(openPackage(bytes, format))

const checkText =
  (extension: ".csv" | ".html" | ".htm"): Check =>
  (bytes) => {
    decodeText(bytes, extension)
  }

const checkPdf: Check = async (bytes) => {
  const { inspectPdf } = await import("./embedded/pdf.ts")
  await inspectPdf(bytes)
}

const checkXml: Check = async (bytes) => {
  if (detectSignature(bytes) !== undefined || isScript(bytes)) {
    throw new Refusal("file_type_not_accepted", `The file is ${nameContent(bytes)}, not XML.`)
  }
  const { isCharacterName } = await import("./embedded/xml/characterNames.ts")
  verifyXml(bytes, { isLenient: true, isCharacterName })
}

const checks: Readonly<Record<Extension, Check>> = {
  ".pdf": checkPdf,
  ".docx": checkPackage("docx"),
  ".xlsx": checkPackage("xlsx"),
  ".xls": inspectXls,
  ".csv": checkText(".csv"),
  ".html": checkText(".html"),
  ".htm": checkText(".htm"),
  ".xml": checkXml,
  ".odt": checkPackage("odt"),
  ".ods": checkPackage("ods"),
}
