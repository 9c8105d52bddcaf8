import { readFileSync } from "node:fs"
import process from "node:process"
import { gzipSync, zstdCompressSync } from "node:zlib"
import { detectSignature, isScript } from "@atelier/intake/bytes"
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

  it("document-tools 4.2: knows other archives, images, recordings and data by their first bytes", () => {
    const tar = Buffer.alloc(512)
    tar.write("ustar", 257)
    const bitmap = Buffer.alloc(54)
    bitmap.write("BM")
    bitmap.writeUInt32LE(54, 10)
    const iso = Buffer.alloc(40_000)
    iso.write("CD001", 32_769)
    for (const [format, bytes] of [
      ["tar", tar],
      ["iso", iso],
      ["bmp", bitmap],
      ["cab", Buffer.from("MSCF\0\0\0\0")],
      ["lz4", Buffer.from("04224d18", "hex")],
      ["ar", Buffer.from("!<arch>\ndebian-binary")],
      ["rtf", Buffer.from("{\\rtf1")],
      ["sqlite", Buffer.from("SQLite format 3\0")],
      ["ico", Buffer.from("00000100", "hex")],
      ["tiff", Buffer.from("II*\0")],
      ["tiff", Buffer.from("MM\0*")],
      ["webp", Buffer.from("RIFF0000WEBPVP8 ")],
      ["wav", Buffer.from("RIFF0000WAVEfmt ")],
      ["mp3", Buffer.from("ID3\u0003")],
      ["mp4", Buffer.from("\0\0\0\u0020ftypisom")],
      ["ogg", Buffer.from("OggS\0")],
    ] as const) {
      assert.strictEqual(formatOf(bytes), format)
    }
  })

  it("does not take text for a format: MZ, a script, JSON, nothing", () => {
    assert.isUndefined(formatOf(portableExecutable(64)))
    assert.isUndefined(formatOf(portableExecutable(0xffff_ffff)))
    assert.isUndefined(formatOf(Buffer.from(`MZ ${"is how it begins ".repeat(10)}`)))
    assert.isUndefined(formatOf(Buffer.from("#!/bin/sh\n")))
    assert.isUndefined(formatOf(Buffer.from("{}")))
    assert.isUndefined(formatOf(Buffer.from("BM is not a bitmap, ID3 no recording, RIFF no image")))
    assert.isUndefined(formatOf(Buffer.from("ID3 tags, RIFF chunks, MSCF files and LZIP")))
    assert.isUndefined(formatOf(Buffer.from("RIFF")))
    assert.isUndefined(formatOf(new Uint8Array()))
  })
})

describe("isScript", () => {
  it("is true for what names its interpreter, also behind a byte order mark", () => {
    assert.isTrue(isScript(Buffer.from("#!/bin/sh\n")))
    assert.isTrue(isScript(Buffer.from("#! /usr/bin/env python3\n")))
    assert.isTrue(isScript(Buffer.from("\ufeff#!/bin/sh\n")))
  })

  it("is false for other text that begins with a number sign", () => {
    for (const text of ["#![allow(dead_code)]", "# Heading", "#!", "", "text\n#!/bin/sh"]) {
      assert.isFalse(isScript(Buffer.from(text)))
    }
  })
})
