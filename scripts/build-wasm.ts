import { readFile } from "node:fs/promises"
import wabt from "wabt"

/** Each WebAssembly text file, and the module that carries its compiled bytes as base64. */
export const modules = [
  {
    source: new URL("../packages/intake/src/wasm/text.wat", import.meta.url),
    target: new URL("../packages/intake/src/wasm/text.ts", import.meta.url),
  },
]

/** The TypeScript that `target` must hold for the WebAssembly text at `source`. */
export const compile = async (source: URL): Promise<string> => {
  const { parseWat } = await wabt()
  const parsed = parseWat(source.pathname, await readFile(source, "utf8"), { simd: true })
  parsed.validate()
  const { buffer } = parsed.toBinary({})
  return [
    `/** ${buffer.length} bytes of WebAssembly, compiled from text.wat by scripts/build-wasm.ts. */`,
    "export const textModule =",
    `  "${Buffer.from(buffer).toString("base64")}"`,
    "",
  ].join("\n")
}
