/** Parts of a class of characters, in regular expressions with the flag `u`. */

/** Chinese and Japanese: no spaces part anything. */
export const ideographs = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}"

/** Spaces part sentences, and no words: lines end where a word does. */
export const spacedBySentence = "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}"
