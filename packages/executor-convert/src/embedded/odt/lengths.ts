/** Of each unit, in twentieths of a point. */
const units: Readonly<Record<string, number>> = {
  cm: 1440 / 2.54,
  mm: 144 / 2.54,
  in: 1440,
  pt: 20,
  pc: 240,
}

/** A length such as `1.27cm` in twentieths of a point; undefined if it is none. */
export const twentieths = (length: string | undefined): number | undefined => {
  const [, value, unit = ""] = /^(-?\d{1,6}(?:\.\d{0,6})?)(cm|mm|in|pt|pc)$/.exec(length ?? "") ?? []
  return value === undefined ? undefined : Math.round(Number(value) * (units[unit] ?? 0))
}
