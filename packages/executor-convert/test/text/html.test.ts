import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { converted, refusalOf } from "../documents.ts"

const markdownOf = async (html: string): Promise<string> => (await converted(html, "a.html")).markdown

describe("HTML: text", () => {
  it("makes paragraphs and headings of it", async () => {
    expect(await markdownOf("<h1>One</h1><p>a</p><div>b<div>c</div>d</div><h3>Three <i>x</i></h3>e")).toBe(
      "# One\n\na\n\nb\n\nc\n\nd\n\n### Three x\n\ne\n",
    )
  })

  it("stays in one line where a style says so", async () => {
    const html =
      '<div>One Way, <div style="color:red;display: inline">Redmond</div>, <div STYLE="DISPLAY:INLINE-BLOCK">U.S.</div></div>'
    expect(await markdownOf(html)).toBe("One Way, Redmond, U.S.\n")
  })

  it("leaves out an anchor that shows nothing", async () => {
    const html = '<h2>Setup<a href="#setup" aria-label="Direct link">\u200b</a></h2><p>ภาษา\u200bไทย'
    expect(await markdownOf(html)).toBe("## Setup\n\nภาษา\u200bไทย\n")
  })

  it("leaves out the sign of a link to its own heading, but not a heading that is a link", async () => {
    const heading = (content: string) => `<h2 id="a">${content}</h2>`
    const signs = ["¶", "#", "&para;", "🔗"].map((sign) => heading(`Quay <a href="#a">${sign}</a>`)).join("")
    expect(await markdownOf(signs)).toBe("## Quay\n\n## Quay\n\n## Quay\n\n## Quay\n")
    expect(await markdownOf(heading('1 Quay<a aria-hidden="true" href="#top">TOC</a>'))).toBe("## 1 Quay\n")
    expect(await markdownOf(heading('<a href="#a">Quay # 4</a>'))).toBe("## Quay # 4\n")
    expect(await markdownOf('<p>See <a href="#a">#</a></p>')).toBe("See #\n")
  })

  it("has a space between links, and buttons, that nothing parts", async () => {
    expect(
      await markdownOf("<p><a>Home</a><a>About</a></p><p><button>Yes</button><button>No</button></p>"),
    ).toBe("Home About\n\nYes No\n")
    expect(await markdownOf("<pre><a>get</a><a>Name</a></pre><code><a>a</a><a>b</a></code>")).toBe(
      "```\ngetName\n```\n\n`ab`\n",
    )
    expect(await markdownOf("<p><a>Home</a><a></a>, <a>中</a><a>国</a> <a>a</a><b>b</b></p>")).toBe(
      "Home, 中国 a**b**\n",
    )
  })

  it("has one space for white space, and none at the ends", async () => {
    expect(await markdownOf("<p> \n a\t<b> b </b>\n <i></i> c\u00a0 d <br> e </p>")).toBe(
      "a **b** c\u00a0 d  \ne\n",
    )
  })

  it("decodes entities, once", async () => {
    expect(await markdownOf("<p>&lt;b&gt; &amp;amp; &eacute;&#x1F600;&nbsp;&unknown; AT&T &copy 1</p>")).toBe(
      "\\<b> \\&amp; é😀\u00a0\\&unknown; AT&T © 1\n",
    )
  })

  it("escapes what Markdown would take for markup", async () => {
    expect(await markdownOf("<p># no heading<p>- no list<p>*a* [b](c) `d`")).toBe(
      "\\# no heading\n\n\\- no list\n\n\\*a\\* [b\\](c) \\`d\\`\n",
    )
  })

  it("marks emphasis where it can be marked", async () => {
    const html =
      "<p><b>bold</b>, <strong><em>both</em></strong> and <em>it</em>alic; H<sub>2</sub>O x<sup>2</sup>"
    expect(await markdownOf(html)).toBe("**bold**, ***both*** and *it*alic; H₂O x²\n")
  })

  it("keeps the endings of ordinals in their line, and no letter that is the mark of a note or a power", async () => {
    const raised = (text: string) => text.replace(/\^(\S+)/g, "<sup>$1</sup>")
    const read = async (text: string) => (await markdownOf(`<p>${raised(text)}</p>`)).trim()
    for (const text of ["on the 21^st", "le 1^er mai", "au XIX^e siècle", "la 2^e fois", "1^º"]) {
      expect(await read(text)).toBe(text.replace("^", ""))
    }
    for (const text of ["12.5^a", "12^a", "Value^e", "x^e", "20^o", "Model^er", "1,5^e"]) {
      expect(await read(text)).toBe(raised(text))
    }
  })

  it("writes code in lines and in blocks, with its language", async () => {
    const html =
      '<p>Use <code>a`b</code> or <kbd>Ctrl</kbd></p><pre class="lang-sh">\n  ls &lt;a&gt;\n\n</pre><pre><code class="x language-js"><span>a</span>\n<b>b</b></code></pre><pre>a<br>b<div>c</div>d</pre>'
    expect(await markdownOf(html)).toBe(
      "Use ``a`b`` or `Ctrl`\n\n```sh\n  ls <a>\n```\n\n```js\na\nb\n```\n\n```\na\nb\nc\nd\n```\n",
    )
  })

  it("keeps links to web and mail addresses, and the text of others", async () => {
    const html =
      '<a href="https://example.org/a(b)?c=1&amp;d=2">web</a> <a href="mailto:a@example.org"><b>mail</b></a> <a href="/b">inner</a> <a href="javascript:alert(1)">script</a> <a href="http://example.org"><code>c()</code></a>'
    expect(await markdownOf(html)).toBe(
      "[web](<https://example.org/a(b)?c=1&d=2>) [**mail**](mailto:a@example.org) inner script [`c()`](http://example.org)\n",
    )
  })

  it("images_not_interpreted: gives what an image says of itself, with a warning", async () => {
    const { markdown, codes } = await converted('<p>a <img src="x.png" alt="a *cat*"> b<img></p>', "a.html")
    expect(markdown).toBe("a a \\*cat\\* b\n")
    expect(codes).toEqual(["images_not_interpreted"])
  })

  it("gives a formula as LaTeX: what it says itself, else what its elements say", async () => {
    const said = '<math alttext="a^2"><mi>a</mi></math> and <math><semantics><mi>b</mi>'
    const html = `${said}<annotation encoding="application/x-tex">\\beta</annotation></semantics></math>`
    const { markdown, codes } = await converted(html, "a.html")
    expect(markdown).toBe("$a^2$ and $\\beta$\n")
    expect(codes).toEqual([])
    const picture = '<p>so <img alt="{\\displaystyle x_{1}}" src="x.svg"></p>'
    expect(await markdownOf(picture)).toBe("so $x_{1}$\n")
  })

  it.each([
    ["<msup><mi>x</mi><mn>2</mn></msup><mo>&#x2264;</mo><mn>4</mn>", "x^{2}\\leq4"],
    ["<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac>", "\\frac{a+b}{2}"],
    [
      "<mrow><mo>(</mo><mfrac linethickness='0'><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></mrow>",
      "\\binom{n}{k}",
    ],
    [
      "<msubsup><mo>&#x2211;</mo><mi>i</mi><mi>n</mi></msubsup><msub><mi>a</mi><mi>i</mi></msub>",
      "\\sum_{i}^{n}a_{i}",
    ],
    ["<msqrt><mi>x</mi></msqrt><mroot><mi>y</mi><mn>3</mn></mroot>", "\\sqrt{x}\\sqrt[3]{y}"],
    [
      "<mover><mi>v</mi><mo>&#x2192;</mo></mover><munder><mi>lim</mi><mi>n</mi></munder><mi>x</mi>",
      "\\overset{\\to}{v}\\lim_{n}x",
    ],
    [
      "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>",
      "\\begin{matrix}1 & 2\\end{matrix}",
    ],
    ["<mi>&#x3C0;</mi><mi>r</mi><mtext> if </mtext><mi>max</mi>", "\\pi r\\text{if}\\max"],
  ])("makes LaTeX of %s", async (mathMl, latex) => {
    expect(await markdownOf(`<math>${mathMl}</math>`)).toBe(`$${latex}$\n`)
  })

  it("equations_as_text: gives a formula in words where it has nothing else", async () => {
    const { markdown, codes } = await converted('<math alttext="a squared"></math>', "a.html")
    expect(markdown).toBe("a squared\n")
    expect(codes).toEqual(["equations_as_text"])
  })

  it("writes letters and Roman numbers of lists, which Markdown has none of, as text", async () => {
    const html = "<ol type=a start=2><li>x<li>y<ol type=I><li>z</ol></ol>"
    expect(await markdownOf(html)).toBe("- b. x\n- c. y\n  - I. z\n")
  })

  it("writes quotes, also inside of quotes, and rules", async () => {
    const html = "<blockquote>a<blockquote><p>b<p>c</blockquote><ul><li>d</ul></blockquote><hr><q>e</q>"
    expect(await markdownOf(html)).toBe("> a\n> \n> > b\n> > \n> > c\n> \n> - d\n\n---\n\n“e”\n")
  })
})

