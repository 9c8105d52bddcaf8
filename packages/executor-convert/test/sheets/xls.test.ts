import { describe, expect, it } from "vitest"
import { converted, refusalOf } from "../documents.ts"
import {
  type BiffWorkbookParts,
  begin,
  biffWorkbook,
  bytes,
  double,
  end,
  foreignWorkbook,
  formats,
  formula,
  kinds,
  label,
  latin,
  long,
  number,
  record,
  wide,
  words,
} from "./biff.ts"

const markdownOf = async (document: Uint8Array): Promise<string> =>
  (await converted(document, "a.xls")).markdown

/** What stands in the only sheet. */
const shown = async (
  records: ReadonlyArray<Buffer>,
  more: Partial<BiffWorkbookParts> = {},
): Promise<string> => {
  const markdown = await markdownOf(biffWorkbook({ ...more, sheets: [{ records }] }))
  expect(markdown.startsWith("## Sheet\n")).toBe(true)
  return markdown.slice("## Sheet\n\n".length).trimEnd()
}

describe("XLS: versions", () => {
  const rows = [
    ["name", "value"],
    ["small", 1.5],
    ["large", 1_234_567],
    ["negative", -3],
    ["true", true],
  ]

  it.each(["biff2", "biff5", "biff8"] as const)(
    "reads what another program writes as %s",
    async (version) => {
      expect(await markdownOf(foreignWorkbook(rows, version))).toBe(
        [
          "## Sheet1",
          "",
          "| name | value |",
          "| --- | --- |",
          "| small | 1.5 |",
          "| large | 1234567 |",
          "| negative | -3 |",
          "| true | TRUE |",
          "",
        ].join("\n"),
      )
    },
  )

  it.each([
    ["3", 0x0209, record(0x001e, bytes(2), latin("0%")), record(0x0243, bytes(0, 0), Buffer.alloc(10))],
    [
      "4",
      0x0409,
      record(0x041e, words(0), bytes(2), latin("0%")),
      record(0x0443, bytes(0, 0), Buffer.alloc(10)),
    ],
  ])("reads a bare sheet of Excel %s", async (_, beginning, format, cellFormat) => {
    const cells = [
      record(0x0204, words(0, 0, 0, 4), latin("rate")),
      number(0, 1, 0.25),
      record(0x0205, words(1, 0, 0), bytes(1, 0)),
      record(beginning === 0x0209 ? 0x0206 : 0x0406, words(1, 1, 0), double(0.5), words(0, 0)),
    ]
    const begins = record(beginning, words(0, 0x0010, 0))
    const document = Buffer.concat([begins, format, cellFormat, ...cells, end])
    expect(await markdownOf(document)).toBe("## Sheet1\n\n| rate | 25% |\n| --- | --- |\n| TRUE | 50% |\n")
  })

  it("reads a workbook of Excel 4 sheet by sheet", async () => {
    const sheet = (name: string, value: number) =>
      Buffer.concat([
        record(0x008f, long(0), bytes(name.length), latin(name)),
        record(0x0409, words(0, 0x0010, 0)),
        number(0, 0, value),
        end,
      ])
    const document = Buffer.concat([record(0x0409, words(0, 0x0100, 0)), sheet("A", 1), sheet("B", 2), end])
    expect(await markdownOf(document)).toBe("## A\n\n1\n\n## B\n\n2\n")
  })

  it("reads the strings of Excel 5 in their code page", async () => {
    const cyrillic = record(0x0204, words(0, 0, 0, 6), bytes(0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2))
    const records = [record(0x0042, words(1251))]
    expect(await shown([cyrillic], { version: 0x0500, records })).toBe("Привет")
  })

  it("reads strings of an unknown code page as Western European", async () => {
    const text = record(0x0204, words(0, 0, 0, 2), latin("é!"))
    expect(await shown([text], { version: 0x0500, records: [record(0x0042, words(9999))] })).toBe("é!")
  })
})

