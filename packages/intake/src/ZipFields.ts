import { Refusal } from "./Refusal.ts"

/** What the records of a ZIP archive are made of. */

/** A value that stands elsewhere: in the ZIP64 record or in the entry's ZIP64 field. */
export const allOnes16 = 0xffff
export const allOnes32 = 0xffff_ffff

const zip64Field = 0x0001

/** The archive itself is invalid. */
export const corrupt = (fault: string): Refusal =>
  new Refusal("file_corrupt", `The ZIP archive is damaged: ${fault}.`)

export interface ZipSizes {
  readonly expanded: number
  readonly compressed: number
  readonly headerAt: number
}

/** Replaces each value that is all ones by the next one of the ZIP64 field, which holds just those. */
export const withZip64 = (declared: ZipSizes, extra: Buffer): ZipSizes => {
  const field = extraField(extra, zip64Field)
  let at = 0
  const resolve = (value: number): number => {
    if (value !== allOnes32) return value
    if (field === undefined || at + 8 > field.length) {
      throw corrupt("an entry lacks the ZIP64 field that it speaks of")
    }
    at += 8
    return readUInt64(field, at - 8)
  }
  return {
    expanded: resolve(declared.expanded),
    compressed: resolve(declared.compressed),
    headerAt: resolve(declared.headerAt),
  }
}

/**
 * The data of an extra field; undefined if there is none, also where the fields are malformed, as some programs
 * leave them.
 */
export const extraField = (extra: Buffer, id: number): Buffer | undefined => {
  for (let at = 0; at + 4 <= extra.length; ) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === id && end <= extra.length) return extra.subarray(at + 4, end)
    at = end
  }
  return undefined
}

/** Inexact over 2^53, which is far over every bound. */
export const readUInt64 = (bytes: Buffer, at: number): number =>
  bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * 0x1_0000_0000
