import fc from "fast-check"

const bytesOf = (text: string): Uint8Array => Buffer.from(text)

/** Text of every plane, with much of what this package looks at, and without lone surrogates. */
export const text: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string(),
      fc.constantFrom(
        "\t",
        "\n",
        "\r\n",
        "\f",
        '"',
        "\\",
        "`",
        "```",
        "\u00a0",
        "\u00ff",
        "\u2028",
        "\ufeff",
        "Â",
      ),
      fc.constantFrom("\u0000", "\u0008", "\u000b", "\u001f", "\u007f", "\u0080", "\u009f"),
      fc.nat(70).map((length) => "`".repeat(length)),
      fc.nat(40).map((length) => "a".repeat(length)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join("").toWellFormed())

/** How many spaces stand before a text: often so many that it reaches into the scanner's second chunk. */
export const before: fc.Arbitrary<number> = fc.oneof(
  { weight: 3, arbitrary: fc.nat(40) },
  { weight: 1, arbitrary: fc.nat(80).map((bytes) => 65_536 - bytes) },
)

/** Text, damaged text, and plain bytes. */
export const bytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  text.map(bytesOf),
  fc.uint8Array({ maxLength: 64 }),
  fc
    .tuple(text, fc.uint8Array({ maxLength: 4 }), text)
    .map(([before, middle, after]) => Buffer.concat([bytesOf(before), middle, bytesOf(after)])),
)
