import type { Block, TableBlock, TextBlock } from "./Blocks.ts"
import { isDate, isMonth } from "./dates.ts"
import { textOf } from "./joinWords.ts"

const name = /\p{Lu}[\p{L}.’'-]* \p{Lu}[\p{L}’'-]+[\d¹²³⁴-⁹∗*†‡§]/gu
/** The same with letters for marks, as "Ada Byron a, b, Grace Hopper b": a letter stands alone before a comma. */
const lettered =
  /\p{Lu}[\p{L}.’'-]* \p{Lu}[\p{L}’'-]+ [a-h](?:, ?(?:[a-h\d]|[*∗†‡§]{1,2}))*(?:, (?=\p{Lu})|$)/gu
const address = /(?:[^\s@]@[\w-]+(?:\.[\w-]+)+|(?:https?:\/\/|www\.)\S+)$/

/** The degrees and offices that stand behind the name of a person. */
const degree =
  "(?:Ph\\.?D|M\\.?D|Dr\\.?P\\.?H|Psy\\.?D|Ed\\.?D|Pharm\\.?D|D\\.?V\\.?M|D\\.?D\\.?S|J\\.?D|LL\\.?M|M\\.?P\\.?H|M\\.?S\\.?W|M\\.?B\\.?A|M\\.?Sc|B\\.?Sc|M\\.?A|M\\.?S|R\\.?N|LCSW|ABPP|FACP|CPA|Esq)\\.?"
const withDegrees = new RegExp(`^\\p{Lu}[\\p{L}.’'-]*(?: \\p{Lu}[\\p{L}.’'-]*){1,3}(?:, ${degree})+$`, "u")

/**
 * Names of several people with the marks of where they work, or of one with degrees, or an address of mail or the web: no
 * title.
 */
export const areAuthors = (text: string): boolean =>
  [name, lettered].some((form) => (text.match(form)?.length ?? 0) > 1) ||
  withDegrees.test(text) ||
  address.test(text)

/** The link is that of a person in a register of authors. */
export const isPersonLink = (link: string): boolean => /^https?:\/\/orcid\.org\//.test(link)

/** Lines below the title of a document are looked at, up to so many. */
const headLinesMax = 24
const bylineLettersMax = 160
/** Points. */
const sameSize = 0.5

const particles = "(?:van|von|der|den|de|da|di|du|del|dos|la|le|bin|ben|al|el)"
const person = new RegExp(
  `^(?:${particles} )?\\p{Lu}[\\p{L}.’'-]*(?: (?:${particles}|\\p{Lu}[\\p{L}.’'-]*)){0,2} (?:\\p{Lu}|al-|el-)[\\p{L}.’'-]+$`,
  "u",
)
const institution =
  /@|\b(?:Universit|Institut|Department|Dept\b|Laborator|Colleg|School|Facult|Hochschule|Academ|Centre|Center|Inc\b|Ltd\b|GmbH|Corporation|Ministry|Hospital)/i

const version = /^(?:release|version|revision|v)\.? ?\d[\d.]*\w*$/i

/**
 * The authors of a document and its date, which stand below its title: names, where another line says where these people
 * work or when it was written, in a type that nothing further down has, or several on a line.
 */
export const bylinesIn = (blocks: ReadonlyArray<Block>): ReadonlySet<Block> => {
  const first = titleAt(blocks)
  const title = blocks[first]
  if (title?.kind !== "text") return new Set()
  const head: Array<TextBlock> = []
  for (const block of blocks.slice(first + 1, first + 1 + headLinesMax)) {
    // Authors in columns may look like a table.
    if (block.kind === "table" && block.page === title.page && holdsAddress(block)) continue
    if (block.kind !== "text" || block.page !== title.page || block.text.length > bylineLettersMax) break
    if (block.size > title.size - sameSize || (block.bold && !title.bold)) break
    if (block.item !== undefined) break
    head.push(block)
  }
  const names = head.filter(({ text }) => areNames(text.replace(marks, "")))
  // Each above where this person works, or an address.
  const addressed = names.filter((block, index) => {
    const next = names[index + 1]
    const below = head.slice(head.indexOf(block) + 1, next === undefined ? undefined : head.indexOf(next))
    return below.some(({ text }) => institution.test(text))
  })
  const others = head.filter(
    ({ text }) => [institution, version].some((form) => form.test(text)) || isDate(text) || isMonth(text),
  )
  if (names.length === 0 || others.length === 0) return new Set()
  const areAddressed = addressed.length >= addressedMin && addressed.length === names.length
  const last = head.at(-1)
  const below = last === undefined ? [] : blocks.slice(blocks.indexOf(last) + 1)
  const isOwn = (line: TextBlock): boolean =>
    !below.some((block) => block.kind === "text" && isSet(block, line) && block.lines === 1)
  const [name] = names
  const isSeveral = names.some(({ text }) => text.split(separator).length > 1)
  return new Set(
    [...names, ...others].filter(
      (line) => isOwn(line) || ((isSeveral || areAddressed) && line.size === name?.size),
    ),
  )
}

const holdsAddress = ({ rows }: TableBlock): boolean =>
  rows.some((row) => row.some((cell) => institution.test(textOf(cell))))

const addressedMin = 2
const marks = /[ ,]*[∗*†‡§¶\d⁰¹²³⁴-⁹]+(?:[ ,]*[∗*†‡§¶\d⁰¹²³⁴-⁹])*$/u
/** Lines before the title, such as a licence. */
const linesBeforeMax = 3

/** The first text, or a larger one that follows soon on its page. */
const titleAt = (blocks: ReadonlyArray<Block>): number => {
  const first = blocks.findIndex((block) => block.kind === "text")
  let title = first
  let size = 0
  for (const [index, block] of blocks.slice(0, first + linesBeforeMax + 1).entries()) {
    if (block.kind !== "text" || index < first) continue
    if (block.size > size + sameSize) title = index
    size = Math.max(size, block.size)
  }
  return title
}

const isSet = (one: TextBlock, other: TextBlock): boolean =>
  Math.abs(one.size - other.size) < sameSize && one.bold === other.bold && one.italic === other.italic

/** One or several people by their names. */
const areNames = (text: string): boolean => text.split(separator).every((name) => person.test(name))

const separator = /,? (?:and|und|et|y|e) |, ?| & |; ?/
