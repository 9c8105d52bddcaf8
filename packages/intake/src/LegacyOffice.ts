import { type CompoundFile, openCompoundFile } from "./Cfb.ts"
import { isEncrypted } from "./DocumentRefusals.ts"

export const workbookName = "a legacy Excel workbook (XLS)"

/** Compound files by a stream or storage under their root; the first that is there tells. */
const kinds: ReadonlyArray<readonly [entry: RegExp, name: string]> = [
  [/^WordDocument$/i, "a legacy Word document (DOC)"],
  [/^PowerPoint Document$|^PP40$/i, "a legacy PowerPoint presentation (PPT)"],
  [/^VisioDocument$/i, "a Visio drawing (VSD)"],
  [/^Quill$/i, "a Publisher document (PUB)"],
  [/^__(substg1\.0_|properties_version1\.0|nameid_version1\.0)/i, "an Outlook message (MSG)"],
  [/^(Workbook|Book)$/i, workbookName],
]

/** A compound file and what it is, for messages. */
export interface LegacyDocument {
  readonly name: string
  readonly file: CompoundFile
}

/**
 * Tells what a compound file is. Throws a `Refusal`: `file_encrypted` for an encrypted OOXML document,
 * `file_corrupt`.
 */
export const openLegacyDocument = (bytes: Uint8Array): LegacyDocument => {
  const file = openCompoundFile(bytes)
  if (file.names.some((name) => /^(EncryptedPackage|EncryptionInfo)$/i.test(name))) throw isEncrypted()
  const found = kinds.find(([entry]) => file.names.some((name) => entry.test(name)))
  return { name: found?.[1] ?? "a compound file (OLE2) of an unknown kind", file }
}
