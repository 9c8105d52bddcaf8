/** What `next` came to. */
export const xmlEnd = 0
export const xmlStart = 1
export const xmlClose = 2
export const xmlText = 3
export type XmlToken = 0 | 1 | 2 | 3
