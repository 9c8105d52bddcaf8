import type { IntakeLimits } from "./Limits.ts"
import { compiledModule } from "./wasm/instantiate.ts"
import { xmlModule } from "./wasm/xml.ts"
import type { XmlNames } from "./XmlNames.ts"
import { openNameAt, openSize, type XmlTag } from "./XmlOpen.ts"
import type { XmlParser } from "./XmlParser.ts"
import { hashMultiplier } from "./XmlSpellings.ts"
import type { XmlVocabulary } from "./XmlVocabulary.ts"

interface Constant {
  readonly value: number
}

/** What xml.wat exports; the comments there say what lies where. */
interface LaneExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly texts: Constant
  readonly names: Constant
  readonly open: Constant
  readonly tape: Constant
  readonly tags: Constant
  readonly scopes: Constant
  readonly keys: Constant
  readonly window: Constant
  readonly run: () => number
  readonly remember: (address: number, length: number) => number
}

/** Indices of the fields of the state. */
const addressAt = 0
const windowEndAt = 1
const baseAt = 2
const depthAt = 3
const depthMaxAt = 4
const declaredDepthAt = 5
const scopeAt = 6
const allAt = 7
const tapeEndAt = 8
const unresolvedAt = 9
const multiplierAt = 10
const tagCountAt = 12
const keysEndAt = 13

/** Why the module stopped. */
const windowEnded = 1
const tapeFull = 2
const nameUnresolved = 3
const tagRepeated = 4

const wordBytes = 4
const tagBytesMax = 256
const windowBytes = 65_536
const openMax = 1_024
const textsMax = 4_096
const namesMax = 1_024
const nameBits = 10
const tagsMax = 8_192
const scopeBaseMax = 2 ** 30
/** Zeros after the window, which stop the module. */
const fillingBytes = 512
const tagBytes = 16
const nameBytes = 64
const endTagAt = 16
/** Longer end tags are left to the reader. */
const endTagBytesMax = 32
const noName = { prefix: "", local: "" }
const noEndTag = Buffer.from([0])

let instantiate: (() => LaneExports) | undefined

/** So many readers can be in the middle of a document; the one that began first gives way to another. */
const lanesMax = 4
/** In the order in which they were taken. */
const lanes: Array<XmlLane> = []

/** What uses a lane. */
export interface LaneOwner {
  /** Is called before another uses the lane. */
  readonly loseLane: () => void
}

/**
 * Passes quickly what was seen before: tags whose every byte is the same as in one that was read with care,
 * and plain text. It notes what is to be reported on a tape of events, and stops before
 * anything else. What it remembers of tags holds in every document.
 */
export class XmlLane {
  readonly #exports: LaneExports
  readonly #memory: Uint8Array
  readonly #words: Int32Array
  readonly #names: Int32Array
  readonly #scopes: Int32Array
  readonly #window: number
  readonly #tape: number
  /** Numbers from 1 for the names of the tags that are remembered. */
  readonly #numbers = new Map<string, number>()
  readonly #spellings: Array<{ readonly prefix: string; readonly local: string }> = []
  /** How often everything was forgotten. */
  #generation = 1
  #owner: LaneOwner | undefined
  /** What is added to the document's scopes, so that they differ from those of every document before. */
  #scopeBase = 0
  #scopeLast = 0
  /** The part of the document that lies in the window. */
  #windowStart = 0
  #windowEnd = 0
  #isTagRepeated = false
  /** The elements that are open, see XmlOpen, and four fields for each event, see xml.wat. */
  readonly open: Int32Array
  readonly tape: Int32Array

  constructor() {
    instantiate ??= compiledModule(xmlModule)
    const exports = instantiate()
    const { buffer } = exports.memory
    this.#exports = exports
    this.#memory = new Uint8Array(buffer)
    this.#words = new Int32Array(buffer)
    this.#names = new Int32Array(buffer, exports.names.value, (nameBytes / wordBytes) * namesMax)
    this.#scopes = new Int32Array(buffer, exports.scopes.value, tagsMax)
    this.#window = exports.window.value
    this.#tape = exports.tape.value / wordBytes
    this.open = new Int32Array(buffer, exports.open.value, openSize * openMax)
    this.tape = new Int32Array(buffer, exports.tape.value)
    this.#words[multiplierAt] = hashMultiplier
    this.#words[multiplierAt + 1] = hashMultiplier
    this.#words[keysEndAt] = exports.keys.value
  }

