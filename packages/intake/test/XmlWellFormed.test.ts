import { verifyXml } from "@atelier/intake/bytes"
import { describe, expect, it } from "vitest"
import { refusalOf } from "./fixtures.ts"

/** Long enough that the reader knows most tags from before when it comes to what is tested. */
const long = (document: string): string => document.replace("<r>", `<r>${'<a b="c">text</a>'.repeat(200)}`)

const faultOf = (document: string | Uint8Array): string | undefined => {
  const refusal = refusalOf(() => verifyXml(Buffer.from(document), { isLenient: true }))
  return refusal === undefined ? undefined : `${refusal.code} ${refusal.message}`
}

const accepted: ReadonlyArray<readonly [rule: string, document: string]> = [
  ["an empty element", "<r/>"],
  ["white space in tags", "<r\n><a\tb = 'c'\r\n d\n=\n'e' /><a ></a\n></r >"],
  ["an XML declaration", "<?xml version='1.0' encoding=\"utf-8\" standalone='no' ?>\n<r></r>"],
  ["version 1.1, which is read as 1.0", "<?xml version='1.1'?><r></r>"],
  ["a declared Latin-1", "<?xml version='1.0' encoding='ISO-8859-1'?><r></r>"],
  ["a declared windows-1252", '<?xml version="1.0" encoding="windows-1252"?><r></r>'],
  ["a document type declaration without definitions", "<!DOCTYPE r><r></r>"],
  ["an empty definition", "<!-- a --><!DOCTYPE r [ ] ><r></r>"],
  ["the identifier of a definition elsewhere", '<!DOCTYPE r SYSTEM "r.dtd"><r></r>'],
  ["a public identifier", `<!DOCTYPE r PUBLIC "-//A//B//EN" 'http://a.example/r.dtd' []><r></r>`],
  [
    "names of formats and of files that are no text",
    `<!DOCTYPE r SYSTEM "r.dtd" [\n<!NOTATION T PUBLIC "-//A//B">\n<!ENTITY a.TIF SYSTEM "a.TIF" NDATA T>${"<!ENTITY b PUBLIC 'c' 'd' NDATA T >".repeat(99)} ]><r a="a.TIF"></r>`,
  ],
  ["UTF-16 declared in what came as UTF-8", '<?xml version="1.0" encoding="UTF-16"?><r></r>'],
  ["a byte order mark", "\uFEFF<?xml version='1.0'?><r></r>"],
  ["comments", "<!----><!-- a - b --><r><!--<a>&b;--></r><!-- c -->\n"],
  ["processing instructions", "<?a?><r><?b <c>&d; ?e>?><?xml-stylesheet href='f'??></r>"],
  ["CDATA sections", "<r><![CDATA[]]><![CDATA[<a>&b;]]]]><![CDATA[>]]></r>"],
  ["predefined entities", "<r>&lt;&gt;&amp;&quot;&apos;<a b='&lt;&gt;&amp;&quot;&apos;'/></r>"],
  ["character references", "<r>&#9;&#xA;&#13;&#x10FFFF;&#xE000;&#000065;<a b='&#x0041;'/></r>"],
  ["the other quote in a value", `<r><a b='"' c="'"/></r>`],
  ["> in a value and in a text", "<r><a b='>'>></a><a b='>'>></a><a b='>'>></a></r>"],
  ["single closing brackets in a text", "<r>]] ] ]>]]</r>"],
  ["names of many alphabets", "<r><größe-1.2_·ä 名='x'/><α:β xmlns:α='u'/></r>"],
  ["names of object prototypes", "<r><__proto__ constructor='1' __proto__='2'/><toString/></r>"],
  ["characters of every plane", "<r>\u007F\u0085\uD7FF\uE000\uFFFD\u{1F600}\u{10FFFF}</r>"],
  ["the same local name with two prefixes", "<r><a xmlns:p='u' xmlns:q='v' p:b='' q:b='' b=''/></r>"],
  ["a default namespace that ends", "<r xmlns='u'><a xmlns=''/></r>"],
  ["a prefix that is declared after its use in the tag", "<r><p:a p:b='' xmlns:p='u'/></r>"],
  ["the prefix xml without declaration", "<r><a xml:space='preserve'/></r>"],
]

