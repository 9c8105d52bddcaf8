import { readXml, xmlClose, xmlEnd, xmlStart, xmlText, xmlVocabulary } from "@atelier/intake/bytes"
import { describe, expect, it } from "vitest"
import { eventsOf, lengthened, reader } from "./xmlEvents.ts"

const vocabulary = xmlVocabulary(
  { w: ["urn:transitional", "urn:strict"], r: ["urn:relations"], s: ["urn:unused"] },
  ["w:p", "w:t", "plain", "r:t", "w:größe"],
)
const paragraph = vocabulary.number("w:p")
const run = vocabulary.number("w:t")

/** The same events whether the reader knows the tags already or not. */
const same = (document: string, options = {}, attributes: ReadonlyArray<string> = []) => {
  const events = eventsOf(document, options, attributes)
  expect(eventsOf(lengthened(document), options, attributes)).toEqual(events)
  return events
}

describe("readXml", () => {
  it("reports starts, closes and texts; an element that closes itself comes as both", () => {
    expect(same("<r a='1'>x<b/> <c>y</c></r>", {}, ["a"])).toEqual([
      'start 0 r 1 a="1"',
      'text "x" 1',
      "start 0 b 2",
      "close 0 b 1",
      'text " " 1',
      "start 0 c 2",
      'text "y" 2',
      "close 0 c 1",
      "close 0 r 0",
    ])
  })

  it("resolves references, line ends and CDATA sections in texts", () => {
    expect(same("<r>a&lt;&amp;&#x1F600;\r\nb\rc\n&#13;<![CDATA[<&amp;\r\n]]]]>]<![CDATA[]]></r>")).toEqual([
      "start 0 r 1",
      `text ${JSON.stringify("a<&\u{1F600}\nb\nc\n\r<&amp;\n]]]")} 1`,
      "close 0 r 0",
    ])
  })

  it("passes comments and instructions", () => {
    expect(same("<r>a<!-- b --><?c d?>e</r>")).toEqual(["start 0 r 1", 'text "ae" 1', "close 0 r 0"])
  })

  it("ends and stays at its end", () => {
    const xml = readXml(Buffer.from("<r/>"))
    const tokens = Array.from({ length: 4 }, () => xml.next())
    expect(tokens).toEqual([xmlStart, xmlClose, xmlEnd, xmlEnd])
  })

  it("refuses again what it has refused", () => {
    const xml = readXml(Buffer.from(lengthened("<r>a</s>")))
    xml.next()
    xml.next()
    expect(() => xml.next()).toThrow("the end tag")
    expect(() => xml.next()).toThrow("the end tag")
  })

  it.each([1, 40])("reads many documents at the same time, each begun %d events after another", (apart) => {
    const documents = Array.from({ length: 9 }, (_, index) => {
      const inner = `<a${index} b='1'>x${index}<c/></a${index}>`.repeat(100 + index)
      return `<r>${`<d${index}>`.repeat(index)}${inner}${`</d${index}>`.repeat(index)}</r>`
    })
    const reading = documents.map((document) => ({ read: reader(document), events: [] as string[] }))
    // Each begins when those before it are in the middle.
    for (let round = 0, going = true; going || round < 10 * apart; round++) {
      going = false
      for (const { read, events } of reading.slice(0, 1 + Math.floor(round / apart))) {
        const event = read()
        if (event === undefined) continue
        events.push(event)
        going = true
      }
    }
    for (const [index, { events }] of reading.entries()) {
      expect(events).toEqual(eventsOf(documents[index] ?? "", {}, ["b"]))
    }
  })

  it("knows nothing of what the documents before it meant", () => {
    const elements = (namespace: string) =>
      eventsOf(`<r xmlns='${namespace}'>${"<p></p>".repeat(300)}</r>`, { vocabulary, textIn: [] }).length
    expect([elements("urn:strict"), elements("urn:other"), elements("urn:strict")]).toEqual([600, 0, 600])
  })

  it("reads tags with > in long values again and again", () => {
    const element = (index: number) => `<a b='>${"x".repeat(40_000)}${index}'/><c/>`
    const document = `<r>${Array.from({ length: 90 }, (_, index) => element(index)).join("")}</r>`
    const values = eventsOf(document, {}, ["b"]).flatMap((event) => /x(\d+)"$/.exec(event)?.[1] ?? [])
    expect(values).toEqual(Array.from({ length: 90 }, (_, index) => `${index}`))
  })

  it("gives values as they are meant: references resolved, white space as spaces", () => {
    const document = "<r a='x&amp;&quot;&#10;\n\t y\r\nz' b=\"\" c='größe'/>"
    expect(same(document, {}, ["a", "b", "c", "d", "__proto__"])).toEqual([
      `start 0 r 1 a=${JSON.stringify('x&"\n   y z')} b="" c="größe"`,
      "close 0 r 0",
    ])
  })

  it("has attributes after a start only", () => {
    const xml = readXml(Buffer.from("<r a='1'>x</r>"))
    const found = [xml.next(), xml.next(), xml.next()].map(() => xml.attribute("a"))
    expect(found).toEqual([undefined, undefined, undefined])
  })

  it("speaks of the source that it reads", () => {
    const read = (source: string) => () => eventsOf("<r>\n</s>", { source })
    expect(read("word/document.xml")).toThrow("word/document.xml, line 2: the end tag")
    expect(read("a\u202Eb")).toThrow('"a\\u{202e}b", line 2: the end tag')
  })
})

describe("a vocabulary", () => {
  const numbers = (document: string) =>
    same(document, { vocabulary })
      .filter((event) => event.startsWith("start"))
      .map((event) => event.split(" ").slice(1, 3).join(" "))

  it("knows elements by their namespace, whatever their prefix", () => {
    expect(
      numbers(
        "<x:p xmlns:x='urn:transitional'><p xmlns='urn:transitional'/><w:p xmlns:w='urn:strict'/></x:p>",
      ),
    ).toEqual([`${paragraph} x:p`, `${paragraph} p`, `${paragraph} w:p`])
  })

  it("does not know elements of other namespaces, whatever their prefix", () => {
    expect(
      numbers(
        "<w:p xmlns:w='urn:other'><p/><plain xmlns='urn:transitional'/><r:p xmlns:r='urn:relations'/></w:p>",
      ),
    ).toEqual(["0 w:p", "0 p", "0 plain", "0 r:p"])
  })

  it("knows names without prefix as names without namespace", () => {
    const plain = vocabulary.number("plain")
    expect(numbers("<plain><plain xmlns='urn:strict'><plain xmlns=''/></plain></plain>")).toEqual([
      `${plain} plain`,
      "0 plain",
      `${plain} plain`,
    ])
  })

  it("follows declarations as far as they reach", () => {
    const other = vocabulary.number("r:t")
    const inner = "<x:t xmlns:x='urn:relations'><x:t/></x:t>"
    expect(numbers(`<x:t xmlns:x='urn:strict'><x:t/>${inner}<x:t/>${inner}<x:t/></x:t>`)).toEqual([
      `${run} x:t`,
      `${run} x:t`,
      `${other} x:t`,
      `${other} x:t`,
      `${run} x:t`,
      `${other} x:t`,
      `${other} x:t`,
      `${run} x:t`,
    ])
  })

  it("follows declarations that change at every element", () => {
    const element = (index: number) => `<x:t xmlns:x='urn:${index % 2 === 0 ? "strict" : "relations"}'/>`
    const document = `<r>${Array.from({ length: 3_000 }, (_, index) => element(index)).join("")}</r>`
    const found = numbers(document).slice(1)
    expect(new Set(found.filter((_, index) => index % 2 === 0))).toEqual(new Set([`${run} x:t`]))
    expect(new Set(found.filter((_, index) => index % 2 === 1))).toEqual(new Set(["4 x:t"]))
  })

  it("knows attributes by their namespace; without prefix they have none", () => {
    const document =
      "<x:p xmlns='urn:strict' xmlns:x='urn:strict' id='1' x:id='2' y:id='3' xml:id='4' xmlns:y='urn:relations'/>"
    expect(same(document, { vocabulary }, ["id", "w:id", "r:id", "xml:id", "s:id"])).toEqual([
      'start 1 x:p 1 id="1" w:id="2" r:id="3" xml:id="4"',
      "close 1 x:p 0",
    ])
  })

  it("knows attributes where their prefix means something else than before", () => {
    const other = "<y:p xmlns:y='urn:strict' xmlns:x='urn:relations'><q x:id='1'/></y:p>"
    const document = `<y:p xmlns:y='urn:strict' xmlns:x='urn:strict'><q x:id='1'/>${other}<q x:id='1'/></y:p>`
    expect(same(document, { vocabulary }, ["w:id", "r:id"]).filter((event) => event.includes("id"))).toEqual([
      'start 0 q 2 w:id="1"',
      'start 0 q 3 r:id="1"',
      'start 0 q 2 w:id="1"',
    ])
  })

  it("does not take declarations for attributes", () => {
    const reserved = xmlVocabulary({ xmlns: ["http://www.w3.org/2000/xmlns/"] }, [])
    expect(same("<r xmlns='u' xmlns:p='v'/>", { vocabulary: reserved }, ["xmlns:p", "p"])).toEqual([
      "start 0 r 1",
      "close 0 r 0",
    ])
  })

  it("has names of other alphabets and of object prototypes", () => {
    const odd = xmlVocabulary({ w: ["u"] }, ["w:__proto__", "constructor", "w:größe"])
    const document = "<w:__proto__ xmlns:w='u'><constructor/><w:größe/><toString/></w:__proto__>"
    expect(eventsOf(document, { vocabulary: odd }).filter((event) => event.startsWith("start"))).toEqual([
      "start 1 w:__proto__ 1",
      "start 2 constructor 2",
      "start 3 w:größe 2",
      "start 0 toString 2",
    ])
  })

  it("is refused where it is ambiguous, and asked for what it has not", () => {
    expect(() => xmlVocabulary({ a: ["u"], b: ["u"] }, [])).toThrow("two prefixes")
    expect(() => xmlVocabulary({}, ["a", "a"])).toThrow("twice")
    expect(() => xmlVocabulary({}, ["b:a"])).toThrow("no prefix")
    expect(() => vocabulary.number("w:unknown")).toThrow("no element")
    const xml = readXml(Buffer.from("<r id=''/>"))
    xml.next()
    expect(() => xml.attribute("w:id")).toThrow("no prefix")
  })
})

describe("textIn", () => {
  it("reports the elements of the vocabulary, and the text directly inside of some", () => {
    const document =
      "<p xmlns='urn:strict'>1<t>2<o>3</o>4<![CDATA[5]]>6&amp;<o/>7</t>8<o><t>9</t></o><t/></p>"
    expect(same(document, { vocabulary, textIn: [run] })).toEqual([
      "start 1 p 1",
      "start 2 t 2",
      'text "2456&7" 2',
      "close 2 t 1",
      "start 2 t 3",
      'text "9" 3',
      "close 2 t 2",
      "start 2 t 2",
      "close 2 t 1",
      "close 1 p 0",
    ])
  })

  it("checks what it does not report", () => {
    const read = (inside: string) => () =>
      eventsOf(`<p xmlns='urn:strict'>${"<o>x</o>".repeat(500)}<o>${inside}</o></p>`, {
        vocabulary,
        textIn: [],
      })
    expect(read("")).not.toThrow()
    expect(read("<x></y>")).toThrow("the end tag")
    expect(read("&a;")).toThrow("predefined entity")
    expect(read("\u0001")).toThrow("control character")
    expect(read("</o></p></o>")).toThrow("end tag")
  })
})

describe("skip", () => {
  it("passes what is inside of an element and its close", () => {
    const document = `<r><a><b>1</b><a><c/></a>${"<c d='e'>2</c>".repeat(300)}</a><e/>3</r>`
    const xml = readXml(Buffer.from(document))
    xml.next()
    xml.next()
    xml.skip()
    expect([xml.next(), xml.name(), xml.depth]).toEqual([xmlStart, "e", 2])
    xml.skip()
    expect([xml.next(), xml.text(), xml.depth]).toEqual([xmlText, "3", 1])
    expect([xml.next(), xml.next()]).toEqual([xmlClose, xmlEnd])
  })

  it("passes the root element", () => {
    const xml = readXml(Buffer.from("<r>1<a/></r>"))
    xml.next()
    xml.skip()
    expect(xml.next()).toBe(xmlEnd)
  })

  it("checks what it passes", () => {
    const xml = readXml(Buffer.from("<r><a></b></r>"))
    xml.next()
    expect(() => xml.skip()).toThrow("the end tag")
  })

  it("passes elements that are reported alone", () => {
    const document = "<o xmlns='urn:strict'><p><o><t>1</t></o><t>2</t></p><o/><t>3</t></o>"
    const xml = readXml(Buffer.from(document), { vocabulary, textIn: [run] })
    expect([xml.next(), xml.element]).toEqual([xmlStart, paragraph])
    xml.skip()
    expect([xml.next(), xml.next(), xml.text()]).toEqual([xmlStart, xmlText, "3"])
  })
})
