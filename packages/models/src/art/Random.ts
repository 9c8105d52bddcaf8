import { hash } from "node:crypto"

/** Numbers that follow from a key alone: the same key gives the same sequence in every process. */
export interface Random {
  /** From 0 to 1, 1 excluded. */
  readonly next: () => number
  /** Between two numbers. */
  readonly between: (low: number, high: number) => number
  /** A whole number between two, both included. */
  readonly whole: (low: number, high: number) => number
  readonly chance: (probability: number) => boolean
  readonly pick: <A>(values: ReadonlyArray<A>) => A
  /** Smooth noise of one or two coordinates, about -1 to 1, with a feature size of 1. */
  readonly noise: (x: number, y?: number) => number
}

/** Four words of state, from SHA-256 of the key (the generator is the public-domain sfc32). */
const generator = (key: string): (() => number) => {
  const digest = hash("sha256", key, "buffer")
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => digest.readUInt32LE(at)) as [number, number, number, number]
  return () => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }
}

const latticeSize = 256

/** Gradient noise over a shuffled lattice. */
const noiseOver = (next: () => number) => {
  const order = Array.from({ length: latticeSize }, (_, index) => index)
  for (let index = latticeSize - 1; index > 0; index--) {
    const other = Math.floor(next() * (index + 1))
    ;[order[index], order[other]] = [order[other] ?? 0, order[index] ?? 0]
  }
  const angleAt = (x: number, y: number): number =>
    ((order[((order[x & 255] ?? 0) + y) & 255] ?? 0) / latticeSize) * Math.PI * 2
  const slope = (x: number, y: number, dx: number, dy: number): number => {
    const angle = angleAt(x, y)
    return Math.cos(angle) * dx + Math.sin(angle) * dy
  }
  const fade = (t: number): number => t * t * t * (t * (t * 6 - 15) + 10)
  return (x: number, y = 0.5): number => {
    const [left, top] = [Math.floor(x), Math.floor(y)]
    const [dx, dy] = [x - left, y - top]
    const across = fade(dx)
    const upper = lerp(slope(left, top, dx, dy), slope(left + 1, top, dx - 1, dy), across)
    const lower = lerp(slope(left, top + 1, dx, dy - 1), slope(left + 1, top + 1, dx - 1, dy - 1), across)
    return lerp(upper, lower, fade(dy)) * 1.6
  }
}

/** The point between two numbers at `t`, 0 to 1. */
export const lerp = (from: number, to: number, t: number): number => from + (to - from) * t

export const makeRandom = (key: string): Random => {
  const next = generator(key)
  const noise = noiseOver(next)
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    noise,
    whole,
    between: (low, high) => lerp(low, high, next()),
    chance: (probability) => next() < probability,
    pick: (values) => {
      const value = values[whole(0, values.length - 1)]
      if (value === undefined) throw new Error("nothing to pick from")
      return value
    },
  }
}

/** Noise in several octaves: `detail` of them, each half as large and half as strong. */
export const fractal = (noise: Random["noise"], x: number, y: number, detail: number): number => {
  let [sum, strength, scale] = [0, 0.5, 1]
  for (let octave = 0; octave < detail; octave++) {
    sum += strength * noise(x * scale, y * scale + octave * 17.3)
    strength /= 2
    scale *= 2
  }
  return sum
}