const refused: ReadonlyArray<readonly [rule: string, document: string, message: string]> = [
  ["nothing", "", "there is no root element"],
  ["only a comment", "<!-- a -->", "there is no root element"],
  ["a second root element", "<r></r><s/>", 'a second root element, "s", stands after the first'],
  ["text before the root element", "a<r></r>", '"a" stands outside of the root element'],
  ["text after the root element", "<r></r>\na", '"a" stands outside of the root element'],
  ["a reference outside of the root element", "<r></r>&#32;", '"&" stands outside of the root element'],
  ["an end tag too many", "<r></r></r>", "an end tag stands outside of the root element"],
  [
    "a CDATA section outside of the root element",
    "<![CDATA[a]]><r></r>",
    "neither a comment nor a CDATA section",
  ],
  ["an element left open", "<r><a></a>", "the document ends inside of a text"],
  ["a tag left open", "<r><a b='c'", "the document ends in a start tag"],
  ["a value left open", "<r><a b='c", "the document ends inside of the value of an attribute"],
  ["a comment left open", "<r><!-- -- ", "-- stands in a comment"],
  ["a CDATA section left open", "<r><![CDATA[ ]] ", "the document ends inside of a CDATA section"],
  ["an instruction left open", "<r><?a ?", "the document ends inside of a processing instruction"],
  ["an end tag of another name", "<r><a></b></r>", 'the end tag "b" stands where "a" is open'],
  ["an end tag with a longer name", "<r><a></ab></r>", 'the end tag "ab" stands where "a" is open'],
  ["an end tag with a shorter name", "<r><ab></a></r>", 'the end tag "a" stands where "ab" is open'],
  ["an end tag with an attribute", "<r><a></a b='c'></r>", '"b" stands in an end tag'],
  ["white space before a name", "<r>< a/></r>", '" " stands in the name of an element'],
  ["a name that begins with a digit", "<r><1/></r>", '"1" stands in the name of an element'],
  ["a name that begins with a hyphen", "<r><a -b=''/></r>", '"-" stands in the name of an attribute'],
  ["a name with a character that no name has", "<r><a×/></r>", '"a×" is not a legal name'],
  ["a name with two colons", "<r><a:b:c/></r>", '":" stands in a start tag'],
  ["a name that ends with a colon", "<r><a:/></r>", '"/" stands in the name of an element'],
  [
    "an attribute without value",
    "<r><a b/></r>",
    '"/" stands after the name of an attribute, where = is needed',
  ],
  ["an attribute without quotes", "<r><a b=c/></r>", "where a quote is needed"],
  ["attributes without white space between", "<r><a b='c'd='e'/></r>", "where white space is needed"],
  ["an attribute twice", "<r><a b='c' d='' b='e'/></r>", 'the attribute "b" stands twice in one element'],
  [
    "an attribute twice under two prefixes",
    "<r><a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/></r>",
    'the attribute "q:b" stands twice',
  ],
  ["a slash inside of a tag", "<r><a / b='c'/></r>", '"/" stands in the name of an attribute'],
  ["< in a value", "<r><a b='<'/></r>", "< stands in the value of an attribute"],
  ["]]> in a text", "<r>a]]]>b</r>", "]]> stands in a text"],
  ["a comment with --", "<r><!-- a -- b --></r>", "-- stands in a comment"],
  ["a comment that ends in --->", "<r><!-- a ---></r>", "-- stands in a comment"],
  ["an ampersand alone", "<r>a & b</r>", "& begins no entity or character reference"],
  ["a reference without semicolon", "<r>&amp</r>", "& begins no entity or character reference"],
  ["an undefined entity", "<r>&nbsp;</r>", '"&nbsp;" is not a predefined entity or a legal character'],
  ["an undefined entity in a value", "<r><a b='&nbsp;'/></r>", '"&nbsp;" is not'],
  ["an entity by the name of an object's property", "<r>&constructor;</r>", '"&constructor;" is not'],
  ["a reference to U+0000", "<r>&#0;</r>", '"&#0;" is not'],
  ["a reference to a control character", "<r>&#x1F;</r>", '"&#x1F;" is not'],
  ["a reference to a surrogate", "<r>&#xD800;</r>", '"&#xD800;" is not'],
  ["a reference to U+FFFE", "<r>&#xFFFE;</r>", '"&#xFFFE;" is not'],
  ["a reference beyond Unicode", "<r>&#x110000;</r>", '"&#x110000;" is not'],
  ["a reference with a capital X", "<r>&#X41;</r>", '"&#X41;" is not'],
  ["a reference without digits", "<r>&#;</r>", '"&#;" is not'],
  ["a hexadecimal digit in a decimal reference", "<r>&#1a;</r>", '"&#1a;" is not'],
  ["a control character in a text", "<r>a\u0001</r>", "the control character U+0001 stands in a text"],
  ["a control character in a value", "<r><a b='\u001F'/></r>", "the control character U+001F stands in"],
  [
    "a control character in a comment",
    "<r><!--\u0000--></r>",
    "the control character U+0000 stands in a comment",
  ],
  ["a control character in a CDATA section", "<r><![CDATA[\u000C]]></r>", "U+000C stands in a CDATA section"],
  ["U+FFFE", "<r>\uFFFE</r>", "U+FFFE stands in a text"],
  ["U+FFFF in a value", "<r><a b='\uFFFF'/></r>", "U+FFFF stands in the value of an attribute"],
  [
    "a late XML declaration",
    "\n<?xml version='1.0'?><r></r>",
    "an XML declaration stands not at the very start",
  ],
  ["an instruction called XML", "<r><?XML a?></r>", "an XML declaration stands not at the very start"],
  ["an instruction without a name", "<r><? a?></r>", '" " stands in the name of a processing instruction'],
  ["an instruction with a prefix", "<r><?a:b c?></r>", '":" stands in the name of a processing instruction'],
  [
    "an XML declaration without version",
    "<?xml encoding='UTF-8'?><r></r>",
    "the XML declaration is not well-formed",
  ],
  [
    "an XML declaration in the wrong order",
    "<?xml encoding='UTF-8' version='1.0'?><r></r>",
    "not well-formed",
  ],
  ["an XML declaration without end", "<?xml version='1.0'", "the XML declaration is not well-formed"],
  [
    "a declared encoding that is not known",
    '<?xml version="1.0" encoding="x-unheard-of"?><r></r>',
    '"x-unheard-of" is declared; it is not known',
  ],
  ["an undeclared prefix", "<r><p:a/></r>", 'the prefix of the element "p:a" is not declared'],
  ["an undeclared prefix of an attribute", "<r><a p:b=''/></r>", 'the attribute "p:b" is not declared'],
  ["a prefix after its element", "<r><p:a xmlns:p='u'/><p:a/></r>", 'the element "p:a" is not declared'],
  [
    "a prefix after its element, in tags that were legal before",
    `<r><b xmlns:p='u'>${"<p:a></p:a>".repeat(9)}</b><p:a></p:a></r>`,
    'the element "p:a" is not declared',
  ],
  [
    "a prefix of an attribute after its element, in tags that were legal before",
    `<r><b xmlns:p='u'>${"<a p:b=''/>".repeat(9)}</b><a p:b=''/></r>`,
    'the attribute "p:b" is not declared',
  ],
  ["a prefix declared as nothing", "<r><a xmlns:p=''/></r>", "a prefix is declared without a namespace"],
  ["the prefix xmlns declared", "<r><a xmlns:xmlns='u'/></r>", "the prefix xmlns cannot be declared"],
  ["the prefix xml for another namespace", "<r><a xmlns:xml='u'/></r>", "the prefix xml cannot be declared"],
  ["xmlns as the prefix of an element", "<r><xmlns:a/></r>", 'the element "xmlns:a" is not declared'],
]

