import type { FileId, KeyId, UserId } from "./Ids.ts"

/**
 * `uploading`: its row is written before its blob, so that a crash leaves nothing without an owner; such a
 * file is never shown. The others are contract, Tools.
 */
export type ToolFileStatus = "uploading" | "ready" | "deleting" | "deleted"

/** The bytes of a document or of a result: in memory if small, else in a local file. */
export type Content = { readonly data: Uint8Array } | { readonly path: string }

/** In place of a tool's id: images that wait for their task to end. No tool has it, and no caller reads them. */
export const heldImagesTool = "images/edits"

/** An uploaded document (document-tools 2.2). Times are Unix milliseconds, sizes bytes. */
export interface ToolFile {
  readonly id: FileId
  readonly toolId: string
  readonly userId: UserId
  readonly keyId: KeyId
  readonly filename: string
  readonly contentType: string
  readonly bytes: number
  readonly sha256: string
  readonly status: ToolFileStatus
  /** Key of the bytes, in `SmallBlobs` or `Blobs`, with 128 random bits (contract, Tools). */
  readonly blob: string
  readonly createdAt: number
  readonly expiresAt: number
}

/**
 * The name under which an upload is kept: the last path segment, without control, bidirectional and
 * zero-width characters, at most `bytesMax` bytes of UTF-8, its extension kept; `file` where nothing is left.
 */
export const sanitizeFilename = (name: string, bytesMax: number): string => {
  const last = name.normalize("NFC").split(/[/\\]/).at(-1) ?? ""
  const clean = last.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "").trim()
  const safe = clean === "" || clean === "." || clean === ".." ? "file" : clean
  if (byteLength(safe) <= bytesMax) return safe
  const extension = extensionOf(safe)
  const kept = byteLength(extension) < bytesMax / 2 ? extension : ""
  const stem = safe.slice(0, safe.length - kept.length)
  return cutToBytes(stem, bytesMax - byteLength(kept)) + kept
}

/** The longest prefix of whole code points; in one pass, since the name is untrusted. */
const cutToBytes = (text: string, bytesMax: number): string => {
  const bytes = new TextEncoder().encode(text)
  let end = Math.min(bytesMax, bytes.length)
  // 10xxxxxx continues a code point.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return new TextDecoder().decode(bytes.subarray(0, end))
}

/** The extension with its dot, lower case; empty where the name has none. */
export const extensionOf = (filename: string): string => /\.[^./\\]+$/.exec(filename)?.[0].toLowerCase() ?? ""

const byteLength = (text: string): number => new TextEncoder().encode(text).length
