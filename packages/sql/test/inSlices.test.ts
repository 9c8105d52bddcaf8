import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inSlices, summed } from "../src/inSlices.ts"

/** Rows 1 to `rows`, of two users in turn, one unit each. */
const reader = (rows: number) => {
  const asked: Array<number> = []
  const read = (last: number, limit: number) =>
    Effect.sync(() => {
      asked.push(limit)
      const first = Math.max(1, Math.min(last, rows) - limit + 1)
      const count = Math.max(0, Math.min(last, rows) - first + 1)
      const [even, odd] = [Math.floor(count / 2), Math.ceil(count / 2)]
      const groups = [
        { user: "even", count: even, amount: even, lowest: first + 1 },
        { user: "odd", count: odd, amount: String(odd), lowest: String(first) },
      ]
      return groups.filter((group) => group.count > 0)
    })
  return { asked, read }
}

it.effect.each([
  [0, 200_000, 0],
  [1, 200_000, 1],
  [5_000, 200_000, 5_000],
  [12_345, 200_000, 12_345],
  [12_345, 7_000, 7_000],
] as const)("of %i rows at most %i are read, in slices, each once: %i", ([rows, rowsMax, wanted]) =>
  Effect.gen(function* () {
    const { asked, read } = reader(rows)
    const groups = yield* inSlices(1_000_000, rowsMax, read)
    const sums = summed(groups, ({ user }) => user)
    assert.strictEqual(
      sums.reduce((sum, { count }) => sum + count, 0),
      wanted,
    )
    assert.strictEqual(
      sums.reduce((sum, { amount }) => sum + amount, 0),
      wanted,
    )
    assert.isTrue(asked.every((limit) => limit <= 5_000))
  }),
)
