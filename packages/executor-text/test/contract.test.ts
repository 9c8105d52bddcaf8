import { executorContract } from "@atelier/core/testing"
import { TextExecutor } from "@atelier/executor-text"
import { ParsingPool } from "@atelier/intake"
import { assert } from "@effect/vitest"

const document = (filename: string, text: string) => ({ name: filename, filename, bytes: Buffer.from(text) })

executorContract({
  name: "text-md-json",
  make: TextExecutor.make,
  layer: ParsingPool.layer(),
  accepted: [
    {
      ...document("notes.md", "# Größe\n\nas *it* is"),
      expect: ({ markdown }) => assert.strictEqual(markdown, "# Größe\n\nas *it* is"),
    },
    {
      ...document("list.csv", '\ufeffa,"b"\n'),
      expect: ({ markdown }) => assert.strictEqual(markdown, '```csv\na,"b"\n```\n'),
    },
    { ...document("script.sh", "#!/bin/sh\nexit 1\n") },
    {
      ...document("empty.txt", ""),
      expect: ({ warnings }) => assert.strictEqual(warnings[0]?.code, "empty_file"),
    },
  ],
  refused: [
    { ...document("virus.exe", "text"), code: "file_type_not_accepted" },
    { ...document("archive.txt", "PK\u0003\u0004\u0014\u0000"), code: "file_type_not_accepted" },
    { ...document("control.txt", "a\u0000"), code: "file_not_utf8" },
    { name: "gbk.txt", filename: "gbk.txt", bytes: Uint8Array.of(0xc4, 0xe3), code: "file_not_utf8" },
  ],
})
