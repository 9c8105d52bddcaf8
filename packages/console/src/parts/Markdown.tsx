import MarkdownIt, { type Token } from "markdown-it"
import { useMemo } from "preact/hooks"

/**
 * Documents of customers, as markup: their HTML is shown as text, their images by name alone so that nothing is
 * fetched, and links lead only to http, https and mail, in a page that knows nothing of this one.
 */
const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false })
markdown.renderer.rules["image"] = (tokens, index) => {
  const alt = markdown.utils.escapeHtml(String(tokens[index]?.content || "image"))
  return `<span class="picture">${alt}</span>`
}
markdown.renderer.rules["link_open"] = (tokens, index, options, _, self) => {
  if (!/^(https?:|mailto:)/i.test(String(tokens[index]?.attrGet("href") ?? "")))
    tokens[index]?.attrs?.splice(0)
  tokens[index]?.attrSet("rel", "noopener noreferrer nofollow")
  tokens[index]?.attrSet("target", "_blank")
  return self.renderToken(tokens, index, options)
}
/** Styles in markup are forbidden here: a column's alignment is a class. */
const aligned = (token: Token | undefined): void => {
  const style = String(token?.attrGet("style") ?? "")
  token?.attrs?.splice(0)
  const side = /text-align:(right|center)/.exec(style)?.[1]
  if (side !== undefined) token?.attrSet("class", side)
}
for (const rule of ["th_open", "td_open"]) {
  markdown.renderer.rules[rule] = (tokens, index, options, _, self) => {
    aligned(tokens[index])
    return self.renderToken(tokens, index, options)
  }
}

/** Characters of a document that are rendered; the whole of it is a download away. */
const markdownCharsMax = 200_000

export const Markdown = ({ text }: { readonly text: string }) => {
  const html = useMemo(() => markdown.render(text.slice(0, markdownCharsMax)), [text])
  return (
    <>
      <section
        class="markdown"
        tabIndex={0}
        aria-label="Document"
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {text.length > markdownCharsMax ? (
        <p class="muted">Only the beginning is shown. The download has all of it.</p>
      ) : null}
    </>
  )
}
