/** A vocabulary's prefix stands for one number, whichever of its namespaces a document uses. */
export const noNamespace = 0

export const xmlNamespace = "http://www.w3.org/XML/1998/namespace"

/** The name of an attribute as a reader looks for it. */
export interface XmlAttributeName {
  /** `noNamespace` or the number of the prefix. */
  readonly namespace: number
  readonly local: Uint8Array
}

/**
 * The elements that a reader cares about: a number for each `prefix:local` name. Prefixes are the
 * vocabulary's own; a document's prefixes are resolved through its namespace declarations.
 */
export interface XmlVocabulary {
  /** How many names there are, which is the highest number. */
  readonly size: number
  /** The number of a name, 1 and up, for `switch (xml.element)`. Throws if it is not in the vocabulary. */
  readonly number: (name: string) => number
  /** The number of the prefix that a namespace belongs to, undefined if it is not in the vocabulary. */
  readonly namespace: (uri: string) => number | undefined
  /** The number of an element, 0 if it is not in the vocabulary. */
  readonly element: (namespace: number, local: string) => number
  /** An attribute's name, taken apart. Throws if its prefix is not in the vocabulary. */
  readonly attribute: (name: string) => XmlAttributeName
}

/**
 * @param namespaces for each prefix the namespaces that it stands for (transitional and strict); `xml` is
 * known without it
 * @param names qualified element names in the order of their numbers, from 1; without prefix: no namespace
 */
export const xmlVocabulary = (
  namespaces: Readonly<Record<string, ReadonlyArray<string>>>,
  names: ReadonlyArray<string>,
): XmlVocabulary => {
  const prefixes = new Map([["", noNamespace]])
  const uris = new Map<string, number>()
  for (const [prefix, meant] of Object.entries({ xml: [xmlNamespace], ...namespaces })) {
    prefixes.set(prefix, prefixes.size)
    for (const uri of meant) {
      if (uris.has(uri)) throw new Error(`The namespace ${uri} belongs to two prefixes.`)
      uris.set(uri, prefixes.size - 1)
    }
  }
  const split = (name: string) => {
    const colon = name.indexOf(":")
    const namespace = prefixes.get(name.slice(0, Math.max(0, colon)))
    if (namespace === undefined) throw new Error(`The vocabulary has no prefix for ${name}.`)
    return { namespace, local: name.slice(colon + 1) }
  }
  const numbers = new Map<string, number>()
  const elements = [...prefixes].map(() => new Map<string, number>())
  for (const name of names) {
    const { namespace, local } = split(name)
    if (numbers.has(name)) throw new Error(`The vocabulary has ${name} twice.`)
    numbers.set(name, numbers.size + 1)
    elements[namespace]?.set(local, numbers.size)
  }
  const attributes = new Map<string, XmlAttributeName>()
  return {
    size: numbers.size,
    number: (name) => {
      const number = numbers.get(name)
      if (number === undefined) throw new Error(`The vocabulary has no element ${name}.`)
      return number
    },
    namespace: (uri) => uris.get(uri),
    element: (namespace, local) => elements[namespace]?.get(local) ?? 0,
    attribute: (name) => {
      const known = attributes.get(name)
      if (known !== undefined) return known
      const { namespace, local } = split(name)
      const attribute = { namespace, local: Buffer.from(local) }
      attributes.set(name, attribute)
      return attribute
    },
  }
}
