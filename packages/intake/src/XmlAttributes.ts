import { resolvedText } from "./XmlCharacters.ts"
import type { XmlNames } from "./XmlNames.ts"
import type { XmlSource } from "./XmlSource.ts"
import { noNamespace, type XmlAttributeName } from "./XmlVocabulary.ts"

const startAt = 0
/** Where the name's colon stands, 0 if it has none. */
const colonAt = 1
const endAt = 2
const hashAt = 3
const valueStartAt = 4
const valueEndAt = 5
/** 1 if the value is not what is written. */
const escapedAt = 6
const foundNamespaceAt = 7
const recordSize = 8

/** Up to this many attributes are compared pair by pair. */
const pairwiseMax = 12

const lowerX = 0x78
const lowerM = 0x6d
const xmlns = Buffer.from("xmlns")

/** The attributes of the element that started last, as ranges of the document. */
export class XmlAttributes {
  readonly #source: XmlSource
  readonly #names: XmlNames
  readonly #records: Array<number> = []
  count = 0
  /** How many have a prefix, or may be called `xmlns`. */
  #prefixed = 0
  hasDeclarations = false
  /** For elements with many: attributes by hash, each as `#mark` + index. Less than `#mark` is an earlier element's. */
  #byHash: Int32Array | undefined
  #mark = 1

  constructor(source: XmlSource, names: XmlNames) {
    this.#source = source
    this.#names = names
  }

  clear(): void {
    this.#mark += this.count
    this.count = 0
    this.#prefixed = 0
    this.hasDeclarations = false
  }

  get hasPrefixes(): boolean {
    return this.#prefixed > 0
  }

  /** Throws if the element has an attribute of that name. */
  addName(start: number, colon: number, end: number, hash: number): void {
    const record = this.count * recordSize
    const records = this.#records
    while (records.length < record + recordSize) records.push(0)
    records[record + startAt] = start
    records[record + colonAt] = colon
    records[record + endAt] = end
    records[record + hashAt] = hash
    const index = this.count++
    const { bytes } = this.#source
    if (colon > 0 || (bytes[start] === lowerX && bytes[start + 1] === lowerM)) this.#prefixed++
    const isNew = index < pairwiseMax ? this.#isNewAmongFew(index) : this.#isNewAmongMany(index)
    if (!isNew) throw this.#repeated(index)
  }

  /** The value of the name that was added last. */
  addValue(start: number, end: number, isEscaped: boolean): void {
    const record = (this.count - 1) * recordSize
    const records = this.#records
    records[record + valueStartAt] = start
    records[record + valueEndAt] = end
    records[record + escapedAt] = isEscaped ? 1 : 0
  }

