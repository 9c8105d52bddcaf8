import type { Warnings } from "../Results.ts"

export const many = (count: number, one: string, more: string): string =>
  `${count} ${count === 1 ? one : more}`

/** What a word processor's document holds beside the text that is converted: each kind becomes one warning. */
export class DocumentWarnings {
  readonly #warnings: Warnings

  constructor(warnings: Warnings) {
    this.#warnings = warnings
  }

  image(): void {
    this.#warnings.add(
      "images_not_interpreted",
      (count) => `${many(count, "image was", "images were")} left out: nothing is recognised in images.`,
    )
  }

  chart(): void {
    this.#warnings.add(
      "charts_not_interpreted",
      (count) => `${many(count, "chart was", "charts were")} left out.`,
    )
  }

  diagram(): void {
    this.#warnings.add(
      "diagrams_not_interpreted",
      (count) => `Of ${many(count, "diagram", "diagrams")} only the text is read, as a list.`,
    )
  }

  embeddedDocument(): void {
    this.#warnings.add(
      "embedded_documents_left_out",
      (count) =>
        `${many(count, "embedded document or object was", "embedded documents or objects were")} left out.`,
    )
  }

  equation(): void {
    this.#warnings.add(
      "equations_as_text",
      (count) => `${many(count, "equation is", "equations are")} given as plain text, without structure.`,
    )
  }

  trackedChange(): void {
    this.#warnings.add(
      "tracked_changes",
      (count) =>
        `${many(count, "tracked change was", "tracked changes were")} taken as accepted: insertions are kept, deletions left out.`,
    )
  }

  comment(): void {
    this.#warnings.add(
      "comments_left_out",
      (count) => `${many(count, "comment was", "comments were")} left out.`,
    )
  }

  hiddenText(): void {
    this.#warnings.add(
      "hidden_text_left_out",
      (count) => `Hidden text was left out in ${many(count, "place", "places")}.`,
    )
  }

  symbol(): void {
    this.#warnings.add(
      "symbols_left_out",
      (count) =>
        `${many(count, "symbol was", "symbols were")} left out: they are pictures in their font, and no text.`,
    )
  }

  headersAndFooters(): void {
    this.#warnings.add("headers_footers_left_out", () => "The text of page headers and footers was left out.")
  }
}
