const name = /\p{Lu}[\p{L}.’'-]* \p{Lu}[\p{L}’'-]+[\d¹²³⁴-⁹∗*†‡§]/gu
const address = /(?:[^\s@]@[\w-]+(?:\.[\w-]+)+|(?:https?:\/\/|www\.)\S+)$/

/** Names of several people with the marks of where they work, or an address of mail or the web: no title. */
export const areAuthors = (text: string): boolean => (text.match(name)?.length ?? 0) > 1 || address.test(text)
