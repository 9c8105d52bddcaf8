/** Units as US dollars, exact to the unit and without zeros at the end: `$0.04`. */
export const usdOf = (units: number, unitsPerUsd: number): string => {
  const digits = Math.max(2, Math.ceil(Math.log10(unitsPerUsd)))
  const text = (units / unitsPerUsd).toFixed(digits)
  return `$${text.replace(/(\.\d\d\d*?)0+$/, "$1")}`
}
