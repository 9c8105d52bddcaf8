/** What styles are for, by the names that Word, LibreOffice and pandoc give them, and people their own. */

/** Paragraphs of such a style are code, or they are it if they look so: prose comes into the style when it is pasted. */
export type CodeStyle = "code" | "preformatted"

const codeStyle = /^(?:source ?code|code(?: ?block)?|program ?listing|verbatim)$/i
const preformattedStyle = /^(?:html preformatted|preformatted(?: text)?)$/i

export const codeStyleOf = (name: string): CodeStyle | undefined => {
  if (codeStyle.test(name)) return "code"
  return preformattedStyle.test(name) ? "preformatted" : undefined
}

/** Of characters, inside of a line. */
export const isCodeSpan = (name: string): boolean => codeSpan.test(name)

const codeSpan =
  /^(?:verbatim char|(?:inline ?)?code(?: char)?|html (?:code|keyboard|sample|typewriter)|source ?text|teletype)$/i

export const isQuotation = (name: string): boolean => quotation.test(name)

const quotation = /^(?:(?:intense )?quote|block ?text|block ?quote|quotations?)$/i

/** The level, from 0, of an entry in a list of contents, figures or tables; undefined for other styles. */
export const contentsLevelOf = (name: string): number | undefined => {
  const level = contents.exec(name)
  return level === null ? undefined : Number(level[1] ?? 1) - 1
}

const contents =
  /^(?:(?:toc|contents) ([1-9])|table of figures|(?:figure|illustration|table|object) index 1)$/i
