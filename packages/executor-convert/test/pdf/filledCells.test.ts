import { describe, expect, it } from "vitest"
import { line, onePage, text } from "./makePdf.ts"
import { markdownOf } from "./readPdf.ts"

const small = (left: number, bottom: number, words: string): string => text(left, bottom, words, { size: 9 })

/** What stands at these places of a line. */
const at = (bottom: number, places: Readonly<Record<number, string>>): string =>
  Object.entries(places)
    .map(([left, words]) => small(Number(left), bottom, words))
    .join("")

/** Cells in grey between these sides, from the top to the bottom. */
const filled = (
  bottom: number,
  top: number,
  ...sides: ReadonlyArray<readonly [left: number, right: number]>
): string =>
  `0.8 g ${sides.map(([left, right]) => `${left} ${bottom} ${right - left} ${top - bottom} re f`).join(" ")} 0 g\n`

const rowsOf = (markdown: string): ReadonlyArray<string> =>
  markdown.split("\n").filter((each) => each.startsWith("|") && !each.includes("---"))

const read = async (content: string): Promise<ReadonlyArray<string>> =>
  rowsOf(await markdownOf(onePage(content)))

describe("file-md-json: cells of a PDF that have a colour each", () => {
  it("are rows of a table as wide as the head that they touch, where those of some columns have none", async () => {
    const head = filled(700, 720, [72, 112], [112, 372], [372, 412], [412, 452])
    const row = (top: number, height: number, isLast: boolean): string =>
      filled(top - height, top - 0.5, [72, 111.5], [372.5, 411.5], ...(isLast ? [[412, 452] as const] : []))
    const rows = row(700, 44, false) + row(656, 30, true) + row(626, 54, false) + row(572, 30, true)
    // Cell by cell, as programs write them.
    const cells = (middle: number, number: string, lines: ReadonlyArray<string>, since: string): string =>
      small(84, middle, number) +
      lines.map((each, at) => small(120, middle + 6 * (lines.length - 1) - 12 * at, each)).join("") +
      at(middle, { 388: "x", 424: since })
    const words =
      at(706, { 88: "#", 120: "What is asked", 388: "A", 420: "Since" }) +
      cells(
        675,
        "1.1",
        ["The quay is lit at night, and by lamps of iron", "that hold oil for a week of storms."],
        "1.0",
      ) +
      cells(638, "1.2", ["Boats are tied to it by those who come in from", "the sea at night."], "2.0") +
      cells(
        596,
        "1.3",
        [
          "Nets are dried on the wall of the old harbour,",
          "and mended there by those who use them in the",
          "winter, and in all of the other years that are",
          "wet.",
        ],
        "1.0",
      ) +
      cells(554, "1.4", ["Oars are kept in a hut that stands near to it,", "and has a lock."], "2.0")
    expect(await read(head + rows + words)).toEqual([
      "| # | What is asked | A | Since |",
      "| 1.1 | The quay is lit at night, and by lamps of iron that hold oil for a week of storms. | x | 1.0 |",
      "| 1.2 | Boats are tied to it by those who come in from the sea at night. | x | 2.0 |",
      "| 1.3 | Nets are dried on the wall of the old harbour, and mended there by those who use them in the winter, and in all of the other years that are wet. | x | 1.0 |",
      "| 1.4 | Oars are kept in a hut that stands near to it, and has a lock. | x | 2.0 |",
    ])
  })

  it("are parted where they meet, however near the words of two stand, and are merged as they are drawn", async () => {
    const drawn =
      filled(700, 720, [72, 112], [112, 252], [252, 392]) +
      filled(680, 700, [72, 112], [112, 392]) +
      filled(640, 660, [112, 252], [252, 392]) +
      filled(640, 680, [72, 112]) +
      filled(660, 680, [112, 252], [252, 392])
    const words =
      at(706, { 84: "Count", 114: "Purpose", 260: "Port" }) +
      at(686, { 76: "145", 116: "It holds the boats of all the quays." }) +
      at(666, { 76: "129", 116: "Nets", 260: "North" }) +
      at(646, { 116: "Oars", 260: "South" })
    expect(await read(drawn + words)).toEqual([
      "| Count | Purpose | Port |",
      "| 145 | It holds the boats of all the quays. | It holds the boats of all the quays. |",
      "| 129 | Nets | North |",
      "| 129 | Oars | South |",
    ])
  })

  describe("are no table of their own", () => {
    const sides = [
      [72, 232],
      [232, 312],
      [312, 392],
    ] as const
    const row = (bottom: number, name: string, one: string, other: string): string =>
      at(bottom, { 76: name, 260: one, 340: other })

    it("where rows above or below them go on without a colour", async () => {
      const drawn =
        filled(672, 700, ...sides.slice(0, 2)) + filled(686, 700, [312, 392]) + filled(672, 686, [312, 392])
      const words =
        row(704, "Boats", "12", "14") +
        row(690, "Nets of", "1", "2") +
        row(676, "Oars", "3", "4") +
        row(662, "Sails", "5", "6") +
        row(648, "Masts", "7", "8")
      const written = await read(drawn + words)
      expect(written).toContain("| Boats | 12 | 14 |")
      expect(written).toContain("| Sails | 5 | 6 |")
    })

    it("where room beside their texts has it, too", async () => {
      const padded = [
        [72, 92],
        [92, 232],
        [232, 252],
        [252, 392],
      ] as const
      const drawn = [700, 680, 660].map((bottom) => filled(bottom, bottom + 20, ...padded)).join("")
      const words =
        at(706, { 96: "Boats", 256: "12" }) +
        at(686, { 96: "Nets", 256: "1" }) +
        at(666, { 96: "Oars", 256: "3" })
      expect(await read(drawn + words)).toEqual(["| Boats | 12 |", "| Nets | 1 |", "| Oars | 3 |"])
    })

    it("where a line as long as they are shows that their table goes on", async () => {
      const drawn =
        filled(680, 700, ...sides) +
        filled(660, 680, ...sides) +
        [700, 680, 660, 630, 600].map((y) => line(72, y, 392, y)).join("")
      const words =
        row(686, "Boats", "12", "14") +
        row(666, "Nets", "1", "2") +
        row(642, "Oars", "3", "4") +
        row(612, "Sails", "5", "6")
      expect(await read(drawn + words)).toEqual([
        "| Boats | 12 | 14 |",
        "| Nets | 1 | 2 |",
        "| Oars | 3 | 4 |",
        "| Sails | 5 | 6 |",
      ])
    })
  })
})
