import { type IntakeLimits, intakeLimits, readXml, verifyXml, xmlEnd } from "@atelier/intake/bytes"
import { describe, expect, it } from "vitest"
import { refusalOf } from "./fixtures.ts"

const MiB = 1024 * 1024

const faultOf = (document: string | Uint8Array, limits: IntakeLimits = intakeLimits): string | undefined => {
  const refusal = refusalOf(() => verifyXml(Buffer.from(document), { limits }))
  return refusal === undefined ? undefined : `${refusal.code} ${refusal.message}`
}

/** As many copies of a piece as fit in 4 MiB, inside of a root element. */
const filled = (piece: string, root = "r"): Buffer => {
  const count = Math.floor((4 * MiB) / Buffer.byteLength(piece))
  return Buffer.concat([
    Buffer.from(`<${root}>`),
    Buffer.alloc(count * Buffer.byteLength(piece), piece),
    Buffer.from("</r>"),
  ])
}

const attributes = (count: number): string =>
  Array.from({ length: count }, (_, index) => ` a${index.toString(36)}=""`).join("")

const exceeded = "archive_limit_exceeded XML, line 1: "

describe("an XML document keeps its limits; a refusal names limit and value", () => {
  it("xml_depth_max", () => {
    const nested = (depth: number) => "<a>".repeat(depth) + "</a>".repeat(depth)
    expect(faultOf(nested(256))).toBeUndefined()
    expect(faultOf(nested(257))).toBe(
      `${exceeded}elements are nested 257 deep; the limit xml_depth_max is 256.`,
    )
    // Again, by tags that the reader knows from before.
    const inner = nested(255)
    expect(faultOf(`<r>${inner.repeat(20)}</r>`)).toBeUndefined()
    expect(faultOf(`<r>${inner.repeat(20)}<a>${inner}</a></r>`)).toContain("elements are nested 257 deep")
    expect(faultOf("<a><b/></a>", { ...intakeLimits, xml_depth_max: 1 })).toContain(
      "the limit xml_depth_max is 1",
    )
  })

  it("xml_name_bytes_max", () => {
    const name = (bytes: number) => `é${"a".repeat(bytes - 2)}`
    expect(faultOf(`<${name(1_024)}/>`)).toBeUndefined()
    expect(faultOf(`<r ${name(1_024)}=""/>`)).toBeUndefined()
    const fault = `${exceeded}a name has 1025 bytes; the limit xml_name_bytes_max is 1024.`
    expect(faultOf(`<${name(1_025)}/>`)).toBe(fault)
    expect(faultOf(`<r ${name(1_025)}=""/>`)).toBe(fault)
  })

  it("xml_attributes_max", () => {
    expect(faultOf(`<r${attributes(1_000)}/>`)).toBeUndefined()
    expect(faultOf(`<r${attributes(1_001)}/>`)).toBe(
      `${exceeded}an element has 1001 attributes or more; the limit xml_attributes_max is 1000.`,
    )
  })

  it("attributes are unique, also among many", () => {
    const twice = (count: number, again: string) => `<r${attributes(count)} ${again}=""/>`
    for (const count of [2, 11, 12, 13, 14, 52, 53, 54, 500, 999]) {
      expect(faultOf(twice(count, "b"))).toBeUndefined()
      for (const index of [0, count >> 1, count - 1]) {
        const name = `a${index.toString(36)}`
        expect(faultOf(twice(count, name))).toContain(`the attribute "${name}" stands twice in one element`)
      }
    }
    // The attributes of the element before do not count.
    expect(
      faultOf(`<r><a${attributes(900)}/><a${attributes(901)}/><a${attributes(900)} c=""/></r>`),
    ).toBeUndefined()
  })

  it("xml_attribute_bytes_max", () => {
    expect(faultOf(`<r a="${"b".repeat(MiB)}"/>`)).toBeUndefined()
    expect(faultOf(`<r a="${"b".repeat(MiB + 1)}"/>`)).toBe(
      `${exceeded}the value of an attribute has 1048577 bytes; the limit xml_attribute_bytes_max is 1048576.`,
    )
  })

  it("xml_text_bytes_max", () => {
    const fault = `${exceeded}a text has 10485761 bytes; the limit xml_text_bytes_max is 10485760.`
    expect(faultOf(`<r>${"b".repeat(10 * MiB)}</r>`)).toBeUndefined()
    expect(faultOf(`<r>${"b".repeat(10 * MiB + 1)}</r>`)).toBe(fault)
    expect(faultOf(`<r><![CDATA[${"b".repeat(10 * MiB)}]]></r>`)).toBeUndefined()
    expect(faultOf(`<r><![CDATA[${"b".repeat(10 * MiB + 1)}]]></r>`)).toBe(fault)
  })

  it("smaller limits hold too for what the reader knows from before", () => {
    const document = `<r>${'<a bb="ccc">dddd</a>'.repeat(500)}</r>`
    expect(faultOf(document)).toBeUndefined()
    const small = (limits: Partial<IntakeLimits>) => faultOf(document, { ...intakeLimits, ...limits })
    expect(small({ xml_name_bytes_max: 2 })).toBeUndefined()
    expect(small({ xml_name_bytes_max: 1 })).toContain("a name has 2 bytes")
    expect(small({ xml_attribute_bytes_max: 2 })).toContain("the value of an attribute has 3 bytes")
    expect(small({ xml_text_bytes_max: 3 })).toContain("a text has 4 bytes")
    expect(small({ xml_attributes_max: 0 })).toContain("has 1 attributes or more")
  })
})

