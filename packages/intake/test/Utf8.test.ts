import { isUtf8 } from "node:buffer"
import {
  escapeJson,
  firstInvalidUtf8,
  scanText,
  textFault,
  withoutByteOrderMark,
} from "@atelier/intake/bytes"
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { before, bytes, text } from "./arbitraries.ts"

const faultOf = (input: Uint8Array) => textFault(input, scanText(input))

const isIllegal = (character: string): boolean => {
  const code = character.codePointAt(0) ?? 0
  return code === 0x7f || (code < 0x20 && !"\t\n\f\r".includes(character))
}

/** Byte offset of the first character that `wanted` picks. */
const offsetOf = (input: string, wanted: (character: string) => boolean): number | undefined => {
  let offset = 0
  for (const character of input) {
    if (wanted(character)) return offset
    offset += Buffer.byteLength(character)
  }
  return undefined
}

const escaped = (input: Uint8Array): string => {
  const pieces: Array<Uint8Array> = []
  escapeJson(input, (piece) => pieces.push(Uint8Array.from(piece)))
  return Buffer.concat(pieces).toString()
}

/** The longest valid beginning, found by trying every one. */
const validUpTo = (input: Uint8Array): number => {
  let end = input.length
  while (!isUtf8(input.subarray(0, end))) end--
  return end
}

describe("scanText", () => {
  it("document-tools 1: finds the first illegal control character, and only those", () => {
    fc.assert(
      fc.property(before, text, (spaces, tail) => {
        const input = " ".repeat(spaces) + tail
        assert.strictEqual(scanText(Buffer.from(input)).illegalControlAt, offsetOf(input, isIllegal))
      }),
      { numRuns: 2_000 },
    )
  })

  it("finds C1 controls, the growth in JSON and the longest run of backticks of legal text", () => {
    fc.assert(
      fc.property(before, text, (spaces, tail) => {
        const input = " ".repeat(spaces) + tail
        const legal = [...input].filter((character) => !isIllegal(character)).join("")
        const scan = scanText(Buffer.from(legal))
        assert.strictEqual(
          scan.c1ControlAt,
          offsetOf(legal, (character) => character >= "\u0080" && character <= "\u009f"),
        )
        assert.strictEqual(scan.jsonGrowth, escaped(Buffer.from(legal)).length - legal.length)
        const runs = legal.match(/`+/g) ?? []
        assert.strictEqual(scan.longestBacktickRun, Math.max(0, ...runs.map((run) => run.length)))
      }),
      { numRuns: 500 },
    )
  })

  it("follows a run of backticks over many chunks", () => {
    const run = "`".repeat(200_000)
    assert.strictEqual(scanText(Buffer.from(`a${run}b\`\``)).longestBacktickRun, 200_000)
  })
})

describe("escapeJson", () => {
  it("gives a JSON string that parses to the text, whatever the text holds", () => {
    fc.assert(
      fc.property(before, text, (spaces, tail) => {
        const input = " ".repeat(spaces) + tail
        assert.strictEqual(JSON.parse(`"${escaped(Buffer.from(input))}"`), input)
      }),
      { numRuns: 2_000 },
    )
  })

  it("escapes each single byte below 128 as JSON.stringify does", () => {
    for (let code = 0; code < 128; code++) {
      const character = String.fromCharCode(code)
      for (const input of [character, `${character}${"a".repeat(20)}${character}`]) {
        assert.strictEqual(`"${escaped(Buffer.from(input))}"`, JSON.stringify(input))
      }
    }
  })
})

describe("textFault", () => {
  it("document-tools 1: accepts exactly UTF-8 without illegal control characters", () => {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
    const isText = (input: Uint8Array): boolean => {
      try {
        return ![...decoder.decode(input)].some(isIllegal)
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(bytes, (input) => {
        assert.strictEqual(faultOf(input) === undefined, isText(input))
      }),
      { numRuns: 5_000 },
    )
  })

  it("finds the first byte that is not UTF-8", () => {
    fc.assert(
      fc.property(bytes, (input) => {
        assert.strictEqual(firstInvalidUtf8(input) ?? input.length, validUpTo(input))
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ["a stray continuation", [0x61, 0x80], 1],
    ["an overlong form", [0xc0, 0xaf], 0],
    ["an overlong form of three bytes", [0x61, 0xe0, 0x80, 0xaf], 1],
    ["a surrogate", [0xed, 0xa0, 0x80], 0],
    ["beyond U+10FFFF", [0xf4, 0x90, 0x80, 0x80], 0],
    ["a sequence cut off", [0x61, 0xe2, 0x82], 1],
  ])("refuses %s", (_, input, at) => {
    const message = faultOf(Uint8Array.from(input))?.message
    assert.include(message, `byte ${at} (0x${input[at]?.toString(16).toUpperCase()}) is not valid UTF-8`)
  })

  it("document-tools 1: refuses GBK, naming byte and offset", () => {
    const fault = faultOf(Buffer.concat([Buffer.from("abc "), Uint8Array.of(0xc4, 0xe3, 0xba, 0xc3)]))
    assert.strictEqual(fault?.code, "file_not_utf8")
    assert.include(fault?.message, "byte 4 (0xC4)")
  })

  it("names whichever fault comes first", () => {
    assert.include(
      faultOf(Uint8Array.of(0x61, 0x00, 0xff))?.message,
      "byte 1 is the control character U+0000",
    )
    assert.include(faultOf(Uint8Array.of(0x61, 0xff, 0x00))?.message, "byte 1 (0xFF)")
  })

  it("tells UTF-16 and UTF-32 by their byte order marks", () => {
    assert.include(faultOf(Buffer.from("\ufeffhello", "utf16le"))?.message, "UTF-16")
    assert.include(faultOf(Buffer.from("\ufeffhello", "utf16le").swap16())?.message, "UTF-16")
    assert.include(faultOf(Uint8Array.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0))?.message, "UTF-32")
  })

  it("document-tools 1: allows a UTF-8 byte order mark, which is no part of the text", () => {
    const marked = Buffer.from("\ufefftext")
    assert.isUndefined(faultOf(marked))
    assert.strictEqual(Buffer.from(withoutByteOrderMark(marked)).toString(), "text")
    assert.strictEqual(Buffer.from(withoutByteOrderMark(Buffer.from("text"))).toString(), "text")
  })
})
