/**
 * What stands in a row: each of them goes on with those before it, as `goesOn` tells, of which there is one or more. An
 * undefined one parts two of them.
 */
export const runsOf = <A>(
  all: Iterable<A | undefined>,
  goesOn: (run: readonly [A, ...Array<A>], next: A) => boolean,
): ReadonlyArray<ReadonlyArray<A>> => {
  const runs: Array<[A, ...Array<A>]> = []
  let run: [A, ...Array<A>] | undefined
  for (const each of all) {
    if (each === undefined) run = undefined
    else if (run !== undefined && goesOn(run, each)) run.push(each)
    else {
      run = [each]
      runs.push(run)
    }
  }
  return runs
}
