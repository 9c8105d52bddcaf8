/** Bytes `start` to `end`, both inclusive. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The part of `size` bytes that a `Range` header asks for (RFC 9110, 14): one range, or null for the whole where
 * there is none, several, or one that is not understood; `unsatisfiable` where it lies outside.
 */
export const parseRange = (header: string | undefined, size: number): ByteRange | "unsatisfiable" | null => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(" ", "") ?? "")
  if (match === null) return null
  const [, first = "", last = ""] = match
  if (first === "" && last === "") return null
  if (first === "") {
    const suffix = Number(last)
    return suffix === 0 || size === 0 ? "unsatisfiable" : { start: Math.max(0, size - suffix), end: size - 1 }
  }
  const start = Number(first)
  if (last !== "" && Number(last) < start) return null
  return start >= size
    ? "unsatisfiable"
    : { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) }
}
