import assert from "node:assert/strict"
import { test } from "node:test"
import { createTestAtelier } from "@atelier/node/testing"
import { openShop } from "./shop.ts"

test("an order holds the price, and is paid when its picture is there", async () => {
  const atelier = await createTestAtelier({ users: { "customer-42": "10" } })
  const shop = await openShop(atelier)

  await shop.order("customer-42", "A bridge in the rain")
  await atelier.assertSubmitted({ user: "customer-42", request: { prompt: /bridge/, n: 1 } })

  await atelier.drain()
  await atelier.assertBalance("customer-42", { held: 0, spent: "0.04" })
  assert.deepEqual(await shop.orders(), [{ title: "A bridge in the rain", state: "completed" }])
  await atelier.close()
})

test("a refused picture costs nothing, one that is late is refunded", async () => {
  const atelier = await createTestAtelier({ users: { "customer-42": "10" } })
  const shop = await openShop(atelier)
  atelier.upstream.next({ rejected: "not this" }, { images: 1 }, { unavailable: "maintenance" })
  atelier.upstream.always({ silent: true })

  for (const title of ["one", "two", "three"]) await shop.order("customer-42", title)
  await atelier.drain()
  atelier.clock.advance("2 hours")
  await atelier.drain()
  assert.deepEqual(
    (await shop.orders()).map(({ state }) => state),
    ["failed", "completed", "failed"],
  )
  await atelier.assertBalance("customer-42", { held: 0, spent: "0.04" })
  await atelier.close()
})
