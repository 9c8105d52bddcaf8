import { Refusal, type XmlReaderOptions, xmlVocabulary } from "@atelier/intake/bytes"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { eventsOf, lengthened } from "./xmlEvents.ts"

const uris = ["urn:one", "urn:two", "urn:other"]
const locals = ["a", "b", "a-b.1", "größe", "名", "constructor"]
const vocabulary = xmlVocabulary({ one: ["urn:one"], two: ["urn:two"] }, [
  "a",
  "one:a",
  "two:a",
  "one:größe",
  "two:constructor",
  "b",
])
const attributeNames = ["a", "one:a", "two:a", "one:größe", "b", "xml:a"]

/** Random decisions while a document is written: each takes the next number. */
type Choose = (bound: number) => number

interface Piece {
  readonly kind: "text" | "section" | "comment" | "instruction" | "element"
  readonly text: string
  readonly local: string
  readonly prefix: string
  readonly declarations: ReadonlyArray<readonly [prefix: string, uri: string]>
  readonly attributes: ReadonlyArray<{
    readonly prefix: string
    readonly local: string
    readonly value: string
  }>
  readonly repeat: number
  readonly children: ReadonlyArray<Piece>
}

const isLegal = (character: string): boolean =>
  /[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(character)

const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }),
      fc.constantFrom(
        "<",
        ">",
        "&",
        "]]>",
        "]",
        "'",
        '"',
        "\n",
        "\r",
        "\t",
        " ",
        "abc",
        "\uFFFD",
        "\uFF01",
        "-",
        "?>",
        "\u{1F600}",
      ),
      fc.nat(80).map((length) => "x".repeat(length)),
    ),
    { maxLength: 6 },
  )
  .map((parts) => [...parts.join("").toWellFormed()].filter(isLegal).join(""))

const prefix = fc.constantFrom("", "", "p", "q", "größe", "xml")
const local = fc.constantFrom(...locals)

const { piece } = fc.letrec<{ piece: Piece }>((tie) => ({
  piece: fc.record({
    kind: fc.constantFrom("text", "section", "comment", "instruction", "element", "element", "element"),
    text,
    local,
    prefix,
    declarations: fc.uniqueArray(fc.tuple(fc.constantFrom("", "p", "q", "größe"), fc.constantFrom(...uris)), {
      maxLength: 3,
      selector: ([declared]) => declared,
    }),
    attributes: fc.array(fc.record({ prefix, local, value: text }), { maxLength: 4 }),
    repeat: fc.constantFrom(1, 1, 1, 3),
    children: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constant([]),
      fc.array(tie("piece"), { maxLength: 4 }),
    ),
  }),
}))

type Scope = ReadonlyMap<string, string>

/** Writes a document in one of the many ways to write it, and notes what has to be read. */
class Writer {
  readonly #choose: Choose
  readonly #lineEnd: string
  readonly events: Array<string> = []
  #text: string | undefined
  written = ""

  constructor(choose: Choose) {
    this.#choose = choose
    this.#lineEnd = ["\n", "\r\n", "\r"][choose(3)] ?? "\n"
  }

  pieces(pieces: ReadonlyArray<Piece>, scope: Scope, depth: number): void {
    for (const each of pieces)
      for (let index = 0; index < each.repeat; index++) this.#piece(each, scope, depth)
  }

