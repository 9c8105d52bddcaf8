import { type IntakeLimits, intakeLimits, openZip } from "@atelier/intake/bytes"
import fc from "fast-check"
import JSZip from "jszip"
import { describe, expect, it } from "vitest"
import { fixtures, refusalOf } from "./fixtures.ts"

const bytesOf = (archive: JSZip, options: JSZip.JSZipGeneratorOptions = {}): Promise<Buffer> =>
  archive.generateAsync({ compression: "DEFLATE", ...options, type: "nodebuffer" })

const archiveOf = (files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> => {
  const archive = new JSZip()
  for (const [name, data] of Object.entries(files)) archive.file(name, data, { createFolders: false })
  return bytesOf(archive)
}

/** Opens an archive and inflates all of it; the sum of what came out. */
const expand = (bytes: Uint8Array, limits: IntakeLimits = intakeLimits): number => {
  let total = 0
  openZip(bytes, limits).verify((_, data) => {
    total += data.length
  })
  return total
}

/** Names and bytes of all entries; undefined where the archive is refused. */
const contentOf = (bytes: Uint8Array): string | undefined => {
  const entries: Array<string> = []
  const refusal = refusalOf(() =>
    openZip(bytes).verify((name, data) => {
      entries.push(`${name} ${Buffer.from(data).toString("latin1")}`)
    }),
  )
  return refusal === undefined ? entries.join("\n") : undefined
}

const endRecordBytes = 22

/** The archive with bytes before its directory, or in it behind the last record, as its end record then says. */
const withHidden = (archive: Buffer, where: "before" | "inside"): Buffer => {
  const hidden = Buffer.from("hidden")
  const endAt = archive.length - endRecordBytes
  const directoryAt = archive.readUInt32LE(endAt + 16)
  const at = where === "before" ? directoryAt : endAt
  const changed = Buffer.concat([archive.subarray(0, at), hidden, archive.subarray(at)])
  const field = changed.length - endRecordBytes + (where === "before" ? 16 : 12)
  changed.writeUInt32LE(changed.readUInt32LE(field) + hidden.length, field)
  return changed
}

/**
 * An archive of one stored file whose directory lists a second entry, which lies at the end of the first one's
 * data.
 */
const nested = async (): Promise<Buffer> => {
  const packed = async (name: string, data: Buffer) => {
    const bytes = await bytesOf(new JSZip().file(name, data), { compression: "STORE" })
    const directoryAt = bytes.readUInt32LE(bytes.length - endRecordBytes + 16)
    return {
      entry: bytes.subarray(0, directoryAt),
      record: Buffer.from(bytes.subarray(directoryAt, bytes.length - endRecordBytes)),
      end: Buffer.from(bytes.subarray(bytes.length - endRecordBytes)),
    }
  }
  const inner = await packed("inner.txt", Buffer.from("inside"))
  const outer = await packed("outer.bin", Buffer.concat([Buffer.from("before it "), inner.entry]))
  inner.record.writeUInt32LE(outer.entry.length - inner.entry.length, 42)
  const { end } = outer
  end.writeUInt16LE(2, 8)
  end.writeUInt16LE(2, 10)
  end.writeUInt32LE(outer.record.length + inner.record.length, 12)
  return Buffer.concat([outer.entry, outer.record, inner.record, end])
}

const segment = fc.stringMatching(/^[A-Za-z0-9äöü漢🙂 ._-]{1,12}$/u).filter((name) => !/^\.+$/.test(name))

const files = fc.uniqueArray(
  fc.record({
    name: fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/")),
    data: fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.nat(100_000).map((length) => new Uint8Array(length).fill(97)),
    ),
  }),
  { maxLength: 12, selector: ({ name }) => name.toLowerCase() },
)

const options: fc.Arbitrary<JSZip.JSZipGeneratorOptions> = fc.record({
  compression: fc.constantFrom("STORE" as const, "DEFLATE" as const),
  compressionOptions: fc.record({ level: fc.integer({ min: 1, max: 9 }) }),
  streamFiles: fc.boolean(),
  platform: fc.constantFrom("DOS" as const, "UNIX" as const),
  comment: fc.string({ maxLength: 40 }).filter((comment) => !comment.includes("PK")),
})

