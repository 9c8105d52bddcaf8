import type { Block } from "./blocks.ts"
import { pptxLimits } from "./Limits.ts"

/** A rectangle on a slide, in the units of its slide or group. */
export interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A slide, a group, or something on them that holds text. */
interface Item {
  readonly content: Array<Block | Item>
  place: Place | undefined
  /** The rectangle that the places of a group's content are in. */
  inside?: Place
}

/** What stands on a slide, collected in the order of the file, given in that of reading (decision 42). */
export class Arrangement {
  readonly #slide: Item = { content: [], place: undefined }
  /** From the slide to the innermost group or shape. */
  readonly #open: Array<Item> = [this.#slide]

  /** What follows stands in a group or shape. */
  begin(): void {
    const item: Item = { content: [], place: undefined }
    this.#innermost.content.push(item)
    this.#open.push(item)
  }

  /** @param inherited the place of what has none of its own */
  end(inherited?: Place): void {
    if (this.#open.length === 1) return
    const item = this.#open.pop()
    if (item === undefined) return
    item.place = aroundText(item) ?? item.place ?? inherited
    if (item.content.length === 0) this.#innermost.content.pop()
  }

  /** The place of the innermost group or shape. */
  place(place: Place): void {
    this.#innermost.place ??= place
  }

  /** What the innermost group shows at its place. */
  inside(place: Place): void {
    this.#innermost.inside ??= place
  }

  add(block: Block): void {
    this.#innermost.content.push(block)
  }

  /** All blocks as they are read: from above to below, from the left to the right or the other way round. */
  blocks(): ReadonlyArray<Block> {
    const found: Array<Block> = []
    addBlocks(this.#slide, setting(this.#slide), found)
    return found
  }

  get #innermost(): Item {
    return this.#open.at(-1) ?? this.#slide
  }
}

/** The part of a group's place that holds text: lines and pictures go far beyond it. */
const aroundText = ({ content, place, inside }: Item): Place | undefined => {
  if (place === undefined || inside === undefined || inside.width <= 0 || inside.height <= 0) return undefined
  const places = content.flatMap((each) => (isBlock(each) || each.place === undefined ? [] : [each.place]))
  if (places.length === 0) return undefined
  const across = place.width / inside.width
  const down = place.height / inside.height
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const each of places) {
    left = Math.min(left, each.left)
    top = Math.min(top, each.top)
    right = Math.max(right, each.left + each.width)
    bottom = Math.max(bottom, each.top + each.height)
  }
  return {
    left: place.left + (left - inside.left) * across,
    top: place.top + (top - inside.top) * down,
    width: (right - left) * across,
    height: (bottom - top) * down,
  }
}

const isBlock = (content: Block | Item): content is Block => "kind" in content

const addBlocks = (item: Item, setting: Setting, found: Array<Block>): void => {
  for (const content of ordered(item.content, setting)) {
    if (isBlock(content)) found.push(content)
    else addBlocks(content, setting, found)
  }
}

/**
 * The order of the file, but for what stands below, or beside and after, what comes later there, and on a poster for what
 * goes on below in a column. Where such places go round in a circle, and where there is more on a slide than is compared,
 * the file has the say.
 */
const ordered = (
  contents: ReadonlyArray<Block | Item>,
  { isMirrored, isPoster }: Setting,
): ReadonlyArray<Block | Item> => {
  if (contents.length < 2 || contents.length > pptxLimits.slide_placed_objects_max) return contents
  const places = contents.map((content) => (isBlock(content) ? undefined : placeOf(content, isMirrored)))
  const comesBefore = (first: number, second: number): boolean => {
    const [a, b] = [places[first], places[second]]
    return a !== undefined && b !== undefined && (isAbove(a, b) || isBeside(a, b))
  }
  const indices = contents.map((_, index) => index)
  const waits = indices.map((index) => indices.filter((other) => comesBefore(other, index)).length)
  const left = new Set(indices)
  const order: Array<Block | Item> = []
  let last: number | undefined
  while (left.size > 0) {
    const ready = [...left].filter((index) => waits[index] === 0)
    const below = isPoster && last !== undefined ? nearestBelow(places, last, ready) : undefined
    const next: number | undefined = below ?? ready[0] ?? [...left][0]
    if (next === undefined) break
    last = next
    left.delete(next)
    order.push(...contents.slice(next, next + 1))
    for (const index of left) if (comesBefore(next, index)) waits[index] = (waits[index] ?? 1) - 1
  }
  return order
}

/** The one of some places that goes on below another in its column. */
const nearestBelow = (
  places: ReadonlyArray<Place | undefined>,
  above: number,
  some: ReadonlyArray<number>,
): number | undefined => {
  const from = places[above]
  if (from === undefined) return undefined
  let nearest: number | undefined
  let top = Infinity
  for (const index of some) {
    const place = places[index]
    if (place === undefined || place.top >= top || place.top < from.top) continue
    const isInColumn =
      shared(from.left, from.width, place.left, place.width) > columnMin * Math.min(from.width, place.width)
    if (!isInColumn) continue
    nearest = index
    top = place.top
  }
  return nearest
}

const placeOf = ({ place }: Item, mirrored: boolean): Place | undefined =>
  mirrored && place !== undefined ? { ...place, left: -place.left - place.width } : place

/** Shares of the smaller of two lengths. */
const besideMin = 0.5
const belowMin = 0.2
const overMax = 0.15
const columnMin = 0.5

const isAbove = (a: Place, b: Place): boolean =>
  a.top + a.height / 2 < b.top + b.height / 2 &&
  a.top + a.height <= b.top + overMax * Math.min(a.height, b.height) &&
  shared(a.left, a.width, b.left, b.width) > belowMin * Math.min(a.width, b.width)

const isBeside = (a: Place, b: Place): boolean =>
  a.left + a.width / 2 < b.left + b.width / 2 &&
  a.left + a.width <= b.left + overMax * Math.min(a.width, b.width) &&
  shared(a.top, a.height, b.top, b.height) > besideMin * Math.min(a.height, b.height)

const shared = (a: number, aLength: number, b: number, bLength: number): number =>
  Math.min(a + aLength, b + bLength) - Math.max(a, b)

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/gu

/** How a slide is read, by its text. */
interface Setting {
  /** From the right to the left. */
  readonly isMirrored: boolean
  /** Column by column. */
  readonly isPoster: boolean
}

/** A slide of more text is a poster; a character of Chinese, Japanese or Korean says as much as two others. */
const slideCharactersMax = 1500
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

const setting = (slide: Item): Setting => {
  let [letters, mirrored, characters] = [0, 0, 0]
  for (const text of textsOf(slide)) {
    mirrored += text.match(rightToLeft)?.length ?? 0
    letters += text.match(/\p{L}/gu)?.length ?? 0
    characters += text.length + (text.match(wide)?.length ?? 0)
  }
  return { isMirrored: mirrored * 2 > letters, isPoster: characters > slideCharactersMax }
}

function* textsOf({ content }: Item): Iterable<string> {
  for (const each of content) {
    if (!isBlock(each)) yield* textsOf(each)
    else if (each.kind === "table") for (const row of each.rows) yield* row
    else yield each.kind === "code" ? each.text : each.markdown
  }
}
