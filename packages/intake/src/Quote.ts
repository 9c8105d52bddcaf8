const quotedCharactersMax = 100

/** What a document holds, for a message: cut short, JSON-quoted, and without characters that cannot be seen. */
export const quote = (text: string): string =>
  JSON.stringify(text.length > quotedCharactersMax ? `${text.slice(0, quotedCharactersMax)}…` : text).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
