import { isTabular } from "./TaggedTables.ts"
import { readmitted, type Tag } from "./Tags.ts"

import { type Role, roleOf } from "./tagTypes.ts"
import type { Word } from "./Word.ts"

/** Of marked content: what it is in, as far as that tells more than a paragraph. */
export type Places = ReadonlyMap<number, Role>

const telling: ReadonlySet<Role> = new Set(["heading", "list", "table", "figure", "note", "entry"])

export const placesOf = (tags: ReadonlyArray<Tag>): Places => {
  const places = new Map<number, Role>()
  const visit = (tag: Tag, outer: Role): void => {
    const role = roleOf(tag.type)
    const own = telling.has(role) && (role !== "table" || isTabular(tag)) ? role : outer
    for (const child of tag.children) {
      if (typeof child === "number") places.set(child, own)
      else visit(child, own)
    }
  }
  for (const tag of tags) visit(tag, "paragraph")
  return places
}

/** Shares of the letters. */
const coveredMin = 0.85
const headingsMax = 0.6
/** Letters of a page that may be headings only. */
const titlePageMax = 600

/** The tags of a page hold nearly all of its text, and tell more than paragraphs. */
export const areBelieved = (places: Places, words: ReadonlyArray<Word>): boolean => {
  let all = 0
  let covered = 0
  let headings = 0
  let tells = false
  for (const { content, text } of words) {
    if (content === readmitted) continue
    const place = places.get(content)
    all += text.length
    if (place === undefined) continue
    covered += text.length
    if (place === "heading") headings += text.length
    if (place !== "paragraph" && place !== "figure") tells = true
  }
  if (!tells || covered < coveredMin * all) return false
  return headings <= headingsMax * covered || covered <= titlePageMax
}
