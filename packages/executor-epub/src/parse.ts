import { readXhtml } from "@atelier/executor/html"
import {
  type DocumentInput,
  type DocumentOutput,
  MarkdownWriter,
  type ParseInput,
  readDocument,
  Warnings,
  writeResults,
} from "@atelier/executor/parsing"
import { decodeXml, Refusal } from "@atelier/intake/bytes"
import { BookBlocks } from "./BookBlocks.ts"
import { BookContent } from "./BookContent.ts"
import { type Entry, readNavigation } from "./navigation.ts"
import { marksOf } from "./notes.ts"
import { type Book, openBook } from "./openBook.ts"
import { keyOf } from "./places.ts"
import { Survey } from "./Survey.ts"
import { bookAttributes } from "./types.ts"

/** Checks that the file is a book whose text can be read, and inflates all of it. Throws a `Refusal`. */
export const inspect = (input: DocumentInput) => {
  const book = openBook(readDocument(input))
  book.archive.verify()
  for (const path of book.documents) textOf(book, path)
  return { contentType: "application/epub+zip" }
}

export const parse = (input: ParseInput): DocumentOutput => {
  const bytes = readDocument(input)
  const book = openBook(bytes)
  book.archive.verify()
  const markdown = new MarkdownWriter(input.resultBytesMax)
  const warnings = new Warnings()
  const hasText = writeBook(book, markdown, warnings)
  if (book.unread > 0) {
    warnings.add(
      "parts_left_out",
      () =>
        `${book.unread} of the ${book.unread + book.documents.length} parts in the book's reading order were left out: they are missing or no text.`,
    )
  }
  if (!hasText) warnings.add("no_text", () => "The book holds no text.")
  return writeResults(input, {
    markdown,
    structureSource: "epub",
    warnings: warnings.list,
    inputBytes: bytes.length,
  })
}

/** True if there was more than headings. */
const writeBook = (book: Book, markdown: MarkdownWriter, warnings: Warnings): boolean => {
  const survey = new Survey()
  for (const [index, path] of book.documents.entries()) survey.read(textOf(book, path), path, index)
  const marks = marksOf(survey, book.documents.length)
  const entries = placesOf(navigationOf(book, warnings), book.documents, survey)
  const blocks = new BookBlocks(markdown, book.title)
  const notes = new Map<number, string>()
  for (const [index, path] of book.documents.entries()) {
    const here = entries[index] ?? new Map()
    blocks.begin(here.get(0) ?? [])
    const content = new BookContent(blocks, {
      bytesMax: markdown.bytesMax,
      warnings,
      marks: marks[index] ?? new Map(),
      entries: here,
      notes,
    })
    readXhtml(textOf(book, path), content, bookAttributes)
    content.finish()
  }
  for (const [number, text] of [...notes].sort(([one], [other]) => one - other))
    markdown.paragraph(`[^${number}]: ${text}`)
  return blocks.hasText
}

const textOf = ({ archive }: Book, path: string): string => decodeXml(archive.read(path) ?? new Uint8Array())

/** A book whose table of contents cannot be read is still a text. */
const navigationOf = (book: Book, warnings: Warnings): ReadonlyArray<Entry> => {
  try {
    return readNavigation(book)
  } catch (error) {
    if (!Refusal.is(error) || error.code !== "file_corrupt") throw error
    warnings.add(
      "navigation_left_out",
      () => "The book's table of contents cannot be read: it made no headings.",
    )
    return []
  }
}

/** For each document the entries that lead to it, by the element where they do; 0 is its start. */
const placesOf = (
  entries: ReadonlyArray<Entry>,
  documents: ReadonlyArray<string>,
  survey: Survey,
): ReadonlyArray<ReadonlyMap<number, ReadonlyArray<Entry>>> => {
  const indexes = new Map(documents.map((path, index) => [path, index]))
  const places = documents.map(() => new Map<number, Array<Entry>>())
  for (const entry of entries) {
    const index = indexes.get(entry.place.path)
    const here = index === undefined ? undefined : places[index]
    if (here === undefined) continue
    const element = entry.place.id === "" ? 0 : survey.ids.get(keyOf(entry.place))?.element
    // One whose place is missing stands for the document, if nothing else does.
    if (element === undefined && here.size > 0) continue
    const known = here.get(element ?? 0)
    if (known === undefined) here.set(element ?? 0, [entry])
    else known.push(entry)
  }
  return places
}
