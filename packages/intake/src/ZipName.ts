import { isUtf8 } from "node:buffer"
import type { IntakeLimits } from "./Limits.ts"
import { quote } from "./Quote.ts"
import { Refusal } from "./Refusal.ts"

/**
 * The name of an entry with `/` for `\`, which some programs write. Throws a `Refusal` for one that is
 * empty, absolute, climbs out, holds control characters, or is over `archive_name_bytes_max`.
 *
 * @param unicodePath the Unicode Path field, another name that some readers prefer
 */
export const decodeName = (bytes: Buffer, unicodePath: Buffer | undefined, limits: IntakeLimits): string => {
  const isUnicode = isUtf8(bytes)
  const name = bytes.toString(isUnicode ? "utf8" : "latin1").replaceAll("\\", "/")
  if (bytes.length > limits.archive_name_bytes_max) {
    throw new Refusal(
      "archive_limit_exceeded",
      `The archive entry ${quote(name)} has a name of ${bytes.length} bytes; at most ${limits.archive_name_bytes_max} are allowed (archive_name_bytes_max).`,
    )
  }
  const fault = faultOf(name)
  if (fault !== undefined) {
    throw new Refusal("file_corrupt", `The archive entry ${quote(name)} has a name that ${fault}.`)
  }
  if (isUnicode && unicodePath !== undefined && !unicodePath.subarray(unicodePathHeadBytes).equals(bytes)) {
    throw new Refusal(
      "file_corrupt",
      `The archive entry ${quote(name)} has a second name, ${quote(unicodePath.toString("utf8", unicodePathHeadBytes))}.`,
    )
  }
  return name
}

/** Version and checksum, then the name. */
const unicodePathHeadBytes = 5

const faultOf = (name: string): string | undefined => {
  if (name === "") return "is empty"
  if (controlCharacter.test(name)) return "holds a control character"
  if (name.startsWith("/")) return "is absolute"
  if (/^[A-Za-z]:/.test(name)) return "begins with a drive letter"
  if (/(^|\/)\.\.?(\/|$)/.test(name)) return 'holds "." or ".."'
  if (name.includes("//")) return "has a folder without a name"
  return undefined
}

const controlCharacter = /\p{Cc}/u

/** Equal for names that differ only in the case of ASCII letters, which are one part (OPC, part names). */
export const nameKey = (name: string): string =>
  beyondAscii.test(name)
    ? name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    : // Nearly every name; much faster.
      name.toLowerCase()

const beyondAscii = /[\u0080-\uffff]/
