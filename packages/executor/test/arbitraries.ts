import fc from "fast-check"

const fragments = [
  ..."\\`*_~<>&[](){}!#+-=|:;.\"'/ \t\n\r0123456789abzäЖ漢",
  ..."\u00a0\u200b\ufeff\u2028\u0085\u000b\u000c\u0001😀𝒳",
  ...[
    "**",
    "__",
    "~~",
    "```",
    "~~~",
    "---",
    "===",
    "***",
    "* ",
    "- ",
    "+ ",
    "1. ",
    "1) ",
    "# ",
    "> ",
    "    ",
  ],
  ...[
    "&amp;",
    "&#35;",
    "&#x23;",
    "&lt",
    "<b>",
    "</b>",
    "<!--",
    "-->",
    "<?",
    "<![CDATA[",
    "<http://x>",
    "a@b.c",
  ],
  ...["](", "]:", "][", "![", "[a](b)", "[a]: b\n", "|---|", "| a |\n", ":-:", "word", "3*4", "snake_case"],
]

/** Text that is rich in everything that Markdown gives a meaning. */
export const markdownLike = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fragments) }, fc.string({ unit: "grapheme" })), {
    maxLength: 24,
  })
  .map((parts) => parts.join("").replaceAll("\0", ""))

/** Its lines as a reader sees them: white space at their ends and empty ones are dropped. */
export const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/\r\n?|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
