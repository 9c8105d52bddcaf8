/** S3's answers are flat: the elements that are read here have text and no attributes. */
export const textsOf = (xml: string, element: string): ReadonlyArray<string> =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, "g"))].map(([, text = ""]) =>
    unescaped(text),
  )

/** The text of the first element of that name. */
export const textOf = (xml: string, element: string): string | undefined => textsOf(xml, element)[0]

/** True where the document's root is that element. */
export const hasRoot = (xml: string, element: string): boolean =>
  new RegExp(`^\\s*(<\\?xml[^>]*\\?>)?\\s*<${element}[\\s/>]`).test(xml)

const entities: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hexadecimal, name) => {
    const codePoint = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal, 16) : undefined
    if (codePoint === undefined) return entities[name] ?? whole
    return codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : whole
  })

export const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
