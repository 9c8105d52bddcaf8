import type { Box } from "./Box.ts"
import type { Drawing } from "./Drawing.ts"
import type { Layer } from "./Word.ts"

/** A straight line along an axis: where it stands, and from where to where it goes. */
export interface Rule {
  readonly at: number
  readonly from: number
  readonly to: number
  /** All of it is white. */
  readonly isHidden?: boolean
  /** A part of it is wider than a line. */
  readonly isThick?: boolean
  /** Where the pieces that it is drawn in meet, such as the borders of cells side by side. */
  readonly joints?: ReadonlyArray<number>
  /** It is a side of what has a colour. */
  readonly isFill?: boolean
}

/** A rectangle; heights grow downwards. */
export interface Area {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** What is drawn around the words of a layer, turned as they are. */
export interface Ruling {
  readonly horizontal: ReadonlyArray<Rule>
  readonly vertical: ReadonlyArray<Rule>
  readonly fills: ReadonlyArray<Area>
  readonly marks: ReadonlyArray<Area>
  readonly boxes: ReadonlyArray<TickArea>
  readonly pictures: ReadonlyArray<Area>
  readonly dashes: ReadonlyArray<Area>
}

export interface TickArea extends Area {
  readonly isTicked: boolean
}

/** Lines that are as near as this, in points, are one. */
const sameRule = 1.5
const joinGap = 2.5
const jointMax = 1

/** Turns what is drawn as the layer's words are, and joins the pieces of lines. */
export const rulingOf = (
  { strokes, fills, marks, boxes, pictures, dashes }: Drawing,
  { cos, sin }: Pick<Layer, "cos" | "sin">,
): Ruling => {
  const turned = ({ left, right, bottom, top }: Box): Area => {
    const [x1, x2] = [left * cos + bottom * sin, right * cos + top * sin]
    const [y1, y2] = [left * sin - bottom * cos, right * sin - top * cos]
    return {
      left: Math.min(x1, x2),
      right: Math.max(x1, x2),
      top: Math.min(y1, y2),
      bottom: Math.max(y1, y2),
    }
  }
  const horizontal: Array<Rule> = []
  const vertical: Array<Rule> = []
  for (const { isHorizontal, at, from, to, isHidden = false, isThick = false } of strokes) {
    const area = turned(
      isHorizontal
        ? { left: from, right: to, bottom: at, top: at }
        : { left: at, right: at, bottom: from, top: to },
    )
    const isLevel = area.right - area.left > area.bottom - area.top
    const rule = isLevel
      ? { at: (area.top + area.bottom) / 2, from: area.left, to: area.right, isHidden, isThick }
      : { at: (area.left + area.right) / 2, from: area.top, to: area.bottom, isHidden, isThick }
    if (isLevel) horizontal.push(rule)
    else vertical.push(rule)
  }
  return {
    horizontal: joinedRules(horizontal),
    vertical: joinedRules(vertical),
    fills: fills.map(turned),
    marks: marks.map(turned),
    pictures: pictures.map(turned),
    dashes: dashes.map(turned),
    boxes: boxes.map((box) => ({ ...turned(box), isTicked: box.isTicked })),
  }
}

/** Pieces of one line, one after the other or one above the other. */
export const joinedRules = (rules: ReadonlyArray<Rule>): ReadonlyArray<Rule> => {
  const lines: Array<Array<Rule>> = []
  for (const rule of [...rules].sort((a, b) => a.at - b.at)) {
    const line = lines.at(-1)
    if (line?.[0] !== undefined && rule.at - line[0].at <= sameRule) line.push(rule)
    else lines.push([rule])
  }
  return lines.flatMap((line) => {
    const at = line.reduce((sum, each) => sum + each.at, 0) / line.length
    const whole: Array<Rule & { to: number; isHidden: boolean; isThick: boolean; joints: Array<number> }> = []
    for (const { from, to, isHidden = false, isThick = false } of line.sort((a, b) => a.from - b.from)) {
      const last = whole.at(-1)
      if (last !== undefined && from - last.to <= joinGap) {
        if (Math.abs(from - last.to) <= jointMax && to > from) last.joints.push((from + last.to) / 2)
        last.to = Math.max(last.to, to)
        last.isHidden &&= isHidden
        last.isThick ||= isThick
      } else whole.push({ at, from, to, isHidden, isThick, joints: [] })
    }
    return whole
  })
}

/** Places that are near one another as one each, in their order. */
export const places = (list: ReadonlyArray<number>, near: number): ReadonlyArray<number> => {
  const found: Array<{ sum: number; count: number; last: number }> = []
  for (const at of [...list].sort((a, b) => a - b)) {
    const last = found.at(-1)
    if (last !== undefined && at - last.last <= near) {
      last.sum += at
      last.count++
      last.last = at
    } else found.push({ sum: at, count: 1, last: at })
  }
  return found.map(({ sum, count }) => sum / count)
}