  /** Takes the namespace declarations and finds what the prefixes mean; for the element at `depth`. */
  resolve(depth: number): void {
    if (this.#prefixed === 0) return
    for (let index = 0; index < this.count; index++) {
      if (this.#isDeclaration(index)) this.#declare(index, depth)
    }
    for (let index = 0; index < this.count; index++) {
      if (this.#at(index, colonAt) > 0 && !this.#isDeclaration(index)) this.#resolveOne(index)
    }
    if (this.#prefixed > 1 && this.#names.namespaces.hasAliases()) this.#compareResolved()
  }

  find(name: XmlAttributeName): string | undefined {
    for (let index = 0; index < this.count; index++) {
      if (this.#isNamed(index, name)) return this.#value(index)
    }
    return undefined
  }

  #at(index: number, field: number): number {
    return this.#records[index * recordSize + field] ?? 0
  }

  #isNewAmongFew(index: number): boolean {
    const records = this.#records
    const hash = records[index * recordSize + hashAt]
    for (let other = 0; other < index; other++) {
      if (records[other * recordSize + hashAt] === hash && this.#isSameName(index, other)) return false
    }
    return true
  }

  #isNewAmongMany(index: number): boolean {
    let byHash = this.#byHash
    if (byHash === undefined || byHash.length < 4 * this.count) {
      byHash = new Int32Array(16 * this.count)
      this.#byHash = byHash
    } else if (index > pairwiseMax) return this.#insert(byHash, index)
    let isNew = true
    for (let each = 0; each <= index; each++) isNew = this.#insert(byHash, each)
    return isNew
  }

  #insert(byHash: Int32Array, index: number): boolean {
    const hash = this.#at(index, hashAt)
    let slot = (hash ^ (hash >>> 15)) % byHash.length
    if (slot < 0) slot = -slot
    for (; ; slot = slot + 1 === byHash.length ? 0 : slot + 1) {
      const other = (byHash[slot] ?? 0) - this.#mark
      if (other < 0) {
        byHash[slot] = this.#mark + index
        return true
      }
      if (this.#at(other, hashAt) === hash && this.#isSameName(index, other)) return false
    }
  }

  #isSameName(one: number, other: number): boolean {
    const { bytes } = this.#source
    const start = this.#at(one, startAt)
    const otherStart = this.#at(other, startAt)
    return bytes.compare(bytes, otherStart, this.#at(other, endAt), start, this.#at(one, endAt)) === 0
  }

  #isDeclaration(index: number): boolean {
    const start = this.#at(index, startAt)
    const end = this.#at(index, colonAt) || this.#at(index, endAt)
    return this.#isWritten(start, end, xmlns)
  }

  #isWritten(start: number, end: number, expected: Uint8Array): boolean {
    if (end - start !== expected.length) return false
    const { bytes } = this.#source
    for (let index = 0; index < expected.length; index++) {
      if (bytes[start + index] !== expected[index]) return false
    }
    return true
  }

  #declare(index: number, depth: number): void {
    this.hasDeclarations = true
    const colon = this.#at(index, colonAt)
    const prefix = colon === 0 ? "" : this.#source.bytes.toString("utf8", colon + 1, this.#at(index, endAt))
    const fault = this.#names.namespaces.declare(prefix, this.#value(index), depth)
    if (fault !== undefined) throw this.#source.fault(this.#at(index, startAt), fault)
  }

  #resolveOne(index: number): void {
    const start = this.#at(index, startAt)
    const end = this.#at(index, endAt)
    if (!this.#names.resolve(start, this.#at(index, colonAt), end, this.#at(index, hashAt))) {
      const name = this.#source.quoted(start, end)
      throw this.#source.fault(start, `the prefix of the attribute ${name} is not declared`)
    }
    this.#records[index * recordSize + foundNamespaceAt] = this.#names.namespace
  }

  /** Two prefixes may mean the same namespace: then their attributes may not have the same local name. */
  #compareResolved(): void {
    const { bytes } = this.#source
    const seen = new Map<object | undefined, Set<string>>()
    for (let index = 0; index < this.count; index++) {
      const colon = this.#at(index, colonAt)
      if (colon === 0 || this.#isDeclaration(index)) continue
      const prefix = bytes.toString("utf8", this.#at(index, startAt), colon)
      const local = bytes.toString("utf8", colon + 1, this.#at(index, endAt))
      const namespace = this.#names.namespaces.identity(prefix)
      const locals = seen.get(namespace) ?? new Set()
      if (locals.has(local)) throw this.#repeated(index)
      seen.set(namespace, locals.add(local))
    }
  }

  #repeated(index: number): Error {
    const start = this.#at(index, startAt)
    const name = this.#source.quoted(start, this.#at(index, endAt))
    return this.#source.fault(start, `the attribute ${name} stands twice in one element`)
  }

  #isNamed(index: number, { namespace, local }: XmlAttributeName): boolean {
    const colon = this.#at(index, colonAt)
    const end = this.#at(index, endAt)
    if (colon === 0) {
      return namespace === noNamespace && this.#isWritten(this.#at(index, startAt), end, local)
    }
    return (
      namespace === this.#at(index, foundNamespaceAt) &&
      this.#isWritten(colon + 1, end, local) &&
      !this.#isDeclaration(index)
    )
  }

  #value(index: number): string {
    const start = this.#at(index, valueStartAt)
    const end = this.#at(index, valueEndAt)
    return this.#at(index, escapedAt) === 0
      ? this.#source.strings.slice(start, end)
      : resolvedText(this.#source.bytes, start, end, "attribute")
  }
}
