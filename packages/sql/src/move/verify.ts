import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import { type Destination, digestsText, keyOf } from "./Destination.ts"
import { compareKeys, type Relation, type Row, type Value } from "./Relation.ts"
import { reading } from "./reading.ts"
import type { Source } from "./Source.ts"

/** Digests that are read at once. */
const pageRowsMax = 5_000
/** Keys that are named where rows differ. */
const examplesMax = 5

/** The result of comparing row by row. */
export interface Compared {
  readonly name: string
  readonly source: number
  readonly destination: number
  /** Rows of the source that are missing; rows that the source does not have; rows that differ. */
  readonly missing: number
  readonly extra: number
  readonly different: number
  /** Keys of the first such rows. */
  readonly examples: ReadonlyArray<string>
}

export const isSame = ({ missing, extra, different }: Compared): boolean => missing + extra + different === 0

interface Digest {
  readonly key: Row
  readonly digest: string
}

/** Walks both sides in the order of the key and compares the SHA-256 of each row. */
export const compare = Effect.fnUntraced(function* (
  source: Source,
  destination: Destination,
  relation: Relation,
) {
  const there = makePages(destination, relation)
  const count = { source: 0, destination: 0, missing: 0, extra: 0, different: 0 }
  const examples: Array<string> = []
  const fault = (kind: "missing" | "extra" | "different", key: Row) => {
    count[kind] += 1
    if (examples.length < examplesMax) examples.push(`${kind}: ${key.join(" ")}`)
  }
  const rows = source.rows(relation)
  let left = yield* reading(() => nextDigest(relation, rows))
  let right = yield* there.next
  while (left !== undefined || right !== undefined) {
    const order = left === undefined ? 1 : right === undefined ? -1 : compareKeys(left.key, right.key)
    if (order < 0 && left !== undefined) fault("missing", left.key)
    if (order > 0 && right !== undefined) fault("extra", right.key)
    if (order === 0 && left !== undefined && left.digest !== right?.digest) fault("different", left.key)
    if (order <= 0) {
      count.source += 1
      left = nextDigest(relation, rows)
    }
    if (order >= 0) {
      count.destination += 1
      right = there.buffered() ?? (yield* there.next)
    }
  }
  const compared: Compared = { name: relation.name, ...count, examples }
  return compared
})

const nextDigest = (relation: Relation, rows: Iterator<Row>): Digest | undefined => {
  const { done, value } = rows.next()
  return done === true ? undefined : { key: keyOf(relation, value), digest: digestOf(value) }
}

const digestOf = (row: Row): string => createHash("sha256").update(row.map(written).join("")).digest("hex")

const written = (value: Value): string => {
  if (value === null) return "-"
  const text = String(value)
  return `${Buffer.byteLength(text)}:${text}`
}

/** The digests of the destination, a page at a time. */
const makePages = ({ run }: Destination, relation: Relation) => {
  let page: ReadonlyArray<Digest> = []
  let position = 0
  let last: Row | undefined
  const buffered = (): Digest | undefined => page[position++]
  const next = Effect.gen(function* () {
    const rows = yield* run<Record<string, Value>>(digestsText(relation, last !== undefined), [
      pageRowsMax,
      ...(last ?? []),
    ])
    page = rows.map((row) => ({
      key: relation.key.map((column) => row[column] ?? null),
      digest: String(row["row_digest"]),
    }))
    position = 0
    last = page.at(-1)?.key ?? last
    return buffered()
  })
  return { buffered, next }
}