  element({ local, prefix, declarations, attributes, children }: Piece, outer: Scope, depth: number): void {
    const scope = new Map([...outer, ...declarations])
    const known = (wanted: string) => (scope.has(wanted) ? wanted : "")
    const name = qualified(known(prefix), local)
    const unique = new Map(
      attributes.map((each) => [
        expanded(known(each.prefix), each.local, scope, false),
        { ...each, prefix: known(each.prefix) },
      ]),
    )
    const tagged = [
      ...[...unique.values()].map(
        (each) => `${qualified(each.prefix, each.local)}${this.#equals()}${this.#value(each.value)}`,
      ),
      ...declarations.map(
        ([declared, uri]) => `xmlns${declared === "" ? "" : `:${declared}`}${this.#equals()}"${uri}"`,
      ),
    ]
    const found = attributeNames.flatMap((wanted) => {
      const value = unique.get(inVocabulary(wanted))?.value
      return value === undefined ? [] : [` ${wanted}=${JSON.stringify(value)}`]
    })
    const number = vocabularyNumber(expanded(known(prefix), local, scope, true))
    this.written += `<${name}${tagged.map((each) => this.#white(1) + each).join("")}${this.#white(0)}`
    this.#note(`start ${number} ${name} ${depth}${found.join("")}`)
    if (children.length === 0 && this.#choose(2) === 0) this.written += "/>"
    else {
      this.written += ">"
      this.pieces(children, scope, depth)
      this.written += `</${name}${this.#white(0)}>`
    }
    this.#note(`close ${number} ${name} ${depth - 1}`)
  }

  #piece(each: Piece, scope: Scope, depth: number): void {
    if (each.kind === "element") this.element(each, scope, depth + 1)
    else if (each.kind === "comment") this.written += `<!--${each.text.replaceAll("-", "")}-->`
    else if (each.kind === "instruction")
      this.written += `<?${each.local} ${each.text.replaceAll("?>", "")}?>`
    else if (each.kind === "section") this.#section(each.text, depth)
    else if (each.text !== "") {
      this.written += [...each.text].map((character) => this.#character(character, "<&>")).join("")
      this.#noteText(each.text, depth)
    }
  }

  #section(text: string, depth: number): void {
    const plain = text.replaceAll("]]>", "").replaceAll("\r", "")
    if (plain.includes("]]>")) return
    this.written += `<![CDATA[${plain.replaceAll("\n", this.#lineEnd)}]]>`
    if (plain !== "") this.#noteText(plain, depth)
  }

  #note(event: string): void {
    this.events.push(event)
    this.#text = undefined
  }

  #noteText(text: string, depth: number): void {
    if (this.#text !== undefined) this.events.pop()
    this.#text = (this.#text ?? "") + text
    this.events.push(`text ${JSON.stringify(this.#text)} ${depth}`)
  }

  #value(value: string): string {
    const quote = this.#choose(2) === 0 ? "'" : '"'
    return (
      quote + [...value].map((character) => this.#character(character, `<&\n\t${quote}`)).join("") + quote
    )
  }

  #character(character: string, escaped: string): string {
    const must = character === "\r" || escaped.includes(character)
    const names: Readonly<Record<string, string>> = {
      "<": "&lt;",
      "&": "&amp;",
      ">": "&gt;",
      "'": "&apos;",
      '"': "&quot;",
    }
    const code = character.codePointAt(0) ?? 0
    const ways = [
      names[character] ?? `&#${code};`,
      `&#${code};`,
      `&#x${code.toString(16)};`,
      `&#x0${code.toString(16).toUpperCase()};`,
    ]
    const way = this.#choose(must ? 4 : 16)
    return ways[way] ?? (character === "\n" ? this.#lineEnd : character)
  }

  #white(least: number): string {
    return [" ", "", "\n", "\t \r\n"].filter((white) => white.length >= least)[this.#choose(3)] ?? " "
  }

  #equals(): string {
    return ["=", "=", "=", " =", "=\n", "\t= "][this.#choose(6)] ?? "="
  }
}

const qualified = (prefix: string, name: string): string => (prefix === "" ? name : `${prefix}:${name}`)

const expanded = (prefix: string, name: string, scope: Scope, isElement: boolean): string =>
  prefix === "" && !isElement ? ` ${name}` : `${scope.get(prefix) ?? ""} ${name}`

const inVocabulary = (name: string): string => {
  const [local = "", prefix = ""] = name.split(":").toReversed()
  return `${{ "": "", one: "urn:one", two: "urn:two", xml: "urn:xml" }[prefix]} ${local}`
}

const vocabularyNumber = (name: string): number =>
  ["a", "one:a", "two:a", "one:größe", "two:constructor", "b"].findIndex(
    (each) => inVocabulary(each) === name,
  ) + 1

