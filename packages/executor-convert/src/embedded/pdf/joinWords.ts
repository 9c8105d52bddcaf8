import type { Word } from "./Words.ts"

/**
 * The words of lines as one text. A word that the end of a line took apart is put together again where it goes
 * on in lower case; any other hyphen is kept, and no space put after one at the end of a line.
 */
export const joinWords = (lines: ReadonlyArray<{ readonly words: ReadonlyArray<Word> }>): string => {
  let text = ""
  let last: Word | undefined
  for (const { words } of lines) {
    for (const [index, word] of words.entries()) {
      if (last?.hyphenated === true) text += /^\p{Ll}/u.test(word.text) ? "" : "-"
      else if (last !== undefined && !(index === 0 && endsInHyphen(last))) text += " "
      text += word.text
      last = word
    }
  }
  return (last?.hyphenated === true ? `${text}-` : text).toWellFormed()
}

const endsInHyphen = ({ text }: Word): boolean => /[\p{L}\p{N}]-$/u.test(text)