describe("XLS: what a cell shows", () => {
  it("reads numbers in every form", async () => {
    const integer = (value: number) => long((value << 2) | 2)
    const hundredths = (value: number) => long((value << 2) | 3)
    const upperHalf = (value: number) => double(value).subarray(4)
    const several = record(0x00bd, words(1, 0), words(0), integer(-1), words(0), hundredths(125), words(1))
    const rows = [
      record(0x027e, words(0, 0, 0), integer(7)),
      record(0x027e, words(0, 1, 0), upperHalf(0.5)),
      several,
    ]
    expect(await shown(rows)).toBe("| 7 | 0.5 |\n| --- | --- |\n| -1 | 1.25 |")
  })

  it("shows numbers in their format", async () => {
    const records = formats(0, 9, 14, '0.00\\ "kg"', "d.m.yyyy")
    const cells = [0.285, 0.285, 45000, 1.005, 45000].map((value, index) => number(0, index, value, index))
    expect(await shown(cells, { records })).toContain("| 0.285 | 29% | 2023-03-15 | 1.01 kg | 15.3.2023 |")
  })

  it("counts days from 1904 on where the workbook says so", async () => {
    const records = [record(0x0022, words(1)), ...formats("yyyy-mm-dd")]
    expect(await shown([number(0, 0, 43538)], { records })).toBe("2023-03-15")
  })

  it("gives the stored values of formulas: numbers, texts, truth values, errors, empty texts", async () => {
    const other = (kind: number, value = 0) => bytes(kind, 0, value, 0, 0, 0, 0xff, 0xff)
    const rows = [
      formula(0, 0, double(2.5)),
      formula(0, 1, other(0)),
      record(0x04bc, Buffer.alloc(8)),
      record(0x0207, words(4), bytes(0), latin("text")),
      formula(0, 2, other(1, 1)),
      formula(0, 3, other(2, 0x07)),
      formula(0, 4, other(3)),
      record(0x0205, words(0, 5, 0), bytes(0x2a, 1)),
      record(0x0205, words(0, 6, 0), bytes(0, 0)),
    ]
    expect(await shown(rows)).toContain("| 2.5 | text | TRUE | #DIV/0! |  | #N/A | FALSE |")
  })

  it("reads shared strings with their runs and pronunciation, also where another record continues them", async () => {
    const plain = [words(2), bytes(0), latin("ab")]
    const rich = [words(2), bytes(0x0d), words(1), long(6), wide("漢字"), Buffer.alloc(4), Buffer.alloc(6)]
    const cut = [words(6), bytes(0), latin("one")]
    const rest = [bytes(1), wide("двa"), words(1), bytes(0), latin("z")]
    const records = [record(0x00fc, long(4), long(4), ...plain, ...rich, ...cut), record(0x003c, ...rest)]
    const cells = [0, 1, 2, 3].map((index) => record(0x00fd, words(0, index, 0), long(index)))
    expect(await shown(cells, { records })).toContain("| ab | 漢字 | oneдвa | z |")
  })

  it("keeps what stands above and below the line in a shared string, and what is struck", async () => {
    const font = (struck: number, position: number) =>
      record(0x0031, words(200, struck, 0, 400, position), Buffer.alloc(6))
    // There is no font 4.
    const fonts = [font(0, 0), font(0, 1), font(0, 2), font(8, 0), font(0, 1)]
    const rich = (text: string, ...runs: ReadonlyArray<number>) =>
      Buffer.concat([words(text.length), bytes(0x08), words(runs.length / 2), latin(text), words(...runs)])
    const strings = [
      rich("2015 1 m2", 5, 1, 6, 0, 8, 5),
      rich("H2O 45", 1, 2, 2, 0, 4, 3, 5, 9),
      rich("ab", 1, 1, 0, 2, 9, 2),
    ]
    const records = [...fonts, record(0x00fc, long(3), long(3), ...strings)]
    const cells = [0, 1, 2].map((index) => record(0x00fd, words(0, index, 0), long(index)))
    expect(await shown(cells, { records })).toContain("| 2015 ¹ m² | H₂O ~~4~~5 | a<sub>b</sub> |")
  })

  it("strikes out a cell whose font does, whatever its value", async () => {
    const font = (struck: number) => record(0x0031, words(200, struck, 0, 400, 0), Buffer.alloc(6))
    // There is no font 4.
    const fonts = [font(0), font(0), font(0), font(0), font(8)]
    const formats = [record(0x00e0, words(0, 0)), record(0x00e0, words(5, 0)), record(0x00e0, words(3, 0))]
    const cells = [
      record(0x0204, words(0, 0, 1), words(3), bytes(0), latin("old")),
      record(0x00bd, words(0, 1), words(0), long(6), words(1), long(10), words(2)),
      record(0x0205, words(0, 3, 1), bytes(1, 0)),
      record(0x0204, words(0, 4, 2), words(1), bytes(0), latin("b")),
      record(0x0006, words(0, 5, 1), bytes(0, 0, 0, 0, 0, 0, 0xff, 0xff), Buffer.alloc(8)),
      record(0x0207, words(1), bytes(0), latin("c")),
    ]
    expect(await shown(cells, { records: [...fonts, ...formats] })).toContain(
      "| ~~old~~ | 1 | ~~2~~ | ~~TRUE~~ | b | ~~c~~ |",
    )
  })

  it("makes links to web addresses", async () => {
    const url = "https://example.org/a\0"
    const moniker = Buffer.from("e0c9ea79f9bace118c8200aa004ba90b", "hex")
    const described = [long(2), wide("x\0")]
    const link = record(
      0x01b8,
      words(0, 0, 0, 0),
      Buffer.alloc(16),
      long(2),
      long(0x17),
      ...described,
      moniker,
      long(url.length * 2),
      wide(url),
    )
    const place = record(0x01b8, words(0, 0, 1, 1), Buffer.alloc(16), long(2), long(8), long(3), wide("A1\0"))
    expect(await shown([label(0, 0, "site"), label(0, 1, "place"), link, place])).toContain(
      "| [site](https://example.org/a) | place |",
    )
  })

  it("repeats the value of merged cells in rows and columns with others", async () => {
    const merged = record(0x00e5, words(1, 0, 1, 0, 1))
    const cells = [label(0, 0, "wide"), label(0, 2, "a"), label(1, 2, "b"), label(2, 1, "c")]
    expect(await shown([...cells, merged])).toBe(
      "| wide | wide | a |\n| --- | --- | --- |\n| wide | wide | b |\n|  | c |  |",
    )
  })

  it("puts rows and cells where they belong, in whatever order they come", async () => {
    const rows = [number(1, 1, 4), number(0, 1, 2), number(1, 0, 3), number(0, 0, 1)]
    expect(await shown(rows)).toBe("| 1 | 2 |\n| --- | --- |\n| 3 | 4 |")
  })
})

