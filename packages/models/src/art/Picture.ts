import { type Canvas, circle, n, rect, vertical } from "./Canvas.ts"
import { luminance, mix } from "./Colour.ts"
import { type Palette, palettesFor } from "./Palette.ts"
import { makeRandom, type Random } from "./Random.ts"
import { type StyleEntry, stylesFor } from "./Styles.ts"
import * as Type from "./Type.ts"

/** Everything that a picture follows from. Sizes are pixels. */
export interface PictureOrder {
  readonly prompt: string
  readonly model: string
  readonly width: number
  readonly height: number
  readonly seed: number
  /** Place in the request, from 0. */
  readonly index: number
  readonly references: number
  /** Without any type, for a picture that others lie on. */
  readonly bare?: boolean
}

/** Below this edge a picture carries no type; below that one it carries no caption. */
const typeEdgePxMin = 160
const captionEdgePxMin = 320
/** Drawings have this area in their own coordinates, whatever the size in pixels. */
const drawingArea = 1_000_000
/** Wider than this, the type of a print stands beside the drawing. */
const spreadRatioMin = 1.3

interface Page {
  readonly order: PictureOrder
  readonly width: number
  readonly height: number
  readonly palette: Palette
  readonly style: StyleEntry
  readonly random: Random
  readonly define: Canvas["define"]
  readonly title: string
  readonly hasCaption: boolean
}

const carriesType = ({ bare, height, width }: PictureOrder): boolean =>
  Math.min(width, height) >= typeEdgePxMin && bare !== true

/** How much of the words that the picture would carry is left out, because no font has their script. */
export const wordsLeftOut = (order: PictureOrder): Type.Settable["leftOut"] =>
  carriesType(order) ? Type.settable(order.prompt).leftOut : "none"

/** The picture as SVG of exactly the ordered size. The same order gives the same text in every process. */
export const pictureOf = (order: PictureOrder): string => {
  const { height, width } = order
  return `<svg xmlns="http://www.w3.org/2000/svg" ${drawingOf(order, { x: 0, y: 0, width, height }, "d")}</svg>`
}

/** A place on a sheet, in pixels. */
export interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Pictures on one sheet, those behind first, each stretched to its place. Sizes are pixels. */
export interface SheetOrder {
  readonly width: number
  readonly height: number
  readonly pictures: ReadonlyArray<{ readonly order: PictureOrder; readonly place: Place }>
}

/** The sheet as SVG of exactly its size. */
export const sheetOf = ({ height, pictures, width }: SheetOrder): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
  pictures.map(({ order, place }, at) => `<svg ${drawingOf(order, place, `p${at}-`)}</svg>`).join("") +
  "</svg>"

/** The rest of an `svg` element, from its attributes on; `prefix` keeps its ids apart from others'. */
const drawingOf = (order: PictureOrder, place: Place, prefix: string): string => {
  const { height, prompt, seed, width } = order
  const choice = makeRandom(`${prompt}\n${seed}`)
  const [palettes, candidates] = [palettesFor(prompt), stylesFor(prompt)]
  const [firstPalette, firstStyle] = [
    choice.whole(0, palettes.length - 1),
    choice.whole(0, candidates.length - 1),
  ]
  const palette = palettes[(firstPalette + order.index) % palettes.length] ?? choice.pick(palettes)
  const style = candidates[(firstStyle + order.index) % candidates.length] ?? choice.pick(candidates)
  const definitions: Array<string> = []
  const scale = Math.sqrt((width * height) / drawingArea)
  const edge = Math.min(width, height)
  const page: Page = {
    order,
    width: width / scale,
    height: height / scale,
    palette,
    style,
    random: makeRandom(`${prompt}\n${seed}\n${order.index}\n${width}x${height}\n${order.references}`),
    define: (make) => {
      const id = `${prefix}${definitions.length}`
      definitions.push(make(id))
      return `url(#${id})`
    },
    title: carriesType(order) ? Type.settable(prompt).text : "",
    hasCaption: edge >= captionEdgePxMin && order.bare !== true,
  }
  const body = compose(page)
  return (
    `x="${place.x}" y="${place.y}" width="${place.width}" height="${place.height}" ` +
    `viewBox="0 0 ${page.width} ${page.height}" preserveAspectRatio="none">` +
    `<defs>${definitions.join("")}</defs>${body}`
  )
}

const compose = (page: Page): string => {
  if (page.title === "") return bleed(page)
  if (page.style.scene && page.random.chance(0.65)) return bleed(page)
  return page.width / page.height >= spreadRatioMin ? spread(page) : print(page)
}

const draw = (page: Page, x: number, y: number, width: number, height: number): string => {
  const { define, palette, random, style } = page
  const clip = define((id) => `<clipPath id="${id}">${rect(0, 0, width, height, "#000")}</clipPath>`)
  const drawing = style.draw({ width, height, palette, random, define })
  return `<g transform="translate(${n(x)} ${n(y)})"><g clip-path="${clip}">${drawing}</g></g>`
}

