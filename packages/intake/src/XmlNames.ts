import { XmlNamespaces } from "./XmlNamespaces.ts"
import { firstFreeAt, XmlSpellings } from "./XmlSpellings.ts"
import type { XmlVocabulary } from "./XmlVocabulary.ts"

const scopeAt = firstFreeAt
const elementAt = firstFreeAt + 1
const namespaceAt = firstFreeAt + 2
const markAt = firstFreeAt + 3

/** What the names of elements, and of attributes with a prefix, mean where the reader is. */
export class XmlNames {
  readonly namespaces: XmlNamespaces
  readonly #vocabulary: XmlVocabulary
  readonly #bytes: Buffer
  readonly #spellings: XmlSpellings
  /** Of the name that was resolved last: the vocabulary's number as an element, 0 if it has none. */
  element = 0
  /** Of the name that was resolved last: the vocabulary's number of its namespace, -1 if it has none. */
  namespace = 0

  #lastRecord = 0

  constructor(bytes: Buffer, vocabulary: XmlVocabulary) {
    this.#bytes = bytes
    this.#vocabulary = vocabulary
    this.#spellings = new XmlSpellings(bytes)
    this.namespaces = new XmlNamespaces(vocabulary)
  }

  /**
   * Resolves a name; false if its prefix is not declared.
   * @param colon where the name's colon stands, 0 if it has none
   */
  resolve(start: number, colon: number, end: number, hash: number): boolean {
    const record = this.#spellings.record(start, end, hash)
    const { records } = this.#spellings
    const { scope } = this.namespaces
    this.#lastRecord = record
    if (records[record + scopeAt] === scope) {
      this.element = records[record + elementAt] ?? 0
      this.namespace = records[record + namespaceAt] ?? 0
      return true
    }
    const prefix = colon === 0 ? "" : this.#bytes.toString("utf8", start, colon)
    const local = this.#bytes.toString("utf8", colon === 0 ? start : colon + 1, end)
    const namespace = this.namespaces.number(prefix)
    if (namespace === undefined) return false
    this.namespace = namespace
    this.element = this.#vocabulary.element(namespace, local)
    records[record + scopeAt] = scope
    records[record + elementAt] = this.element
    records[record + namespaceAt] = namespace
    return true
  }

  /** What a user of the name that was resolved last wants to keep with it; 0 at first. */
  get mark(): number {
    return this.#spellings.records[this.#lastRecord + markAt] ?? 0
  }

  set mark(mark: number) {
    this.#spellings.records[this.#lastRecord + markAt] = mark
  }

  /** The number of an element; undefined if its prefix is not declared. */
  elementNamed(prefix: string, local: string): number | undefined {
    const namespace = this.namespaces.number(prefix)
    return namespace === undefined ? undefined : this.#vocabulary.element(namespace, local)
  }
}
