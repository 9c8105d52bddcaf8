import { markdownLimits } from "../Limits.ts"
import { markdownLink } from "../markdownLink.ts"
import type { Budget } from "./Budget.ts"
import { lowered, raised } from "./CharacterFormat.ts"
import { emphasise, escapeApart, type Stretch } from "./emphasise.ts"
import { scriptMarkdown, scriptText } from "./scripts.ts"

/** A part of a paragraph: text within one link, code, raised or lowered text, or Markdown as it is. */
interface Group {
  readonly link: string
  readonly markdown: string
  readonly kind: "text" | "code" | "raised" | "lowered" | "markdown"
  readonly stretches: Array<Stretch>
}

/** Collects the text of one paragraph, as a word processor stores it: in stretches that break anywhere. */
export class Inline {
  #groups: Array<Group> = []
  /** What was added last is no part of the words after it. */
  #isApart = false
  readonly #budget: Budget | undefined

  /** `budget` counts the text and its links. */
  constructor(budget?: Budget) {
    this.#budget = budget
  }

  /** `format` is a sum of bits; `link` the target, empty for none. Line feeds are line breaks. */
  add(text: string, format: number, link: string): void {
    if ((format & (raised | lowered)) === 0) this.#add(text, format, link)
    else this.#addScript(text, format & ~(raised | lowered), link, (format & raised) !== 0)
  }

  /** Adds text that is no part of the words around it, such as what a picture shows. */
  addApart(text: string, format: number, link: string): void {
    this.#isApart = endsInWord.test(this.#groups.at(-1)?.stretches.at(-1)?.text ?? "")
    this.add(text, format, link)
    this.#isApart = true
  }

  /** Text above or below the line that no characters show goes on in one element. */
  #addScript(text: string, format: number, link: string, isRaised: boolean): void {
    const kind = isRaised ? "raised" : "lowered"
    const last = this.#groups.at(-1)
    const before = last?.stretches.at(-1)?.text.slice(-countedCharactersMax) ?? ""
    const written = last?.kind === kind ? undefined : scriptText(text, isRaised, before)
    if (written !== undefined) this.#add(written, format, link)
    else if (text !== "") {
      if (last?.kind !== kind) this.#budget?.spend(scriptBytes)
      this.#add(text, 0, "", kind)
    }
  }

  /** Adds code; line feeds are spaces. */
  addCode(text: string, link: string): void {
    this.#add(text.replaceAll("\n", " "), 0, link, "code")
  }

  #add(text: string, format: number, link: string, kind: Group["kind"] = "text"): void {
    if (text === "") return
    const isSplit = this.#isApart && beginsWithWord.test(text)
    this.#isApart = false
    if (isSplit) this.#add(" ", 0, "")
    this.#budget?.spend(text.length)
    const target = isLinkable(link) ? link : ""
    let group = this.#groups.at(-1)
    if (group === undefined || group.link !== target || group.kind !== kind) {
      this.#budget?.spend(target.length)
      group = { link: target, markdown: "", kind, stretches: [] }
      this.#groups.push(group)
    }
    const last = group.stretches.at(-1)
    if (last?.format === format) last.text += text
    else group.stretches.push({ text, format })
  }

  /** Adds Markdown that is no text, such as a reference. */
  addMarkdown(markdown: string): void {
    this.#groups.push({ link: "", markdown, kind: "markdown", stretches: [] })
  }

  get isEmpty(): boolean {
    return this.#groups.every(
      ({ markdown, stretches }) => markdown === "" && stretches.every(({ text }) => text.trim() === ""),
    )
  }

  /** The paragraph as code shows it, without links and emphasis. */
  get text(): string {
    return this.#groups.map((group) => group.markdown + textOf(group)).join("")
  }

  /** Whether it is nothing but text: no equations, notes, raised or lowered text. */
  get isText(): boolean {
    return this.#groups.every(({ kind }) => kind === "text")
  }

  /** Whether it is nothing but text, without links and emphasis. */
  get isPlain(): boolean {
    return this.#groups.every(
      ({ link, kind, stretches }) =>
        link === "" && (kind === "text" || kind === "code") && stretches.every(({ format }) => format === 0),
    )
  }

  /** The paragraph as Markdown. Without `emphasis` no text is bold or italic. */
  toMarkdown(emphasis = true): string {
    const marked = emphasis ? this.#groups : this.#groups.map(withoutEmphasis)
    const groups = withWholeCode(marked.map(withSingleSpaces))
    const [only] = groups
    if (groups.length === 1 && only?.link === "" && only.kind === "text" && only.stretches.length === 1) {
      const [{ text, format } = nothing] = only.stretches
      if (format === 0) return escapeApart(text)
    }
    return groups.map((group, index) => groupMarkdown(group, groups[index - 1], groups[index + 1])).join("")
  }
}

