import { describe, expect, it } from "vitest"
import {
  cell,
  type DeckParts,
  deck,
  layoutParts,
  paragraph,
  run,
  type SlideParts,
  shape,
  table,
  textBox,
  title,
  usesLayout,
} from "./deck.ts"
import { parsed } from "./documents.ts"

/** What stands below the heading of a presentation with this one slide. */
const below = async (slide: SlideParts | string, parts: DeckParts["parts"] = {}): Promise<string> => {
  const { markdown } = parsed(await deck({ slides: [slide], parts }))
  const [heading = "", ...rest] = markdown.split("\n\n")
  expect(heading.trimEnd()).toBe("## Slide 1")
  return rest.join("\n\n")
}

describe("text", () => {
  it("is one paragraph for each paragraph with text", async () => {
    expect(await below(textBox("one", "", "  ", "two"))).toBe("one\n\ntwo\n")
  })

  it("goes on over the borders of runs", async () => {
    expect(await below(shape(paragraph(run("Hel") + run("lo ") + run("world"))))).toBe("Hello world\n")
  })

  it("breaks at a:br, and at the vertical tab that is written as _x000B_", async () => {
    expect(await below(shape(paragraph(`${run("one")}<a:br><a:rPr/></a:br>${run("two_x000B_three")}`)))).toBe(
      "one  \ntwo  \nthree\n",
    )
  })

  it("gives what its author says of a picture, and no name of a file", async () => {
    const picture = (description: string) =>
      `<p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture" descr="${description}"/></p:nvPicPr></p:pic>`
    expect(
      await below(
        textBox("one") +
          picture("A *quay* at night") +
          picture("IMG_0417.JPG") +
          picture("C:\\\\My pictures\\\\th (9).jpg") +
          picture("Screen Shot 2016-09-16 at 3.45.24 PM.png") +
          picture("AI-generated content may be incorrect."),
      ),
    ).toBe("one\n\nA \\*quay\\* at night\n")
  })

  it("drops other controls that are written as _xHHHH_, and keeps what only looks like one", async () => {
    expect(await below(textBox("a_x0007_b_x0009_c a_x0041_b a_x00_b"))).toBe("ab\tc a_x0041_b a_x00_b\n")
  })

  it("keeps soft hyphens and no-break spaces", async () => {
    expect(await below(textBox("Infor\u00admation 10\u00a0km"))).toBe("Infor\u00admation 10\u00a0km\n")
  })

  it("takes a line end inside of a:t as white space", async () => {
    expect(await below(shape(paragraph("<a:r><a:t>one\r\ntwo</a:t></a:r>")))).toBe("one two\n")
  })

  it("is read out of fields", async () => {
    const field = '<a:fld id="{1}" type="datetime1"><a:rPr/><a:pPr lvl="3"/><a:t>1 May 2024</a:t></a:fld>'
    expect(await below(shape(paragraph(run("On ") + field)))).toBe("On 1 May 2024\n")
  })

  it("is escaped, so that it shows as it is", async () => {
    expect(await below(textBox("# not a heading", "*no* emphasis <b> [a](b)", "- no item"))).toBe(
      "\\# not a heading\n\n\\*no\\* emphasis \\<b> [a\\](b)\n\n\\- no item\n",
    )
  })

  it("keeps what stands above and below the line, and what is struck", async () => {
    const set = (text: string, attributes: string) => `<a:r><a:rPr ${attributes}/><a:t>${text}</a:t></a:r>`
    expect(
      await below(
        shape(
          paragraph(
            `${run("10")}${set("6", 'baseline="30000"')}${run(" H")}${set("2", 'baseline="-25000"')}${run("O")}` +
              `${set(" a", 'baseline="0"')}${set("[", 'baseline="30%"')}${set("b]", 'baseline="30%"')}`,
          ) +
            paragraph(`${run("now ")}${set("then", 'strike="sngStrike"')}${set(" on", 'strike="noStrike"')}`),
        ),
      ),
    ).toBe("10⁶ H₂O a<sup>[b]</sup>\n\nnow ~~then~~ on\n")
  })

  it("shows the characters of symbol fonts, and none of another font in their place", async () => {
    const inFont = (text: string, font: string) => `<a:r><a:rPr>${font}</a:rPr><a:t>${text}</a:t></a:r>`
    const wingdings = '<a:latin typeface="Arial"/><a:sym typeface="Wingdings"/>'
    expect(await below(shape(paragraph(inFont("a \uf0e0 b", wingdings) + inFont(" \uf0e0", ""))))).toBe(
      "a → b \uf0e0\n",
    )
  })

  it("in a font of equal widths is code where it shows that it is, with its spaces and empty lines", async () => {
    const mono = (text: string) =>
      paragraph(
        `<a:r><a:rPr strike="sngStrike"><a:latin typeface="Consolas"/></a:rPr><a:t>${text}</a:t></a:r>`,
      )
    const lines = paragraph("") + mono("if (a) {") + mono("  b[*c*]") + paragraph("") + mono("end")
    expect(await below(shape(paragraph(run("one")) + lines + paragraph(run("two"))))).toBe(
      "one\n\n```\nif (a) {\n  b[*c*]\n\nend\n```\n\ntwo\n",
    )
    expect(await below(shape(mono("Yours") + mono("sincerely")))).toBe("~~Yours~~\n\n~~sincerely~~\n")
    expect(await below(shape(mono("a {")) + shape(mono("}")))).toBe("```\na {\n```\n\n```\n}\n```\n")
    expect(await below(shape(mono("Yours")) + shape(mono("}")))).toBe("~~Yours~~\n\n```\n}\n```\n")
    const item = mono("a {").replace("<a:p>", '<a:p><a:pPr><a:buChar char="•"/></a:pPr>')
    expect(await below(shape(item))).toBe("- ~~a {~~\n")
    const mixed = mono("a {").replace("</a:p>", `${run(" and")}</a:p>`)
    expect(await below(shape(mixed))).toBe("~~a {~~ and\n")
    expect(await below(shape(mono(`${"word ".repeat(25)}end`)))).not.toContain("```")
  })

  it.each([
    ["a query", ["SELECT a", "FROM b"]],
    ["a definition", ["CREATE TABLE a"]],
    ["a command", ["npm install a"]],
    ["a declaration", ["private Service a"]],
    ["an import", ["import os.path"]],
    ["a condition", ["if (i &lt; 3)"]],
    ["a drawing of characters", [" *", "* *", "  *"]],
    ["lines that tabs indent", ["let max x y", "\tif x", "\t\tthen y"]],
  ])("in a font of equal widths is code: %s", async (_name, lines) => {
    const mono = (text: string) =>
      paragraph(`<a:r><a:rPr><a:latin typeface="Consolas"/></a:rPr><a:t>${text}</a:t></a:r>`)
    expect(await below(shape(lines.map(mono).join("")))).toBe(
      `\`\`\`\n${lines.join("\n").replace("&lt;", "<")}\n\`\`\`\n`,
    )
  })

  it("is code in the font that the list style of its shape or of its layout's placeholder sets", async () => {
    const fixed = '<a:lvl1pPr><a:buNone/><a:defRPr><a:latin typeface="Consolas"/></a:defRPr></a:lvl1pPr>'
    const lines = paragraph(run("if (a) {")) + paragraph(run("  b")) + paragraph(run("}"))
    const code = "```\nif (a) {\n  b\n}\n```\n"
    expect(await below(shape(lines, "", "", fixed))).toBe(code)
    const layout = layoutParts(shape(paragraph(run("Code")), 'type="body" idx="7"', "", fixed), "")
    const slide = { tree: shape(lines, 'type="body" idx="7"'), relationships: usesLayout }
    expect(await below(slide, layout)).toBe(code)
    const own = lines.replaceAll("<a:r>", '<a:r><a:rPr><a:latin typeface="Arial"/></a:rPr>')
    expect(await below(shape(own, "", "", fixed))).toBe("if (a) {\n\nb\n\n}\n")
  })

  it.each([
    ["a first line that is indented, and capitals", ["  Web", "SELECT COMMITTEE"]],
    [
      "words of statements",
      ["let us go then", "public interest", "import duties", "if (and only if) it rains"],
    ],
    ["words of queries", ["FROM the keeper", "WHERE it rains"]],
  ])("in a font of equal widths is no code because of %s", async (_name, lines) => {
    const mono = (text: string) =>
      paragraph(`<a:r><a:rPr><a:latin typeface="Consolas"/></a:rPr><a:t>${text}</a:t></a:r>`)
    const read = lines.map((line) => line.trim()).join("\n\n")
    expect(await below(shape(lines.map(mono).join("")))).toBe(`${read}\n`)
  })

  it("keeps the line ends of a run in a font of equal widths, and of no other", async () => {
    const lines = "a = 1\n\n  b = 2"
    const mono = `<a:r><a:rPr><a:latin typeface="Courier"/></a:rPr><a:t>${lines}</a:t></a:r>`
    expect(await below(shape(paragraph(mono)))).toBe("```\na = 1\n\n  b = 2\n```\n")
    expect(await below(shape(paragraph(run(lines))))).toBe("a = 1 b = 2\n")
  })

  it("in a font of equal widths may have any number of lines", { timeout: 60_000 }, async () => {
    const line = '<a:p><a:r><a:rPr><a:latin typeface="Courier"/></a:rPr><a:t>a</a:t></a:r></a:p>'
    expect((await below(shape(line.repeat(150_000)))).match(/^a$/gm)).toHaveLength(150_000)
  })

  it("is read out of entities and CDATA sections", async () => {
    expect(await below(shape(paragraph("<a:r><a:t>A&#x26;B &lt; <![CDATA[C & D]]></a:t></a:r>")))).toBe(
      "A\\&B < C & D\n".replace("\\&", "&"),
    )
  })

  it("in a locked canvas is text", async () => {
    const canvas = `<lc:lockedCanvas xmlns:lc="urn:lc"><a:sp><a:txSp><a:txBody>${paragraph(run("locked"))}</a:txBody></a:txSp></a:sp></lc:lockedCanvas>`
    expect(
      await below(
        `<p:graphicFrame><a:graphic><a:graphicData uri="urn:lc">${canvas}</a:graphicData></a:graphic></p:graphicFrame>`,
      ),
    ).toBe("locked\n")
  })
})

