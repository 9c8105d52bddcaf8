import fc from "fast-check"
import MarkdownIt from "markdown-it"
import { describe, expect, it } from "vitest"
import { closedMarkdown } from "../src/closedMarkdown.ts"

const renderer = new MarkdownIt({ html: true })

/** The types and contents of all blocks. */
const blocksOf = (markdown: string): ReadonlyArray<string> =>
  renderer.parse(markdown, {}).map(({ type, content, info }) => `${type} ${info} ${content.trimEnd()}`)

describe("Markdown of a cell", () => {
  it.each([
    ["a fence of backticks", "```python\nx = 1", "```python\nx = 1\n```"],
    ["a longer fence that a shorter one does not close", "````\n```\nx\n", "````\n```\nx\n````"],
    ["a fence of tildes", "~~~\n```\nx", "~~~\n```\nx\n~~~"],
    ["a comment", "a\n\n<!-- todo\n", "a\n\n<!-- todo\n-->"],
    ["preformatted HTML", "<PRE>\nx\n\ny", "<PRE>\nx\n\ny\n</pre>"],
  ])("closes %s", (_, markdown, closed) => {
    expect(closedMarkdown(markdown)).toBe(closed)
  })

  it.each([
    ["a fence that is closed", "```\nx\n```"],
    ["a fence inside of an item", "- a\n\n  ```\n  x\n  ```"],
    ["a fence in an item that the item's end closes", "- ```\n  x"],
    ["a quoted fence", "> ```\n> x"],
    ["backticks in a text", "a ``` b"],
    ["code that is indented", "    ```\n    x"],
    ["HTML that an empty line ends", "<div>\n```\n</div>"],
    ["a comment that is closed", "<!-- a -->"],
  ])("leaves %s as it is", (_, markdown) => {
    expect(closedMarkdown(markdown)).toBe(markdown)
  })

  it("never takes in what follows, and says the same as before", () => {
    const line = fc.constantFrom(
      ..."```|~~~|````|```js|a|a ``` b|``` a `|- a|- ```|-|1. a|7. a|> a|> ```|---|***|===|# a|<!-- a|-->|<div>|</div>".split(
        "|",
      ),
      ..."<b>|<pre>|</pre>|<?a|?>|<!A|<script> a|- - a|*     a|<b>a</b> b||".split("|"),
    )
    const indented = fc.tuple(fc.constantFrom("", "", "", " ", "  ", "   "), line)
    fc.assert(
      fc.property(fc.array(indented, { maxLength: 10 }), (lines) => {
        const markdown = lines.map(([indent, text]) => indent + text).join("\n")
        const closed = closedMarkdown(markdown)
        expect(blocksOf(`${closed}\n\nafter`)).toEqual([...blocksOf(closed), ...blocksOf("after")])
        if (!closed.includes("<")) expect(blocksOf(closed)).toEqual(blocksOf(markdown.trimEnd()))
      }),
      { numRuns: 10_000 },
    )
  })
})
