import { areaOf } from "./areaOf.ts"
import type { Area } from "./Ruling.ts"
import type { Tag } from "./Tags.ts"
import type { Word } from "./Word.ts"

/** Each is held against all others. */
const shapesMax = 300
const shapesMin = 4
/** A share of the elements of a page: those that hold others are shapes of a slide. */
const holdingMin = 0.6
const upwardsMin = 3
/** Of the pairs that stand above one another. */
const upwardsShareMin = 0.2
/** A share of the narrower of two shapes that stand above one another. */
const overlapMin = 0.5
/** Points: shapes may stand over one another by so much. */
const sharedMax = 4
/** A share of the size. */
const capitalHeight = 0.7

interface Shape extends Area {
  readonly tag: Tag
}

/**
 * The shapes of a slide in the order of reading, where many stand above others that come before them: these are in the
 * order in which they were drawn. Undefined for any other page.
 */
export const shapesInOrder = (
  tags: ReadonlyArray<Tag>,
  words: ReadonlyArray<Word>,
): ReadonlyArray<Tag> | undefined => {
  const [slide, none] = tags
  if (slide === undefined || none !== undefined || slide.children.length > shapesMax) return undefined
  const children = slide.children.filter((child) => typeof child !== "number")
  if (children.length < slide.children.length) return undefined
  const byContent = Map.groupBy(words, ({ content }) => content)
  const shapes = children.flatMap((tag): ReadonlyArray<Shape> => {
    // What several elements hold is of the first.
    const own = contentsOf(tag).flatMap((content) => {
      const found = byContent.get(content) ?? []
      byContent.delete(content)
      return found
    })
    return own.length === 0 ? [] : [{ tag, ...areaOf(own, capitalHeight) }]
  })
  const holding = shapes.filter(({ tag }) => tag.children.every((child) => typeof child !== "number"))
  if (shapes.length < shapesMin || holding.length < holdingMin * shapes.length) return undefined
  if (!isOutOfOrder(shapes)) return undefined
  // What has no text, such as a picture, stays behind the shape before it.
  const behind = new Map<Tag | undefined, Array<Tag>>()
  const withText = new Set(shapes.map(({ tag }) => tag))
  let last: Tag | undefined
  for (const tag of children) {
    if (withText.has(tag)) last = tag
    else behind.set(last, [...(behind.get(last) ?? []), tag])
  }
  const found = ordered(shapes).flatMap(({ tag }) => [tag, ...(behind.get(tag) ?? [])])
  return [...(behind.get(undefined) ?? []), ...found]
}

const contentsOf = ({ children }: Tag): ReadonlyArray<number> =>
  children.flatMap((child) => (typeof child === "number" ? [child] : contentsOf(child)))

const isOutOfOrder = (shapes: ReadonlyArray<Shape>): boolean => {
  let [above, upwards] = [0, 0]
  for (const [index, one] of shapes.entries()) {
    for (const other of shapes.slice(index + 1)) {
      const overlap = Math.min(one.right, other.right) - Math.max(one.left, other.left)
      const width = Math.min(one.right - one.left, other.right - other.left)
      if (overlap < overlapMin * width) continue
      if (other.bottom <= one.top) upwards++
      else if (other.top < one.bottom) continue
      above++
    }
  }
  return upwards >= upwardsMin && upwards > upwardsShareMin * above
}

/** Parted where the widest gap goes across all of them, or down, and so are the parts. */
const ordered = (shapes: ReadonlyArray<Shape>): ReadonlyArray<Shape> => {
  const [down, across] = [gapIn(shapes, "left", "right"), gapIn(shapes, "top", "bottom")]
  const { parts, room } = down.room >= across.room ? down : across
  return room < -sharedMax
    ? shapes.toSorted((a, b) => a.top - b.top || a.left - b.left)
    : parts.flatMap(ordered)
}

interface Gap {
  readonly parts: ReadonlyArray<ReadonlyArray<Shape>>
  readonly room: number
}

/** The two parts with the widest gap between them in one direction. */
const gapIn = (shapes: ReadonlyArray<Shape>, from: "top" | "left", to: "bottom" | "right"): Gap => {
  const sorted = shapes.toSorted((a, b) => a[from] - b[from])
  let [at, room] = [0, Number.NEGATIVE_INFINITY]
  let end = sorted[0]?.[to] ?? 0
  for (const [index, shape] of sorted.entries()) {
    if (index > 0 && shape[from] - end > room) [at, room] = [index, shape[from] - end]
    end = Math.max(end, shape[to])
  }
  return { parts: [sorted.slice(0, at), sorted.slice(at)], room }
}
