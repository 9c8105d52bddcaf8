import { withoutByteOrderMark } from "./Utf8.ts"

/** A binary format that is recognised by its first bytes. */
export interface Signature {
  readonly format:
    | "elf"
    | "pe"
    | "mach-o"
    | "java"
    | "wasm"
    | "zip"
    | "gzip"
    | "7z"
    | "rar"
    | "xz"
    | "zstd"
    | "bzip2"
    | "lz4"
    | "lzip"
    | "cab"
    | "ar"
    | "tar"
    | "iso"
    | "pdf"
    | "rtf"
    | "cfb"
    | "sqlite"
    | "png"
    | "jpeg"
    | "gif"
    | "bmp"
    | "ico"
    | "tiff"
    | "webp"
    | "mp3"
    | "mp4"
    | "ogg"
    | "wav"
    | "avi"
  /** For messages, with its article: "an ELF executable". */
  readonly name: string
}

type Parts = ReadonlyArray<number | string>

const signatureAt = (at: number, format: Signature["format"], name: string, ...bytes: Parts) => ({
  format,
  name,
  at,
  bytes: Buffer.concat(bytes.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part)))),
})

const signature = (format: Signature["format"], name: string, ...bytes: Parts) =>
  signatureAt(0, format, name, ...bytes)

const signatures = [
  signature("elf", "an ELF executable", 0x7f, "ELF"),
  signature("mach-o", "a Mach-O executable", 0xfe, 0xed, 0xfa, 0xce),
  signature("mach-o", "a Mach-O executable", 0xfe, 0xed, 0xfa, 0xcf),
  signature("mach-o", "a Mach-O executable", 0xce, 0xfa, 0xed, 0xfe),
  signature("mach-o", "a Mach-O executable", 0xcf, 0xfa, 0xed, 0xfe),
  signature("wasm", "a WebAssembly module", 0x00, "asm"),
  signature("zip", "a ZIP archive (Office and OpenDocument files are such archives)", "PK", 0x03, 0x04),
  signature("zip", "an empty ZIP archive", "PK", 0x05, 0x06),
  signature("zip", "a part of a split ZIP archive", "PK", 0x07, 0x08),
  signature("gzip", "a gzip archive", 0x1f, 0x8b),
  signature("7z", "a 7z archive", "7z", 0xbc, 0xaf, 0x27, 0x1c),
  signature("rar", "a RAR archive", "Rar!", 0x1a, 0x07),
  signature("xz", "an xz archive", 0xfd, "7zXZ", 0x00),
  signature("zstd", "a Zstandard archive", 0x28, 0xb5, 0x2f, 0xfd),
  signature("lz4", "an LZ4 archive", 0x04, 0x22, 0x4d, 0x18),
  signature("lzip", "an lzip archive", "LZIP", 0x01),
  signature("cab", "a Windows cabinet archive", "MSCF", 0, 0, 0, 0),
  signature("ar", "an ar archive (such as a Debian package)", "!<arch>\n"),
  signatureAt(257, "tar", "a tar archive", "ustar"),
  signatureAt(32_769, "iso", "an ISO 9660 disk image", "CD001"),
  signature("pdf", "a PDF document", "%PDF-"),
  signature("rtf", "an RTF document", "{\\rtf"),
  signature("cfb", "a legacy Office document", 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
  signature("png", "a PNG image", 0x89, "PNG\r\n", 0x1a, "\n"),
  signature("jpeg", "a JPEG image", 0xff, 0xd8, 0xff),
  signature("gif", "a GIF image", "GIF87a"),
  signature("gif", "a GIF image", "GIF89a"),
  signature("ico", "an icon", 0, 0, 1, 0),
  signature("tiff", "a TIFF image", "II*", 0),
  signature("tiff", "a TIFF image", "MM", 0, "*"),
  signature("ogg", "an Ogg recording", "OggS", 0),
  signature("mp3", "an MP3 recording", "ID3", 2),
  signature("mp3", "an MP3 recording", "ID3", 3),
  signature("mp3", "an MP3 recording", "ID3", 4),
  signatureAt(4, "mp4", "an MP4 or QuickTime recording", "ftyp"),
  signature("sqlite", "an SQLite database", "SQLite format 3", 0),
]

/** What a RIFF file holds, at byte 8. */
const riff = [
  signatureAt(8, "webp", "a WebP image", "WEBP"),
  signatureAt(8, "wav", "a WAV recording", "WAVE"),
  signatureAt(8, "avi", "an AVI film", "AVI "),
]

/** The format of `bytes`, a whole file or its beginning, as far as its signature tells. */
export const detectSignature = (bytes: Uint8Array): Signature | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const known = head.toString("latin1", 0, 4) === "RIFF" ? riff : signatures
  const found = known.find(({ at, bytes }) => head.subarray(at, at + bytes.length).equals(bytes))
  if (found !== undefined) return { format: found.format, name: found.name }
  if (isPortableExecutable(head)) return { format: "pe", name: "a Windows executable" }
  if (isBzip2(head)) return { format: "bzip2", name: "a bzip2 archive" }
  if (isBitmap(head)) return { format: "bmp", name: "a BMP image" }
  return universalOrJava(head)
}

/** Text may begin with "MZ": only the header that the field at 0x3C points to makes it an executable. */
const isPortableExecutable = (head: Buffer): boolean => {
  if (head.length < 0x40 || head.toString("latin1", 0, 2) !== "MZ") return false
  const at = head.readUInt32LE(0x3c)
  return head.toString("latin1", at, at + 4) === "PE\0\0"
}

/** "BZh", the level, and the magic number of a block. */
const isBzip2 = (head: Buffer): boolean => /^BZh[1-9]1AY&SY/.test(head.toString("latin1", 0, 10))

/** Text may begin with "BM": in an image four reserved bytes are 0, and the pixels begin near. */
const isBitmap = (head: Buffer): boolean =>
  head.length >= 14 &&
  head.toString("latin1", 0, 2) === "BM" &&
  head.readUInt32LE(6) === 0 &&
  head.readUInt32LE(10) <= 0xffff

/** Both begin with CAFEBABE; then comes the number of architectures, or the class file's version from 45 on. */
const universalOrJava = (head: Buffer): Signature | undefined => {
  if (head.length < 8 || head.readUInt32BE(0) !== 0xcafebabe) return undefined
  return head.readUInt32BE(4) < 45
    ? { format: "mach-o", name: "a Mach-O executable" }
    : { format: "java", name: "a Java class file" }
}

/**
 * True for a script that names its interpreter (`#!/bin/sh`), which is an executable to a system that runs
 * it. It is text, so `detectSignature` does not tell it.
 */
export const isScript = (bytes: Uint8Array): boolean => {
  const head = withoutByteOrderMark(bytes).subarray(0, headBytes)
  return /^#![ \t]*\//.test(Buffer.from(head).toString("latin1"))
}

const headBytes = 64