describe("XLS: what is not in the cells", () => {
  it("hidden_sheets: gives hidden sheets with a warning", async () => {
    const document = biffWorkbook({
      sheets: [
        { name: "A", records: [number(0, 0, 1)] },
        { name: "B", records: [number(0, 0, 2)], visibility: 2 },
      ],
    })
    const { markdown, codes } = await converted(document, "a.xls")
    expect(markdown).toBe("## A\n\n1\n\n## B\n\n2\n")
    expect(codes).toEqual(["hidden_sheets"])
  })

  it.each([
    ["row", record(0x0208, words(0, 0, 1, 0, 0, 0, 0x20, 0))],
    ["column", record(0x007d, words(0, 0, 0, 0, 1, 0))],
  ])("hidden_cells: gives a hidden %s with a warning", async (_, hidden) => {
    const document = biffWorkbook({ sheets: [{ records: [hidden, number(0, 0, 1)] }] })
    const { markdown, codes } = await converted(document, "a.xls")
    expect(markdown).toBe("## Sheet\n\n1\n")
    expect(codes).toEqual(["hidden_cells"])
  })

  it("gives the text of boxes, and warns of charts, images and comments", async () => {
    const object = (kind: number) => record(0x005d, words(0x15, 0x12, kind, 1), Buffer.alloc(14))
    const text = (content: string) => [
      record(0x01b6, Buffer.alloc(10), words(content.length, 0), Buffer.alloc(4)),
      record(0x003c, bytes(0), latin(content)),
      record(0x003c, Buffer.alloc(16)),
    ]
    const records = [
      object(6),
      ...text("in a box"),
      object(0x19),
      ...text("remark"),
      record(0x001c, words(0, 0, 0, 1), Buffer.alloc(4)),
      object(8),
      object(5),
      begin(kinds.chart),
      number(0, 0, 99),
      end,
      number(0, 0, 1),
    ]
    const chart = { name: "Chart", kind: 2, records: [number(0, 0, 5)] }
    const { markdown, warnings } = await converted(biffWorkbook({ sheets: [{ records }, chart] }), "a.xls")
    expect(markdown).toBe("## Sheet\n\n1\n\nin a box\n\n## Chart\n")
    expect(warnings).toEqual([
      { code: "comments_left_out", message: expect.stringContaining("1 comment was") },
      { code: "images_not_interpreted", message: expect.stringContaining("1 image was") },
      { code: "charts_not_interpreted", message: expect.stringContaining("2 charts were") },
    ])
  })
})

