import { collapseSpaces } from "./collapseSpaces.ts"

/** Text as code within a line, in a fence of backticks that nothing in it can close; empty for white space. */
export const codeSpan = (text: string): string => {
  const code = collapseSpaces(text).trim()
  if (code === "") return ""
  let longest = 0
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = "`".repeat(longest + 1)
  const padding = code.startsWith("`") || code.endsWith("`") ? " " : ""
  return fence + padding + code + padding + fence
}
