const letterA = 0x41
const letterZ = 0x5a
const digit0 = 0x30
const digit9 = 0x39

/** The largest sheet that spreadsheet programs make. */
export const columnsMax = 16_384
export const rowsMax = 1_048_576

/** Where a reference such as `B3` points, from 0; undefined if it points nowhere. */
export const cellAt = (reference: string): { readonly row: number; readonly column: number } | undefined => {
  let at = 0
  let column = 0
  for (
    let code = reference.charCodeAt(0);
    code >= letterA && code <= letterZ;
    code = reference.charCodeAt(at)
  ) {
    column = column * 26 + code - letterA + 1
    at++
  }
  const letters = at
  let row = 0
  for (
    let code = reference.charCodeAt(at);
    code >= digit0 && code <= digit9;
    code = reference.charCodeAt(at)
  ) {
    row = row * 10 + code - digit0
    at++
  }
  const isCell = letters > 0 && at > letters && at === reference.length
  if (!isCell || column > columnsMax || row === 0 || row > rowsMax) return undefined
  return { row: row - 1, column: column - 1 }
}