describe("XLS: what is refused", () => {
  it("file_corrupt: a sheet that is not where the workbook says", async () => {
    const document = biffWorkbook({ sheets: [{ records: [number(0, 0, 1)] }], starts: [4] })
    expect(await refusalOf(document, "a.xls")).toMatchObject({
      code: "file_corrupt",
      message: expect.stringContaining('"Sheet" is not in the workbook'),
    })
  })

  it("file_corrupt: sheets that are listed again and again", async () => {
    const once = biffWorkbook({ sheets: [{ records: [] }, { records: [] }, { records: [] }] })
    expect(await markdownOf(once)).toBe("## Sheet\n\n## Sheet\n\n## Sheet\n")
    const records = [label(0, 0, "x".repeat(1000))]
    const size = Buffer.concat([begin(kinds.workbook), end]).length
    const lists = 50
    const entry = record(0x0085, long(0), bytes(0, 0, 5, 0), latin("Sheet")).length
    const document = biffWorkbook({
      sheets: Array.from({ length: lists }, (_, index) => ({ records: index === 0 ? records : [] })),
      starts: Array.from({ length: lists }, () => size + lists * entry),
    })
    expect(await refusalOf(document, "a.xls")).toMatchObject({
      code: "file_corrupt",
      message: expect.stringContaining("overlaps another sheet"),
    })
  })

  it("file_corrupt: a cell whose shared string is not there", async () => {
    const document = biffWorkbook({ sheets: [{ records: [record(0x00fd, words(0, 0, 0), long(3))] }] })
    expect(await refusalOf(document, "a.xls")).toMatchObject({ code: "file_corrupt" })
  })

  it("file_encrypted: a workbook with a password", async () => {
    const document = biffWorkbook({ sheets: [{ records: [] }], records: [record(0x002f, words(0, 1, 2))] })
    expect(await refusalOf(document, "a.xls")).toMatchObject({ code: "file_encrypted" })
  })

  it("result_too_large: one long string that very many cells share", async () => {
    const text = "x".repeat(8000)
    const records = [record(0x00fc, long(1), long(1), words(text.length), bytes(0), latin(text))]
    const cells = Array.from({ length: 4000 }, (_, row) => record(0x00fd, words(row, 0, 0), long(0)))
    expect(await refusalOf(biffWorkbook({ sheets: [{ records: cells }], records }), "a.xls")).toMatchObject({
      code: "result_too_large",
    })
  })

  it("records that are cut or empty are no crash", async () => {
    const types = [
      0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x1c, 0x1e, 0x22, 0x42, 0x43, 0x5d, 0x7d, 0xbd, 0xd6, 0xe0,
      0xfc, 0x1b6, 0x1b8, 0x203, 0x204, 0x205, 0x206, 0x207, 0x208, 0x243, 0x27e, 0x406, 0x41e, 0x443,
    ]
    const records = types.flatMap((type) => [
      record(type),
      record(type, words(1)),
      record(type, words(1, 0, 9, 9)),
    ])
    const { markdown } = await converted(biffWorkbook({ sheets: [{ records }] }), "a.xls")
    expect(markdown).toContain("## Sheet")
  })
})
