/** Merged cells that say more than this are not labels of what is beside them. */
export const repeatedCharactersMax = 256

/**
 * What the cells of a table show that are merged with one: its text again, so that each row and column can be read
 * by itself, or nothing where the text is long.
 */
export const repeatedText = (text: string): string => (text.length <= repeatedCharactersMax ? text : "")