  /** Whether lanes can be used: what they remember keeps the limits, and the vocabulary fits. */
  static serves(limits: IntakeLimits, vocabulary: XmlVocabulary): boolean {
    return (
      limits.xml_depth_max < openMax &&
      limits.xml_name_bytes_max >= tagBytesMax &&
      limits.xml_attributes_max >= tagBytesMax &&
      limits.xml_attribute_bytes_max >= tagBytesMax &&
      limits.xml_text_bytes_max >= windowBytes &&
      vocabulary.size < textsMax
    )
  }

  /**
   * A lane for a document, until its `release` or until the owner loses it.
   * @param textIn for each element number 1 if its text is reported; undefined: everything is reported
   */
  static take(owner: LaneOwner, depthMax: number, textIn: Uint8Array | undefined): XmlLane {
    // The one that was used last remembers what is most likely to come again.
    const free = lanes.findLastIndex((lane) => lane.#owner === undefined)
    const [found] = free >= 0 || lanes.length === lanesMax ? lanes.splice(Math.max(0, free), 1) : []
    const lane = found ?? new XmlLane()
    lanes.push(lane)
    lane.#owner?.loseLane()
    lane.#owner = owner
    lane.#windowStart = 0
    lane.#windowEnd = 0
    lane.#startScopes()
    lane.#words[depthMaxAt] = depthMax
    lane.#words[allAt] = textIn === undefined ? 1 : 0
    if (textIn !== undefined) lane.#memory.set(textIn, lane.#exports.texts.value)
    return lane
  }

  release(): void {
    this.#owner = undefined
  }

  /** Index in `tape` after the last event. */
  get tapeEnd(): number {
    return (this.#words[tapeEndAt] ?? 0) / wordBytes - this.#tape
  }

  /** Takes the parser with it; false if it stopped before something that the parser has to read. */
  run(parser: XmlParser): boolean {
    const words = this.#words
    const { names } = parser
    if (parser.position >= this.#windowEnd) this.#load(parser.bytes, parser.position)
    words[addressAt] = parser.position - (words[baseAt] ?? 0)
    words[depthAt] = parser.depth
    words[scopeAt] = this.#scope(names)
    words[declaredDepthAt] = names.namespaces.declaredDepth
    const canGoOn = this.#run(parser)
    parser.position = this.#position
    parser.depth = words[depthAt] ?? 0
    return canGoOn
  }

  #run({ bytes, names }: XmlParser): boolean {
    for (;;) {
      const why = this.#exports.run()
      this.#isTagRepeated = why === tagRepeated
      if (this.tapeEnd > 0 && why !== 0 && why !== tagRepeated) return true
      if (why === nameUnresolved) {
        if (!this.#resolve(this.#words[unresolvedAt] ?? 0, names)) return false
      } else if (why === windowEnded) {
        if (this.#position === this.#windowStart || this.#windowEnd === bytes.length) return false
        this.#load(bytes, this.#position)
      } else {
        return why === tapeFull
      }
    }
  }

  /** Where it stopped. */
  get #position(): number {
    return (this.#words[addressAt] ?? 0) + (this.#words[baseAt] ?? 0)
  }

  /** Takes note of the start tag that the parser has just read. */
  note({ bytes, depth, names, tag }: XmlParser): void {
    if (this.#isTagRepeated && !tag.hasDeclarations) this.#remember(bytes, names, tag)
    if (tag.isEmpty) return
    this.open[(depth - 1) * openSize + openNameAt] = this.#nameMet(bytes, names, tag)
  }

  /** The number of a name; 0 for one that is met for the first time. */
  #nameMet(bytes: Buffer, names: XmlNames, tag: XmlTag): number {
    const { mark } = names
    if (mark === 0) {
      names.mark = 1
      return 0
    }
    if (mark >> nameBits === this.#generation) return mark & (namesMax - 1)
    const name = this.#number(bytes.toString("latin1", tag.nameStart, tag.nameEnd))
    this.#setName(name, names)
    names.mark = (this.#generation << nameBits) | name
    return name
  }

  #remember(bytes: Buffer, names: XmlNames, tag: XmlTag): void {
    const length = tag.end - tag.start
    if (length > tagBytesMax || tag.start < this.#windowStart || tag.end > this.#windowEnd) return
    const name = this.#number(bytes.toString("latin1", tag.nameStart, tag.nameEnd))
    const record = this.#exports.remember(tag.start - this.#windowStart + this.#window, length)
    if (record === 0) {
      this.#forget()
      return
    }
    const memory = this.#memory
    memory[record + 10] = tag.isEmpty ? 1 : 0
    memory[record + 11] = tag.hasPrefixes ? 1 : 0
    memory[record + 12] = name & 0xff
    memory[record + 13] = name >> 8
    memory[record + 14] = tag.nameEnd - tag.nameStart
    memory[record + 15] = 0
    this.#setName(name, names)
    this.#scopes[(record - this.#exports.tags.value) / tagBytes] = this.#scope(names)
  }

  #setName(name: number, names: XmlNames): void {
    const at = (name * nameBytes) / wordBytes
    this.#names[at] = this.#scope(names)
    this.#names[at + 1] = names.element
  }

  #scope(names: XmlNames): number {
    const scope = this.#scopeBase + names.namespaces.scope
    if (scope > this.#scopeLast) this.#scopeLast = scope
    return scope
  }

  #startScopes(): void {
    this.#scopeBase = this.#scopeLast + 1
    if (this.#scopeBase < scopeBaseMax) return
    this.#names.fill(0)
    this.#scopes.fill(0)
    this.#scopeBase = 0
    this.#scopeLast = 0
  }

  #number(spelling: string): number {
    const known = this.#numbers.get(spelling)
    if (known !== undefined) return known
    if (this.#numbers.size + 1 === namesMax) this.#forget()
    const number = this.#numbers.size + 1
    this.#numbers.set(spelling, number)
    const written = Buffer.from(spelling, "latin1").toString()
    const colon = written.indexOf(":")
    this.#spellings[number] = {
      prefix: written.slice(0, Math.max(0, colon)),
      local: written.slice(colon + 1),
    }
    const endTag = Buffer.from(`</${spelling}>`, "latin1")
    const at = this.#exports.names.value + number * nameBytes
    this.#memory.fill(0, at, at + nameBytes)
    // A zero stands nowhere in a document, so it makes an end tag that is never met.
    const kept = endTag.length > endTagBytesMax ? noEndTag : endTag
    this.#memory[at + 2 * wordBytes] = kept.length
    this.#memory.set(kept, at + endTagAt)
    return number
  }

  #resolve(name: number, names: XmlNames): boolean {
    const { prefix, local } = this.#spellings[name] ?? noName
    const element = names.elementNamed(prefix, local)
    if (element === undefined) return false
    const at = (name * nameBytes) / wordBytes
    this.#names[at] = this.#scope(names)
    this.#names[at + 1] = element
    return true
  }

  #forget(): void {
    const { tags, keys } = this.#exports
    this.#memory.fill(0, tags.value, tags.value + tagBytes * tagsMax)
    this.#words[tagCountAt] = 0
    this.#words[keysEndAt] = keys.value
    this.#numbers.clear()
    this.#generation++
    for (let open = 0; open < this.open.length; open += openSize) this.open[open + openNameAt] = 0
  }

  #load(bytes: Buffer, start: number): void {
    const end = Math.min(bytes.length, start + windowBytes)
    this.#memory.set(bytes.subarray(start, end), this.#window)
    const address = this.#window + end - start
    this.#memory.fill(0, address, address + fillingBytes)
    this.#words[windowEndAt] = address
    this.#words[baseAt] = start - this.#window
    this.#words[addressAt] = this.#window
    this.#windowStart = start
    this.#windowEnd = end
  }
}
