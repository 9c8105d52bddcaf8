import type { BookLink, IdPlace, Survey } from "./Survey.ts"

/** What becomes of an element: a reference to the note of a number, that note, or nothing. */
export type Mark = { readonly reference: number } | { readonly note: number } | "left out"

/** For each document its marks, by element. */
export type Marks = ReadonlyArray<ReadonlyMap<number, Mark>>

/**
 * Finds the notes of a book, numbered in the order of their references. A link refers to a note where it or its target
 * says so, and where it is a mark as printed notes have them and the note leads back to it.
 */
export const marksOf = (survey: Survey, documents: number): Marks => {
  const marks = Array.from({ length: documents }, () => new Map<number, Mark>())
  for (const { document, element } of survey.leftOut) marks[document]?.set(element, "left out")
  const numbers = new Map<string, number>()
  const referred = new Set<string>()
  const backLinks = firstByTarget(survey.links)
  for (const link of survey.links) {
    const target = survey.ids.get(link.target)
    if (target === undefined || !refersToNote(link, target, backLinks)) continue
    const note = `${target.document} ${target.block}`
    const number = numbers.get(note) ?? numbers.size + 1
    numbers.set(note, number)
    marks[target.document]?.set(target.block, { note: number })
    marks[link.document]?.set(link.element, { reference: number })
    for (const key of link.around) referred.add(key)
  }
  for (const link of survey.links) {
    const isShort = link.text.trim().length <= backLinkMax
    const isReference = marks[link.document]?.has(link.element) === true
    const isInNote = numbers.has(`${link.document} ${link.block}`)
    if (!isReference && (link.isBackLink || (isInNote && isShort && referred.has(link.target))))
      marks[link.document]?.set(link.element, "left out")
  }
  return marks
}

/** Characters of an arrow, a mark or "Back". */
const backLinkMax = 6

const refersToNote = (
  link: BookLink,
  target: IdPlace,
  backLinks: ReadonlyMap<string, ReadonlyArray<BookLink>>,
): boolean => {
  const isInside = target.document === link.document && target.block === link.element
  if (target.block === 0 || isInside || link.isBackLink) return false
  if (link.isReference) return true
  if (!marker.test(link.text.trim())) return false
  if (target.isNote) return true
  return link.around.some((key) =>
    (backLinks.get(key) ?? []).some((back) => back.around.includes(link.target) && isBehind(back, link)),
  )
}

/** A number or a sign, in brackets perhaps. */
const marker = /^[[({]?(?:\d{1,4}|[*†‡§¶‖#]{1,4})[\])}]?\.?$/u

const isBehind = (back: BookLink, link: BookLink): boolean =>
  back.document > link.document || (back.document === link.document && back.element > link.element)

/** More links to one place than a note has references are not looked at. */
const linksOfPlaceMax = 8

const firstByTarget = (links: ReadonlyArray<BookLink>): ReadonlyMap<string, ReadonlyArray<BookLink>> => {
  const byTarget = new Map<string, Array<BookLink>>()
  for (const link of links) {
    const known = byTarget.get(link.target)
    if (known === undefined) byTarget.set(link.target, [link])
    else if (known.length < linksOfPlaceMax) known.push(link)
  }
  return byTarget
}