const document = fc
  .tuple(piece, fc.infiniteStream(fc.nat(1_000)), fc.constantFrom(1, 1, 40))
  .map(([root, numbers, repeat]) => {
    const writer = new Writer((bound) => (numbers.next().value ?? 0) % bound)
    const children = Array.from({ length: repeat }, () => root.children).flat()
    writer.element({ ...root, children }, new Map([["xml", "urn:xml"]]), 1)
    return { written: writer.written, events: writer.events }
  })

const outcomeOf = (bytes: Uint8Array, options: XmlReaderOptions): string => {
  try {
    return eventsOf(bytes, options, attributeNames).join("\n")
  } catch (error) {
    if (Refusal.is(error)) return `${error.code} ${error.message}`
    throw error
  }
}

describe("readXml", () => {
  it("reads what was written, however it was written", () => {
    fc.assert(
      fc.property(document, ({ written, events }) => {
        expect(eventsOf(written, { vocabulary }, attributeNames)).toEqual(events)
        expect(eventsOf(lengthened(written), { vocabulary }, attributeNames)).toEqual(events)
        expect(eventsOf(Buffer.from(`\uFEFF${written}`, "utf16le"), { vocabulary }, attributeNames)).toEqual(
          events,
        )
      }),
      { numRuns: 300 },
    )
  })

  it("reports with textIn the same as without, but for what was not asked for", () => {
    const numbers = fc.uniqueArray(fc.integer({ min: 1, max: vocabulary.size }), { minLength: 1 })
    fc.assert(
      fc.property(document, numbers, ({ written }, textIn) => {
        const all = eventsOf(written, { vocabulary, textIn: [1, 2, 3, 4, 5, 6] }, attributeNames)
        const some = eventsOf(lengthened(written), { vocabulary, textIn }, attributeNames)
        const tags = (events: ReadonlyArray<string>) => events.filter((event) => !event.startsWith("text"))
        expect(tags(some)).toEqual(tags(all))
        const open: Array<string> = []
        for (const event of some) {
          if (event.startsWith("start")) open.push(event)
          else if (event.startsWith("close")) open.pop()
          else expect(textIn).toContain(Number(open.at(-1)?.split(" ")[1]))
        }
      }),
      { numRuns: 100 },
    )
  })

  it("reads or refuses a document with one byte changed, and does so alike whatever it knows", () => {
    const change = fc.record({
      at: fc.nat(1_000_000),
      byte: fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from("<>&'\"/=!?-[]:; x\r\n\0"))),
      kind: fc.constantFrom("set", "insert", "delete"),
    })
    fc.assert(
      fc.property(document, change, ({ written }, { at, byte, kind }) => {
        const bytes = Buffer.from(written)
        const place = at % bytes.length
        const changed = Buffer.concat([
          bytes.subarray(0, place),
          kind === "delete" ? Buffer.alloc(0) : Buffer.from([byte]),
          bytes.subarray(kind === "insert" ? place : place + 1),
        ])
        const outcome = outcomeOf(changed, { vocabulary })
        const long = Buffer.concat([Buffer.from(lengthened("")), changed])
        // The texts differ where the fault is in the bytes before any markup.
        if (!/^file_corrupt XML: byte|XML declaration/.test(outcome)) {
          expect(outcomeOf(long, { vocabulary })).toBe(outcome)
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it("reads or refuses any text", () => {
    const bits = fc.constantFrom(
      "<",
      ">",
      "</",
      "/>",
      "a",
      "b",
      " ",
      "=",
      "'",
      '"',
      "&",
      ";",
      "&amp;",
      "&#65;",
      "<!--",
      "-->",
      "<![CDATA[",
      "]]>",
      "<?",
      "?>",
      "xmlns",
      ":",
      "p",
      "\r\n",
      "<a>",
      "</a>",
      "<a b='c'>",
    )
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 60 }), (parts) => {
        const written = `<a>${parts.join("")}</a>`
        const outcome = outcomeOf(Buffer.from(written), { vocabulary })
        expect(outcomeOf(Buffer.from(lengthened(written)), { vocabulary })).toBe(outcome)
      }),
      { numRuns: 1_000 },
    )
  })
})
