import { readFile } from "node:fs/promises"
import { assert, it } from "@effect/vitest"
import { compile, modules } from "../../../scripts/build-wasm.ts"

it("the committed WebAssembly is what its text compiles to", async () => {
  for (const { source, target } of modules) {
    assert.strictEqual(await readFile(target, "utf8"), await compile(source))
  }
})
