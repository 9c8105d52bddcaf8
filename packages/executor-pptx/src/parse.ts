/** The parsing module of pptx-md-json: it runs in a parsing process. */
import {
  type DocumentInput,
  type DocumentOutput,
  MarkdownWriter,
  type ParseInput,
  readDocument,
  writeResults,
} from "@atelier/executor/parsing"
import { openPackage, verifyPackage } from "@atelier/intake/bytes"
import { writeBlock } from "./blocks.ts"
import { slidesOf } from "./presentation.ts"
import type { Slide } from "./Slide.ts"
import { SlideWarnings } from "./SlideWarnings.ts"
import { readSlides } from "./slides.ts"

const contentType = "application/vnd.openxmlformats-officedocument.presentationml.presentation"

/** Checks the whole file, and that every slide is in it (document-tools 4.2). Throws a `Refusal`. */
export const inspect = (input: DocumentInput): { readonly contentType: string } => {
  const presentation = openPackage(readDocument(input), "pptx")
  verifyPackage(presentation)
  slidesOf(presentation)
  return { contentType }
}

/** The text of the slides in the order in which they are shown (document-tools 1). Throws a `Refusal`. */
export const parse = (input: ParseInput): DocumentOutput => {
  const bytes = readDocument(input)
  const presentation = openPackage(bytes, "pptx")
  const markdown = new MarkdownWriter(input.resultBytesMax)
  const warnings = new SlideWarnings()
  let hasText = false
  for (const slide of readSlides(presentation, warnings)) {
    if (slide.title !== "" || slide.blocks.length > 0) hasText = true
    markdown.beginPart()
    markdown.heading(2, headingOf(slide))
    for (const block of slide.blocks) writeBlock(markdown, block)
  }
  const noText = hasText ? [] : [{ code: "no_text", message: "No slide holds text." }]
  return writeResults(input, {
    markdown,
    structureSource: "pptx-xml",
    warnings: [...noText, ...warnings.list],
    inputBytes: bytes.length,
    parts: { slides: markdown.parts },
  })
}

const headingOf = ({ number, title, isHidden }: Slide): string =>
  `Slide ${number}${isHidden ? " (hidden)" : ""}${title === "" ? "" : `: ${title}`}`
