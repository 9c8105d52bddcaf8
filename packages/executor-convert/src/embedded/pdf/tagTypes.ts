/** What an element of a tag tree is here. Any other type groups what is in it. */
export type Role =
  | "heading"
  | "paragraph"
  | "list"
  | "item"
  | "label"
  | "table"
  | "figure"
  | "note"
  | "entry"
  | "inline"
  | "group"

const roles: Readonly<Record<string, Role>> = {
  P: "paragraph",
  Caption: "paragraph",
  BibEntry: "paragraph",
  Title: "heading",
  H: "heading",
  L: "list",
  LI: "item",
  Lbl: "label",
  Table: "table",
  Figure: "figure",
  Formula: "figure",
  Note: "note",
  FENote: "note",
  TOCI: "entry",
  Span: "inline",
  Quote: "inline",
  Reference: "inline",
  Code: "inline",
  Link: "inline",
  Annot: "inline",
  Ruby: "inline",
  RB: "inline",
  Warichu: "inline",
  WT: "inline",
  Em: "inline",
  Strong: "inline",
  Sub: "inline",
  NonStruct: "inline",
}

const heading = /^H([1-9]\d?)$/

export const roleOf = (type: string): Role => roles[type] ?? (heading.test(type) ? "heading" : "group")

const levelMax = 6

/** The level of a heading; one without a number has that of the sections around it. */
export const levelOf = (type: string, sections: number): number =>
  Math.min(levelMax, type === "H" ? Math.max(1, sections) : Number(heading.exec(type)?.[1] ?? 1))
