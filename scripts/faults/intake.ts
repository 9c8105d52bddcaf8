import { type Fault, faultsOf } from "./fault.ts"

const tests = ["packages/intake/test/Zip", "packages/intake/test/OfficePackage"]
const xml = ["packages/intake/test/Xml"]

/** Documents that are crafted to harm their reader, and text that is crafted to be read as Markdown. */
export const intake: ReadonlyArray<Fault> = [
  ...faultsOf("packages/intake/src/Zip.ts", tests, [
    [
      "what expands beyond the limit is taken",
      "if (total > limits.archive_expanded_bytes_max) {",
      "if (total > limits.archive_expanded_bytes_max * 1000) {",
    ],
    ["a name may be there twice", 'if (keys.has(key)) throw entryCorrupt(record, "is there twice")', ""],
    [
      "a checksum is not compared",
      'if (crc32(bytes) !== entry.crc) throw entryCorrupt(entry, "has another checksum than its headers say")',
      "",
    ],
    ["a size is not compared", "if (bytes.length !== entry.expandedBytes) {", "if (bytes.length < 0) {"],
    [
      "an entry expands as far as it likes",
      "maxOutputLength: Math.max(room, 1),",
      "maxOutputLength: 2 ** 30,",
    ],
    [
      "bytes behind compressed data are taken",
      "rejectGarbageAfterEnd: true,",
      "rejectGarbageAfterEnd: false,",
    ],
  ]),
  ...faultsOf("packages/intake/src/ZipDirectory.ts", tests, [
    [
      "one entry more than allowed is taken",
      "if (bounds.entries > limits.archive_entries_max) {",
      "if (bounds.entries > limits.archive_entries_max + 1) {",
    ],
    ["bytes in the directory belong to no entry", "if (at !== bounds.endsAt) {", "if (at > bounds.endsAt) {"],
  ]),
  ...faultsOf("packages/intake/src/ZipLayout.ts", tests, [
    ["entries overlap", "if (entry.headerAt < at) {", "if (entry.headerAt < 0) {"],
    [
      "bytes between entries belong to none",
      "if (entry.headerAt > at) throw foreignBytes(at, entry.headerAt)",
      "",
    ],
    [
      "bytes before the directory belong to no entry",
      "if (at < directory.startsAt) throw foreignBytes(at, directory.startsAt)",
      "",
    ],
    [
      "an entry has two names",
      'if (!archive.subarray(nameAt, extraAt).equals(record.nameBytes)) throw disagreement(record, "another name")',
      "",
    ],
    [
      "an entry has two sizes",
      'if (sizes.expanded !== record.expandedBytes) throw disagreement(record, "another size")',
      "",
    ],
    [
      "an encrypted entry is read",
      "(flagEncrypted | flagStrongEncryption | flagMaskedHeader)",
      "(flagStrongEncryption | flagMaskedHeader)",
    ],
  ]),
  ...faultsOf("packages/intake/src/ZipName.ts", tests, [
    [
      "a name leads out of the archive",
      String.raw`if (/(^|\/)\.\.?(\/|$)/.test(name)) return 'holds "." or ".."'`,
      "",
    ],
    ["a name is absolute", 'if (name.startsWith("/")) return "is absolute"', ""],
    [
      "a name holds a control character",
      'if (controlCharacter.test(name)) return "holds a control character"',
      "",
    ],
    [
      "names that differ in case are two",
      ": // Nearly every name; much faster.\n      name.toLowerCase()",
      ": name",
    ],
  ]),
  ...faultsOf("packages/intake/src/XmlParser.ts", xml, [
    [
      "one level more than allowed is read",
      "if (this.depth >= this.#limits.xml_depth_max) {",
      "if (this.depth > this.#limits.xml_depth_max) {",
    ],
    [
      "one attribute more than allowed is read",
      "if (this.attributes.count > this.#limits.xml_attributes_max) {",
      "if (this.attributes.count > this.#limits.xml_attributes_max + 1) {",
    ],
    ["there may be a second root", "if (this.depth === 0 && this.#hasRoot) {", "if (false as boolean) {"],
    [
      "an undeclared prefix is taken",
      "if (!this.names.resolve(start, colon, end, hash)) {",
      "if (!this.names.resolve(start, colon, end, hash) && start < 0) {",
    ],
    [
      "a document type is passed over",
      "if (this.#hasType || !this.source.isLenient) return undefined",
      "if (this.#hasType) return undefined",
      [...xml, ...tests],
    ],
  ]),
  ...faultsOf("packages/intake/src/XmlScanner.ts", xml, [
    [
      "character data has no limit",
      "if (end - start <= this.#limits.xml_text_bytes_max) return",
      "if (end >= start) return",
    ],
  ]),
  ...faultsOf("packages/intake/src/OfficePackage.ts", tests, [
    [
      "a document of another kind is taken",
      "if (kind.format !== expected) throw isOther(kind.name, formatNames[expected])",
      "",
    ],
    [
      "the parts of a document are not checked",
      "      verifyXml(bytes, { source: name, limits, isLenient })",
      "      return",
    ],
  ]),
  ...faultsOf(
    "packages/intake/src/Utf8.ts",
    ["packages/intake/test/Utf8"],
    [
      ["an overlong sequence is text", "lead < 0xc2 || lead > 0xf4", "lead < 0xc0 || lead > 0xf4"],
      ["a surrogate is text", "(lead === 0xed && second > 0x9f)", "(lead === 0xed && second > 0xbf)"],
    ],
  ),
  ...faultsOf(
    "packages/intake/src/Json.ts",
    ["packages/intake/test/Json"],
    [
      [
        "one level more than allowed is read",
        "if (++this.#depth > json_depth_max)",
        "if (this.#depth++ > json_depth_max)",
      ],
      [
        "one key more than allowed is read",
        "if (++this.#keys > json_keys_max)",
        "if (this.#keys++ > json_keys_max)",
      ],
      [
        "one value more than allowed is read",
        "if (this.#items - this.#keys > this.#limits.json_values_max) throw",
        "if (this.#items - this.#keys > this.#limits.json_values_max + 1) throw",
      ],
      ["an escaped quote ends a string", "if (slashes % 2 === 0) return found", "return found"],
    ],
  ),
  ...faultsOf(
    "packages/intake/src/Cfb.ts",
    ["packages/intake/test/Cfb"],
    [
      [
        "sectors run in a circle",
        'if (parts.length >= count) throw corrupt("a chain of sectors runs in a circle")',
        "",
      ],
      [
        "a chain leads out of the file",
        "if (sector >= count) throw corrupt(`a chain leads to sector ${sector}, but there are only ${count}`)",
        "",
      ],
    ],
  ),
  ...faultsOf(
    "packages/executor/src/escapeMarkdown.ts",
    ["packages/executor/test"],
    [
      [
        "text begins an HTML tag",
        String.raw`const special = /[\\${"`"}*_~<&\]]/`,
        String.raw`const special = /[\\${"`"}*_~&\]]/`,
      ],
      [
        "text ends a link",
        String.raw`const special = /[\\${"`"}*_~<&\]]/`,
        String.raw`const special = /[\\${"`"}*_~<&]/`,
      ],
    ],
  ),
]
