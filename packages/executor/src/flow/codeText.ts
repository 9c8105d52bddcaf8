import type { Inline } from "./Inline.ts"

/** Whether a font's name says that all of its characters are equally wide. */
export const isFixedWidth = (font: string): boolean => fixedWidth.test(font)

const fixedWidth =
  /courier|consol|menlo|monaco|cascadia|inconsolata|typewriter|lucida ?console|cmtt|(?:^|\+)(?:(?:t1|tc|r)xb?tt|r?txb?tt|(?:sf|ec|lm)(?:tt|it|st)\d)|(?:source|fira) ?code|anonymous ?pro|iosevka|letter ?gothic|meslo|m ?(?:\+|plus) ?[12]m|mono(?!type)/i

/** Code has shorter lines; a paragraph of prose is one line. */
const codeColumnsMax = 120

/** Whether all lines are as short as those of code. */
export const hasShortLines = (text: string): boolean =>
  text.split("\n").every((line) => line.length <= codeColumnsMax)

/** What a paragraph says of being code. */
export interface CodeEvidence {
  readonly mayBeCode: boolean
  /** Something in it is written as only code is. */
  readonly isCode: boolean
}

/** A paragraph that may be code. */
export interface CodeLine extends CodeEvidence {
  /** Its lines as code shows them. */
  readonly text: string
}

/** Whether lines that stand together are code: all of them may be, and one is, or is indented below another. */
export const areCode = (lines: ReadonlyArray<CodeLine>): boolean =>
  lines.every(({ mayBeCode }) => mayBeCode) &&
  lines.some(({ isCode, text }, index) => isCode || indented.test(index === 0 ? text : `\n${text}`))

const indented = /\n(?: {2,}|\t+)\S/

/** Whether a paragraph in a font of equal widths is code: something in it is written as only code is. */
export const codeEvidence = (inline: Inline): CodeEvidence => {
  const text = inline.text.replace(webAddress, "")
  const beginning = text.slice(0, beginningCharacters)
  const isCode = codeSigns.test(text) || statement.test(beginning) || query.test(beginning)
  return { mayBeCode: inline.isText && (isCode || hasShortLines(inline.text)), isCode }
}

/** Braces, statements' ends, tags, calls, comparisons, assignments, prompts, comments, names with underscores. */
const codeSigns =
  /[{}]|;[ \t]*$|<[/!?]?\w[^@<>]*>|\w\.\w+\(|\w\(\)|[=!<>]=|\w ?= ?["'\w[(]|^[ \t]*(?:[$>#]|\/\/|--|\/\*|@\w)[ \t]?\S|\w_\w/m

/** Code tells so soon, and clauses of SQL are looked for over several lines. */
const beginningCharacters = 10_000

/** Lines that begin as statements and commands do, and as no sentence that wraps. */
const statement = new RegExp(
  `^(?:${[
    "(?:public|private|protected|static) (?:[\\w.]*[A-Z<[]|(?:abstract|async|bool|boolean|char|class|const|double|enum|final|float|int|interface|long|override|readonly|static|string|virtual|void)\\b)",
    "(?:import|namespace|package) \\w+\\.\\w",
    "import (?:[{*\"']|\\w+ (?:from|as) )",
    "(?:function|def) \\w+ ?\\(",
    "(?:if|for|while|switch|catch) ?\\((?:[^()\\n]*[=<>!&|;]|\\w+\\) ?\\{?$)",
    "(?:npm|npx|yarn|pip3?|git|sudo|docker|kubectl|mvn|curl|dotnet) [\\w-]",
  ].join("|")})`,
  "m",
)

/** SQL, which has no signs: its words in capitals. */
const query =
  /^[ \t]*SELECT (?:[\w.]+,|TOP\b|DISTINCT\b|\*|[a-z_]\w*[ \t]*$)|\b(?:SELECT\b[^;]{0,400}\bFROM|INSERT INTO|DELETE FROM|UPDATE \w+\s+SET|(?:CREATE|ALTER|DROP|TRUNCATE) (?:TABLE|DATABASE|VIEW|INDEX|PROC(?:EDURE)?|FUNCTION|TRIGGER)|(?:GROUP|ORDER) BY|PRIMARY KEY|NOT NULL|(?:INNER|LEFT|RIGHT|CROSS|OUTER) JOIN)\b/m

const webAddress = /\bhttps?:\S+/g
