/** Longest key and segment: every file system that is met takes them. */
const keyCharsMax = 1024
const segmentCharsMax = 200

const segmentShape = /^[A-Za-z0-9._-]+$/

const isSegment = (segment: string): boolean =>
  segment.length <= segmentCharsMax && segmentShape.test(segment) && segment !== "." && segment !== ".."

/**
 * True for a key: segments of letters, digits, `.`, `_` and `-` between slashes, none of them `.` or `..`.
 * Nothing that leaves the directory of the blobs is a key.
 */
export const isKey = (key: string): boolean => key.length <= keyCharsMax && key.split("/").every(isSegment)

/** True for a prefix: a key and one slash. */
export const isPrefix = (prefix: string): boolean => prefix.endsWith("/") && isKey(prefix.slice(0, -1))
