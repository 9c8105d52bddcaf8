/** Windows code pages whose encoding has another name on the web. */
const encodings: ReadonlyMap<number, string> = new Map([
  [866, "ibm866"],
  [932, "shift_jis"],
  [936, "gbk"],
  [949, "euc-kr"],
  [950, "big5"],
  [10_000, "macintosh"],
  [20_866, "koi8-r"],
  [21_866, "koi8-u"],
  [0x8000, "macintosh"],
])

/** How the 8-bit strings of a code page are read; as Western European where it is not known. */
export const codePageDecoder = (codePage: number): ((bytes: Uint8Array) => string) => {
  const decoder = decoderOf(encodings.get(codePage) ?? `windows-${codePage}`)
  return (bytes) => decoder.decode(bytes)
}

const decoderOf = (encoding: string) => {
  try {
    return new TextDecoder(encoding)
  } catch {
    return new TextDecoder("windows-1252")
  }
}
