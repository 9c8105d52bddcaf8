/** A binary format that gives itself away by its first bytes. */
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
    | "pdf"
    | "cfb"
    | "png"
    | "jpeg"
    | "gif"
  /** For messages, with its article: "an ELF executable". */
  readonly name: string
}

const signature = (format: Signature["format"], name: string, ...bytes: ReadonlyArray<number | string>) => ({
  format,
  name,
  bytes: Buffer.concat(bytes.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part)))),
})

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
  signature("pdf", "a PDF document", "%PDF-"),
  signature("cfb", "a legacy Office document", 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
  signature("png", "a PNG image", 0x89, "PNG\r\n", 0x1a, "\n"),
  signature("jpeg", "a JPEG image", 0xff, 0xd8, 0xff),
  signature("gif", "a GIF image", "GIF87a"),
  signature("gif", "a GIF image", "GIF89a"),
]

/** The format of `bytes`, a whole file or its beginning, as far as its signature tells. */
export const detectSignature = (bytes: Uint8Array): Signature | undefined => {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found = signatures.find((known) => head.subarray(0, known.bytes.length).equals(known.bytes))
  if (found !== undefined) return { format: found.format, name: found.name }
  if (isPortableExecutable(head)) return { format: "pe", name: "a Windows executable" }
  if (isBzip2(head)) return { format: "bzip2", name: "a bzip2 archive" }
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

/** Both begin with CAFEBABE; then comes the number of architectures, or the class file's version from 45 on. */
const universalOrJava = (head: Buffer): Signature | undefined => {
  if (head.length < 8 || head.readUInt32BE(0) !== 0xcafebabe) return undefined
  return head.readUInt32BE(4) < 45
    ? { format: "mach-o", name: "a Mach-O executable" }
    : { format: "java", name: "a Java class file" }
}