describe("HTML: what is not text", () => {
  it.each([
    ["scripts", "<script>var a = '<p>no</p>'</script>"],
    ["styles", "<style>p { no: no }</style>"],
    ["comments", "<!-- no --><!no><?no?>"],
    ["templates", "<template><p>no</p></template>"],
    ["what is for browsers without scripts", "<noscript>no</noscript>"],
    ["drawings", "<svg><title>no</title><text>no<tspan/></text></svg>"],
    ["fields", "<select><option>no</option></select><textarea>no</textarea><input value=no>"],
    ["other documents and media", "<iframe>no</iframe><object>no</object><video>no</video><audio>no</audio>"],
    ["pronunciations", "<rt>no</rt><rp>no</rp>"],
    ["hidden elements", '<p hidden>no</p><div style="color: red; Display : none !important">no<p>no</div>'],
    ["invisible elements", '<span style="visibility:hidden">no</span>'],
    ["closed dialogues", "<dialog>no<p>no</p></dialog>"],
  ])("leaves out %s", async (_, html) => {
    expect(await markdownOf(`<p>a</p>${html}<p>b</p>`)).toBe("a\n\nb\n")
  })

  it("keeps an open dialogue and details", async () => {
    expect(await markdownOf("<dialog open>a</dialog><details><summary>b</summary>c</details>")).toBe(
      "a\n\nb\n\nc\n",
    )
  })

  it.each([
    ["becomes the main heading where there is none", "<h2>b</h2>", "# T & *t*\n\n## b\n"],
    ["is left out where there is one", "<h1>b</h1>", "# b\n"],
  ])("the title %s", async (_, body, markdown) => {
    const html = `<!doctype html><html><head><meta charset=utf-8><title> T &amp;\n *t* </title></head><body>${body}</body></html>`
    expect((await markdownOf(html)).replaceAll("\\*", "*")).toBe(markdown)
  })

  it("no_text: warns of a file without any", async () => {
    expect(
      (await converted("<!doctype html><html><head></head><body><p>&nbsp;</p></body></html>", "a.html"))
        .codes,
    ).toEqual(["no_text"])
  })
})