describe("openZip", () => {
  it("reads back what another program has packed, whatever its options", async () => {
    await fc.assert(
      fc.asyncProperty(files, options, fc.boolean(), async (wanted, option, createFolders) => {
        const source = new JSZip()
        for (const { name, data } of wanted) source.file(name, data, { createFolders })
        const archive = openZip(await bytesOf(source, option))
        archive.verify()
        expect(archive.names.toSorted()).toEqual(wanted.map(({ name }) => name).toSorted())
        for (const { name, data } of wanted) {
          expect(Buffer.from(archive.read(name) ?? []).equals(data)).toBe(true)
        }
      }),
      { numRuns: 200 },
    )
  })

  it("refuses bytes that belong to no entry, before the directory and in it", async () => {
    const whole = await archiveOf({ "a.txt": "some text", "b.txt": "more text" })
    expect(contentOf(whole)).toBeDefined()
    for (const where of ["before", "inside"] as const) {
      expect(refusalOf(() => openZip(withHidden(whole, where)))).toMatchObject({ code: "file_corrupt" })
    }
  })

  it("refuses an entry inside of another one, also where both end together", async () => {
    const archive = await nested()
    expect(refusalOf(() => openZip(archive))).toMatchObject({ code: "file_corrupt" })
  })

  it("refuses an archive with any one bit changed, or reads the same out of it", () => {
    const small = fixtures("accepted").filter(({ file }) =>
      ["plain.docx", "stored.docx", "zip64.xlsx", "data-descriptors.docx"].includes(file),
    )
    expect(small).toHaveLength(4)
    for (const { file, bytes } of small) {
      const whole = contentOf(bytes)
      for (let at = 0; at < bytes.length; at++) {
        for (let bit = 0; bit < 8; bit++) {
          const changed = Buffer.from(bytes)
          changed[at] = (changed[at] ?? 0) ^ (1 << bit)
          const read = contentOf(changed)
          if (read !== undefined) expect(read, `${file}, bit ${bit} of byte ${at}`).toBe(whole)
        }
      }
    }
  })

  it("refuses an archive that was cut short, wherever that was", () => {
    for (const { file, bytes } of fixtures("accepted").filter(({ extension }) => extension !== "xls")) {
      const whole = bytes.toString("latin1").trimEnd().length
      for (let length = 0; length < whole; length++) {
        expect(refusalOf(() => openZip(bytes.subarray(0, length)))?.code, `${file} at ${length}`).toBe(
          "file_corrupt",
        )
      }
    }
  })

  it("gives the same bytes when an entry is read again, and counts them once", async () => {
    const limits = { ...intakeLimits, archive_expanded_bytes_max: 1_000 }
    const archive = openZip(await archiveOf({ a: "a".repeat(1_000) }), limits)
    const first = archive.read("a")
    archive.verify()
    expect(archive.read("a")).toEqual(first)
  })

  it("reads an archive that lies within other bytes", async () => {
    const bytes = await archiveOf({ a: "inside" })
    const around = Buffer.concat([Buffer.alloc(7, 1), bytes, Buffer.alloc(9, 2)])
    expect(Buffer.from(openZip(around.subarray(7, 7 + bytes.length)).read("a") ?? []).toString()).toBe(
      "inside",
    )
  })

  it("finds names without regard to the case of ASCII letters, and gives them as they are written", async () => {
    const archive = openZip(await archiveOf({ "Word/Ä.xml": "a" }))
    expect(archive.find("word/Ä.XML")).toBe("Word/Ä.xml")
    expect(archive.has("word/ä.xml")).toBe(false)
    expect(archive.read("WORD/Ä.xml")).toHaveLength(1)
  })

  it("has no entry under a name of JavaScript's", async () => {
    const archive = openZip(await archiveOf({ a: "a" }))
    for (const name of ["__proto__", "constructor", "toString", ""]) {
      expect(archive.has(name)).toBe(false)
      expect(archive.read(name)).toBeUndefined()
    }
    expect(openZip(await archiveOf({ ["__proto__x"]: "a" })).names).toEqual(["__proto__x"])
  })

  it("opens an archive of nothing", async () => {
    expect(openZip(await bytesOf(new JSZip())).names).toEqual([])
  })
})

describe("document-tools 8: limits of archives", () => {
  const at = (limits: Partial<IntakeLimits>): IntakeLimits => ({ ...intakeLimits, ...limits })

  it("20 MiB expanded, 10,000 entries", () => {
    expect(intakeLimits.archive_expanded_bytes_max).toBe(20 * 1024 * 1024)
    expect(intakeLimits.archive_entries_max).toBe(10_000)
  })

  it.each([
    ["archive_entries_max", { a: "1", b: "2", c: "3" }, 3, 2],
    ["archive_expanded_bytes_max", { a: "1".repeat(400), b: "2".repeat(600) }, 1_000, 999],
    ["archive_name_bytes_max", { "abc/ä.xml": "1" }, 10, 9],
  ])(
    "%s: as much is read, one more is refused with the limit and the value",
    async (limit, parts, found, max) => {
      const bytes = await archiveOf(parts)
      expect(refusalOf(() => expand(bytes, at({ [limit]: found })))).toBeUndefined()
      const refusal = refusalOf(() => openZip(bytes, at({ [limit]: max })))
      expect(refusal?.code).toBe("archive_limit_exceeded")
      for (const part of [limit, String(found), String(max)]) expect(refusal?.message).toContain(part)
    },
  )

  it("what comes out is counted whatever the headers say, over all entries, including those that are never read", async () => {
    const bytes = await archiveOf({ a: "1".repeat(500), b: "2".repeat(500) })
    for (const [offset, signature] of [
      [22, "PK\x03\x04"],
      [24, "PK\x01\x02"],
    ] as const) {
      bytes.writeUInt32LE(10, bytes.lastIndexOf(signature) + offset)
    }
    const archive = openZip(bytes, at({ archive_expanded_bytes_max: 900 }))
    expect(archive.read("a")).toHaveLength(500)
    expect(refusalOf(() => archive.read("b"))?.code).toBe("archive_limit_exceeded")
    expect(refusalOf(() => archive.verify())?.code).toBe("archive_limit_exceeded")
    expect(refusalOf(() => openZip(bytes).verify())?.code).toBe("file_corrupt")
  })

  it("a name that is quoted in a message is cut short and cannot break out of its quotes", async () => {
    const bytes = await archiveOf({ [`"\u202e${"long ".repeat(100)}`]: "a" })
    const refusal = refusalOf(() => openZip(bytes, at({ archive_name_bytes_max: 10 })))
    expect(refusal?.message.length).toBeLessThan(250)
    expect(refusal?.message).toContain('"\\"\\u{202e}long')
  })
})
