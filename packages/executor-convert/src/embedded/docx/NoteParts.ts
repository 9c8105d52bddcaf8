import type { Notes } from "../flow/Notes.ts"

/** The parts that hold notes. */
export type NotesPart = "footnotes" | "endnotes"

/** Finds the notes that a text refers to by their ids. */
export class NoteParts {
  readonly #notes: Notes
  readonly #read: (part: NotesPart) => ReadonlyMap<string, string>
  readonly #parts = new Map<NotesPart, ReadonlyMap<string, string>>()
  readonly #labels = new Map<string, number>()

  /** `read` gives the notes of a part as inline Markdown, by id. It is called when the part is first needed. */
  constructor(notes: Notes, read: (part: NotesPart) => ReadonlyMap<string, string>) {
    this.#notes = notes
    this.#read = read
  }

  /** The number of a note; undefined if it does not exist or is empty. Notes do not refer to notes. */
  refer(part: NotesPart, id: string): number | undefined {
    const key = `${part} ${id}`
    const known = this.#labels.get(key)
    if (known !== undefined) return known
    const text = this.#notesOf(part).get(id) ?? ""
    if (text.trim() === "") return undefined
    const label = this.#notes.add(text)
    this.#labels.set(key, label)
    return label
  }

  #notesOf(part: NotesPart): ReadonlyMap<string, string> {
    const known = this.#parts.get(part)
    if (known !== undefined) return known
    this.#parts.set(part, new Map())
    const notes = this.#read(part)
    this.#parts.set(part, notes)
    return notes
  }
}
