/** A mistake that someone could make in one place, and the tests that must see it. */
export interface Fault {
  /** What is broken. */
  readonly name: string
  readonly file: string
  /** Stands in the file exactly once. */
  readonly original: string
  readonly replacement: string
  /** Paths, or parts of them, of test files that run in seconds; the likeliest first. */
  readonly suites: ReadonlyArray<string>
}

/** Faults of one file. */
export const faultsOf = (
  file: string,
  suites: ReadonlyArray<string>,
  list: ReadonlyArray<
    readonly [name: string, original: string, replacement: string, suites?: ReadonlyArray<string>]
  >,
): ReadonlyArray<Fault> =>
  list.map(([name, original, replacement, own = suites]) => ({
    name,
    file,
    original,
    replacement,
    suites: own,
  }))
