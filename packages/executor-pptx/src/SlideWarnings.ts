import type { Warning } from "@atelier/executor/parsing"

/** The codes of what slides hold beside their text, with what became of it; in the order of the warnings. */
const statements = [
  ["hidden_slides", "Hidden slides are included and marked"],
  ["diagrams_not_interpreted", "Of diagrams (SmartArt) only the text is read, as lists"],
  ["charts_not_interpreted", "Charts are not interpreted"],
  ["images_not_interpreted", "Images are not interpreted"],
  ["media_not_interpreted", "Sounds and videos are not interpreted"],
  ["embedded_documents_left_out", "Embedded documents and objects are left out"],
  ["animations_not_interpreted", "Animations are not interpreted"],
  ["speaker_notes_left_out", "Speaker notes are left out"],
  ["comments_left_out", "Comments are left out"],
] as const

export type SlideWarning = (typeof statements)[number][0]

const slidesNamedMax = 20

/** Warnings of one presentation: counts what was found, and on which slides. */
export class SlideWarnings {
  readonly #found = new Map<SlideWarning, { count: number; readonly slides: Array<number> }>()

  /** @param slide its number, from 1; slides come in their order */
  add(code: SlideWarning, slide: number): void {
    const known = this.#found.get(code) ?? { count: 0, slides: [] }
    known.count += 1
    if (known.slides.at(-1) !== slide) known.slides.push(slide)
    this.#found.set(code, known)
  }

  /** One warning for each code. */
  get list(): ReadonlyArray<Warning> {
    return statements.flatMap(([code, statement]) => {
      const found = this.#found.get(code)
      if (found === undefined) return []
      return [{ code, message: `${statement} (${found.count}; ${named(found.slides)}).` }]
    })
  }
}

const named = (slides: ReadonlyArray<number>): string => {
  const rest = slides.length - slidesNamedMax
  const more = rest > 0 ? ` and ${rest} more` : ""
  return `${slides.length === 1 ? "slide" : "slides"} ${slides.slice(0, slidesNamedMax).join(", ")}${more}`
}
