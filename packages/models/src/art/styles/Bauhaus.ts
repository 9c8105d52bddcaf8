import { type Canvas, circle, n, path, rect, type Style } from "../Canvas.ts"

/** A tile: where it is, how large, its ground and figure. */
interface Tile {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly ground: string
  readonly figure: string
  readonly other: string
}

/** A grid of circles, quarters, stripes and steps. */
export const bauhaus: Style = (canvas) => {
  const { height, palette, random, width } = canvas
  const rows = Math.max(2, Math.round(height / random.between(150, 215)))
  const size = height / rows
  const columns = Math.ceil(width / size)
  const left = (width - columns * size) / 2
  const parts = [rect(-2, -2, width + 4, height + 4, palette.paper)]
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      parts.push(tile(canvas, left + column * size, row * size, size))
    }
  }
  return parts.join("")
}

const tile = (canvas: Canvas, x: number, y: number, size: number): string => {
  const { palette, random } = canvas
  const colours = [...palette.accents, palette.paper]
  const ground = random.pick(colours)
  const figure = random.pick(colours.filter((colour) => colour !== ground))
  const other = random.pick(colours.filter((colour) => colour !== ground && colour !== figure))
  const figures = random.pick(motifs)(canvas, { x, y, size, ground, figure, other })
  const turn = random.whole(0, 3) * 90
  const middle = `${n(x + size / 2)} ${n(y + size / 2)}`
  return `<g transform="rotate(${turn} ${middle})">${rect(x - 0.6, y - 0.6, size + 1.2, size + 1.2, ground)}${figures}</g>`
}

const quarter = (x: number, y: number, radius: number): string =>
  `M${n(x)} ${n(y)}H${n(x + radius)}A${n(radius)} ${n(radius)} 0 0 1 ${n(x)} ${n(y + radius)}Z`

type Motif = (canvas: Canvas, tile: Tile) => string

const motifs: ReadonlyArray<Motif> = [
  (_, { figure, other, size, x, y }) =>
    path(quarter(x, y, size), figure) + path(quarter(x, y, size * 0.5), other),
  (_, { figure, ground, other, size, x, y }) =>
    [1, 0.8, 0.6, 0.4, 0.2]
      .map((part, ring) =>
        path(quarter(x, y, size * part), ring % 2 === 0 ? figure : ring === 3 ? other : ground),
      )
      .join(""),
  (_, { figure, other, size, x, y }) =>
    circle(x + size / 2, y + size / 2, size * 0.42, figure) +
    circle(x + size / 2, y + size / 2, size * 0.16, other),
  (_, { figure, other, size, x, y }) => {
    const half = `M${n(x)} ${n(y + size / 2)}A${n(size / 2)} ${n(size / 2)} 0 0 1 ${n(x + size)} ${n(y + size / 2)}Z`
    return path(half, figure) + path(`${half}`, other, ` transform="translate(0 ${n(size / 2)})"`)
  },
  (_, { figure, size, x, y }) =>
    path(
      [0, 1, 2, 3]
        .map((row) => `M${n(x)} ${n(y + (row * size) / 4)}h${n(size)}v${n(size / 8)}h${n(-size)}Z`)
        .join(""),
      figure,
    ),
  (_, { figure, other, size, x, y }) =>
    path(`M${n(x)} ${n(y)}H${n(x + size)}L${n(x)} ${n(y + size)}Z`, figure) +
    circle(x + size * 0.72, y + size * 0.72, size * 0.14, other),
  (_, { figure, size, x, y }) =>
    [0, 1, 2]
      .flatMap((row) =>
        [0, 1, 2].map((column) =>
          circle(x + size * (0.2 + 0.3 * column), y + size * (0.2 + 0.3 * row), size * 0.085, figure),
        ),
      )
      .join(""),
  (_, { figure, other, size, x, y }) =>
    path(quarter(x, y, size), figure) +
    path(quarter(x, y, size), other, ` transform="rotate(180 ${n(x + size / 2)} ${n(y + size / 2)})"`),
  (_, { figure, other, size, x, y }) =>
    path(
      `M${n(x + size / 2)} ${n(y)}L${n(x + size)} ${n(y + size / 2)}L${n(x + size / 2)} ${n(y + size)}L${n(x)} ${n(y + size / 2)}Z`,
      figure,
    ) + circle(x + size / 2, y + size / 2, size * 0.2, other),
  (_, { figure, other, size, x, y }) =>
    rect(x, y, size / 2, size, figure) + path(quarter(x + size / 2, y, size / 2), other),
]
