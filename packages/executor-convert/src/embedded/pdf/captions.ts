import type { Word } from "./Word.ts"

/** The line is the title of a figure, of a table, or of a listing: "Figure 3." or "Table A.3", and what that shows. */
export const isCaption = ([first, second]: ReadonlyArray<Word>): boolean =>
  first !== undefined &&
  second !== undefined &&
  second.left - first.right <= gapMax * first.size &&
  beginsCaption(`${first.text} ${second.text} `)

export const beginsCaption = (text: string): boolean => captioned.test(text)

/** Wider than a space of any font, as a share of the size. */
const gapMax = 1
const captioned =
  /^(?:(?:(?:Fig(?:ure|ura)?|Tab(?:le|elle|leau|la)?|Abb(?:ildung)?)\.? |[表图圖図표] ?|그림 ?)(?:[A-Z][.-]?)?|(?:Example|Listing|Exhibit|Chart)\.? (?:[A-Z]\.)?)\d+(?:[.-]\d+)*(?:\/\p{L}[\w.]*)?[.:]? /iu
