import { describe, expect, it } from "vitest"
import { deck, layoutParts, paragraph, run, shape, textBox, usesLayout } from "./deck.ts"
import { parsed } from "./documents.ts"

type Line = readonly [text: string, properties?: string, level?: number]

const lines = (...all: ReadonlyArray<Line>): string =>
  all.map(([text, properties, level]) => paragraph(run(text), properties, level)).join("")

const bullet = '<a:buChar char="•"/>'
const none = "<a:buNone/>"
const number = (type = "arabicPeriod", startAt?: number) =>
  `<a:buAutoNum type="${type}"${startAt === undefined ? "" : ` startAt="${startAt}"`}/>`

/** What stands below the heading of a presentation with this one slide. */
const below = async (
  tree: string,
  layout?: { readonly layout: string; readonly master: string },
): Promise<string> => {
  const slide = layout === undefined ? { tree } : { tree, relationships: usesLayout }
  const parts = layout === undefined ? {} : layoutParts(layout.layout, layout.master)
  const { markdown } = parsed(await deck({ slides: [slide], parts }))
  return markdown.replace(/^## Slide 1\n\n/, "")
}

const box = (...all: ReadonlyArray<Line>) => shape(lines(...all))
const body = (...all: ReadonlyArray<Line>) => shape(lines(...all), 'idx="1"')

describe("bullets of a text box", () => {
  it("are those that its paragraphs have", async () => {
    expect(
      await below(
        box(["Intro"], ["one", bullet], ["two", '<a:buBlip><a:blip r:embed="rId1"/></a:buBlip>'], ["End"]),
      ),
    ).toBe("Intro\n\n- one\n- two\n\nEnd\n")
  })

  it("are none where they are blank", async () => {
    expect(await below(box(["a", '<a:buChar char=" "/>'], ["b", '<a:buChar char="&#160;"/>']))).toBe(
      "a\n\nb\n",
    )
  })

  it("have their level", async () => {
    const tree = box(["a", bullet, 0], ["b", bullet, 1], ["c", bullet, 2], ["d", bullet, 1], ["e", bullet, 0])
    expect(await below(tree)).toBe("- a\n  - b\n    - c\n  - d\n- e\n")
  })

  it("are at one level if all have the same, whichever that is", async () => {
    expect(await below(box(["Intro"], ["a", bullet, 1], ["b", bullet, 1], ["c", bullet, 2]))).toBe(
      "Intro\n\n- a\n- b\n  - c\n",
    )
  })

  it("skip no level", async () => {
    expect(await below(box(["a", bullet, 0], ["b", bullet, 4], ["c", bullet, 2], ["d", bullet, 0]))).toBe(
      "- a\n  - b\n  - c\n- d\n",
    )
  })

  it("have line breaks inside of their item", async () => {
    const item = paragraph(`${run("one")}<a:br/>${run("two")}`, bullet)
    expect(await below(shape(item + lines(["three", bullet])))).toBe("- one  \n  two\n- three\n")
  })

  it("are another list in the next shape", async () => {
    expect(await below(box(["a", bullet, 0]) + box(["b", bullet, 1]))).toBe("- a\n\n* b\n")
  })

  it("may come from the list style of the shape", async () => {
    const style = `<a:lvl1pPr>${bullet}</a:lvl1pPr><a:lvl2pPr>${none}</a:lvl2pPr>`
    const tree = shape(lines(["a"], ["b", "", 1], ["c", none], ["d"]), undefined, "", style)
    expect(await below(tree)).toBe("- a\n\nb\n\nc\n\n- d\n")
  })
})

describe("numbers", () => {
  it("count up from where the list starts", async () => {
    expect(await below(box(["a", number()], ["b", number()]))).toBe("1. a\n2. b\n")
    expect(await below(box(["c", number("arabicPeriod", 3)], ["d", number("arabicPeriod", 3)]))).toBe(
      "3. c\n4. d\n",
    )
  })

  it("go on after deeper items and empty lines, and start again below another item", async () => {
    const tree = box(
      ["a", number()],
      ["x", number("alphaLcParenR"), 1],
      ["y", number("alphaLcParenR"), 1],
      ["", number()],
      ["b", number()],
      ["z", number("alphaLcParenR"), 1],
    )
    expect(await below(tree)).toBe("1. a\n   - a) x\n   - b) y\n2. b\n   - a) z\n")
  })

  it("start again after a paragraph at their level", async () => {
    expect(await below(box(["a", number()], ["b", number()], ["Then"], ["c", number()]))).toBe(
      "1. a\n2. b\n\nThen\n\n1. c\n",
    )
  })

  it("go on after a paragraph below their level", async () => {
    expect(await below(box(["a", number()], ["note", none, 1], ["b", number()]))).toBe(
      "1. a\n\nnote\n\n2. b\n",
    )
  })

  it("that are invalid count from 1", async () => {
    expect(await below(box(["a", '<a:buAutoNum type="arabicPeriod" startAt="-5"/>']))).toBe("1. a\n")
  })
})

describe("bullets of a placeholder", () => {
  const styles = (...levels: ReadonlyArray<string>) =>
    levels.map((properties, level) => `<a:lvl${level + 1}pPr>${properties}</a:lvl${level + 1}pPr>`).join("")
  const master = (bodyStyle: string, placeholders = "") =>
    `<p:cSld><p:spTree>${placeholders}</p:spTree></p:cSld><p:txStyles><p:titleStyle>${styles(none)}</p:titleStyle><p:bodyStyle>${bodyStyle}</p:bodyStyle></p:txStyles>`
  const inLayout = (placeholder: string, listStyle = "") =>
    shape(paragraph(run("Click to edit")), placeholder, "", listStyle)

  it("are those of the master's body text", async () => {
    const layout = { layout: inLayout('idx="1"'), master: master(styles(bullet, none)) }
    expect(await below(body(["a"], ["b", "", 1], ["c", bullet, 1]), layout)).toBe("- a\n\nb\n\n- c\n")
  })

  it("are not those of the master's titles, whatever stands before them", async () => {
    const placeholder = inLayout('type="body" idx="1"')
    const layout = { layout: inLayout('idx="1"'), master: master(styles(bullet), placeholder) }
    expect(await below(body(["a"]), layout)).toBe("- a\n")
  })

  it("are those of the master's body placeholder before those", async () => {
    const placeholder = inLayout('type="body" idx="1"', styles(none))
    const layout = { layout: inLayout('idx="1"'), master: master(styles(bullet), placeholder) }
    expect(await below(body(["a"]), layout)).toBe("a\n")
  })

  it("are those of the layout's placeholder with the same index before those", async () => {
    const layout = {
      layout: inLayout('type="body" idx="1"', styles(none)) + inLayout('type="body" idx="2"'),
      master: master(styles(bullet)),
    }
    const second = shape(lines(["b"]), 'type="body" idx="2"')
    expect(await below(body(["a"]) + second, layout)).toBe("a\n\n- b\n")
  })

  it("are those of the layout's placeholder of the same type where no index fits", async () => {
    const layout = {
      layout: inLayout('type="subTitle" idx="4"', styles(none)),
      master: master(styles(bullet)),
    }
    expect(await below(shape(lines(["a"]), 'type="subTitle"'), layout)).toBe("a\n")
  })

  it("are those of its own list style and paragraphs before all", async () => {
    const layout = { layout: inLayout('idx="1"'), master: master(styles(bullet)) }
    const tree = shape(lines(["a"], ["b", bullet]), 'idx="1"', "", styles(none))
    expect(await below(tree, layout)).toBe("a\n\n- b\n")
  })

  it("may be numbers", async () => {
    const layout = { layout: inLayout('idx="1"', styles(number())), master: master(styles(bullet)) }
    expect(await below(body(["a"], ["b"]), layout)).toBe("1. a\n2. b\n")
  })

  it("are none for titles, dates and footers", async () => {
    const layout = { layout: "", master: master(styles(bullet)) }
    expect(await below(shape(lines(["Acme"]), 'type="ftr" idx="1"'), layout)).toBe("Acme\n")
  })

  it("are there where no layout says otherwise, but not in subtitles", async () => {
    expect(await below(body(["a"], ["b", "", 1], ["c", none]))).toBe("- a\n  - b\n\nc\n")
    expect(await below(shape(lines(["a"]), 'type="body"') + textBox("b"))).toBe("- a\n\nb\n")
    expect(await below(shape(lines(["a"]), 'type="subTitle"'))).toBe("a\n")
  })
})