const noType = "a document type declaration with definitions, or out of place, is not accepted"
const withType: ReadonlyArray<readonly [what: string, document: string]> = [
  ["a second one", "<!DOCTYPE r><!DOCTYPE r><r></r>"],
  ["an element alone", "<!DOCTYPE r [<!ELEMENT r ANY>]><r></r>"],
  ["a comment inside", "<!DOCTYPE r [<!-- -->]><r></r>"],
  ["in small letters", "<!doctype html><r></r>"],
  ["after the root element", "<r></r><!DOCTYPE r>"],
  ["inside of the root element", "<r><!DOCTYPE r></r>"],
  ["an entity alone", "<r><!ENTITY a 'b'></r>"],
  [
    "an entity beside names of files",
    '<!DOCTYPE r [<!ENTITY a SYSTEM "a" NDATA b><!ENTITY c "d">]><r>&c;</r>',
  ],
  ["a parameter entity that is no text", '<!DOCTYPE r [<!ENTITY % a SYSTEM "a" NDATA b>]><r></r>'],
  ["names of files without an end", `<!DOCTYPE r [${'<!ENTITY a SYSTEM "a" NDATA b>'.repeat(99)}<r></r>`],
  ["file_corrupt: an external entity", '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><r>&a;</r>'],
  [
    "file_corrupt: an external parameter entity",
    '<!DOCTYPE r [<!ENTITY % a SYSTEM "http://b/c">%a;]><r></r>',
  ],
  [
    "file_corrupt: entities that grow exponentially",
    `<!DOCTYPE r [<!ENTITY a0 "ha">${Array.from({ length: 30 }, (_, index) => `<!ENTITY a${index + 1} "&a${index};&a${index};">`).join("")}]><r>&a30;</r>`,
  ],
  [
    "file_corrupt: entities that grow quadratically",
    `<!DOCTYPE r [<!ENTITY a "${"b".repeat(50_000)}">]><r>${"&a;".repeat(50_000)}</r>`,
  ],
]

