import { compiledModule } from "./wasm/instantiate.ts"
import { textModule } from "./wasm/text.ts"

/** The findings of one pass over a text. Offsets and sizes are bytes. */
export interface TextScan {
  /**
   * Offset of the first of U+0000 to U+0008, U+000B, U+000E to U+001F and U+007F. The scan ends there: the
   * rest of the findings speak of the text before it only.
   */
  readonly illegalControlAt: number | undefined
  /** Offset of the first of U+0080 to U+009F, which are legal and suspicious. */
  readonly c1ControlAt: number | undefined
  /** How many bytes longer the text gets inside a JSON string. */
  readonly jsonGrowth: number
  /** Length of the longest run of backticks. */
  readonly longestBacktickRun: number
}

interface Counter {
  value: number
}

interface TextExports {
  readonly memory: { readonly buffer: ArrayBuffer }
  readonly input_capacity: Counter
  readonly output: Counter
  readonly short_escapes: Counter
  readonly c1: Counter
  readonly run: Counter
  readonly longest_run: Counter
  readonly scan: (length: number) => number
  readonly escape: (length: number) => number
}

/** The module reads one block of sixteen bytes past a chunk, and one byte more. */
const fillingBytes = 17
const space = 0x20

const load = () => {
  const exports = compiledModule<TextExports>(textModule)()
  return {
    exports,
    memory: new Uint8Array(exports.memory.buffer),
    capacity: exports.input_capacity.value,
    output: exports.output.value,
  }
}

let loaded: ReturnType<typeof load> | undefined

/** Scans UTF-8 text. For bytes that are not UTF-8 only `illegalControlAt` means anything. */
export const scanText = (bytes: Uint8Array): TextScan => {
  loaded ??= load()
  const { exports, memory, capacity } = loaded
  exports.short_escapes.value = 0
  exports.run.value = 0
  exports.longest_run.value = 0
  let c1ControlAt: number | undefined
  let illegalControlAt: number | undefined
  for (let start = 0; start < bytes.length && illegalControlAt === undefined; start += capacity) {
    const chunk = bytes.subarray(start, start + capacity)
    memory.set(chunk)
    memory.fill(space, chunk.length, chunk.length + fillingBytes)
    memory[chunk.length] = bytes[start + chunk.length] ?? space
    exports.c1.value = -1
    const illegal = exports.scan(chunk.length)
    if (illegal >= 0) illegalControlAt = start + illegal
    if (exports.c1.value >= 0) c1ControlAt ??= start + exports.c1.value
  }
  return {
    illegalControlAt,
    c1ControlAt,
    jsonGrowth: exports.short_escapes.value,
    longestBacktickRun: exports.longest_run.value,
  }
}

/**
 * Passes the bytes of UTF-8 text to `sink` in pieces, escaped as they stand between the quotes of a JSON
 * string. A piece is a view that the next one overwrites: the sink copies it or writes it out at once.
 */
export const escapeJson = (bytes: Uint8Array, sink: (piece: Uint8Array) => void): void => {
  loaded ??= load()
  const { exports, memory, capacity, output } = loaded
  for (let start = 0; start < bytes.length; start += capacity) {
    const chunk = bytes.subarray(start, start + capacity)
    memory.set(chunk)
    memory.fill(space, chunk.length, chunk.length + fillingBytes)
    sink(memory.subarray(output, output + exports.escape(chunk.length)))
  }
}