const scriptBytes = 11

/** Of a number that an ending may stand behind. */
const countedCharactersMax = 8

const beginsWithWord = /^[\p{L}\p{N}]/u
const endsInWord = /[\p{L}\p{N}]$/u

const nothing: Stretch = { text: "", format: 0 }

/** Longer targets are not usable addresses, and they would be repeated for each link. */
const isLinkable = (target: string): boolean =>
  target !== "" &&
  target.length <= markdownLimits.link_characters_max &&
  markdownLink("text", target) !== "text"

const withoutEmphasis = (group: Group): Group => ({
  ...group,
  stretches: group.stretches.length === 0 ? [] : [{ text: textOf(group), format: 0 }],
})

/** Outside of code Markdown shows several spaces as one. */
const withSingleSpaces = (group: Group): Group => {
  if (group.kind !== "text" || group.stretches.every(({ text }) => !text.includes("  "))) return group
  const stretches = group.stretches.map(({ text, format }) => ({ text: text.replace(/ {2,}/g, " "), format }))
  return { ...group, stretches }
}

/** Code of which each word was marked for itself is one. */
const withWholeCode = (groups: ReadonlyArray<Group>): ReadonlyArray<Group> => {
  const whole: Array<Group> = []
  let end = 0
  groups.forEach((group, at) => {
    if (at < end) return
    end = at + 1
    while (goesOn(group, groups[end], groups[end + 1])) end += 2
    const parts = groups.slice(at, end)
    whole.push(
      parts.length === 1 ? group : { ...group, stretches: parts.flatMap(({ stretches }) => stretches) },
    )
  })
  return whole
}

const goesOn = (code: Group, space: Group | undefined, next: Group | undefined): boolean =>
  code.kind === "code" &&
  next?.kind === "code" &&
  next.link === code.link &&
  space?.kind === "text" &&
  space.link === code.link &&
  textOf(space) === " "

const textOf = ({ stretches }: Group): string => stretches.map(({ text }) => text).join("")

const groupMarkdown = (group: Group, before: Group | undefined, after: Group | undefined): string => {
  if (group.kind === "markdown") return group.markdown
  if (group.kind === "code") return codeMarkdown(group)
  if (group.kind !== "text") return scriptMarkdown(textOf(group), group.kind === "raised")
  if (group.link === "") {
    const text = emphasise(group.stretches, edge(before, -1), edge(after, 0))
    // What follows a reference could make a link of it, or a note.
    return before?.markdown.endsWith("]") === true && /^[(:]/.test(text) ? `\\${text}` : text
  }
  const text = textOf(group)
  if (text.trim() === "") return text
  // White space around a link is no part of it.
  const leading = text.slice(0, text.length - text.trimStart().length)
  const trailing = text.slice(text.trimEnd().length)
  const label = emphasise(group.stretches, "[", "]").trim()
  return leading + markdownLink(label, group.link) + trailing
}

/** Code of nothing but white space is that; the marks are longer than every run of them inside. */
const codeMarkdown = (group: Group): string => {
  const text = textOf(group)
  if (text.trim() === "") return text
  const ticks = "`".repeat(1 + longestRun(text))
  const edge = /^`|`$|^ .* $/.test(text) ? " " : ""
  const code = ticks + edge + text + edge + ticks
  return group.link === "" ? code : markdownLink(code, group.link)
}

const longestRun = (text: string): number =>
  text.match(/`+/g)?.reduce((longest, run) => Math.max(longest, run.length), 0) ?? 0

/** The character that a neighbour's Markdown shows at this side. */
const edge = (group: Group | undefined, side: 0 | -1): string => {
  if (group === undefined) return ""
  if (group.link !== "" || group.kind !== "text") return side === 0 ? "[" : ")"
  return textOf(group).at(side) ?? ""
}
