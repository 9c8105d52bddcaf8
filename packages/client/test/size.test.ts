import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { expect, it } from "vitest"

const gzippedBytesMax = 10_000

it("the whole client is less than 10 kB, minified and compressed, and takes nothing along", async () => {
  const bundle = await rolldown({
    input: new URL("../src/index.ts", import.meta.url).pathname,
    platform: "browser",
  })
  const { output } = await bundle.generate({ format: "esm", minify: true })
  expect(output.length).toBe(1)
  const [{ code, imports }] = output
  expect(imports).toEqual([])
  expect(gzipSync(code).length).toBeLessThan(gzippedBytesMax)
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
  expect(manifest.dependencies ?? {}).toEqual({})
})
