/**
 * The first index below `length` at which `holds` is true, found by halves: it is true at all that follow, too. `length`
 * where it is true at none.
 */
export const firstWhere = (length: number, holds: (index: number) => boolean): number => {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
