import type { Notes } from "../flow/Notes.ts"

/** The parts that hold notes. */
export type NotesPart = "footnotes" | "endnotes" | "comments"

/** One note, as inline Markdown. */
export interface Note {
  readonly text: string
  /** Of a comment; empty where none is named. */
  readonly author: string
}

const none: Note = { text: "", author: "" }

/** Finds the notes that a text refers to by their ids. */
export class NoteParts {
  readonly #notes: Notes
  readonly #read: (part: NotesPart) => ReadonlyMap<string, Note>
  readonly #parts = new Map<NotesPart, ReadonlyMap<string, Note>>()
  readonly #references = new Map<string, string>()

  /** `read` gives the notes of a part by id. It is called when the part is first needed. */
  constructor(notes: Notes, read: (part: NotesPart) => ReadonlyMap<string, Note>) {
    this.#notes = notes
    this.#read = read
  }

  /** The reference to a note, as Markdown; undefined if it does not exist or is empty. Notes do not refer to notes. */
  refer(part: NotesPart, id: string): string | undefined {
    const key = `${part} ${id}`
    const known = this.#references.get(key)
    if (known !== undefined) return known
    const { text, author } = this.#notesOf(part).get(id) ?? none
    if (text.trim() === "") return undefined
    const reference = part === "comments" ? this.#notes.addComment(author, text) : this.#notes.add(text)
    this.#references.set(key, reference)
    return reference
  }

  #notesOf(part: NotesPart): ReadonlyMap<string, Note> {
    const known = this.#parts.get(part)
    if (known !== undefined) return known
    this.#parts.set(part, new Map())
    const notes = this.#read(part)
    this.#parts.set(part, notes)
    return notes
  }
}
