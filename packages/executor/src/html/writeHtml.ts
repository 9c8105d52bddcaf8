import { DocumentWarnings } from "../flow/DocumentWarnings.ts"
import type { MarkdownWriter } from "../MarkdownWriter.ts"
import type { Warnings } from "../Results.ts"
import { HtmlContent } from "./HtmlContent.ts"
import { readHtml, readXhtml } from "./HtmlReader.ts"

export interface HtmlOptions {
  readonly markdown: MarkdownWriter
  readonly warnings: Warnings
  /** Whether the text is XHTML, as it stands in EPUB books; false if absent. */
  readonly isXhtml?: boolean
}

/**
 * Writes HTML of any quality as the text that a reader sees: headings, paragraphs, lists, tables, code, links,
 * equations. If it has no main heading, its title becomes one. Throws a `Refusal` (`result_too_large`).
 */
export const writeHtml = (html: string, { markdown, warnings, isXhtml = false }: HtmlOptions): void => {
  const content = new HtmlContent(
    markdown,
    markdown.bytesMax,
    new DocumentWarnings(warnings),
    !/<(?:\w+:)?h1[\s>]/i.test(html),
  )
  if (isXhtml) readXhtml(html, content)
  else readHtml(html, content)
  content.finish()
}