describe("HTML: code side by side", () => {
  it.each([
    ["is one", "<kbd>Ctrl</kbd><kbd>C</kbd> <code>a</code><b><code>b</code></b>.", "`CtrlC` `ab`."],
    [
      "is told apart by spaces and line breaks",
      "<code>a</code> <code>b</code><br><code>c</code>",
      "`a` `b`  \n`c`",
    ],
    [
      "is told apart by links",
      "<a href=https://a.example><code>a</code></a><code>b</code>",
      "[`a`](https://a.example)`b`",
    ],
    ["ends with its paragraph", "<code>a</code><p><code>b</code>", "`a`\n\n`b`"],
  ])("%s", async (_, html, markdown) => {
    expect(await markdownOf(html)).toBe(`${markdown}\n`)
  })
})

describe("HTML: lists", () => {
  it("nests them, counts from where they begin, and joins the paragraphs of an item", async () => {
    const html =
      "<ul><li>a<ul><li>b<li><p>c<p>d</ul><li>e</ul><ol start=3><li>f<li value=7>g<li>h</ol><ol start=x><li>i</ol>"
    expect(await markdownOf(html)).toBe("- a\n  - b\n  - c  \n    d\n- e\n\n3. f\n\n7) g\n8) h\n\n1. i\n")
  })

  it("tells lists apart that follow each other, and those inside of items", async () => {
    expect(await markdownOf("<ul><li>a<li>b</ul><ul><li>c</ul>")).toBe("- a\n- b\n\n* c\n")
    expect(await markdownOf("<ol><li>a</ol><ol><li>b</ol>")).toBe("1. a\n\n1) b\n")
    expect(await markdownOf("<ul><li>a<ul><li>b</ul><ul><li>c</ul><li>d</ul>")).toBe(
      "- a\n  - b\n  * c\n- d\n",
    )
  })

  it("writes code of an item in it, a table behind it, and goes on counting", async () => {
    expect(await markdownOf("<ol><li>a<pre>x</pre><li>b</ol>")).toBe("1. a\n   ```\n   x\n   ```\n2. b\n")
    expect(await markdownOf("<ol><li>a<table><tr><td>x<td>y</table><li>b</ol>")).toBe(
      "1. a\n\n| x | y |\n| --- | --- |\n\n2. b\n",
    )
  })

  it.each([
    [
      "as a list of terms with what is said of each",
      "<dl><dt>Term<dd>one<dd>two<dt><b>Other</b><dd>three</dl>after",
      "- **Term**\n  - one\n  - two\n- **Other**\n  - three\n\nafter\n",
    ],
    [
      "inside of one another, and in groups",
      "<dl><div><dt>A<dd>a<dl><dt>B</dt><dt>C</dt><dd>c</dl></div><div><dt>D</div></dl>",
      "- **A**\n  - a\n    - **B**\n    - **C**\n      - c\n- **D**\n",
    ],
    ["in an item of a list", "<ol><li>x<dl><dt>A<dd>a</dl><li>y</ol>", "1. x\n   - **A**\n     - a\n2. y\n"],
    [
      "without terms, which wikis indent with",
      "<p>x<dl><dd>one<dl><dd>two</dl></dl>",
      "x\n\n- one\n  - two\n",
    ],
    ["without a list around them", "<dt>A<dd>a", "- **A**\n- a\n"],
  ])("writes definitions %s", async (_, html, markdown) => {
    expect(await markdownOf(html)).toBe(markdown)
  })
})

