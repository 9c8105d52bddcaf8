const name = /\p{Lu}[\p{L}.’'-]* \p{Lu}[\p{L}’'-]+[\d¹²³⁴-⁹∗*†‡§]/gu
/** The same with letters for marks, as "Ada Byron a, b, Grace Hopper b": a letter stands alone before a comma. */
const lettered =
  /\p{Lu}[\p{L}.’'-]* \p{Lu}[\p{L}’'-]+ [a-h](?:, ?(?:[a-h\d]|[*∗†‡§]{1,2}))*(?:, (?=\p{Lu})|$)/gu
const address = /(?:[^\s@]@[\w-]+(?:\.[\w-]+)+|(?:https?:\/\/|www\.)\S+)$/

/** Names of several people with the marks of where they work, or an address of mail or the web: no title. */
export const areAuthors = (text: string): boolean =>
  [name, lettered].some((form) => (text.match(form)?.length ?? 0) > 1) || address.test(text)
