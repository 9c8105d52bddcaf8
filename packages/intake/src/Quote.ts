/** UTF-16 units; the one more that may be needed completes a character. */
export const quotedUnitsMax = 100

/** Text of a document for a message: cut short, JSON-quoted, and without invisible characters. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > quotedUnitsMax ? `${beginning(text)}…` : text).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

const beginning = (text: string): string => {
  const isSplit = (text.codePointAt(quotedUnitsMax - 1) ?? 0) > 0xffff
  return text.slice(0, quotedUnitsMax + (isSplit ? 1 : 0))
}
