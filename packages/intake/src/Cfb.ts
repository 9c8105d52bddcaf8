import { Refusal } from "./Refusal.ts"

/** An OLE2 compound file ([MS-CFB]): the container of legacy Office documents and of encrypted OOXML ones. */
export interface CompoundFile {
  /** Names of the streams and storages directly under the root. */
  readonly names: ReadonlyArray<string>
  /** Names of all streams and storages, wherever they are. */
  readonly allNames: ReadonlyArray<string>
  /** A stream directly under the root; undefined if there is none of that name, whose case does not matter. Throws a `Refusal`. */
  readonly read: (name: string) => Buffer | undefined
}

const signature = Buffer.from("d0cf11e0a1b11ae1", "hex")
const headerBytes = 512
const headerFatSectors = 109
const endOfChain = 0xffff_fffe
const freeSector = 0xffff_ffff
const noEntry = 0xffff_ffff
const entryBytes = 128
const miniSectorShift = 6

const typeStorage = 1
const typeStream = 2
const typeRoot = 5

interface Entry {
  readonly name: string
  readonly type: number
  readonly left: number
  readonly right: number
  readonly child: number
  readonly firstSector: number
  readonly bytes: number
}

/**
 * Reads the directory of a compound file in time linear in the file's size, whatever its sectors point to.
 * Throws a `Refusal` with `file_corrupt`.
 */
export const openCompoundFile = (bytes: Uint8Array): CompoundFile => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const sectors = readSectors(file)
  const directory = sectors.gather(file.readUInt32LE(48), file.length)
  const entries = readEntries(directory)
  const [root] = entries
  if (root?.type !== typeRoot) throw corrupt("its directory has no root")
  const children = childrenOf(entries, root)
  const miniStream = () => readMiniSectors(file, sectors, root)
  const cutoff = file.readUInt32LE(56)
  return {
    names: children.map(({ name }) => name),
    allNames: entries
      .filter(({ type }) => type === typeStorage || type === typeStream)
      .map(({ name }) => name),
    read: (name) => {
      const entry = children.find(
        (child) => child.type === typeStream && child.name.toLowerCase() === name.toLowerCase(),
      )
      if (entry === undefined) return undefined
      const from = entry.bytes < cutoff ? miniStream() : sectors
      const stream = from.gather(entry.firstSector, entry.bytes)
      if (stream.length < entry.bytes) throw corrupt("a stream is shorter than the directory says")
      return stream
    },
  }
}

const corrupt = (fault: string): Refusal =>
  new Refusal("file_corrupt", `The compound file (OLE2) is damaged: ${fault}.`)

/** Sectors in chains. */
interface Sectors {
  /** The bytes of a chain, at most `bytesMax` of them. */
  readonly gather: (first: number, bytesMax: number) => Buffer
}

/**
 * @param bytes the sectors one behind the other
 * @param next the sector that follows on one
 */
const chained = (bytes: Buffer, shift: number, next: (sector: number) => number): Sectors => ({
  gather: (first, bytesMax) => {
    const count = Math.ceil(bytes.length / 2 ** shift)
    const parts: Array<Buffer> = []
    let length = 0
    for (let sector = first; sector !== endOfChain && length < bytesMax; sector = next(sector)) {
      if (sector >= count) throw corrupt(`a chain leads to sector ${sector}, but there are only ${count}`)
      if (parts.length >= count) throw corrupt("a chain of sectors runs in a circle")
      const part = bytes.subarray(
        sector << shift,
        Math.min((sector + 1) << shift, (sector << shift) + bytesMax - length),
      )
      parts.push(part)
      length += part.length
    }
    return Buffer.concat(parts)
  },
})

const readSectors = (file: Buffer): Sectors => {
  if (file.length < headerBytes || !file.subarray(0, signature.length).equals(signature)) {
    throw corrupt("it has no header")
  }
  const shift = file.readUInt16LE(30)
  if (shift !== 9 && shift !== 12) throw corrupt(`its sectors have 2^${shift} bytes; known are 2^9 and 2^12`)
  const sectors = file.subarray(1 << shift)
  const table = readTable(file, sectors, shift)
  return chained(sectors, shift, (sector) => {
    const tableSector = table[sector >> (shift - 2)]
    if (tableSector === undefined) throw corrupt(`sector ${sector} is not in its table`)
    return sectorValue(sectors, shift, tableSector, sector % 2 ** (shift - 2))
  })
}

/** One of the 32-bit values that a sector of a table consists of. */
const sectorValue = (sectors: Buffer, shift: number, sector: number, index: number): number => {
  const at = sector * 2 ** shift + index * 4
  if (at + 4 > sectors.length) throw corrupt(`its table leads to sector ${sector}, which is not there`)
  return sectors.readUInt32LE(at)
}

/** The sectors that hold the table of chains (FAT), as many as the file's size needs. */
const readTable = (file: Buffer, sectors: Buffer, shift: number): ReadonlyArray<number> => {
  const values = 2 ** (shift - 2)
  const needed = Math.ceil(sectors.length / 2 ** shift / values)
  const table: Array<number> = []
  for (let index = 0; index < headerFatSectors && table.length < needed; index++) {
    const sector = file.readUInt32LE(76 + index * 4)
    if (sector === freeSector) return table
    table.push(sector)
  }
  for (let sector = file.readUInt32LE(68); table.length < needed && sector < endOfChain; ) {
    for (let index = 0; index < values - 1 && table.length < needed; index++) {
      table.push(sectorValue(sectors, shift, sector, index))
    }
    sector = sectorValue(sectors, shift, sector, values - 1)
  }
  return table
}

/** Small streams lie in sectors of 64 bytes within a stream of the root's. */
const readMiniSectors = (file: Buffer, sectors: Sectors, root: Entry): Sectors => {
  const table = sectors.gather(file.readUInt32LE(60), file.length)
  const miniStream = sectors.gather(root.firstSector, root.bytes)
  return chained(miniStream, miniSectorShift, (sector) => {
    if (sector * 4 + 4 > table.length) throw corrupt(`small sector ${sector} is not in its table`)
    return table.readUInt32LE(sector * 4)
  })
}

const readEntries = (directory: Buffer): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  for (let at = 0; at + entryBytes <= directory.length; at += entryBytes) {
    const nameBytes = Math.min(Math.max(directory.readUInt16LE(at + 64) - 2, 0), 62)
    entries.push({
      name: directory.toString("utf16le", at, at + nameBytes),
      type: directory.readUInt8(at + 66),
      left: directory.readUInt32LE(at + 68),
      right: directory.readUInt32LE(at + 72),
      child: directory.readUInt32LE(at + 76),
      firstSector: directory.readUInt32LE(at + 116),
      bytes: directory.readUInt32LE(at + 120),
    })
  }
  return entries
}

/** The entries of the tree that an entry's `child` is the root of. */
const childrenOf = (entries: ReadonlyArray<Entry>, parent: Entry): ReadonlyArray<Entry> => {
  const children: Array<Entry> = []
  const pending = [parent.child]
  for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
    if (index === noEntry) continue
    const entry = entries[index]
    if (entry === undefined) throw corrupt(`its directory speaks of entry ${index}, which is not there`)
    if (children.length >= entries.length) throw corrupt("its directory runs in a circle")
    children.push(entry)
    pending.push(entry.left, entry.right)
  }
  return children
}
