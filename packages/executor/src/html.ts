/** HTML as Markdown. It runs inside a parsing process, as `@atelier/executor/parsing` does. */
export type { Blocks } from "./html/Blocks.ts"
export { Cell, textOf } from "./html/Cell.ts"
export { collapseSpaces } from "./html/collapseSpaces.ts"
export { HtmlContent } from "./html/HtmlContent.ts"
export { type HtmlHandler, readHtml, readXhtml } from "./html/HtmlReader.ts"
export type { HtmlAttributes } from "./html/OpenElements.ts"
export { type HtmlOptions, writeHtml } from "./html/writeHtml.ts"
export { type MarkdownLimits, markdownLimits } from "./Limits.ts"
