import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import wabt from "wabt"

/** Each WebAssembly text file, and the module that carries its compiled bytes as base64. */
export const modules = ["text", "xml"].map((name) => ({
  source: new URL(`../packages/intake/src/wasm/${name}.wat`, import.meta.url),
  target: new URL(`../packages/intake/src/wasm/${name}.ts`, import.meta.url),
}))

/** The TypeScript that `target` must hold for the WebAssembly text at `source`. */
export const compile = async (source: URL): Promise<string> => {
  const { parseWat } = await wabt()
  const parsed = parseWat(source.pathname, await readFile(source, "utf8"), { simd: true })
  parsed.validate()
  const { buffer } = parsed.toBinary({})
  const name = basename(source.pathname, ".wat")
  return [
    `/** ${buffer.length} bytes of WebAssembly, compiled from ${name}.wat by scripts/build-wasm.ts. */`,
    `export const ${name}Module =`,
    `  "${Buffer.from(buffer).toString("base64")}"`,
    "",
  ].join("\n")
}
