/** Markdown of the same length in which spaces stand for its code spans, so that what is left is no code. */
export const codeBlanked = (markdown: string): string => {
  if (!markdown.includes("`")) return markdown
  const closing = closingRuns(markdown)
  const parts: Array<string> = []
  let from = 0
  for (let at = 0; at < markdown.length; at++) {
    if (markdown[at] === "\\") at++
    else if (markdown[at] === "`") {
      const end = endOfRun(markdown, at)
      const close = closing(end - at, end)
      if (close !== undefined) {
        parts.push(markdown.slice(from, at), " ".repeat(close - at))
        from = close
      }
      at = (close ?? end) - 1
    }
  }
  return parts.join("") + markdown.slice(from)
}

const endOfRun = (markdown: string, start: number): number => {
  let end = start
  while (markdown[end] === "`") end++
  return end
}

/** Finds where the first run of so many backticks ends, at or after an offset that never decreases. */
const closingRuns = (markdown: string) => {
  const runs = new Map<number, { readonly starts: Array<number>; next: number }>()
  for (let start = markdown.indexOf("`"); start >= 0; ) {
    const end = endOfRun(markdown, start)
    const known = runs.get(end - start)
    if (known === undefined) runs.set(end - start, { starts: [start], next: 0 })
    else known.starts.push(start)
    start = markdown.indexOf("`", end)
  }
  return (length: number, from: number): number | undefined => {
    const run = runs.get(length)
    if (run === undefined) return undefined
    while ((run.starts[run.next] ?? from) < from) run.next++
    const start = run.starts[run.next]
    return start === undefined ? undefined : start + length
  }
}
