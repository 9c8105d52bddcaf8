import { deckOf, slideOf } from "./deck.ts"

/** All that a presentation may expand to, but for its other parts. */
const slideBytes = 20 * 1024 * 1024 - 4096

/** As many of `piece` as fill the slide. */
const filled = (before: string, piece: string, after: string): string => {
  const room = slideBytes - Buffer.byteLength(slideOf(before + after))
  return slideOf(before + piece.repeat(Math.floor(room / Buffer.byteLength(piece))) + after)
}

const inShape = (before: string, piece: string, after: string): string =>
  filled(`<p:sp><p:txBody>${before}`, piece, `${after}</p:txBody></p:sp>`)

const inTable = (before: string, piece: string, after: string): string =>
  filled(
    `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${before}`,
    piece,
    `${after}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`,
  )

const attributes = (count: number): string =>
  Array.from({ length: count }, (_, index) => ` a${index}=""`).join("")

/** A run of one mebibyte of the text. */
const longRun = (text: string): string =>
  `<a:p><a:r><a:t>${text.repeat(Math.floor((1024 * 1024) / Buffer.byteLength(text)))}</a:t></a:r></a:p>`

/** UTF-16 takes two bytes for each of these characters. */
const utf16 = (): string =>
  slideOf(`<p:sp><p:txBody>${longRun("Words ").repeat(9)}</p:txBody></p:sp>`).replace("UTF-8", "UTF-16")

const groupOfBoxes = (count: number): string =>
  `<p:grpSp>${Array.from(
    { length: count },
    (_, index) =>
      `<p:sp><p:spPr><a:xfrm><a:off x="0" y="${-index}"/><a:ext cx="1" cy="1"/></a:xfrm></p:spPr><a:p><a:t>x</a:t></a:p></p:sp>`,
  ).join("")}</p:grpSp>`

/** Presentations of at most 10 MiB that are as slow and as large as can be, each one slide. */
const slides: Readonly<Record<string, () => string | Buffer>> = {
  "tiny elements": () => filled("", "<a/>", ""),
  "tiny elements in the vocabulary": () => filled("", "<a:p/>", ""),
  "runs in one paragraph": () => inShape("<a:p>", "<a:r><a:t>x</a:t></a:r>", "</a:p>"),
  "paragraphs of one run": () => inShape("", "<a:p><a:r><a:t>x</a:t></a:r></a:p>", ""),
  "list items at changing levels": () =>
    inShape("", '<a:p><a:pPr lvl="8"><a:buAutoNum/></a:pPr><a:r><a:t>x</a:t></a:r></a:p>', ""),
  "line breaks": () => inShape("<a:p>", "<a:r><a:t>x</a:t></a:r><a:br/>", "</a:p>"),
  entities: () => inShape("", longRun("&amp;"), ""),
  "entities that become Markdown": () => inShape("", longRun("&lt;a>"), ""),
  text: () => inShape("", longRun("Words and more words. "), ""),
  "text to be escaped": () => inShape("", longRun("*a_ "), ""),
  "one run of asterisks": () => inShape("", longRun("*"), ""),
  "text of two bytes": () => inShape("", longRun("你好 "), ""),
  "UTF-16": () => Buffer.from(`\ufeff${utf16()}`, "utf16le"),
  "a million attributes in one element": () => slideOf(`<a:x${attributes(1_000_000)}/>`),
  "a million attributes": () => filled("", `<a:x${attributes(1_000)}/>`, ""),
  "table cells": () =>
    inTable(
      "<a:tr>",
      "<a:tc/>",
      "<a:tc><a:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody></a:tc></a:tr>",
    ),
  "table rows below a wide one": () =>
    inTable(`<a:tr>${"<a:tc/>".repeat(500_000)}</a:tr>`, "<a:tr><a:tc><a:t>x</a:t></a:tc></a:tr>", ""),
  "cells that claim to be wide": () =>
    inTable("<a:gridCol/>".repeat(500_000), '<a:tr><a:tc gridSpan="999999999"/><a:tc/></a:tr>', ""),
  shapes: () => filled("", "<p:sp/>", ""),
  pictures: () => filled("", "<p:pic/>", ""),
  "groups of 200 boxes, the lowest first": () => filled("", groupOfBoxes(200), ""),
  alternatives: () =>
    filled(
      '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">',
      "<mc:Choice/>",
      "</mc:AlternateContent>",
    ),
  "elements 256 deep": () => filled("", `${"<a:x>".repeat(250)}${"</a:x>".repeat(250)}`, ""),
}

export const hostileDecks = Object.entries(slides).map(([name, slide]) => ({
  name,
  make: () => deckOf([slide()]),
}))
