import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { converted } from "../documents.ts"
import { lines, onePage, pages, pdfOf, pictureObject, stream, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

describe("file-md-json: the text of a PDF", () => {
  it("joins the lines of a paragraph, and begins another where a line was ended on purpose", async () => {
    const pdf = onePage(
      lines([
        "The first paragraph fills its lines with words that go on",
        "until there is no room for another one, and then it ends.",
        "The end.",
        "A second paragraph begins where the first one left off at",
        "last.",
      ]),
    )
    expect(await markdownOf(pdf)).toBe(
      "The first paragraph fills its lines with words that go on until there is no room for another one, and then it ends. The end.\n\n" +
        "A second paragraph begins where the first one left off at last.\n",
    )
  })

  it("goes on after a shorter line of a text that is not justified, in lower case; after a much shorter one it does not", async () => {
    const set = (second: string) => [
      "The lamp stands on the table beside the window, where it is seen from the street.",
      second,
      "of all who come from the harbour. It was bought in a market, and is far older than",
      "the town. ",
    ]
    const ragged = "People who come to the town look at it, and it is the joy"
    expect(await markdownOf(onePage(lines(set(ragged), { size: 9 })))).toContain("it is the joy of all who")
    expect(await markdownOf(onePage(lines(set("Look at it, and see the joy"), { size: 9 })))).toContain(
      "see the joy\n\nof all who",
    )
  })

  it("goes on from a full line in lower case, where some of the text of a page is set wide", async () => {
    const recitals = [
      "Whereas the lamp stands on the table beside the window, and is",
      "seen from the street by all who come to the town by night; and",
      "Whereas it was bought in a market and is older than the town;",
    ]
    const wide = [
      "Resolved by those of the harbour who met on this day, that the",
      "lamp is lit in every night of the year, and kept by the people",
      "who live beside it;",
    ]
    const content = lines(recitals) + lines(wide, { top: 640, leading: 22.5 })
    expect(await markdownOf(onePage(content))).toContain(wide.join(" "))
    const apart = wide.map((words) => words.replace(/^l/, "L"))
    expect(await markdownOf(onePage(lines(recitals) + lines(apart, { top: 640, leading: 22.5 })))).toContain(
      "that the\n\nLamp",
    )
  })

  it("goes on in its own width, where a line of another size goes further to the side", async () => {
    const foot = text(72, 500, `The foot of the slide ${"goes on and on ".repeat(4)}`, { size: 10 })
    const set = [
      "- The lamps of the harbour are as",
      "old as the town, and are lit by",
      "the men of the market until the",
      "last of the boats is seen off",
      "Bergen and its islands.",
      "- All lamps are dark by five",
      "North of it there is none.",
    ]
    const markdown = await markdownOf(onePage(lines(set) + foot))
    expect(markdown).toContain("is seen off Bergen and its islands.")
    const names = ["Lamps", "Bergen and its islands", "Rope of old", "Oslo"]
    const listed = await markdownOf(onePage(lines(names) + foot))
    expect(listed).toContain("Lamps\n\nBergen and its islands\n\nRope of old\n\nOslo")
  })

  it("goes on with a number and what it counts, both of which would not have had room in the line above", async () => {
    const list = [
      "The boats of the harbour carry timber and salt to the towns.",
      "A journey that took three days in the past takes about",
      "11 minutes. It is the shortest way over the water, and most",
      "of the people who live here take it.",
    ]
    expect((await markdownOf(onePage(lines(list)))).trimEnd()).toBe(list.join(" "))
    const address = ["The fine shop", "35 rue de la Gare, Lyon"]
    expect((await markdownOf(onePage(lines(address)))).trimEnd()).toBe(address.join("\n\n"))
  })

  it("goes on with the names in a font of equal widths that a line begins and a sentence ends with", async () => {
    const set = (words: string) =>
      text(72, 700, "All lamps of the harbour are kept in order by those that know", { font: "B" }) +
      text(72, 686, "them, who write what they do in the book that is called also", { font: "B" }) +
      text(72, 672, words) +
      Array.from({ length: 8 }, (_, at) =>
        text(72, 644 - 14 * at, "The rest of the text is in another font, as most of it is.", { font: "B" }),
      ).join("")
    const pdf = (words: string) =>
      markdownOf(
        pdfOf(
          pages([{ content: set(words) }], {
            objects: {
              4: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            },
          }),
        ),
      )
    expect(await pdf("lamp.book.")).toContain("is called also `lamp.book`.\n")
    expect(await pdf("open lamp.book;")).toContain("also\n\n```\nopen lamp.book;\n```\n")
  })

  it("goes on in lines that are mostly code, which is smaller than the text around it", async () => {
    const list = [
      ["F", 12, "The lamp has a switch, and there are two ways to turn it. We look at the"],
      ["C", 9.6, "turn_on_without_a_question "],
      ["F", 12, "way first, and then at the other one, which is called"],
      ["C", 9.6, "turn_it_on_by_hand_and_wait_for_a_minute, or_else_for_two."],
    ] as const
    const set = (font: string, size: number, left: number, bottom: number, words: string) =>
      `BT /${font} ${size} Tf 1 0 0 1 ${left} ${bottom} Tm (${words}) Tj ET\n`
    const [first, code, rest, last] = list
    const content =
      set(...(first.slice(0, 2) as ["F", 12]), 72, 700, first[2]) +
      set(code[0], code[1], 72, 685, code[2]) +
      set(rest[0], rest[1], 72 + 0.6 * 9.6 * code[2].length, 685, rest[2]) +
      set(last[0], last[1], 72, 670, last[2]) +
      Array.from({ length: 6 }, (_, at) =>
        set("F", 12, 72, 630 - 14 * at, "The rest of the text is in another font, as most of it is."),
      ).join("")
    const font = (name: string) =>
      `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
    const pdf = pages([{ content: content.replaceAll("/C ", "/B ") }], {
      objects: { 3: font("Helvetica"), 4: font("Courier") },
    })
    expect(await markdownOf(pdfOf(pdf))).toContain(
      "We look at the `turn_on_without_a_question` way first, and then at the other one, which is called " +
        "`turn_it_on_by_hand_and_wait_for_a_minute, or_else_for_two`.\n",
    )
  })

  describe("code within a text", () => {
    const font = (name: string) =>
      `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
    const read = (content: string, plain = "Helvetica") =>
      markdownOf(pdfOf(pages([{ content }], { objects: { 3: font(plain), 4: font("Courier") } })))
    const rest = Array.from({ length: 6 }, (_, at) =>
      text(72, 500 - 14 * at, "The rest of the text is in another font, as most of it is."),
    ).join("")
    /** Code begins where the text ends, but for the room around it. */
    const code = (left: number, words: string) => text(left, 700, words, { font: "B", size: 10 })

    it("has no space where a sign stands at the room that a ground of its own leaves around it", async () => {
      const signs = text(72, 700, "The lamp has two modes (") + code(217.5, "on") + text(233.5, 700, ", ")
      const markdown = await read(signs + code(244, "off") + text(266, 700, "). It has a switch.") + rest)
      expect(markdown).toContain("The lamp has two modes (`on`, `off`). It has a switch.")
      const dash =
        text(72, 700, "The lamp has two modes, ") + code(217.5, "on") + text(233.5, 700, "- the usual one.")
      expect(await read(dash + rest)).toContain("modes, `on` - the usual one.")
      const words = text(72, 700, "The lamp has two modes, ") + code(217.5, "on") + text(233.5, 700, "and ")
      expect(await read(words + code(260, "off") + text(282, 700, ".") + rest)).toContain(
        "modes, `on` and `off`.",
      )
    })

    it("is a span of its own, without the comma behind it, an address or a document that is typewritten", async () => {
      const sentence = (words: string) => {
        const behind = 167 + 6 * words.length
        return (
          text(72, 700, "Lamps are lit by ") + code(163, words) + text(behind, 700, ", and put out by hand.")
        )
      }
      expect(await read(sentence("light(lamp)") + rest)).toContain("by `light(lamp)`, and put")
      expect(await read(sentence("a@lamp.org") + rest)).toContain("by a@lamp.org, and put")
      const typewritten = rest.replaceAll("/F ", "/B ")
      expect(await read(sentence("light(lamp)") + typewritten)).not.toContain("`")
    })

    it("makes no table of the grounds of listings and of the words within a text", async () => {
      const ground = (left: number, bottom: number, width: number, height: number) =>
        `0.95 g ${left} ${bottom} ${width} ${height} re f 0 g\n`
      const listing = (bottom: number, words: string) =>
        ground(72, bottom - 10, 460, 34) + text(84, bottom, words, { font: "B", size: 10 })
      const content =
        listing(740, "$ lamp on harbour") +
        text(72, 712, "The lamp of the harbour is lit by this command, and put out by the next one:") +
        listing(676, "$ lamp off harbour") +
        ground(168, 648, 34, 14) +
        text(72, 652, "The name of it is ") +
        text(170, 652, "lamp", { font: "B", size: 10 }) +
        text(206, 652, "in all of the harbours that have one of these:") +
        listing(620, "$ lamp list") +
        rest
      const markdown = await read(content)
      expect(markdown).not.toContain("|")
      expect(markdown.match(/^\$ lamp/gm)).toHaveLength(3)
    })

    it("leaves a title in bold one that ends with it", async () => {
      const title = `2 Tr\n${text(72, 700, "Lamps that are lit by ")}0 Tr\n${code(187, "turn_on")}`
      expect(await read(title + rest)).toContain("# Lamps that are lit by `turn_on`\n")
    })
  })

  it("stands from left to right, also what one object draws into several gaps between the words of a line", async () => {
    const brackets = (gap: number): string => `BT /F 12 Tf 1 0 0 1 119 700 Tm [(\\()-${gap}(\\))] TJ ET\n`
    const words = text(72, 700, "A lamp") + text(126, 700, "of iron") + text(187, 700, "shines.")
    expect(await markdownOf(onePage(words + brackets(4150)))).toBe("A lamp (of iron) shines.\n")
    const near = text(72, 700, "A lamp") + brackets(600) + text(126, 700, "i")
    expect(await markdownOf(onePage(near))).toBe("A lamp (i)\n")
  })

  it("leaves out lines of nothing but dots, and keeps dots that stand for something left out", async () => {
    const dots = Array(30).fill(".")
    const content = [
      ["Of lamps", 700],
      [dots.join(" "), 660],
      ["...", 620],
      [dots.join(""), 580],
    ] as const
    expect(
      await markdownOf(onePage(content.map(([words, bottom]) => text(72, bottom, words)).join(""))),
    ).toBe("Of lamps\n\n...\n")
  })

  it("goes on behind a line with two ellipses whose points stand apart; a line drawn with points stands by itself", async () => {
    const list = (middle: string) => [
      "The rule says that the agent of a town does not include",
      middle,
      "the harbour, so that the towns are not bound by what the",
      "people there have said.",
    ]
    const ellipses = list("a person . . . to the extent . . . that he is engaged in")
    expect((await markdownOf(onePage(lines(ellipses)))).trimEnd()).toBe(ellipses.join(" "))
    const drawn = list("a person of this town here . . . . . . . . . . . . . . .")
    expect((await markdownOf(onePage(lines(drawn)))).split("\n\n").length).toBeGreaterThan(1)
  })

  it("goes on beside a picture with a shape of its own, where lines begin further and further in", async () => {
    const list = [
      "In the old days the town was a collection of lamps and of",
      "pools in which the boats of the harbour lay until they",
      "were sold to the people who came from the other side",
      "of the river, with all that they had in them.",
    ]
    const right = 72 + 7.2 * (list[0]?.length ?? 0)
    const content = list
      .map((words, at) => text(at < 3 ? right - 7.2 * words.length : 115.2, 700 - 14 * at, words))
      .join("")
    expect((await markdownOf(onePage(content))).trimEnd()).toBe(list.join(" "))
    const title = ["The Moon over the", "Old Harbour of", "by Edmund"]
      .map((words, at) => text(right - 7.2 * words.length, 764 - 14 * at, words))
      .join("")
    expect(await markdownOf(onePage(title + content))).toContain("\n\nby Edmund\n\n")
  })

  it("keeps short lines of a few words apart, as of an address, also where its longest line is the column", async () => {
    const address = ["Muster Verlag GmbH", "Redaktion Reisen", "Postfach 10 20 30", "60311 Frankfurt"]
    expect(await markdownOf(onePage(lines(address)))).toBe(`${address.join("\n\n")}\n`)
    const sentence = ["The ships of", "Europe lie in", "Hamburg and", "are very old."]
    expect(await markdownOf(onePage(lines(sentence)))).toBe(`${sentence.join(" ")}\n`)
  })

  it("is one paragraph where its lines are set wide, also on a page with notes and quotations that are set close", async () => {
    const body = [
      "The court has been told by an order of the harbour that the",
      "owner of the lamp may not bring it onto the quay. The owner",
      "may show in writing within twenty days of this order why he",
      "should not be kept from the quay. If an answer is filed, it",
      "must name the other lamps that he owns in this town, and be",
      "signed. A copy of the rules is found on the wall of the old",
      "lighthouse.",
    ]
    const note = Array.from(
      { length: 12 },
      (_, at) => `A note that is set close, line ${"abcdefghijkl"[at]} of it`,
    )
    const set = async (leading: number) =>
      markdownOf(
        onePage(lines(body, { size: 11, leading }) + lines(note, { size: 11, leading: 13, top: 480 })),
      )
    expect(await set(26)).toContain(`${body.join(" ")}\n`)
    // Double the height of a line of Comic Sans.
    expect(await set(30.6)).toContain(`${body.join(" ")}\n`)
    expect(await set(31)).toContain(`${body.slice(0, 2).join("\n\n")}\n`)
    const names = ["Ann Baker Lane", "The Quay", "Hull", "Bob Cay", "Old Town", "The Lamp", "York"]
    const short = await markdownOf(
      onePage(lines(names, { size: 11, leading: 26 }) + lines(note, { size: 11, leading: 13, top: 522 })),
    )
    expect(short).toContain(`${names.join("\n\n")}\n`)
  })

  it("is one paragraph where several short ones of its page are set as wide", async () => {
    const first = [
      "The lamps of the harbour are lit at night, and ships from",
      "the north know them by their colours.",
    ]
    const second = [
      "Whoever sails in at night has to show a lamp of their own",
      "at the mast, and may not go on before the keeper of the",
      "tower has answered.",
    ]
    const third = [
      "The keeper counts the ships, and says in the morning how",
      "many there were, and also how many of them went on past",
      "the harbour.",
    ]
    const set = (list: ReadonlyArray<string>, top: number) => lines(list, { size: 11, leading: 22, top })
    const notes = lines(["A note below.", "Another one.", "The last of them."], {
      size: 11,
      leading: 13,
      top: 420,
    })
    const whole = await markdownOf(onePage(set(first, 700) + set(second, 640) + set(third, 558) + notes))
    expect(whole).toContain([first, second, third].map((each) => each.join(" ")).join("\n\n"))
    const short = await markdownOf(onePage(set(first, 700) + set(first, 640) + notes))
    expect(short).toContain(first.join("\n\n"))
  })

  it("ends above an entry of a bibliography that begins with the next label", async () => {
    const entry = (top: number, list: ReadonlyArray<string>) =>
      list.map((each, index) => text(index === 0 ? 72 : 98, top - 11 * index, each, { size: 9 })).join("")
    const content =
      entry(700, ["[14] B. Lamp. Told by himself."]) +
      entry(688, [
        "[15] I. Quay and F. Rope. How the ships of the harbour are moored by",
        "selective binding. In Proceedings of the Conference on Ropes, pages 29,",
        "300. The Harbour Press, 1998.",
      ]) +
      entry(654, ["[16] A. Buoy. Of bells on buoys, and what they are rung with in a fog,", "2004."])
    expect(await markdownOf(onePage(content))).toBe(
      `${[
        "[14] B. Lamp. Told by himself.",
        "[15] I. Quay and F. Rope. How the ships of the harbour are moored by selective binding. In Proceedings of the Conference on Ropes, pages 29, 300. The Harbour Press, 1998.",
        "[16] A. Buoy. Of bells on buoys, and what they are rung with in a fog, 2004.",
      ].join("\n\n")}\n`,
    )
  })

  it("is one paragraph where it is set flush right, and lines begin far further in", async () => {
    const flush = (top: number, list: ReadonlyArray<string>) =>
      list.map((each, index) => text(520 - 6 * each.length, top - 12 * index, each, { size: 10 })).join("")
    const first = [
      "When the Moon learned about this, she was very grieved, and said",
      "that none of them",
      "should be afraid at night, for she would go down and see herself how",
      "matters stood there.",
    ]
    const second = [
      "So, when the end of the month came, she stepped down out of the sky",
      "and was not seen.",
    ]
    expect(await markdownOf(onePage(flush(700, first) + flush(640, second)))).toBe(
      `${first.join(" ")}\n\n${second.join(" ")}\n`,
    )
  })

  it("goes on below its first line that stands as far in as the mark of the item above it", async () => {
    const item = (top: number, words: string) => text(84, top, "-") + text(98, top, words)
    const rest = lines(["or grant larger lamps than they have had before, which could hurt", "the night."], {
      top: 658,
    })
    const content =
      lines(["The price of lamps may change at any time, and it has changed in", "the past by these:"], {
        top: 728,
      }) +
      item(700, "the rates of oil, and") +
      item(686, "what is sold by others.") +
      text(86, 672, "Changes of the price of lamps could force us to pay the keepers") +
      rest
    expect(await markdownOf(onePage(content))).toContain(
      "- what is sold by others.\n\nChanges of the price of lamps could force us to pay the keepers or grant larger lamps",
    )
  })

  it("goes on in the middle of its page where each of its lines is shorter than the one before it", async () => {
    const list = [
      "What stands between stars was left out of this paper, since",
      "it is not material, and since it would be",
      "harmful if it were read.",
    ]
    const content = list.map((each, at) => text(306 - 3 * each.length, 700 - 12 * at, each, { size: 10 }))
    expect(await markdownOf(onePage(content.join("")))).toBe(`${list.join(" ")}\n`)
  })

  it("is one paragraph also where it begins in lower case and its lines end at different places", async () => {
    const list = [
      "service of the harbour was told of, and has many keepers who",
      "look at the lamps each evening, and since last year also",
      "unfortunately at the buoys, of which the town has bought",
      "many more than it had before this.",
    ]
    const wide = lines(["A line of another text that goes over all of the page is here below."], { top: 600 })
    expect(await markdownOf(onePage(lines(list) + wide))).toContain(`${list.join(" ")}\n`)
  })

  it("begins with the sign in a box beside its lines, at whatever height that is written behind them", async () => {
    const list = [
      "Dues on lamps of the harbour",
      "are a part of the price that",
      "you have paid. Do not tell",
    ]
    const beside = lines(list, { left: 104, size: 10, leading: 12 })
    const below = lines(["of them as dues to the town hall or the", "keeper."], {
      top: 664,
      size: 10,
      leading: 12,
    })
    const page = (sign: string) => markdownOf(onePage(beside + below + sign))
    const whole = `${list.join(" ")} of them as dues to the town hall or the keeper.\n`
    expect(await page(text(76, 690, "TIP", { font: "B", size: 10 }))).toBe(`TIP ${whole}`)
    expect(await page(text(76, 676, "NOTE", { size: 10 }))).toBe(`NOTE ${whole}`)
  })

  it("is one entry of an index with its numbers of pages, also where these go on further in", async () => {
    const index = [
      "ABC of lamps, 164, 321n",
      "academic journals, 262, 280–82",
      "lamp robots, 153–55, 156, 157, 160",
      "lamps of brass, 257–60",
      "air traffic at night in fog, 1–3",
      "Akerlof, George, 232",
      "Alben, Alex, 100–104, 105, 198–99,",
      "  317n",
      "alcohol prohibition, 200",
      "All in the Family, 164, 165",
      "Amazon, 278",
      "law libraries of the harbours, 232",
    ]
    const set = (list: ReadonlyArray<string>) =>
      list.map((each, at) => text(each.startsWith(" ") ? 92 : 72, 700 - 11 * at, each.trim(), { size: 9 }))
    const entries = index.join("\n\n").replace(",\n\n  317n", ", 317n").replaceAll("–", "-")
    expect(await markdownOf(onePage(set(index.map((each) => each.replaceAll("–", "-"))).join("")))).toBe(
      `${entries}\n`,
    )
  })

  it("goes on in a line that has its source at the other side", async () => {
    const quotation =
      lines([
        "There is no such rule, since we would then know all of the answers, as",
        "keepers would go home.",
      ]) + text(489.6, 686, "(Quay, 1929)")
    expect(await markdownOf(onePage(quotation))).toBe(
      "There is no such rule, since we would then know all of the answers, as keepers would go home. (Quay, 1929)\n",
    )
  })

  it("is an entry of a list of works by its hanging lines, also below a title", async () => {
    const entry = (index: number, top: number) =>
      text(72, top, `Lamp, A. (200${index}). On the lamps of harbour ${index}, and how they are seen`) +
      text(86, top - 14, `from the sea. The Harbour Press ${index}.`)
    const first = text(72, 674, "Buoy, B. (2001). Of bells on buoys, and what they are rung with.")
    const entries = [660, 632, 604, 576, 548, 520].map((top, index) => entry(index, top)).join("")
    expect(await markdownOf(onePage(text(250, 704, "References") + first + entries))).toContain(
      "rung with.\n\nLamp, A. (2000). On the lamps of harbour 0, and how they are seen from the sea. The Harbour Press 0.\n\nLamp, A.",
    )
  })

  it("goes on beside a picture that it flows around, and below that; the lines of an address beside one stay apart", async () => {
    const beside = (list: ReadonlyArray<string>) =>
      markdownOf(
        pdfOf(
          pages(
            [{ content: `q 120 0 0 100 420 620 cm /I Do Q\n${lines(list, { size: 10, leading: 12 })}` }],
            {
              objects: pictureObject,
            },
          ),
        ),
      )
    const flowing = [
      "The lamp of the harbour was lit for the first time in the",
      "year of the great storm. Its light was seen from all the",
      "ships. Boats came in by it on each night of that winter,",
      "and the keepers were given rooms below the tower, with one",
      "for each of them.",
      "A second lamp was built by the people of the town at the",
      "other side of the water, and it was larger than the first",
      "one. It was never lit in the summer, as its oil would have",
      "been too much to pay for. In winter it was lit by the boys of the town, who",
      "were proud of it.",
    ]
    expect(await beside(flowing)).toBe(`${flowing.slice(0, 5).join(" ")}\n\n${flowing.slice(5).join(" ")}\n`)
    const address = ["Lamps and Oil Ltd.", "Harbour Street 12", "The Old Harbour", "Tel. 01234 567"]
    expect(await beside(address)).toBe(`${address.join("\n\n")}\n`)
  })

  it("begins another paragraph where a line hangs out as the first one does, also one of a single line", async () => {
    const entries = [
      ["Ash, A. (2012). Of harbours and the ships that lie in them", "over the winter. Harbours, 63."],
      ["Bay, B. (2001). Of ships. Ships, 12."],
      [
        "Cay, C. (1956). Of quays and how they were built in times",
        "of peace. Quays, 7, which shows where they lie, has",
        "a map.",
      ],
    ]
    const all = entries.flatMap((entry) =>
      entry.map((words, index) => ({ words, left: index === 0 ? 72 : 108 })),
    )
    const content = all.map(({ words, left }, index) => text(left, 700 - 14 * index, words)).join("")
    expect(await markdownOf(onePage(content))).toBe(
      `${entries.map((entry) => entry.join(" ")).join("\n\n")}\n`,
    )
  })

  it("does not take lines for ones that hang out where those of paragraphs are indented", async () => {
    const full = "The lines of this text reach its side with their last word"
    const content = [0, 1, 2, 3, 4, 5]
      .map((at) =>
        at === 1
          ? text(96, 700 - 14 * at, "Paragraphs of it begin further inside, and go on as all")
          : text(72, 700 - 14 * at, full),
      )
      .join("")
    expect((await markdownOf(onePage(content))).trimEnd().split("\n\n").length).toBeLessThanOrEqual(2)
  })

  it("goes on after a first line that is indented, though as much room is at its right", async () => {
    const content =
      text(96, 700, "The first line of this paragraph is indented, with") +
      lines(
        [
          "Brest behind it, and all of the others begin at the sides",
          "of their column, and most of them reach the other side it",
        ],
        {
          top: 686,
        },
      )
    expect(await markdownOf(onePage(content))).toContain("is indented, with Brest behind it")
  })

  it("begins another paragraph after a gap", async () => {
    const pdf = onePage(text(72, 700, "One line of words.") + text(72, 670, "Another line, too."))
    expect(await markdownOf(pdf)).toBe("One line of words.\n\nAnother line, too.\n")
  })

  it("puts a word together that the end of a line took apart, where it goes on in lower case", async () => {
    const pdf = onePage(
      lines([
        "These lines are as long as a column is wide, and so a compli-",
        "cated word is taken apart at its end, here and in the Rhine-",
        "Main area, too, where the hyphen is a part of the name itself",
      ]),
    )
    const markdown = await markdownOf(pdf)
    expect(markdown).toContain("a complicated word")
    expect(markdown).toContain("Rhine-Main area")
    const numbers = onePage(lines(["Numbers of parts are divided by a hyphen, such as 4000-", "7000-12"]))
    expect(await markdownOf(numbers)).toContain("4000-7000-12")
  })

  it("puts a name with a capital within together where the document has it elsewhere", async () => {
    const list = (name: string) => [
      "The people of the harbour look at the lamps that they call Harbour-",
      "Lamp, as the others of the town do, and write down what they see.",
      "All that is said here is also true of those that are called",
      `${name} by the people of the other towns on this coast.`,
    ]
    const read = async (name: string) => markdownOf(onePage(lines(list(name), { size: 10 })))
    expect(await read("HarbourLamp")).toContain("call HarbourLamp, as the others")
    for (const other of ["CoastLamp", "Harbourlamp"])
      expect(await read(other)).toContain("call Harbour-Lamp, as the others")
  })

  it("puts a word together behind a hyphen of Unicode, as other programs write it", async () => {
    const font = `<< /Type /Font /Subtype /TrueType /BaseFont /Courier /FirstChar 32 /LastChar 126 /Widths [${"600 ".repeat(95)}] /ToUnicode 6 0 R >>`
    const map = [
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def",
      "1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfrange <20> <2C> <0020> <2E> <7E> <002E> endbfrange",
      "1 beginbfchar <2D> <2010> endbfchar endcmap CMapName currentdict /CMap defineresource pop end end",
    ].join("\n")
    const content = lines([
      "The lamps of the harbour are of iron, and their light is nota-",
      "ble from afar.",
    ])
    const pdf = pdfOf(pages([{ content }], { objects: { 3: font, 6: stream(map) } }))
    expect(await markdownOf(pdf)).toBe(
      "The lamps of the harbour are of iron, and their light is notable from afar.\n",
    )
  })

  it("puts a word together that the mark of a note stands behind, and no address", async () => {
    const read = (rest: string) =>
      markdownOf(
        onePage(lines(["Notes are set with the command, and this com-", rest, "The end of the text."])),
      )
    expect(await read("mand.2 They follow.")).toContain("this command.2 They")
    expect(await read("mand.org is their address.")).toContain("com-mand.org")
  })

  it("keeps a hyphen at the end of a line that is the word's own, by what the document says elsewhere", async () => {
    const divided = (before: string, after: string, ...elsewhere: ReadonlyArray<string>) => {
      const filler = "and so on with words that fill"
      return onePage(
        lines([`${filler} a whole line ${before}-`, `${after} ${filler}`, `of it. ${elsewhere.join(" ")}`]),
      )
    }
    expect(await markdownOf(divided("multi", "agent", "Here too: multi-agent."))).toContain("multi-agent and")
    expect(await markdownOf(divided("chat", "optimized", "It is a chat."))).toContain("chat-optimized and")
    expect(await markdownOf(divided("over", "time", "Over, this time."))).toContain("over-time and")
    expect(await markdownOf(divided("program", "ming", "Program, programming."))).toContain("programming and")
    expect(await markdownOf(divided("form", "ally", "A form."))).toContain("formally and")
    expect(await markdownOf(divided("compli", "cated", "It is."))).toContain("complicated and")
    expect(await markdownOf(divided("API", "style"))).toContain("API-style and")
    expect(await markdownOf(divided("d", "dimensional"))).toContain("d-dimensional and")
  })

  it("puts an option together behind the hyphen at the end of a line, in a text with others", async () => {
    const read = async (first: string) =>
      (await markdownOf(onePage(lines([first, "OutBuffer of which nothing is known."])))).trim()
    expect(await read("It takes -Verbose, -Debug and -")).toContain("-Debug and -OutBuffer of")
    expect(await read("It takes all that is asked for -")).toContain("for - OutBuffer of")
  })

  it("keeps a hyphen at the end of a line that stands for the end of a word, with a space before the next one", async () => {
    const set = (...list: ReadonlyArray<string>) => markdownOf(onePage(lines(list)))
    expect(await set("The harbour has lamps of two-", "and three-metre height.")).toBe(
      "The harbour has lamps of two- and three-metre height.\n",
    )
    expect(await set("The harbour has lamps of 10-", "or 20-metre height.")).toBe(
      "The harbour has lamps of 10- or 20-metre height.\n",
    )
    expect(await set("The harbour has lamps that swing back-", "and-forth.")).toContain("back-and-forth.")
    expect(await set("The lamp of the town was an err-", "and of the harbour, as each errand is.")).toContain(
      "an errand of",
    )
  })

  it("keeps a hyphen at the end of a line behind the second part of a compound word", async () => {
    const markdown = await markdownOf(
      onePage(
        lines([
          "The lamps are seen out-of-",
          "hours, which is a com-",
          "mon matter of the day-to-",
          "day work.",
        ]),
      ),
    )
    expect(markdown).toBe(
      "The lamps are seen out-of-hours, which is a common matter of the day-to-day work.\n",
    )
  })

  it("keeps hyphens of words that are not known, where those of others are in the text, too, and none was set", async () => {
    const filler = "and so on with words that fill"
    const text = (known: string) =>
      onePage(
        lines([
          `${filler} a whole line multi-`,
          `agent ${filler} a line non-`,
          `enumerable ${filler}.`,
          known,
        ]),
      )
    expect(await markdownOf(text("It is multi-agent."))).toContain("non-enumerable and")
    expect(await markdownOf(text("It is multiagent."))).toContain("nonenumerable and")
  })

  it("keeps hyphens of a long text in which few lines end with one, and before parts that compound words end in", async () => {
    const filler = Array.from(
      { length: 40 },
      () => "and so on with words that fill the whole of a line, as a text does",
    )
    const long = (count: number) =>
      onePage(
        lines(
          [
            ...filler.slice(-count),
            "and so on with words that fill a whole line, as it does with a cross-",
            "border deal",
          ],
          { top: 780 },
        ),
      )
    expect(await markdownOf(long(40))).toContain("cross-border")
    expect(await markdownOf(long(3))).toContain("crossborder")
    const compound = (first: string, second: string) => onePage(lines([`of a ${first}-`, `${second} deal`]))
    expect(await markdownOf(compound("rule", "based"))).toContain("rule-based")
    expect(await markdownOf(compound("self", "made"))).toContain("self-made")
    expect(await markdownOf(compound("de", "based"))).toContain("debased")
  })

  it("leaves out the hyphen before the ending of a word, and within a word of two, though the document has their parts", async () => {
    const set = (first: string, second: string, known: string) =>
      markdownOf(
        onePage(lines([`and so on with words that fill a line ${first}-`, `${second} that is so.`, known])),
      )
    expect(await set("consider", "ation", "consider the well-known consider-ation")).toContain(
      "consider-ation that",
    )
    expect(await set("consider", "ation", "they consider it")).toContain("consideration that")
    expect(await set("leader", "ship", "the leader")).toContain("leadership that")
    expect(await set("leader", "ship", "the leader of a ship")).toContain("leader-ship that")
    expect(await set("some", "thing", "some have a thing")).toContain("something that")
    expect(await set("over", "written", "written over it")).toContain("overwritten that")
    expect(await set("well", "established", "so")).toContain("well-established that")
  })

  it("reads characters of a negative size as upright as they stand", async () => {
    const turned = (left: number, words: string) =>
      `BT /F -12 Tf -100 Tz 1 0 0 -1 ${left} 700 Tm (${words}) Tj ET\n`
    expect(await markdownOf(onePage(turned(72, "Please consult") + turned(186, "your adviser")))).toBe(
      "Please consult your adviser\n",
    )
  })

  it("joins an address over the end of a line, by its link or where it is written on in lower case", async () => {
    expect(
      await markdownOf(
        onePage(lines(["See https://example.org/docs/", "guide of it.", "And https:", "//example.org too."])),
      ),
    ).toBe("See https://example.org/docs/guide of it.\n\nAnd https://example.org too.\n")
    expect(
      await markdownOf(onePage(lines(["It is at https://example.org/", "Others are elsewhere."]))),
    ).toContain("example.org/ Others")
  })

  it("makes links of words under an annotation that leads to a web or mail address", async () => {
    const link = (rest: string) => `<< /Type /Annot /Subtype /Link /Border [0 0 0] ${rest} >>`
    const uri = (target: string) => `/A << /S /URI /URI (${target}) >>`
    const objects = {
      6: link(`/Rect [72 695 150 715] ${uri("https://example.org/a(b)")}`),
      7: link(
        `/Rect [72 655 500 692] /QuadPoints [72 692 158 692 72 683 158 683] ${uri("mailto:a@example.org")}`,
      ),
      8: link(`/Rect [72 600 300 660] ${uri("javascript:alert()")}`),
      9: link("/Rect [160 695 300 715] /Dest [10 0 R /Fit]"),
    }
    const content =
      text(72, 700, "First words, and others") +
      text(72, 670, "x") +
      text(72, 685, "Write to us today") +
      text(72, 640, "Nothing here")
    const page = { content, entries: "/Annots [6 0 R 7 0 R 8 0 R 9 0 R]" }
    expect(await markdownOf(pdfOf(pages([page], { objects })))).toBe(
      "[First words](<https://example.org/a(b)>), and others [Write to us](mailto:a@example.org) today x\n\nNothing here\n",
    )
  })

  it.each([
    [90, "0 1 -1 0 300 100", "[288 100 305 190]"],
    [180, "-1 0 0 -1 500 400", "[410 395 500 412]"],
  ])("makes links of words that are turned by %i degrees", async (_degrees, matrix, rectangle) => {
    const annotation = `<< /Type /Annot /Subtype /Link /Rect ${rectangle} /A << /S /URI /URI (https://a.example) >> >>`
    const page = {
      content: `BT /F 12 Tf ${matrix} Tm (Turned words go on) Tj ET`,
      entries: "/Annots [6 0 R]",
    }
    expect(await markdownOf(pdfOf(pages([page], { objects: { 6: annotation } })))).toBe(
      "[Turned words](https://a.example) go on\n",
    )
  })

  it("parts words that stand close together where no spaces are written and letters touch; formulas and letters set apart stay", async () => {
    const words = "The lamp stands on a table beside the window where it is seen from the street".split(" ")
    const helvetica = { 3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>" }
    /** Gaps behind each word, in thousandths of the size. */
    const read = (gaps: ReadonlyArray<number>, list: ReadonlyArray<string> = words) => {
      const shown = list.map((word, at) => `(${word}) ${-(gaps[at % gaps.length] ?? 0)}`).join(" ")
      const content = Array.from(
        { length: 12 },
        (_, row) => `BT /F 10 Tf 1 0 0 1 60 ${700 - 14 * row} Tm [${shown}] TJ ET\n`,
      )
      return markdownOf(pdfOf(pages([{ content: content.join("") }], { objects: helvetica })))
    }
    const sentence = `${words.join(" ")} `
    expect(await read([110])).toContain(sentence)
    expect(await read([250, 250, 110, 250, 250])).toContain(sentence)
    // Letters that stand apart are no words, and nor are those of a product.
    const letters = [...words.join("")]
    expect(await read([110], letters)).toContain(words.join(""))
    const formula = ["The", "lamp", "stands", "on", "the", "x", "y", "of", "the", "table"]
    expect(await read([250, 250, 250, 250, 250, 110, 250, 250, 250, 250], formula)).toContain(" xy ")
    // A ligature is said to be as wide as one of its letters: what follows it stands at no gap.
    const ligature = stream(
      "begincmap 1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <5A> <00660066> <20> <0020> endbfchar 1 beginbfrange <41> <59> <0041> endbfrange 1 beginbfrange <61> <7A> <0061> endbfrange endcmap",
    )
    const simple = words.map((word) => `(${word}) -250`).join(" ")
    const rows = Array.from(
      { length: 12 },
      (_, row) => `BT /F 10 Tf 1 0 0 1 60 ${700 - 14 * row} Tm [${simple} (eZ) -110 (ective)] TJ ET\n`,
    )
    const objects = {
      3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >>",
      5: ligature,
    }
    expect(await markdownOf(pdfOf(pages([{ content: rows.join("") }], { objects })))).toContain(
      " the street effective",
    )
  })

  it("parts words on a grid, where letters stand apart and hardly any gap is between those of letters and of words", async () => {
    const words =
      "The lamp of room 12 stands on a table beside the window where it is seen from the street".split(" ")
    const helvetica = { 3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>" }
    const letters = [0, 0, 60, 70]
    /** The gaps behind some words, in thousandths of the size. */
    const read = (gaps: Record<number, number>) => {
      let count = 0
      const wordShown = (word: string): string =>
        [...word].map((each) => `(${each})`).join(` ${-(letters[count++ % letters.length] ?? 0)} `)
      const shown = words.map((word, at) => `${wordShown(word)} ${-(gaps[at] ?? 250)}`).join(" ")
      const content = Array.from(
        { length: 12 },
        (_, row) => `BT /F 10 Tf 1 0 0 1 30 ${700 - 14 * row} Tm [${shown}] TJ ET\n`,
      )
      return markdownOf(pdfOf(pages([{ content: content.join("") }], { objects: helvetica })))
    }
    expect(await read({ 2: 110 })).toContain(`${words.join(" ")} `)
    expect(await read({ 3: 110 })).toContain(`${words.join(" ")} `)
    // As many gaps are in between.
    expect(await read({ 2: 110, 5: 90 })).toContain("The lamp ofroom 12 standson a table")
  })

  it("takes ligatures apart, shows a soft hyphen that is drawn, and leaves out control characters", async () => {
    const map = [
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def",
      "1 begincodespacerange <00> <FF> endcodespacerange",
      "4 beginbfchar <61> <FB01> <62> <00AD> <63> <0000> <64> <0041> endbfchar",
      "endcmap CMapName currentdict /CMap defineresource pop end end",
    ].join("\n")
    const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R >>"
    const pdf = pdfOf(pages([{ content: text(72, 700, "dabdd") }], { objects: { 3: font, 6: stream(map) } }))
    expect(await markdownOf(pdf)).toBe("Afi-AA\n")
    const lost = pdfOf(pages([{ content: text(72, 700, "dcd") }], { objects: { 3: font, 6: stream(map) } }))
    const { markdown, codes } = await converted(lost, "a.pdf")
    expect(markdown).not.toContain("\0")
    expect(codes).toEqual(["symbols_left_out"])
  })

  it("writes a hyphen once of which its font says all the characters that look like one", async () => {
    const map = [
      "begincmap 1 begincodespacerange <00> <FF> endcodespacerange",
      "1 beginbfchar <2D> <002D00AD2010> endbfchar 1 beginbfrange <61> <7A> <0061> endbfrange endcmap",
    ].join("\n")
    const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R >>"
    const pdf = pdfOf(
      pages([{ content: text(72, 700, "well-lit") }], { objects: { 3: font, 6: stream(map) } }),
    )
    expect(await markdownOf(pdf)).toBe("well-lit\n")
  })

  it("leaves out a space that is printed over a ligature, right behind which the word goes on", async () => {
    const map = [
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /M def /CMapType 2 def",
      "1 begincodespacerange <00> <FF> endcodespacerange",
      "1 beginbfchar <61> <00660066> endbfchar",
      "endcmap CMapName currentdict /CMap defineresource pop end end",
    ].join("\n")
    const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R >>"
    const of = (pieces: string): Promise<string> => {
      const content = `BT /F 12 Tf 1 0 0 1 72 700 Tm [${pieces}] TJ ET`
      return markdownOf(pdfOf(pages([{ content }], { objects: { 3: font, 6: stream(map) } })))
    }
    expect(await of("(dia) 300 ( ) 300 (er)")).toBe("differ\n")
    expect(await of("(dia) 300 ( ) (er)")).toBe("diff er\n")
  })

  it("writes the sign of a root where its line comes as ligatures", async () => {
    expect(
      await markdownOf(onePage(text(72, 700, "g is pffiffiffiffi of 2 and qffiffi 3, to no effect"))),
    ).toBe("g is √ of 2 and √ 3, to no effect\n")
  })

  it("keeps what is raised or lowered on the line of the word before it", async () => {
    const raised = (words: string, rise: number): string => `${rise} Ts /F 7 Tf (${words}) Tj 0 Ts /F 12 Tf `
    const content = [
      `BT /F 12 Tf 14 TL 1 0 0 1 72 700 Tm (The lamps of ) Tj ${raised("27Al", 5)} ( are older than the great hall of the old part) Tj T*`,
      `(of town, as its ) Tj ${raised("a, b", -4)} ( papers show, which are read by all.) Tj ET`,
    ].join("\n")
    expect(await markdownOf(onePage(content))).toBe(
      "The lamps of 27Al are older than the great hall of the old part of town, as its a, b papers show, which are read by all.\n",
    )
  })

  /** What becomes of words with what is raised, or lowered, behind each. */
  const set = (
    pieces: ReadonlyArray<readonly [words: string, small: string]>,
    { rise = 5, size = 7 } = {},
  ): Promise<string> =>
    markdownOf(
      onePage(
        `BT /F 12 Tf 1 0 0 1 72 700 Tm ${pieces.map(([words, small]) => `(${words}) Tj ${rise} Ts /F ${size} Tf (${small}) Tj 0 Ts /F 12 Tf`).join(" ")} ET`,
      ),
    )

  it("shows the signs of powers, and no limits of errors or names, as raised", async () => {
    expect(
      await set([
        ["some 10", "-27"],
        [" cm", "-2"],
        [" of H", "+"],
      ]),
    ).toBe("some 10⁻²⁷ cm⁻² of H⁺\n")
    expect(
      await set([
        ["12.5", "-0.1"],
        [" in C", "++"],
      ]),
    ).toBe("12.5-0.1 in C++\n")
  })

  it("shows powers of variables, units, brackets and functions as raised, and no marks and endings behind words", async () => {
    expect(
      await set([
        ["n", "3"],
        [" + \\(a + 1\\)", "22"],
        [" km", "2"],
        [" of 2", "n"],
        [" and log", "2"],
      ]),
    ).toBe("n³ + (a + 1)²² km² of 2ⁿ and log²\n")
    expect(
      await set([
        ["Baker", "1"],
        [" was the 2", "nd"],
        [" of the towns", "12"],
      ]),
    ).toBe("Baker1 was the 2nd of the towns12\n")
  })

  it("shows what is lowered in characters of Unicode, or between <sub>, as other formats have it", async () => {
    const pieces = [
      ["H", "2"],
      ["O of SO", "4"],
      [", log", "10"],
      [" x", "n+1"],
      [" and V", "max"],
      [" of \\(a + b\\)", "i, j"],
      [" but x", "i"],
      ["/y", "2"],
    ] as const
    expect(await set(pieces, { rise: -2 })).toBe(
      "H₂O of SO₄, log₁₀ xₙ₊₁ and V<sub>max</sub> of (a + b)<sub>i, j</sub> but x<sub>i</sub>/y₂\n",
    )
  })

  it("shows no text as lowered that is on its line, hardly smaller, or behind a space or the line of a fraction", async () => {
    const lowered = [["S", "MITH"]] as const
    expect(await set(lowered, { rise: 0, size: 9 })).toBe("SMITH\n")
    expect(await set(lowered, { rise: -2, size: 11 })).toBe("SMITH\n")
    const behind = [
      ["of lamps ", "2"],
      [" and 1/", "2"],
    ] as const
    expect(await set(behind, { rise: -2 })).toBe("of lamps 2 and 1/2\n")
  })

  it("shows no text of an item as lowered that touches its bullet, which is larger and stands higher", async () => {
    const item = (top: number, words: string) =>
      `BT /F 18 Tf 1 0 0 1 72 ${top + 3} Tm (\\225) Tj ET\n${text(82.9, top, words)}`
    const page = item(700, "solid tools") + item(680, "tested ways") + item(660, "fair answers")
    expect(await markdownOf(onePage(page))).toBe("- solid tools\n- tested ways\n- fair answers\n")
  })

  it("a power stands behind what is lowered, and what is lowered behind a power", async () => {
    const small = (words: string, rise: number): string => `${rise} Ts /F 7 Tf (${words}) Tj 0 Ts /F 12 Tf`
    const content = `BT /F 12 Tf 1 0 0 1 72 700 Tm (SO) Tj ${small("4", -2)} ${small("2\\226", 5)} ( x) Tj ${small("2", 5)} ${small("i", -2)} ET`
    expect(await markdownOf(onePage(content))).toBe("SO₄²⁻ x²<sub>i</sub>\n")
  })

  it("a word that the end of a line takes apart behind what is lowered is one", async () => {
    const full = "These words go over nearly all of the width of the column"
    const content = [
      `BT /F 12 Tf 14 TL 1 0 0 1 72 700 Tm (${full}) Tj T* (of them and of the many tables that are of CO) Tj`,
      "-2 Ts /F 7 Tf (2) Tj 0 Ts /F 12 Tf (-neu-) Tj T* (tral lamps of the harbour.) Tj ET",
    ].join(" ")
    expect(await markdownOf(onePage(content))).toContain("are of CO₂-neutral lamps")
  })

  it("puts raised letters and marks on the line of the words that they stand at", async () => {
    const mark = (left: number, sign: string): string => text(left, 706, sign, { size: 7 })
    expect(await markdownOf(onePage(mark(72, "a") + text(76.2, 700, "School of lamps, Bristol")))).toBe(
      "a School of lamps, Bristol\n",
    )
    expect(
      await markdownOf(onePage(text(72, 700, "Of lamps") + mark(133, "*") + text(200, 700, "Of boats"))),
    ).toBe("Of lamps * Of boats\n")
  })

  it("escapes what would be Markdown", async () => {
    expect(await markdownOf(onePage(text(72, 700, "2 * 3 * 4 and [a](b) <i>")))).not.toMatch(/[^\\]\[a\]/)
  })

  it("makes headings of larger text, with levels by size, and of a line in bold", async () => {
    const pdf = onePage(
      text(72, 740, "The title", { size: 24 }) +
        text(72, 700, "1. A chapter", { size: 18 }) +
        lines(
          [
            "Words of the text, which is the largest part of the page,",
            "and so its size is that of the text.",
          ],
          { top: 670 },
        ) +
        text(72, 630, "A small heading", { font: "B" }) +
        lines(["More words of the text, in the size that most words have."], { top: 600 }),
    )
    expect((await markdownOf(pdf)).split("\n").filter((line) => line.startsWith("#"))).toEqual([
      "# The title",
      "## 1. A chapter",
      "### A small heading",
    ])
  })

  it("makes lists of bullets and numbers, nested by their places", async () => {
    const bullet = "\u0095"
    const pdf = onePage(
      text(72, 700, `${bullet} First`) +
        text(100, 686, `${bullet} Inner`) +
        text(72, 672, `${bullet} Second`) +
        text(72, 640, "1. One") +
        text(72, 626, "2. Two"),
    )
    expect(await markdownOf(pdf)).toBe("- First\n  - Inner\n- Second\n\n1. One\n2. Two\n")
  })

  it("makes a table of text that stands in columns, and joins the lines of a cell", async () => {
    const row = (bottom: number, cells: ReadonlyArray<string>) =>
      cells.map((cell, index) => text(72 + index * 150, bottom, cell)).join("")
    const pdf = onePage(
      row(700, ["Item", "Price", "Note"]) +
        row(670, ["Lamp", "12.00", "made of"]) +
        text(372, 656, "brass") +
        row(626, ["Chair", "80.50", ""]),
    )
    expect(await markdownOf(pdf)).toBe(
      "| Item | Price | Note |\n| --- | --- | --- |\n| Lamp | 12.00 | made of brass |\n| Chair | 80.50 |  |\n",
    )
  })

  it("reads one column after the other", async () => {
    const column = (left: number, word: string) =>
      lines(
        Array.from({ length: 6 }, (_, index) => `${word} line ${index} of a column`),
        { left },
      )
    const pdf = onePage(
      text(72, 740, "Across both columns, the whole page wide, goes this title") +
        column(72, "left") +
        column(330, "right"),
    )
    const markdown = await markdownOf(pdf)
    const order = [...markdown.matchAll(/(left|right) line (\d)/g)].map(([found]) => found)
    expect(order).toEqual(
      [...Array(6).keys()]
        .map((n) => `left line ${n}`)
        .concat([...Array(6).keys()].map((n) => `right line ${n}`)),
    )
    expect(markdown.startsWith("Across both columns")).toBe(true)
  })

  it.each([
    [90, "0 1 -1 0 300 100"],
    [180, "-1 0 0 -1 500 400"],
    [270, "0 -1 1 0 300 700"],
  ])("reads text that is turned by %i degrees", async (_degrees, matrix) => {
    const pdf = onePage(`BT /F 12 Tf ${matrix} Tm 14 TL (Turned words go) Tj T* (on in this line) Tj ET`)
    expect(await markdownOf(pdf)).toBe("Turned words go on in this line\n")
  })

  it("reads the values of form fields, which are no part of the page itself", async () => {
    const value = stream(
      text(2, 4, "Filled in"),
      "/Type /XObject /Subtype /Form /BBox [0 0 200 20] /Resources << /Font << /F 3 0 R >> >>",
    )
    const field =
      "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Filled in) /F 4 /Rect [200 696 400 716] /AP << /N 7 0 R >> >>"
    const page = { content: text(72, 700, "Your name:"), entries: "/Annots [6 0 R]" }
    const form = { catalog: "/AcroForm << /Fields [6 0 R] >>", objects: { 6: field, 7: value } }
    expect(await markdownOf(pdfOf(pages([page], form)))).toBe("Your name: Filled in\n")
  })

  describe("what a clip path hides", () => {
    const shown = text(72, 700, "The lamp.")
    const clipped = (box: string, content: string): string => `q ${box} re W n ${content}Q\n`
    const read = (content: string, form = ""): Promise<string> => {
      const box = "/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources << /Font << /F 3 0 R >> >>"
      return markdownOf(pdfOf(pages([{ content: shown + content }], { objects: { 5: stream(form, box) } })))
    }

    it("is left out, as of a figure of which a part is shown", async () => {
      expect(await read(clipped("60 600 300 60", text(72, 560, "Not seen.")))).toBe("The lamp.\n")
      expect(await read(clipped("60 540 300 60", text(72, 560, "Is seen.")))).toBe("The lamp.\n\nIs seen.\n")
      // The end of the page cuts it off: the tops of its letters are on the next page, too.
      expect(await read(clipped("60 567 300 60", text(72, 560, "Not seen.")))).toBe("The lamp.\n")
      expect(await read(clipped("60 563 300 60", text(72, 560, "Is seen.")))).toBe("The lamp.\n\nIs seen.\n")
      const apart = clipped("60 540 100 60", clipped("300 540 100 60", text(72, 560, "Not seen.")))
      expect(await read(apart)).toBe("The lamp.\n")
    })

    it("is left out also within forms, which hide what is beyond their boxes or where they are hidden", async () => {
      const placed = "1 0 0 1 72 400 cm /I Do\n"
      const form = text(20, 150, "Above.") + text(20, 20, "Below.") + text(20, 320, "Beyond.")
      expect(await read(`q ${placed}Q\n`, form)).toBe("The lamp.\n\nAbove.\n\nBelow.\n")
      expect(await read(clipped("72 380 200 100", placed), form)).toBe("The lamp.\n\nBelow.\n")
    })

    it("is read where a part of the word is seen, or where it is printed once more", async () => {
      const half = text(72, 560, "h") + text(79.2, 560, "alf")
      expect(await read(clipped("60 540 20 60", half))).toBe("The lamp.\n\nhalf\n")
      const cell = text(72, 560, "Total")
      const twice = clipped("60 600 300 60", cell) + clipped("60 540 300 60", cell)
      expect(await read(twice)).toBe("The lamp.\n\nTotal\n")
    })
  })

  it("reads the values of fields that the file leaves to its reader to draw, but for hidden ones and passwords", async () => {
    const field = (name: string, value: string, more = "") =>
      `<< /Type /Annot /Subtype /Widget /FT /Tx /T (${name}) /V (${value}) /Rect [160 696 400 712] ${more} >>`
    const form = (...fields: ReadonlyArray<string>) =>
      pdfOf(
        pages([{ content: text(72, 700, "Your name:"), entries: "/Annots [6 0 R 7 0 R]" }], {
          catalog: "/AcroForm << /Fields [6 0 R 7 0 R] /NeedAppearances true >>",
          objects: {
            3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
            6: fields[0] ?? "",
            7: fields[1] ?? "",
          },
        }),
      )
    expect(await markdownOf(form(field("a", "Ada King"), field("b", "")))).toBe("Your name: Ada King\n")
    const secret = [field("a", "secret", "/Ff 8192"), field("b", "hidden", "/F 2")]
    expect(await markdownOf(form(...secret))).toBe("Your name:\n")
    const address = field("a", "1 Old Street\\rLeeds", "/Ff 4096").replace("696 400", "660 400")
    expect(await markdownOf(form(address, field("b", "")))).toBe("Your name: 1 Old Street Leeds\n")
  })

  describe("in white", () => {
    const white = (words: string, size = 9): string => `1 g\n${text(72, 100, words, { size })}0 g\n`
    const body = lines(["The lamp stands on the table.", "It is seen from the street."])
    const shown = (content: string) => markdownOf(onePage(content))

    it("is left out where nothing is drawn behind it, as it cannot be seen", async () => {
      const markdown = await shown(body + white("VerDate 11 Jkt 074464 PO 00000"))
      expect(markdown).toContain("The lamp")
      expect(markdown).not.toContain("VerDate")
    })

    it("is kept where something is: an area with a colour, a picture or a shading", async () => {
      const words = "Lamps of the harbour"
      expect(await shown(`${body}0.2 g 60 90 300 30 re f 0 g\n${white(words)}`)).toContain(words)
      const round = "0.2 g 60 90 m 60 140 360 140 360 90 c f 0 g\n"
      expect(await shown(body + round + white(words))).toContain(words)
      const picture = "q 300 0 0 60 60 80 cm /I Do Q\n"
      const withPicture = pdfOf(
        pages([{ content: body + picture + white(words) }], { objects: pictureObject }),
      )
      expect(await markdownOf(withPicture)).toContain(words)
      expect(await shown(`${body}1 g 60 90 300 30 re f 0 g\n${white(words)}`)).not.toContain(words)
    })

    it("is kept where it is most of the page, whose ground may not be known", async () => {
      expect(await shown(white("Lamps of the harbour") + text(72, 700, "Lamps"))).toContain("harbour")
    })

    it("is told from what is painted with a shading, which says no colour", async () => {
      const shading =
        "<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 300 0] /Function << /FunctionType 2 /Domain [0 1] /C0 [1 0 0] /C1 [0 0 1] /N 1 >> /Extend [true true] >>"
      const form = stream(
        `/Pattern cs /P scn ${text(72, 100, "Lamps of the harbour")}`,
        `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F 3 0 R >> /Pattern << /P << /PatternType 2 /Shading ${shading} >> >> >>`,
      )
      const pdf = pdfOf(
        pages([{ content: `${body}/I Do\n${white("VerDate 11 Jkt")}` }], { objects: { 5: form } }),
      )
      const markdown = await markdownOf(pdf)
      expect(markdown).toContain("Lamps of the harbour")
    })
  })

  describe("letters that are set wide", () => {
    const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"

    /** With `Tc` points between all characters, spaces too. */
    const wide = (characters: string, spacing: number) =>
      onePage(
        `${spacing} Tc ${text(72, 700, characters)}0 Tc ${lines(["The text of the page."], { top: 600 })}`,
      )

    it("are words, with wider gaps between them", async () => {
      for (const title of ["THE DIAGNOSTICS", "article info", "NON-NEGOTIABLE:", "AVATARE", "AUGUST 1963"]) {
        for (const spacing of [4, 6]) {
          expect(await markdownOf(wide(title, spacing)), `${title} ${spacing}`).toMatch(
            new RegExp(`^(?:# )?${title}\n`),
          )
        }
      }
      const typed = lines(["C H A P T E R   O N E", "The text of the page."], { leading: 100 })
      expect(await markdownOf(onePage(typed))).toBe("CHAPTER ONE\n\nThe text of the page.\n")
    })

    it("are words where some of their gaps are as wide as that of a narrow space", async () => {
      /** In thousandths of the size; others have 556. */
      const widths: Readonly<Record<string, number>> = {
        ...{ M: 833, T: 611, r: 333, c: 500, s: 500, t: 278, i: 222, l: 222, f: 278, " ": 278 },
      }
      /** Each letter is a text object of its own, as web pages are printed. */
      const apart = (characters: string, spacing: number): string => {
        let left = 72
        return [...characters]
          .map((character) => {
            const own = character === " " ? "" : text(left, 700, character)
            left += ((widths[character] ?? 556) * 12) / 1000 + spacing
            return own
          })
          .join("")
      }
      const page = lines(["The text of the page."], { top: 600 })
      for (const title of ["Matching Literals", "Gather information on the situation", "Traction"]) {
        for (const spacing of [1.2, 1.5, 1.8, 2.1]) {
          const pdf = pdfOf(
            pages([{ content: `${apart(title, spacing)}${page}` }], { objects: { 3: helvetica } }),
          )
          expect(await markdownOf(pdf), `${title} ${spacing}`).toMatch(new RegExp(`^(?:# )?${title}\n`))
        }
      }
    })

    it("are words where they are drawn as small capitals, which are wider than what they stand for", async () => {
      const widths = new Map(
        [..."MOAREWTFL "].map((letter, at) => [
          letter,
          [833, 778, 667, 722, 667, 944, 611, 611, 556, 278][at] ?? 0,
        ]),
      )
      let left = 72
      const drawn = [..."are formal to me"].map((letter) => {
        const capital = letter.toUpperCase()
        const own = `/Span << /ActualText (${letter}) >> BDC\n${text(left, 700, capital, { size: 10 })}EMC\n`
        left += (widths.get(capital) ?? 0) / 100
        return letter === " " ? "" : own
      })
      const content = `${drawn.join("")}${lines(["The text of the page."], { top: 600 })}`
      const pdf = pdfOf(pages([{ content }], { objects: { 3: helvetica } }))
      expect(await markdownOf(pdf)).toBe("are formal to me\n\nThe text of the page.\n")
    })

    it("are none where they are not at even gaps, are few, or make no word", async () => {
      const none = [
        "a b c d e f g h i j",
        "S V I Q M T W Y Q",
        "C L O L L L U E X",
        "c a c a b d b e d h",
        "A M O R",
      ]
      for (const letters of none) {
        const page = lines([letters, "The text of the page."], { leading: 100 })
        expect(await markdownOf(onePage(page))).toContain(`${letters}\n`)
      }
      const uneven = ["M", "O", "N", "T", "A", "G"].map((letter, at) =>
        text(72 + 14 * at + at * at, 700, letter),
      )
      expect(await markdownOf(onePage(uneven.join("")))).not.toContain("MONTAG")
      expect(await markdownOf(onePage(lines(["The letters M O N T A G of a sentence."])))).toContain(
        "M O N T A G",
      )
    })
  })

  it("begins a new block with each page, and marks none", async () => {
    const pdf = pdfOf(pages([{ content: text(72, 700, "One") }, { content: text(72, 700, "Two") }]))
    expect(await markdownOf(pdf)).toBe("One\n\nTwo\n")
  })

  it("every word of a page comes out, in its order", async () => {
    const word = fc.stringMatching(/^[a-z]{1,12}$/)
    const property = fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 60 }), async (words) => {
      const rows: Array<string> = [""]
      for (const each of words) {
        const last = rows.at(-1) ?? ""
        if (last.length + each.length > 50) rows.push(each)
        else rows[rows.length - 1] = last === "" ? each : `${last} ${each}`
      }
      expect((await markdownOf(onePage(lines(rows)))).split(/\s+/).filter(Boolean)).toEqual(words)
    })
    await fc.assert(property, { numRuns: 40 })
  })

  it("gives the same bytes on every run", async () => {
    const pdf = onePage(lines(["Some words", "on some lines", "of a page"]))
    expect((await converted(pdf, "a.pdf")).json).toEqual((await converted(pdf, "a.pdf")).json)
  })

  it("says what made the result, and no more than it can", async () => {
    const { contentType, json } = await converted(onePage(text(72, 700, "Words")), "a.pdf")
    expect(contentType).toBe("application/pdf")
    expect(json).toMatchObject({
      structure_source: "converter:embedded",
      capabilities: { ocr: false, page_coordinates: false, bounding_boxes: false, structured_tables: false },
    })
  })
})