describe("links", () => {
  const relationships = {
    rId5: { type: "hyperlink", target: "https://example.com/a?b=1&c=2", external: true },
    rId6: { type: "slide", target: "slide2.xml" },
    rId7: { type: "hyperlink", target: "file:///C:/secret.txt", external: true },
    rId8: { type: "hyperlink", target: "javascript:alert(1)", external: true },
  }
  const click = (id: string) => `<a:hlinkClick r:id="${id}"/>`
  const linked = (tree: string) => below({ tree, relationships })

  it("that lead outside are Markdown links", async () => {
    expect(await linked(shape(paragraph(run("see ") + run("here", click("rId5")) + run("."))))).toBe(
      "see [here](https://example.com/a?b=1&c=2).\n",
    )
  })

  it("over several runs are one link, with the white space at its ends outside", async () => {
    const runs = run("see ") + run(" the", click("rId5")) + run(" page ", click("rId5")) + run("now")
    expect(await linked(shape(paragraph(runs)))).toBe("see  [the page](https://example.com/a?b=1&c=2) now\n")
  })

  it("to other slides, to files and to scripts are text alone", async () => {
    const runs = ["rId6", "rId7", "rId8", "", "rId99"]
      .map((id) => run(`${id || "none"} `, click(id)))
      .join("")
    expect(await linked(shape(paragraph(runs)))).toBe("rId6 rId7 rId8 none rId99\n")
  })

  it("of a whole shape are links of its text", async () => {
    expect(await linked(shape(paragraph(run("Press")), undefined, click("rId5")) + textBox("Other"))).toBe(
      "[Press](https://example.com/a?b=1&c=2)\n\nOther\n",
    )
  })

  it("do not go over to text without a link", async () => {
    const runs = run("a", click("rId5")) + run("b")
    expect(await linked(shape(paragraph(runs)) + textBox("c"))).toBe(
      "[a](https://example.com/a?b=1&c=2)b\n\nc\n",
    )
  })

  it("of pictures and groups are no links of the text that follows", async () => {
    const clicked = (content: string) => `<p:cNvPr id="7" name="">${click("rId5")}</p:cNvPr>${content}`
    const tree =
      `<p:pic><p:nvPicPr>${clicked("")}</p:nvPicPr></p:pic>` +
      `<p:grpSp><p:nvGrpSpPr>${clicked("")}</p:nvGrpSpPr>${table(1, cell("a"))}${textBox("b")}</p:grpSp>`
    expect(await linked(tree)).toBe("| a |\n| --- |\n\nb\n")
  })

  it("of line breaks and paragraph ends are no links of the text that follows", async () => {
    const end = `<a:endParaRPr>${click("rId5")}</a:endParaRPr>`
    const runs = `${run("a")}<a:br><a:rPr>${click("rId5")}</a:rPr></a:br>${run("b")}`
    expect(await linked(shape(`<a:p>${runs}${end}</a:p>${paragraph(run("c"))}`))).toBe("a  \nb\n\nc\n")
  })

  it("in a title are links in the heading", async () => {
    const tree = shape(paragraph(run("Home", click("rId5"))), 'type="title"')
    const { markdown } = parsed(await deck({ slides: [{ tree, relationships }] }))
    expect(markdown).toBe("## Slide 1: [Home](https://example.com/a?b=1&c=2)\n")
  })
})

