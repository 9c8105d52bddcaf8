/** What an attack aims at. It goes to the attacker's process as JSON. */
export interface Target {
  readonly url: string
  readonly adminToken: string
  /** A key whose user has no money. */
  readonly poor: string
  /** Users with money, whose keys may ask as often as they like. */
  readonly rich: { readonly user: string; readonly key: string }
  readonly other: { readonly user: string; readonly key: string }
  /** An attack goes on for this long, at most, beside what it waits for. */
  readonly seconds: number
  /** Of the counts of an attack: 1 in the benchmark, less in the tests. */
  readonly share: number
}

/** So many of `count` as the run has a share of, but at least one. */
export const shareOf = ({ share }: Target, count: number): number => Math.max(1, Math.ceil(count * share))
