/**
 * What is said of documents that are not accepted (document-tools 4.2). Macros are found by `PackageIdentity`, `OpenDocument`
 * and `Xls`; encryption by `OpenDocument`, `Xls`, `LegacyOffice`, `ZipLayout` and the readers of PDF and EPUB; archives and
 * executables by `Signature`.
 */
import { Refusal } from "./Refusal.ts"

/** @param what what gives them away: a quoted name, "a macro sheet" */
export const holdsMacros = (what: string): Refusal =>
  new Refusal("file_macro", `The file holds macros (${what}); macros are not accepted.`)

export const isEncrypted = (): Refusal =>
  new Refusal("file_encrypted", "The file is encrypted: save it without a password.")

/** @param found what the file is, and `wanted` what its name says, both with their articles */
export const isOther = (found: string, wanted: string): Refusal =>
  new Refusal("file_type_not_accepted", `The file is ${found}, not ${wanted}.`)

export const lacksPart = (quotedName: string): Refusal =>
  new Refusal("file_corrupt", `The file lacks its part ${quotedName}.`)