describe("of mc:AlternateContent", () => {
  const alternates = (...branches: ReadonlyArray<string>) =>
    `<mc:AlternateContent>${branches.join("")}</mc:AlternateContent>`
  const choice = (content: string) => `<mc:Choice Requires="a14">${content}</mc:Choice>`
  const fallback = (content: string) => `<mc:Fallback>${content}</mc:Fallback>`

  it("the first branch with content is read, and never another", async () => {
    const tree = alternates(choice(textBox("new")), fallback(textBox("old"))) + textBox("after")
    expect(await below(tree)).toBe("new\n\nafter\n")
    expect(await below(alternates(choice(textBox("1")), choice(textBox("2")), fallback(textBox("3"))))).toBe(
      "1\n",
    )
  })

  it("the fallback is read where the choice holds nothing that is understood", async () => {
    const tree = alternates(choice('<x:ink xmlns:x="urn:x"/>'), fallback(textBox("old")))
    expect(await below(tree)).toBe("old\n")
    expect(await below(alternates(choice(textBox(" ")), fallback(textBox("old"))))).toBe("old\n")
  })

  it("one that stands in another is read by itself", async () => {
    const inner = alternates(choice(textBox("b")), fallback(textBox("B")))
    const tree = alternates(choice(textBox("a") + inner + textBox("c")), fallback(textBox("A")))
    expect(await below(tree)).toBe("a\n\nb\n\nc\n")
  })

  it("inside of a paragraph one branch is read", async () => {
    const runs = run("x ") + alternates(choice(run("y")), fallback(run("Y"))) + run(" z")
    expect(await below(shape(paragraph(runs)))).toBe("x y z\n")
  })

  it("a formula is LaTeX", async () => {
    const part = (name: string, words: string) =>
      `<m:${name}><m:r><a:rPr/><m:t>${words}</m:t></m:r></m:${name}>`
    const power = `<m:sSup>${part("e", "𝑐")}${part("sup", "2")}</m:sSup>`
    const fraction = `<m:f>${part("num", "1")}${part("den", "2")}</m:f>`
    const formula = `<a14:m><m:oMath><m:r><m:t>𝐸=𝑚</m:t></m:r>${power}<m:r><m:t>+</m:t></m:r>${fraction}</m:oMath></a14:m>`
    const tree = alternates(
      choice(shape(paragraph(run("Energy: ") + formula))),
      fallback(shape(paragraph(run(" ")))),
    )
    expect(await below(tree)).toBe("Energy: $E=mc^{2}+\\frac{1}{2}$\n")
  })

  it("a title is one title", async () => {
    const { markdown } = parsed(
      await deck({ slides: [alternates(choice(title("New")), fallback(title("Old")))] }),
    )
    expect(markdown).toBe("## Slide 1: New\n")
  })
})