describe("HTML: tables", () => {
  it("writes head, body, foot and caption", async () => {
    const html =
      "<table><caption>C</caption><colgroup><col></colgroup><thead><tr><th>a<th>b</thead><tbody><tr><td>1|2<td><b>3</b></tbody><tfoot><tr><td>4<td>5</tfoot></table>"
    expect(await markdownOf(html)).toBe("C\n\n| a | b |\n| --- | --- |\n| 1\\|2 | **3** |\n| 4 | 5 |\n")
  })

  it("repeats a cell that reaches over several rows and columns in all of them", async () => {
    const html =
      "<table><tr><th colspan=2>a<th>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5<tr><td>6<td rowspan=0 colspan=-1>7<td>8</table>"
    expect(await markdownOf(html)).toBe(
      "| a | a | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |\n| 6 | 7 | 8 |\n",
    )
  })

  it("keeps a table whose short cells hold headings or tables, which is no arrangement of a page", async () => {
    const html = "<table><tr><td><h2>A</h2><td>B<tr><td>1<td><table><tr><td>2<td>3</table></table>"
    expect(await markdownOf(html)).toBe("| A | B |\n| --- | --- |\n| 1 | 2, 3 |\n")
  })

  it("shows what a style sets in bold, in italics, raised, lowered or struck, and what it sets back", async () => {
    const styled = (style: string, text: string, name = "span") =>
      `<${name} style="${style}">${text}</${name}>`
    const read = async (body: string) => (await markdownOf(body)).trim()
    expect(await read(`<p>A ${styled("color:#111;font-weight:700", "bold")} word`)).toBe("A **bold** word")
    expect(await read(styled("font-weight: bold", "Title", "div"))).toBe("**Title**")
    expect(
      await read(
        `<p>${styled("font-style:italic", "so")} m${styled("font-size:6pt;vertical-align:super", "2")}`,
      ),
    ).toBe("*so* m²")
    expect(
      await read(
        `<p>H${styled("vertical-align:sub", "2")}O ${styled("text-decoration:line-through", "old")}`,
      ),
    ).toBe("H₂O ~~old~~")
    const inner = styled("font-weight:400", "plain")
    expect(await read(`<p><b>bold ${inner} again</b> and ${styled("font-weight:400", "text")}`)).toBe(
      "**bold** plain **again** and text",
    )
    expect(await read(`<h2>${styled("font-weight:700", "Title")}</h2>`)).toBe("## Title")
    expect(await read(`<p>${styled("vertical-align:sub-text;font-weight:500", "text")}`)).toBe("text")
  })

  it("writes signs of currencies and of shares, in columns of their own, with their numbers", async () => {
    const table = async (...rows: ReadonlyArray<string>) =>
      (await markdownOf(`<table>${rows.map((row) => `<tr>${row}`).join("")}</table>`))
        .split("\n")
        .filter((line) => line !== "" && !line.includes("---"))
    expect(
      await table(
        "<td><td colspan=6>Years",
        "<td><td colspan=2>2024<td><td colspan=2>2023<td>",
        "<td>Cash<td>$<td>30,737<td><td>$<td>—<td>",
        "<td>Income<td colspan=2>93,736<td><td colspan=2>(96,995<td>)",
        "<td><b>Total</b><td><b>$</b><td><b>124,473</b><td><td>$<td>(96,995<td>)",
      ),
    ).toEqual([
      "|  | Years | Years |",
      "|  | 2024 | 2023 |",
      "| Cash | $ 30,737 | $ — |",
      "| Income | 93,736 | (96,995) |",
      "| **Total** | **$ 124,473** | $ (96,995) |",
    ])
    expect(await table("<td>Sales<td>9.4<td>%<td>8<td>%", "<td>Units<td>12<td><td>7<td>")).toEqual([
      "| Sales | 9.4% | 8% |",
      "| Units | 12 | 7 |",
    ])
    // A sign with a head, one that other texts stand in the column of, and one without a number are cells.
    const cells = ["<td>Name<td>Sign<td>Rate", "<td>Dollar<td>$<td>1.00", "<td>Euro<td>€<td>1.08"]
    expect((await table(...cells))[1]).toBe("| Dollar | $ | 1.00 |")
    expect((await table("<td>a<td>$<td>1", "<td>b<td>none<td>2"))[0]).toBe("| a | $ | 1 |")
    expect((await table("<td>a<td>$<td>dollar", "<td>b<td>€<td>euro"))[0]).toBe("| a | $ | dollar |")
    expect((await table("<td colspan=2>both<td>c", "<td>a<td>$<td>1"))[1]).toBe("| a | $ | 1 |")
  })

  it("repeats no long text of a cell that reaches over others", async () => {
    const long = "word ".repeat(60).trim()
    expect(await markdownOf(`<table><tr><td colspan=2>${long}<tr><td>1<td>2</table>`)).toBe(
      `| ${long} |  |\n| --- | --- |\n| 1 | 2 |\n`,
    )
  })

  it("leaves out rows and columns in which nothing stands", async () => {
    const html = "<table><tr><td>&nbsp;<td>a<td><td>b<tr><td><td><tr><td><td>c<td><td>d</table>"
    expect(await markdownOf(html)).toBe("| a | b |\n| --- | --- |\n| c | d |\n")
  })

  it("has one line for each paragraph, item and row inside of a cell", async () => {
    const html =
      "<table><tr><th>a<th>b<tr><td><p>1<p>2<ul><li>3<ol><li>4</ol></ul><pre>5\n6</pre><td><table><tr><td>7<td>8<tr><td>9<td></table></table>"
    expect(await markdownOf(html)).toBe(
      "| a | b |\n| --- | --- |\n| 1<br>2<br>- 3<br>1. 4<br>5<br>6 | 7, 8<br>9 |\n",
    )
  })

  it.each([
    ["says so itself", '<table role="presentation"><tr><td>a<td>b<tr><td>c</table>', "a\n\nb\n\nc\n"],
    [
      "holds headings and tables",
      "<table><tr><td><h2>a</h2><p>b<td><table><tr><th>c<th>d<tr><td>e<td>f</table></table>",
      "## a\n\nb\n\n| c | d |\n| --- | --- |\n| e | f |\n",
    ],
    ["has a single cell", "<table><tr><td><p>a<p>b<ul><li>c</ul></table>", "a\n\nb\n\n- c\n"],
  ])("writes the cells of a table one by one that %s", async (_, html, markdown) => {
    expect(await markdownOf(html)).toBe(markdown)
  })

  it("writes text between rows and cells before the table, and cells outside of one as paragraphs", async () => {
    expect(await markdownOf("<table><tr>x<td>a<td>b</table><td>c</td><tr>d")).toBe(
      "x\n\n| a | b |\n| --- | --- |\n\nc\n\nd\n",
    )
  })

  it.each([
    ["columns", `<table><tr>${"<td colspan=1000>x".repeat(20_000)}</table>`],
    ["rows", `<table><tr>${"<td rowspan=65534>x".repeat(10_000)}${"<tr><td>x".repeat(2_000)}</table>`],
  ])("result_too_large: refuses cells that reach over millions of %s", async (_, html) => {
    expect(await refusalOf(html, "a.html")).toMatchObject({
      code: "result_too_large",
      message: expect.stringContaining("20971520"),
    })
  })
})

