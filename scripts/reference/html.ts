export const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

/** One paragraph of Markdown: code, links, and nothing else. */
export const inline = (text: string): string =>
  escape(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\[([^\]]+)\]\((https:[^)]+|#[^)]+)\)/g, '<a href="$2">$1</a>')

/** JSON to read. */
export const json = (value: unknown): string => coloured(JSON.stringify(value, null, 2))

/** Source code with its strings coloured, but for names of members. */
export const coloured = (text: string): string =>
  escape(text).replaceAll(/&quot;.*?&quot;(:?)/g, (found, colon) =>
    colon === "" ? `<span class="s">${found}</span>` : found,
  )
