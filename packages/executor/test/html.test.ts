import { writeHtml } from "@atelier/executor/html"
import { MarkdownWriter, Warnings } from "@atelier/executor/parsing"
import { describe, expect, it } from "vitest"

const read = (html: string, isXhtml: boolean) => {
  const markdown = new MarkdownWriter(1024 * 1024)
  const warnings = new Warnings()
  writeHtml(html, { markdown, warnings, isXhtml })
  return { markdown: markdown.toString(), warnings: warnings.list.map(({ code }) => code) }
}

const xhtml = (body: string, documentType = ""): string =>
  read(
    `<?xml version="1.0" encoding="UTF-8"?>\n${documentType}<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>${body}</body></html>`,
    true,
  ).markdown

describe("HTML for authors of tools", () => {
  it("is written as a reader sees it, with its title where it has no heading, and warnings for what is left out", () => {
    expect(read("<title>Tides</title><p>High &amp; low<img src=a.png alt=gauge>", false)).toEqual({
      markdown: "# Tides\n\nHigh & lowgauge\n",
      warnings: ["images_not_interpreted"],
    })
  })

  it("keeps what an item of a list holds in it: paragraphs, code, and what follows a list inside of it", () => {
    const { markdown } = read(
      "<ol><li>One<pre><code class=language-js>a\n\n  b</code></pre>more</li><li>Two<ul><li>inner</ul>outer</li><li>Three</ol><p>End",
      false,
    )
    expect(markdown).toBe(
      "1. One\n   ```js\n   a\n\n     b\n   ```\n   more\n2. Two\n   - inner\n\n   outer\n3. Three\n\nEnd\n",
    )
    expect(read("<blockquote><ul><li>One<pre>a</pre></ul></blockquote>", false).markdown).toBe(
      "> - One\n>   ```\n>   a\n>   ```\n",
    )
  })

  it("may be XHTML, where elements close themselves and CDATA is text", () => {
    expect(xhtml('<p><a id="x"/>one <b/>two<script src="a.js"/></p><p/><p>three <![CDATA[<4>]]></p>')).toBe(
      "one two\n\nthree <4>\n",
    )
  })

  it("knows the entities of HTML behind an ordinary document type", () => {
    const type =
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/TR/xhtml11/DTD/xhtml11.dtd">\n'
    expect(xhtml("<p>caf&eacute;&nbsp;&mdash; &#8220;a&#x201D;</p>", type)).toBe("café\u00a0— “a”\n")
  })

  it("resolves nothing that a document type defines, and shows nothing of it", () => {
    const type = '<!DOCTYPE html [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    expect(xhtml("<p>x &b;</p>", type)).toBe("x \\&b;\n")
  })

  it("passes over prefixes of names", () => {
    expect(xhtml("<p>so <m:math><m:mi>x</m:mi></m:math></p><h:h2>Two</h:h2>")).toBe("so $x$\n\n## Two\n")
  })
})
