import { BoundedCache } from "@atelier/core"
import { assert, describe, it } from "@effect/vitest"

describe("a bounded cache", () => {
  it("gives what was kept, and the last value of a name", () => {
    const cache = new BoundedCache<number>(160)
    cache.set("a", 1, 10)
    cache.set("a", 2, 5)
    assert.strictEqual(cache.get("a"), 2)
    assert.strictEqual(cache.weight, 5)
    assert.isUndefined(cache.get("b"))
  })

  it("never weighs more than its bound, whatever comes", () => {
    const cache = new BoundedCache<number>(160)
    for (let index = 0; index < 1000; index++) {
      cache.set(`name ${index % 37}`, index, 1 + (index % 10))
      if (index % 3 === 0) cache.get(`name ${index % 7}`)
      assert.isAtMost(cache.weight, 160)
    }
    assert.isAtLeast(cache.weight, 140)
  })

  it("lets go of the oldest first, but for what was used since", () => {
    const cache = new BoundedCache<string>(160)
    for (let index = 0; index < 16; index++) cache.set(String(index), "kept", 10)
    cache.get("0")
    cache.set("one more", "kept", 10)
    assert.strictEqual(cache.get("0"), "kept")
    assert.isUndefined(cache.get("1"))
    assert.strictEqual(cache.get("2"), "kept")
    assert.strictEqual(cache.get("one more"), "kept")
  })

  it("does not keep what would leave little room for others, nor anything where it has no room", () => {
    const cache = new BoundedCache<string>(160)
    cache.set("small", "kept", 10)
    cache.set("large", "not kept", 11)
    assert.isUndefined(cache.get("large"))
    assert.strictEqual(cache.get("small"), "kept")
    cache.set("small", "not kept", 11)
    assert.isUndefined(cache.get("small"))
    const none = new BoundedCache<string>(0)
    none.set("a", "not kept", 1)
    assert.isUndefined(none.get("a"))
    assert.strictEqual(none.weight, 0)
  })

  it("is empty after it was cleared", () => {
    const cache = new BoundedCache<string>(160)
    cache.set("a", "kept", 10)
    cache.clear()
    assert.isUndefined(cache.get("a"))
    assert.strictEqual(cache.weight, 0)
  })
})
