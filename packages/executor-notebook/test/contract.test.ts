import { executorContract } from "@atelier/core/testing"
import { NotebookExecutor } from "@atelier/executor-notebook"
import { ParsingPool } from "@atelier/intake"
import { assert } from "@effect/vitest"
import { make, notebook, whole } from "./notebooks.ts"

const document = (name: string, content: string | Uint8Array) => ({
  name,
  filename: "tides.ipynb",
  bytes: Buffer.from(content),
})

executorContract({
  name: "notebook-md-json",
  make: NotebookExecutor.make,
  layer: ParsingPool.layer(),
  accepted: [
    {
      ...document("a notebook with one of everything", whole),
      expect: ({ markdown, warnings }) => {
        assert.include(markdown, "```python\nimport os\n\nprint('hi')\n```\n")
        assert.lengthOf(warnings, 4)
      },
    },
    {
      ...document("a notebook without cells", notebook([])),
      expect: ({ markdown, warnings }) => {
        assert.strictEqual(markdown, "")
        assert.deepStrictEqual(warnings, [{ code: "no_text", message: "The notebook holds no text." }])
      },
    },
    document("a notebook with a byte order mark", `\ufeff${notebook([make.markdown("Größe")])}`),
  ],
  refused: [
    { ...document("an empty file", ""), code: "file_corrupt" },
    { ...document("JSON that is no notebook", "[1]"), code: "file_corrupt" },
    { ...document("nbformat 3", notebook([], { nbformat: 3 })), code: "file_type_not_accepted" },
    { ...document("a ZIP archive", "PK\u0003\u0004\u0014\u0000"), code: "file_type_not_accepted" },
    { ...document("GBK", Uint8Array.of(0x22, 0xc4, 0xe3, 0x22)), code: "file_not_utf8" },
  ],
})