describe("HTML of any quality", () => {
  it.each([
    [
      "end tags that are missing",
      "<ul><li><p>a<li>b</ul><table><tr><td>c<td>d<tr><td>e<td>f</table>g",
      "- a\n- b\n\n| c | d |\n| --- | --- |\n| e | f |\n\ng\n",
    ],
    ["end tags that are wrongly nested", "<p><b>a <i>b</b> c</i> d</p>", "**a *b*** c d\n"],
    ["end tags that are too many", "</div></p></table>a</b></li> b", "a b\n"],
    [
      "end tags in a cell of what began outside",
      "<b><table><tr><td>a</b><td>b</table>",
      "| **a** | **b** |\n| --- | --- |\n",
    ],
    [
      "end tags in a table of what began outside",
      "<center><table></center><tr><td>a<td>b<tr><td>c<td>d</table>e",
      "| a | b |\n| --- | --- |\n| c | d |\n\ne\n",
    ],
    ["slashes that mean nothing", "<div/>a<p/>b<br/>c<b/>d", "a\n\nb  \nc**d**\n"],
    [
      "attributes of all kinds",
      "<a href=https://example.org title='>' x \"y\" =z>a</a>",
      "[a](https://example.org)\n",
    ],
    ["a file that ends inside of a tag", "<p>a</p><p class=", "a\n"],
    ["a file that ends inside of a comment", "<p>a</p><!-- b", "a\n"],
    ["names in upper case", "<P>a</P><SCRIPT>b</SCRIPT><UL><LI>c</UL>", "a\n\n- c\n"],
  ])("reads %s", async (_, html, markdown) => {
    expect(await markdownOf(html)).toBe(markdown)
  })

  it("keeps every word, whatever tags stand around, and never fails", async () => {
    const names =
      "p div b i a code pre ul ol li dl dt dd table tr td th thead caption blockquote h1 h3 span br hr q math".split(
        " ",
      )
    const tag = fc
      .tuple(
        fc.constantFrom("<", "</"),
        fc.constantFrom(...names),
        fc.constantFrom("", " colspan=2", " rowspan=3", " start=4", "/"),
      )
      .map(([open, name, rest]) => `${open}${name}${rest}>`)
    const word = fc.integer({ min: 0, max: 99 }).map((index) => ` w${index}w `)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(tag, word), { maxLength: 60 }), async (pieces) => {
        const words = (text: string) => (text.match(/w\d+w/g) ?? []).toSorted()
        expect(words(await markdownOf(pieces.join("")))).toEqual(words(pieces.join("")))
      }),
      { numRuns: 500 },
    )
  })

  it("keeps the text of elements nested deeper than they are followed", async () => {
    const deep = 20_000
    expect(await markdownOf(`${"<div>".repeat(deep)}a${"</div>".repeat(deep)}<p>b`)).toBe("a\n\nb\n")
    expect(await markdownOf(`${"<i>".repeat(deep)}a${"<p>b".repeat(2)}<br>c`)).toBe(
      "*a*\n\n*b*\n\n*b*  \n*c*\n",
    )
  })

  it("passes over an attribute of megabytes", async () => {
    const long = "x".repeat(2_000_000)
    expect(await markdownOf(`<a href="https://${long}" hidden${long}>a</a><p class="${long}">b</p>`)).toBe(
      "a\n\nb\n",
    )
  })

  it("nests quotes and lists no deeper than their limits", async () => {
    const quotes = await markdownOf(`${"<blockquote>".repeat(50)}a`)
    expect(quotes).toBe(`${"> ".repeat(8)}a\n`)
    const lists = await markdownOf("<ul><li>a".repeat(50))
    expect(lists.split("\n").at(-2)).toBe(`${"  ".repeat(15)}- a`)
  })

  it("reads a style of megabytes that says the same very often", async () => {
    const style = "text-decoration:a ".repeat(200_000)
    expect(await markdownOf(`<p style="${style}">Lamps</p>`)).toBe("Lamps\n")
  })

  it("keeps the text of a paragraph of megabytes with very many changes of style", async () => {
    const piece = "<b>a</b> b <i>c</i><a href='https://example.org'>d</a> <code>e</code> "
    const { markdown } = await converted(`<p>${piece.repeat(20_000)}</p>`, "a.html")
    expect(markdown.match(/a/g)?.length).toBeGreaterThanOrEqual(20_000)
    expect(markdown.match(/`e`/g)).toHaveLength(20_000)
    expect(markdown.match(/\[d]\(https:\/\/example\.org\)/g)).toHaveLength(20_000)
  })
})
