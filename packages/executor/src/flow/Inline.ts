import { markdownLimits } from "../Limits.ts"
import { markdownLink } from "../markdownLink.ts"
import type { Budget } from "./Budget.ts"
import { lowered, raised } from "./CharacterFormat.ts"
import { emphasise, escapeApart, type Stretch } from "./emphasise.ts"
import { scriptMarkdown, scriptText } from "./scripts.ts"

/** A part of a paragraph: text within one link, or Markdown as it is. */
interface Group {
  readonly link: string
  readonly markdown: string
  readonly stretches: Array<Stretch>
}

/** Collects the text of one paragraph, as a word processor stores it: in stretches that break anywhere. */
export class Inline {
  #groups: Array<Group> = []
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

  #addScript(text: string, format: number, link: string, isRaised: boolean): void {
    const written = scriptText(text, isRaised)
    if (written !== undefined) this.#add(written, format, link)
    else {
      this.#budget?.spend(text.length + scriptBytes)
      this.addMarkdown(scriptMarkdown(text, isRaised))
    }
  }

  #add(text: string, format: number, link: string): void {
    if (text === "") return
    this.#budget?.spend(text.length)
    const target = isLinkable(link) ? link : ""
    let group = this.#groups.at(-1)
    if (group === undefined || group.link !== target || group.markdown !== "") {
      this.#budget?.spend(target.length)
      group = { link: target, markdown: "", stretches: [] }
      this.#groups.push(group)
    }
    const last = group.stretches.at(-1)
    if (last?.format === format) last.text += text
    else group.stretches.push({ text, format })
  }

  /** Adds Markdown that is no text, such as a reference. */
  addMarkdown(markdown: string): void {
    this.#groups.push({ link: "", markdown, stretches: [] })
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

  /** Whether it is nothing but text, without links and emphasis. */
  get isPlain(): boolean {
    return this.#groups.every(
      ({ link, markdown, stretches }) =>
        link === "" && markdown === "" && stretches.every(({ format }) => format === 0),
    )
  }

  /** The paragraph as Markdown. Without `emphasis` no text is bold or italic. */
  toMarkdown(emphasis = true): string {
    const groups = emphasis ? this.#groups : this.#groups.map(withoutEmphasis)
    const [only] = groups
    if (groups.length === 1 && only !== undefined && only.link === "" && only.stretches.length === 1) {
      const [{ text, format } = nothing] = only.stretches
      if (format === 0) return escapeApart(text)
    }
    return groups.map((group, index) => groupMarkdown(group, groups[index - 1], groups[index + 1])).join("")
  }
}

const scriptBytes = 11

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

const textOf = ({ stretches }: Group): string => stretches.map(({ text }) => text).join("")

const groupMarkdown = (group: Group, before: Group | undefined, after: Group | undefined): string => {
  if (group.markdown !== "") return group.markdown
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

/** The character that a neighbour's Markdown shows at this side. */
const edge = (group: Group | undefined, side: 0 | -1): string => {
  if (group === undefined) return ""
  if (group.link !== "" || group.markdown !== "") return side === 0 ? "[" : ")"
  return textOf(group).at(side) ?? ""
}
