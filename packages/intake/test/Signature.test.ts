import { readFileSync } from "node:fs"
import process from "node:process"
import { gzipSync, zstdCompressSync } from "node:zlib"
import { detectSignature } from "@atelier/intake/bytes"
import { assert, describe, it } from "@effect/vitest"

const portableExecutable = (headerAt: number): Buffer => {
  const file = Buffer.alloc(256)
  file.write("MZ")
  file.writeUInt32LE(headerAt, 0x3c)
  file.write("PE\0\0", 128)
  return file
}

const formatOf = (bytes: Uint8Array) => detectSignature(bytes)?.format

describe("detectSignature", () => {
  it("document-tools 4.2: knows executables, archives and documents", () => {
    assert.strictEqual(
      formatOf(readFileSync(process.execPath).subarray(0, 4096)),
      process.platform === "linux" ? "elf" : "mach-o",
    )
    assert.strictEqual(formatOf(portableExecutable(128)), "pe")
    assert.strictEqual(formatOf(gzipSync("a")), "gzip")
    assert.strictEqual(formatOf(zstdCompressSync("a")), "zstd")
    assert.strictEqual(formatOf(Buffer.from("PK\u0003\u0004")), "zip")
    assert.strictEqual(formatOf(Buffer.from("BZh91AY&SY")), "bzip2")
    assert.strictEqual(formatOf(Buffer.from("%PDF-1.7")), "pdf")
    assert.strictEqual(formatOf(Buffer.from("d0cf11e0a1b11ae1", "hex")), "cfb")
    assert.strictEqual(formatOf(Buffer.from("cafebabe00000002", "hex")), "mach-o")
    assert.strictEqual(formatOf(Buffer.from("cafebabe00000034", "hex")), "java")
  })

  it("does not take text for a format: MZ, a script, JSON, nothing", () => {
    assert.isUndefined(formatOf(portableExecutable(64)))
    assert.isUndefined(formatOf(portableExecutable(0xffff_ffff)))
    assert.isUndefined(formatOf(Buffer.from(`MZ ${"is how it begins ".repeat(10)}`)))
    assert.isUndefined(formatOf(Buffer.from("#!/bin/sh\n")))
    assert.isUndefined(formatOf(Buffer.from("{}")))
    assert.isUndefined(formatOf(new Uint8Array()))
  })
})
