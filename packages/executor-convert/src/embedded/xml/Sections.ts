import type { End } from "./Translation.ts"

interface Section {
  /** Elements that are open inside of it, itself included, where its children start. */
  readonly depth: number
  readonly fallback: string
  label: string
  isNamed: boolean
}

/** The element of HTML for a heading; the title of the document has level 0. */
export const headingName = (level: number): string => `h${Math.min(6, level + 1)}`

/** The sections that are open. One without a title gets its label, or a name that all of its kind have. */
export class Sections {
  private readonly open: Array<Section> = []
  private readonly write: (heading: string) => void

  constructor(write: (heading: string) => void) {
    this.write = write
  }

  get level(): number {
    return this.open.length
  }

  /** Begins the section whose element is the `depth`-th that is open. */
  begin(fallback: string, depth: number, isNamed = false): End {
    this.open.push({ depth, fallback, label: "", isNamed })
    return () => {
      this.open.pop()
    }
  }

  /** Whether the section itself, and not what is inside of it, is at this depth. */
  isAt(depth: number): boolean {
    return this.open.at(-1)?.depth === depth
  }

  /** To be called where an element starts that is no title, before it is read. */
  nameBefore(depth: number): void {
    const section = this.open.at(-1)
    if (section === undefined || section.isNamed || section.depth !== depth) return
    section.isNamed = true
    const name = [section.label, section.fallback].filter((part) => part !== "").join(" ")
    if (name !== "") this.write(name)
  }

  /** The number that is printed before the title. */
  set label(text: string) {
    const section = this.open.at(-1)
    if (section !== undefined) section.label = text
  }

  /** The title begins: what stands before it. */
  beginTitle(): string {
    const section = this.open.at(-1)
    if (section === undefined) return ""
    section.isNamed = true
    return section.label === "" ? "" : `${section.label} `
  }
}