const caption = ({ order }: Page): string => {
  const { height, index, model, references, seed, width } = order
  const parts = [model, `${width} × ${height}`, `seed ${seed}`]
  if (index > 0) parts.push(`no. ${index + 1}`)
  if (references > 0) parts.push(references === 1 ? "1 reference" : `${references} references`)
  return parts.join("  ·  ")
}

/** A caption that fits a width, smaller or shorter where it must be. */
const captionLine = (page: Page, x: number, y: number, width: number, size: number, fill: string): string => {
  if (!page.hasCaption) return ""
  const spaced = ' letter-spacing="0.4"'
  const lengthOf = (content: string, at: number): number =>
    Type.widthOf(Type.sans, content) * at + content.length * 0.4
  const whole = caption(page)
  const short = page.order.model
  const fitting = [whole, short].find((content) => lengthOf(content, size) <= width) ?? ""
  return fitting === "" ? "" : Type.text(Type.sans, fitting, { x, y, size, fill }, spaced)
}

const titleLines = (setting: Type.Setting, x: number, top: number, fill: string): string =>
  setting.lines
    .map((line, index) =>
      Type.text(Type.serif, line, {
        x,
        y: top + setting.size * 0.82 + index * setting.leading,
        size: setting.size,
        fill,
      }),
    )
    .join("")

/** The drawing up to the edges, the type on a veil that darkens towards the foot. */
const bleed = (page: Page): string => {
  const { height, palette, width } = page
  const drawing = draw(page, 0, 0, width, height)
  if (page.title === "" && !page.hasCaption) return drawing
  const margin = Math.min(width, height) * 0.065
  const measure = Math.min(width - margin * 2, 900)
  const small = captionSize(page)
  const setting = Type.fit(page.title, {
    width: measure,
    height: height * 0.3,
    largest: Math.min(78, width * 0.1),
    smallest: 24,
  })
  const tall = setting.lines.length * setting.leading
  const foot = height - margin
  const top = foot - (page.hasCaption ? small * 2.1 : 0) - tall
  const dark = mix(luminance(palette.near) < 0.06 ? palette.near : palette.ink, "#000000", 0.35)
  const reach = page.title === "" ? small * 4 + margin : height - top + margin * 2.6
  const veil = vertical(page, [
    [0, dark, 0],
    [0.4, dark, 0.62],
    [1, dark, 0.92],
  ])
  return (
    drawing +
    rect(-2, height - reach, width + 4, reach + 4, veil) +
    titleLines(setting, margin, top, "#fffdf8") +
    captionLine(page, margin, foot, measure, small, "#ffffffc8")
  )
}

const captionSize = ({ order, width }: Page): number => {
  const pixel = width / order.width
  return Math.max(15, pixel * 10.5)
}

/** The drawing on paper, the type below it. */
const print = (page: Page): string => {
  const { height, palette, width } = page
  const margin = Math.min(width, height) * 0.06
  const inner = width - margin * 2
  const small = captionSize(page)
  const setting = Type.fit(page.title, {
    width: inner,
    height: height * 0.17,
    largest: Math.min(64, width * 0.085),
    smallest: 22,
  })
  const foot = height - margin
  const top = foot - (page.hasCaption ? small * 2.2 : 0) - setting.lines.length * setting.leading
  const bottom = top - margin * 0.55
  return (
    rect(-2, -2, width + 4, height + 4, palette.paper) +
    draw(page, margin, margin, inner, bottom - margin) +
    titleLines(setting, margin, top, palette.ink) +
    captionLine(page, margin, foot, inner - 110, small, mix(palette.ink, palette.paper, 0.35)) +
    swatches(page, width - margin, foot - small * 0.35, small * 0.42)
  )
}

/** The type on paper at the left, the drawing at the right up to the edges. */
const spread = (page: Page): string => {
  const { height, palette, width } = page
  const column = Math.min(width * 0.38, height * 0.85)
  const margin = Math.min(column * 0.13, height * 0.1)
  const inner = column - margin * 1.7
  const small = captionSize(page)
  const setting = Type.fit(page.title, {
    width: inner,
    height: height - margin * 2 - small * 5,
    largest: Math.min(82, height * 0.13),
    smallest: 22,
  })
  const foot = height - margin
  return (
    rect(-2, -2, width + 4, height + 4, palette.paper) +
    draw(page, column, 0, width - column + 2, height) +
    rect(margin, margin, 46, 5, palette.accents[0]) +
    titleLines(setting, margin, margin + 26, palette.ink) +
    captionLine(page, margin, foot, inner, small, mix(palette.ink, palette.paper, 0.35)) +
    swatches(page, margin + 12 * small * 0.42, foot - small * 2, small * 0.42)
  )
}

/** The palette as dots that end at `right`. */
const swatches = ({ hasCaption, palette }: Page, right: number, y: number, radius: number): string =>
  hasCaption
    ? palette.accents
        .map((colour, index) => circle(right - radius - (4 - index) * radius * 2.5, y, radius, colour))
        .join("")
    : ""
