/** Whether a font's name says that all of its characters are equally wide. */
export const isFixedWidth = (font: string): boolean => fixedWidth.test(font)

const fixedWidth =
  /courier|consol|menlo|monaco|cascadia|inconsolata|typewriter|lucida ?console|cmtt|(?:source|fira) ?code|mono(?!type)/i
