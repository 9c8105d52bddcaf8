import { inspectXls } from "@atelier/intake/bytes"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fixtures, refusalOf } from "./fixtures.ts"

const workbook = fixtures("accepted").find(({ file }) => file === "plain.xls")?.bytes ?? Buffer.alloc(0)

describe("inspectXls", () => {
  it("accepts or refuses a workbook with any one byte changed, and throws nothing else", () => {
    for (let at = 0; at < workbook.length; at++) {
      for (const value of [0x00, 0x01, 0x7f, 0xff]) {
        const changed = Buffer.from(workbook)
        changed[at] = value
        refusalOf(() => inspectXls(changed))
      }
    }
  })

  it("ends on tables of chains that hold anything", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 128, maxLength: 128 }), fc.nat(), (table, at) => {
        const changed = Buffer.from(workbook)
        table.forEach((next, sector) => changed.writeUInt32LE(next, 512 + sector * 4))
        changed.writeUInt32LE(at % 20, 48)
        refusalOf(() => inspectXls(changed))
      }),
      { numRuns: 500 },
    )
  })

  it("refuses a chain that leads out of the file, by its place", () => {
    const changed = Buffer.from(workbook)
    // Where the directory begins.
    changed.writeUInt32LE(5000, 48)
    const refusal = refusalOf(() => inspectXls(changed))
    expect(refusal?.code).toBe("file_corrupt")
    expect(refusal?.message).toContain("leads to sector 5000")
  })

  it("refuses a table of chains that is itself a chain in a circle, in a file of 10 MiB", () => {
    const file = Buffer.alloc(10 * 1024 * 1024)
    workbook.copy(file, 0, 0, 512)
    // 109 table sectors in the header and then more of them in the sectors from 1 on, which come back to 1.
    for (let index = 0; index < 109; index++) file.writeUInt32LE(2 + index, 76 + index * 4)
    file.writeUInt32LE(1, 68)
    file.writeUInt32LE(1, 2 * 512 + 127 * 4)
    expect(refusalOf(() => inspectXls(file))?.code).toBe("file_corrupt")
  })

  it("names what else a file is", () => {
    const messageOf = (bytes: Uint8Array) => refusalOf(() => inspectXls(bytes))?.message
    expect(messageOf(Buffer.from("<html><table></table></html>"))).toContain("is an HTML page, not")
    expect(messageOf(Buffer.from("\ufeff<?xml version='1.0'?><a/>"))).toContain("is an XML document, not")
    expect(messageOf(Buffer.from("a\tb\n"))).toContain("is text, not")
    expect(messageOf(Buffer.from("#!/bin/sh\n"))).toContain("is a script, not")
    expect(messageOf(Buffer.of(1, 2, 3, 0xff))).toContain("is of an unknown format, not")
    expect(messageOf(Buffer.alloc(0))).toContain("is empty, not")
  })
})
