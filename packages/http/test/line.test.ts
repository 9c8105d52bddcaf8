import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Line, type Waiter } from "../src/Line.ts"

const take = <W extends Waiter>(line: Line<W>): W | undefined => {
  const first = line.first()
  if (first !== undefined) line.remove(first)
  return first
}

describe("contract, Later decisions: submissions wait for their turn", () => {
  const waiters = fc.array(
    fc.constantFrom("a", "b", "c").map((caller) => ({ caller })),
    { maxLength: 40 },
  )

  it("of one caller in their order, and each once", () => {
    fc.assert(
      fc.property(waiters, (callers) => {
        const line = new Line()
        const all = callers.map(({ caller }, since) => ({ caller, since }))
        for (const waiter of all) line.add(waiter)
        const taken = all.map(() => take(line))
        assert.strictEqual(take(line), undefined)
        for (const caller of ["a", "b", "c"]) {
          assert.deepStrictEqual(
            taken.filter((each) => each?.caller === caller),
            all.filter((each) => each.caller === caller),
          )
        }
      }),
    )
  })

  it("a caller waits for at most one of each other between two of its own", () => {
    fc.assert(
      fc.property(waiters, (callers) => {
        const line = new Line()
        for (const [since, { caller }] of callers.entries()) line.add({ caller, since })
        const left = Map.groupBy(callers, ({ caller }): string => caller)
        let round = new Set<string>()
        for (let next = take(line); next !== undefined; next = take(line)) {
          const others = [...left].filter(([, waiting]) => waiting.length > 0).map(([caller]) => caller)
          if (round.has(next.caller)) {
            assert.isTrue(others.every((caller) => round.has(caller)))
            round = new Set()
          }
          round.add(next.caller)
          left.get(next.caller)?.pop()
        }
      }),
    )
  })

  it("an entry that leaves is removed, and the oldest is known for all and for one caller", () => {
    const line = new Line()
    const [first, second, third] = [
      { caller: "a", since: 1 },
      { caller: "a", since: 2 },
      { caller: "b", since: 3 },
    ]
    for (const waiter of [first, second, third]) line.add(waiter)
    line.remove(first)
    line.remove(first)
    assert.deepStrictEqual([line.count, line.oldest(), line.oldest("a"), line.oldest("b")], [2, 2, 2, 3])
    line.remove(second)
    assert.deepStrictEqual([line.oldest(), line.oldest("a")], [3, undefined])
  })
})
