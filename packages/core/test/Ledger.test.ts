import { holdOf, releaseOf, settlementOf, transferKindOf, transfersOf } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"

const money = (held: number) => ({ id: "imgtask_1", userId: "usr_1", keyId: "key_1", held }) as const

describe("contract, Money: transfers of a task", () => {
  it("settle never more than the hold, and give the rest back", () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.nat(20_000), (held, charged) => {
        const transfers = settlementOf(money(held), charged, 0)
        const settled = transfers.filter(({ kind }) => kind === "settle")
        const released = transfers.filter(({ kind }) => kind === "release")
        assert.strictEqual(settled.length, 1)
        assert.strictEqual(settled[0]?.amount, Math.min(held, charged))
        assert.strictEqual(
          transfers.reduce((sum, { amount }) => sum + amount, 0),
          held,
        )
        assert.strictEqual(released.length, held > charged ? 1 : 0)
        assert.ok(transfers.every(({ amount }) => amount >= 0))
      }),
    )
  })

  it("have deterministic ids, and phases that exclude a second closing", () => {
    assert.strictEqual(holdOf(money(5), 0).id, "hold:imgtask_1")
    assert.strictEqual(settlementOf(money(5), 5, 0)[0]?.phase, releaseOf(money(5), 0).phase)
    assert.strictEqual(settlementOf(money(5), 3, 0)[1]?.phase, "remainder")
  })

  it("are the ones that a step's effect on the money asks for", () => {
    const ids = (effect: "none" | "settle" | "release", charged: number) =>
      transfersOf(money(5), effect, charged, 0).map(({ id }) => id)
    assert.deepStrictEqual(ids("none", 0), [])
    assert.deepStrictEqual(ids("release", 0), ["release:imgtask_1"])
    assert.deepStrictEqual(ids("settle", 5), ["settle:imgtask_1"])
    assert.deepStrictEqual(ids("settle", 2), ["settle:imgtask_1", "release:imgtask_1"])
    assert.deepStrictEqual(ids("settle", 2).map(transferKindOf), ["settle", "release"])
    assert.isUndefined(transferKindOf("imgtask_1"))
  })
})
