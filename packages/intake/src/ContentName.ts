import { isUtf8 } from "node:buffer"
import { openLegacyDocument } from "./LegacyOffice.ts"
import { intakeLimits } from "./Limits.ts"
import { identifyPackage } from "./PackageIdentity.ts"
import { Refusal } from "./Refusal.ts"
import { detectSignature, isScript } from "./Signature.ts"
import { openZip } from "./Zip.ts"

const headBytes = 4096

/**
 * What a file is by its content, for messages that refuse it: "a PDF document", "a Word document (DOCX)",
 * "an HTML page", "text".
 */
export const nameContent = (bytes: Uint8Array): string => {
  const found = detectSignature(bytes)
  if (found === undefined) return nameText(bytes)
  try {
    if (found.format === "cfb") return openLegacyDocument(bytes).name
    if (found.format === "zip") return identifyPackage(openZip(bytes), intakeLimits).kind.name
  } catch (error) {
    if (!Refusal.is(error)) throw error
  }
  return found.name
}

const nameText = (bytes: Uint8Array): string => {
  if (bytes.length === 0) return "empty"
  const head = Buffer.from(bytes.subarray(0, headBytes)).toString("latin1")
  const beginning = head.replace(/^\u00ef\u00bb\u00bf/, "").trimStart()
  if (/^<(!doctype html|html|head|body|table|meta)\b/i.test(beginning)) return "an HTML page"
  if (/^<\?xml\b/.test(beginning)) return "an XML document"
  if (isScript(bytes)) return "a script"
  return isUtf8(bytes) && !head.includes("\0") ? "text" : "of an unknown format"
}
