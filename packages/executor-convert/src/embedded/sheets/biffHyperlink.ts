/** The cells, the class of the object, its version: the flags stand behind them. */
const flagsAt = 28

const flagMoniker = 0x01
const flagDescription = 0x14
const flagFrame = 0x80
const flagPlainMoniker = 0x100

const classBytes = 16
const urlClass = Buffer.from("e0c9ea79f9bace118c8200aa004ba90b", "hex")

/** The address of a hyperlink record; undefined if it leads to a file or a place in the workbook. */
export const hyperlinkTarget = (data: Buffer): string | undefined => {
  if (data.length < flagsAt + 4) return undefined
  const flags = data.readUInt32LE(flagsAt)
  let at = flagsAt + 4
  const skipText = () => {
    if (at + 4 <= data.length) at += 4 + data.readUInt32LE(at) * 2
  }
  if ((flags & flagDescription) === flagDescription) skipText()
  if ((flags & flagFrame) !== 0) skipText()
  if ((flags & flagMoniker) === 0) return undefined
  if ((flags & flagPlainMoniker) === 0) {
    if (!data.subarray(at, at + classBytes).equals(urlClass)) return undefined
    at += classBytes
  }
  if (at + 4 > data.length) return undefined
  const bytes = data.readUInt32LE(at) * ((flags & flagPlainMoniker) === 0 ? 1 : 2)
  const [target = ""] = data.toString("utf16le", at + 4, at + 4 + bytes).split("\0", 1)
  return target === "" ? undefined : target
}