describe("an XML bomb is read in time or refused", () => {
  const refusals: ReadonlyArray<readonly [bomb: string, make: () => string | Uint8Array, fault: string]> = [
    ["archive_limit_exceeded: 100,000 levels", () => "<a>".repeat(100_000), "nested 257 deep"],
    ["archive_limit_exceeded: a million attributes", () => `<r${attributes(1_000_000)}/>`, "1001 attributes"],
    [
      "archive_limit_exceeded: one attribute of 10 MB",
      () => `<r a="${"b".repeat(10_000_000)}"/>`,
      "10000000 bytes",
    ],
    ["archive_limit_exceeded: a name of 10 MB", () => `<${"a".repeat(10_000_000)}/>`, "10000000 bytes"],
    ["archive_limit_exceeded: a text of 20 MB", () => `<r>${"text".repeat(5_000_000)}</r>`, "20000000 bytes"],
    [
      "file_corrupt: 20 MiB left unclosed",
      () => `<r>${"<a>b</a>".repeat(2_600_000)}<a>`,
      "ends inside of a text",
    ],
    [
      "file_corrupt: an endless comment",
      () => `<r><!--${"-a".repeat(10_000_000)}`,
      "ends inside of a comment",
    ],
    ["file_corrupt: an endless reference", () => `<r>&${"a".repeat(10_000_000)}</r>`, "& begins no entity"],
    ["file_corrupt: an entity with a name of 10 MB", () => `<r>&${"a".repeat(10_000_000)};</r>`, '"&aaa'],
    [
      "file_corrupt: a fault in the last of 20 million lines",
      () => `<r>${"\n".repeat(MiB)}<a></b>`,
      "line 1048577",
    ],
  ]

  it.each(refusals)("%s", (_, make, fault) => {
    const message = faultOf(make()) ?? ""
    expect(message).toContain(fault)
    expect(message.length).toBeLessThan(200)
  })

  const accepted: ReadonlyArray<readonly [bomb: string, make: () => string | Uint8Array]> = [
    ["4 MiB of <a/>", () => filled("<a/>")],
    ["4 MiB of elements with 999 attributes", () => filled(`<a${attributes(999)}/>`)],
    [
      "4 MiB of elements with 999 attributes of two prefixes for one namespace",
      () => filled(`<a${attributes(999).replaceAll(" a", " p:a")}/>`, 'r xmlns:p="u" xmlns:q="u"'),
    ],
    ["4 MiB of comments", () => filled("<!---->")],
    ["4 MiB of instructions", () => filled("<?a?>")],
    ["4 MiB of CDATA sections", () => filled("<![CDATA[]]>")],
    [
      "100,000 prefixes, each declared once",
      () => {
        const element = (_: unknown, index: number) => `<a xmlns:p${index.toString(36)}="u${index}"/>`
        return `<r>${Array.from({ length: 100_000 }, element).join("")}</r>`
      },
    ],
    ["a prefix declared again at every element", () => filled('<p:a xmlns:p="u"/><p:a xmlns:p="v"/>')],
    ["a default namespace declared again at every element", () => filled('<a xmlns="u"><a xmlns="v"/></a>')],
    [
      "200,000 names of elements",
      () => {
        const element = (_: unknown, index: number) => `<a${index.toString(36)}></a${index.toString(36)}>`
        return `<r>${Array.from({ length: 200_000 }, element).join("")}</r>`
      },
    ],
    [
      "100,000 tags, each written twice",
      () => {
        const element = (_: unknown, index: number) => `<a b="${index}"/><a b="${index}"/>`
        return `<r>${Array.from({ length: 100_000 }, element).join("")}</r>`
      },
    ],
    ["UTF-16", () => Buffer.from(`\uFEFF<r>${"<a>größe</a>".repeat(200_000)}</r>`, "utf16le")],
    ["a character reference with a million zeros", () => `<r>&#${"0".repeat(1_000_000)}65;</r>`],
  ]

  it.each(accepted)("%s", (_, make) => {
    expect(faultOf(make())).toBeUndefined()
  })

  it("references by the million are resolved in a text, and in an attribute", () => {
    const document = `<r a="${"&amp;".repeat(MiB / 5)}">${"&#38;".repeat(2 * MiB)}</r>`
    const xml = readXml(Buffer.from(document))
    xml.next()
    expect(xml.attribute("a")).toBe("&".repeat(MiB / 5))
    xml.next()
    expect(xml.text()).toBe("&".repeat(2 * MiB))
    xml.next()
    expect(xml.next()).toBe(xmlEnd)
  })

  it("readers that are left in the middle leave no memory behind", () => {
    const document = Buffer.from(`<r>${"<a b='c'>d</a>".repeat(2_000)}</r>`)
    const before = process.memoryUsage().rss
    for (let index = 0; index < 2_000; index++) {
      const xml = readXml(document)
      xml.next()
      xml.next()
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MiB)
  })
})
