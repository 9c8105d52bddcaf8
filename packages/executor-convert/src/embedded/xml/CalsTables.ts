import type { Attributes } from "./Translation.ts"
import { readTags, type XmlHandler } from "./XmlTags.ts"

/** More columns than this are not told apart by their widths. */
const columnsMax = 1_000

/** In points; widths in other units than these say nothing beside others. */
const units: Readonly<Record<string, number>> = {
  "": 1,
  pt: 1,
  px: 0.75,
  pi: 12,
  pc: 12,
  mm: 2.8346,
  cm: 28.346,
  in: 72,
}

const widthOf = (width: string | undefined): number => {
  const [, number = "", unit = ""] = /^\s*(\d{1,6}(?:\.\d{1,6})?)\s*([a-z]*|\*)\s*$/i.exec(width ?? "") ?? []
  return Number(number || Number.NaN) * (unit === "*" ? 1 : (units[unit.toLowerCase()] ?? Number.NaN))
}

/** For each group of a table and each of its columns the lines on which it begins; the last is the end. */
type Grid = ReadonlyArray<ReadonlyArray<number>>

/** A share of the width within which two lines are one. */
const tolerance = 0.01

/**
 * The tables of the CALS model (OASIS TR 9503) in a document, in their order. Groups of rows below each other may
 * have columns of their own: if all widths are known, they are laid over each other.
 */
export const findGrids = (xml: string): ReadonlyArray<Grid> => {
  const finder = new GridFinder()
  readTags(xml, finder)
  return finder.grids.map(gridOf)
}

class GridFinder implements XmlHandler {
  readonly grids: Array<Array<Array<number>>> = []

  start(name: string, attributes: ReadonlyArray<{ readonly name: string; readonly value: string }>): void {
    const local = name.slice(name.indexOf(":") + 1)
    if (local === "table") this.grids.push([])
    else if (local === "tgroup") this.grids.at(-1)?.push([])
    else if (local === "colspec") {
      const group = this.grids.at(-1)?.at(-1)
      const width = attributes.find((attribute) => attribute.name === "colwidth")?.value
      if (group !== undefined && group.length < columnsMax) group.push(widthOf(width))
    }
  }

  end(): void {}
  text(): void {}
}

const gridOf = (groups: ReadonlyArray<ReadonlyArray<number>>): Grid => {
  const edges = groups.map((widths) => {
    let at = 0
    return [0, ...widths.map((width) => (at += width))]
  })
  const ends = edges.map((group) => group.at(-1) ?? Number.NaN)
  const total = Math.max(...ends)
  const isKnown = groups.length > 1 && ends.every((end) => Math.abs(end - total) <= tolerance * total)
  if (!isKnown) return edges.map((group) => group.map((_, index) => index))
  const lines: Array<number> = []
  for (const edge of edges.flat().sort((a, b) => a - b)) {
    if (lines.length === 0 || edge - (lines.at(-1) ?? 0) > tolerance * total) lines.push(edge)
  }
  return edges.map((group) =>
    group.map((edge) => lines.findLastIndex((line) => line <= edge + tolerance * total)),
  )
}

/** Follows the rows of these tables, and says where their cells stand. */
export class CalsTables {
  private readonly grids: ReadonlyArray<Grid>
  private table = -1
  private group = -1
  private columns = new Map<string, number>()
  private specified = 0
  private next = 0
  private row = 0
  /** For each column the first row that no cell from above reaches into. */
  private freeFrom: Array<number> = []

  constructor(grids: ReadonlyArray<Grid>) {
    this.grids = grids
  }

  startTable(): void {
    this.table++
    this.group = -1
  }

  startGroup(): void {
    this.group++
    this.columns = new Map()
    this.specified = 0
    this.row = 0
    this.freeFrom = []
  }

  specify(attributes: Attributes): void {
    const name = attributes.get("colname")
    if (name !== undefined && this.specified < columnsMax) this.columns.set(name, this.specified)
    this.specified++
  }

  startRow(): void {
    this.row++
    this.next = 0
  }

  /** How many empty cells stand before a cell, and how far it reaches, as in HTML. */
  cell(attributes: Attributes): { readonly gap: number; readonly span: Attributes } {
    const named = this.columns.get(attributes.get("namest") ?? attributes.get("colname") ?? "") ?? 0
    this.skipTaken()
    const free = this.next
    // Names of columns that are filled already are found in patents.
    this.next = Math.max(free, named)
    this.skipTaken()
    const first = this.next
    const last = Math.max(first, this.columns.get(attributes.get("nameend") ?? "") ?? first)
    const rows = 1 + (Number(/^\d{1,5}$/.exec(attributes.get("morerows") ?? "")?.[0] ?? 0) || 0)
    for (let column = first; column <= last; column++) this.freeFrom[column] = this.row + rows
    this.next = last + 1
    return {
      gap: this.lineOf(first) - this.lineOf(free),
      span: new Map([
        ["colspan", String(this.lineOf(last + 1) - this.lineOf(first))],
        ["rowspan", String(rows)],
      ]),
    }
  }

  private skipTaken(): void {
    while ((this.freeFrom[this.next] ?? 0) > this.row) this.next++
  }

  private lineOf(column: number): number {
    const lines = this.grids[this.table]?.[this.group] ?? []
    return lines[column] ?? (lines.at(-1) ?? 0) + Math.max(0, column - Math.max(0, lines.length - 1))
  }
}
