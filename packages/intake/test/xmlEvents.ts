import {
  readXml,
  type XmlReader,
  type XmlReaderOptions,
  xmlEnd,
  xmlStart,
  xmlText,
} from "@atelier/intake/bytes"

const eventOf = (xml: XmlReader, token: number, attributes: ReadonlyArray<string>): string => {
  if (token === xmlText) return `text ${JSON.stringify(xml.text())} ${xml.depth}`
  const place = `${xml.element} ${xml.name()} ${xml.depth}`
  if (token !== xmlStart) return `close ${place}`
  const found = attributes.flatMap((name) => {
    const value = xml.attribute(name)
    return value === undefined ? [] : [` ${name}=${JSON.stringify(value)}`]
  })
  return `start ${place}${found.join("")}`
}

/** What a reader reports, in one line each; texts that follow each other are one. */
export const eventsOf = (
  document: string | Uint8Array,
  options: XmlReaderOptions = {},
  attributes: ReadonlyArray<string> = [],
): ReadonlyArray<string> => {
  const xml = readXml(Buffer.from(document), options)
  const events: Array<string> = []
  let text: string | undefined
  for (let token = xml.next(); token !== xmlEnd; token = xml.next()) {
    if (token === xmlText && text !== undefined) {
      text += xml.text()
      events[events.length - 1] = `text ${JSON.stringify(text)} ${xml.depth}`
      continue
    }
    text = token === xmlText ? xml.text() : undefined
    events.push(eventOf(xml, token, attributes))
  }
  return events
}

/** Reads a document event by event, from the first call on; undefined at its end. */
export const reader = (document: string): (() => string | undefined) => {
  let xml: XmlReader | undefined
  return () => {
    xml ??= readXml(Buffer.from(document))
    const token = xml.next()
    return token === xmlEnd ? undefined : eventOf(xml, token, ["b"])
  }
}

/** Puts a comment before the document, so long that the reader's quick lane comes to use in a short one. */
export const lengthened = (document: string): string => `<!--${" ".repeat(5_000)}-->${document}`