describe("an XML document is well-formed (XML 1.0, Namespaces in XML 1.0)", () => {
  it.each(accepted)("has %s", (_, document) => {
    expect([faultOf(document), faultOf(long(document))]).toEqual([undefined, undefined])
  })

  it.each(refused)("has not %s", (_, document, message) => {
    expect(faultOf(document)).toMatch(/^file_corrupt XML, line \d: /)
    expect(faultOf(document)).toContain(message)
    expect(faultOf(long(document))).toContain(message)
  })

  it.each([
    ["no document type declaration", "<!DOCTYPE r><r></r>", noType],
    [
      "no encoding but UTF-8 and UTF-16",
      "<?xml version='1.0' encoding='ISO-8859-1'?><r></r>",
      '"ISO-8859-1"',
    ],
  ])("has, in an Office package, %s", (_, document, message) => {
    expect(refusalOf(() => verifyXml(Buffer.from(document)))?.message).toContain(message)
  })

  it.each(withType)("has no document type declaration: %s", (_, document) => {
    expect(faultOf(document)).toBe(`file_corrupt XML, line 1: ${noType}.`)
  })
})

describe("an XML document is UTF-8 or UTF-16", () => {
  const text = '<?xml version="1.0"?>\n<r a="größe">漢字 \u{1F600}</r>'
  const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16()

  it.each([
    ["UTF-8", Buffer.from(text)],
    ["UTF-16LE with byte order mark", Buffer.from(`\uFEFF${text}`, "utf16le")],
    ["UTF-16BE with byte order mark", swapped(Buffer.from(`\uFEFF${text}`, "utf16le"))],
    ["UTF-16LE without byte order mark", Buffer.from(text, "utf16le")],
    ["UTF-16BE without byte order mark", swapped(Buffer.from(text, "utf16le"))],
  ])("%s", (_, bytes) => {
    expect(faultOf(bytes)).toBeUndefined()
  })

  it.each([
    [
      "a byte that is not UTF-8",
      Buffer.from("<r>\xE9</r>", "latin1"),
      "byte 3 is not valid UTF-8; XML must be UTF-8 or UTF-16",
    ],
    ["a surrogate in UTF-8", Buffer.from("<r>\xED\xA0\x80</r>", "latin1"), "byte 3 is not valid UTF-8"],
    [
      "a surrogate alone in UTF-16",
      Buffer.from("\uFEFF<r>\uD800</r>", "utf16le"),
      "the text is not valid UTF-16LE",
    ],
    [
      "half a character in UTF-16",
      Buffer.from("\uFEFF<r></r>", "utf16le").subarray(0, -1),
      "not valid UTF-16LE",
    ],
    ["UTF-32", Buffer.from("\uFEFF\0<\0r\0/\0>\0", "utf16le"), "the control character U+0000"],
  ])("refused: %s", (_, bytes, message) => {
    expect(faultOf(bytes)).toMatch(/^file_corrupt XML/)
    expect(faultOf(bytes)).toContain(message)
  })

  it("the line of a fault counts in UTF-16 too", () => {
    const refusal = faultOf(Buffer.from("\uFEFF<r>\n\n<a></b>\n</r>", "utf16le"))
    expect(refusal).toBe('file_corrupt XML, line 3: the end tag "b" stands where "a" is open.')
  })
})
