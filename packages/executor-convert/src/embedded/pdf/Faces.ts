import type { Font } from "./Fonts.ts"

/** A letter that two fonts have tells more than letters that stand beside one another. */
const partedWeight = -4

/** What is told of fonts by so much at least is believed first. */
const believedFrom = [16, 4, 1]
const roundsMax = 20

/**
 * A browser draws a face as several fonts without names, each with some of its letters. Fonts that have the same letter are
 * of two faces; those whose letters stand beside one another in words are mostly of one.
 */
export class Faces {
  readonly #links = new Map<Font, Map<Font, number>>()
  readonly #parted = new Set<Font>()

  /** Letters of the two fonts stand beside one another. */
  join(first: Font, second: Font): void {
    if (first !== second) this.#link(first, second, 1)
  }

  /** Both fonts have a letter. */
  part(first: Font, second: Font): void {
    this.#link(first, second, partedWeight)
    this.#parted.add(first).add(second)
  }

  #link(first: Font, second: Font, weight: number): void {
    for (const [from, to] of [
      [first, second],
      [second, first],
    ] as const) {
      const links = this.#links.get(from) ?? new Map<Font, number>()
      links.set(to, (links.get(to) ?? 0) + weight)
      this.#links.set(from, links)
    }
  }

  /** The fonts that are linked, as those of one face and of the other. */
  found(): ReadonlyArray<readonly [Face, Face]> {
    const rest = new Set([...this.#links.keys()].sort((a, b) => b.known - a.known))
    const found: Array<readonly [Face, Face]> = []
    for (const first of rest) found.push(this.#around(first, rest))
    return found
  }

  #around(first: Font, rest: Set<Font>): readonly [Face, Face] {
    const faces = [[], []] as [Array<Font>, Array<Font>]
    const told = new Map<Font, number>([[first, 1]])
    for (let round = 0; round < roundsMax; round++) {
      const most = believedFrom.find((least) => [...told.values()].some((sum) => Math.abs(sum) >= least))
      if (most === undefined) break
      const believed = [...told].filter(([, sum]) => Math.abs(sum) >= most)
      for (const [font, sum] of believed) {
        told.delete(font)
        rest.delete(font)
        faces[sum > 0 ? 0 : 1].push(font)
      }
      for (const [font, sum] of believed)
        for (const [other, weight] of this.#links.get(font) ?? [])
          if (rest.has(other)) told.set(other, (told.get(other) ?? 0) + Math.sign(sum) * weight)
    }
    return [this.#faceOf(faces[0]), this.#faceOf(faces[1])]
  }

  #faceOf(fonts: ReadonlyArray<Font>): Face {
    const shared = fonts.filter((font) => this.#parted.has(font)).reduce((sum, { known }) => sum + known, 0)
    return { fonts, shared }
  }
}

interface Face {
  readonly fonts: ReadonlyArray<Font>
  /** How many letters are shown in those of them that share some with other fonts. */
  readonly shared: number
}
