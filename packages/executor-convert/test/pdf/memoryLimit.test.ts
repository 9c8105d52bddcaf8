import { expect, it } from "vitest"
import { withMemoryLimit } from "../../src/embedded/pdf/Pdfium.ts"
import { convertLimits } from "../../src/Limits.ts"

/** How often memory counts as refused, when PDFium asks for `bytes` and the system answers as said. */
const refusals = (bytes: number, system: boolean): number => {
  let refused = 0
  const imports = withMemoryLimit({ env: { emscripten_resize_heap: () => system } }, () => {
    refused += 1
  })
  const resize = imports["env"]?.["emscripten_resize_heap"]
  if (typeof resize === "function") resize(bytes)
  return refused
}

it.for([
  { bytes: 1_000_000, system: true, expected: 0 },
  { bytes: convertLimits.pdf_memory_bytes_max + 1, system: true, expected: 1 },
  { bytes: 1_000_000, system: false, expected: 1 },
])(
  "memory counts as refused by the limit, and by the system before it: %o",
  ({ bytes, system, expected }) => {
    expect(refusals(bytes, system)).toBe(expected)
  },
)
