import { isUtf8 } from "node:buffer"
import JSZip from "jszip"
import { mutateXml } from "./mutateXml.ts"

/** Numbers from 0 to 1. */
type Random = () => number
type Bytes = Uint8Array<ArrayBuffer>

const below = (random: Random, bound: number): number => Math.floor(random() * bound)

const pick = <A>(random: Random, values: readonly [A, ...ReadonlyArray<A>]): A =>
  values[below(random, values.length)] ?? values[0]

/** Numbers and words that readers of these formats treat specially. */
const interesting: readonly [string, ...ReadonlyArray<string>] = [
  "\0",
  "\xff\xff\xff\xff",
  "\x00\x00\x00\x80",
  "\xff\xff\xff\x7f",
  "PK\x01\x02",
  "PK\x05\x06",
  "PK\x06\x06",
  "<!DOCTYPE a [<!ENTITY b 'c'>]>",
  "&b;",
  "&#0;",
  "&#x110000;",
  "]]>",
  "<![CDATA[",
  "<a>",
  "</a>",
  "<!--",
  "-->",
  'r:id="rId999"',
  'count="4294967295"',
  'table:number-columns-repeated="1000000000"',
  'gridSpan="99999999"',
  "A1:XFD1048576",
  "../../../../etc/passwd",
  "%PDF-1.7",
  "/Encrypt 1 0 R",
  "/Kids [1 0 R]",
  "9999999999 0 R",
  "endstream",
  "\u202e",
  '"\n',
]

type Mutation = (bytes: Bytes, random: Random) => Bytes

const replaced = (bytes: Bytes, from: number, to: number, middle: Uint8Array): Bytes => {
  const result = new Uint8Array(from + middle.length + bytes.length - to)
  result.set(bytes.subarray(0, from))
  result.set(middle, from)
  result.set(bytes.subarray(to), from + middle.length)
  return result
}

/** Documents must stay below the size limit to be looked at. */
const repeatedBytesMax = 64 * 1024

const mutations: readonly [Mutation, ...ReadonlyArray<Mutation>] = [
  // Single bits and bytes.
  (bytes, random) => {
    const copy = bytes.slice()
    for (let count = 1 + below(random, 8); count > 0; count--) {
      const at = below(random, copy.length)
      copy[at] = (copy[at] ?? 0) ^ (1 << below(random, 8))
    }
    return copy
  },
  (bytes, random) => {
    const copy = bytes.slice()
    for (let count = 1 + below(random, 16); count > 0; count--) {
      copy[below(random, copy.length)] = below(random, 256)
    }
    return copy
  },
  // Truncation, and a missing middle.
  (bytes, random) => bytes.slice(0, below(random, bytes.length)),
  (bytes, random) => {
    const from = below(random, bytes.length)
    return replaced(bytes, from, Math.min(bytes.length, from + 1 + below(random, 512)), new Uint8Array())
  },
  // Repetition, twice or a thousand times.
  (bytes, random) => {
    const from = below(random, bytes.length)
    const piece = Buffer.from(bytes.subarray(from, from + 1 + below(random, 64)))
    const times = pick(random, [1, 2, 10, 1_000])
    return replaced(bytes, from, from, Buffer.alloc(Math.min(repeatedBytesMax, piece.length * times), piece))
  },
  // A piece of the document moved elsewhere.
  (bytes, random) => {
    const from = below(random, bytes.length)
    const piece = bytes.slice(from, from + 1 + below(random, 256))
    const to = below(random, bytes.length)
    return replaced(bytes, to, Math.min(bytes.length, to + piece.length), piece)
  },
  // Significant words.
  (bytes, random) => {
    const word = Buffer.from(pick(random, interesting), "latin1")
    const at = below(random, bytes.length)
    return replaced(bytes, at, random() < 0.5 ? at : Math.min(bytes.length, at + word.length), word)
  },
]

const mutateBytes = (bytes: Bytes, random: Random): Bytes => {
  let result = bytes
  for (let count = 1 + below(random, 3); count > 0 && result.length > 0; count--) {
    result = pick(random, mutations)(result, random)
  }
  return result
}

/** Mutates the contents of an archive and packs it again, so that readers get past the checksums. */
const mutateParts = async (bytes: Bytes, random: Random): Promise<Bytes> => {
  const archive = await JSZip.loadAsync(bytes)
  const names = Object.keys(archive.files).filter((name) => archive.files[name]?.dir === false)
  for (let count = 1 + below(random, 2); count > 0; count--) {
    const texts = names.filter((name) => /\.(xml|rels)$/.test(name))
    const from = random() < 0.9 && texts.length > 0 ? texts : names
    const name = from[below(random, from.length)]
    const file = name === undefined ? undefined : archive.file(name)
    if (name === undefined || file === null || file === undefined) continue
    const part = new Uint8Array(await file.async("arraybuffer"))
    if (random() < 0.03) archive.remove(name)
    else archive.file(name, random() < 0.8 ? mutateMarkup(part, random) : mutateBytes(part, random))
  }
  return new Uint8Array(await archive.generateAsync({ type: "arraybuffer", compression: "DEFLATE" }))
}

/** Changes elements where there are some, and bytes elsewhere. */
const mutateMarkup = (bytes: Bytes, random: Random): Bytes => {
  const text = Buffer.from(bytes).toString("utf8")
  const changed = mutateXml(text, random)
  return changed === text ? mutateBytes(bytes, random) : new Uint8Array(Buffer.from(changed))
}

/** A changed copy of a document, the same for the same random numbers. */
export const mutate = async (bytes: Bytes, random: Random): Promise<Bytes> => {
  const isArchive = bytes[0] === 0x50 && bytes[1] === 0x4b
  if (!isArchive && isUtf8(bytes) && bytes.includes(0x3c)) {
    return random() < 0.5 ? mutateMarkup(bytes, random) : mutateBytes(bytes, random)
  }
  if (!isArchive || random() < 0.1) return mutateBytes(bytes, random)
  try {
    return await mutateParts(bytes, random)
  } catch {
    // The document was no whole archive before.
    return mutateBytes(bytes, random)
  }
}
