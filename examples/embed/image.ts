import { Access, Admin, ImageTasks, Tasks, usd, Wallet } from "@atelier/core"
import * as Effect from "effect/Effect"

/** The first job as an Effect program: a customer with 1 USD makes one image. */
export const makeAnImage = Effect.gen(function* () {
  const admin = yield* Admin
  const access = yield* Access
  const images = yield* ImageTasks
  const tasks = yield* Tasks
  const wallet = yield* Wallet

  const { user } = yield* admin.createUser({ name: "Ada", balanceUsd: usd("1") })
  const { secret } = yield* admin.createKey(user.id, { name: "example" })
  const principal = yield* access.authenticate(secret, null)

  const { value: accepted } = yield* images.submit({
    principal,
    body: { model: "gen-image-2", prompt: "A lighthouse in the morning", size: "3:2" },
    idempotencyKey: "order-1",
  })
  yield* Effect.log(`accepted ${accepted.id}`)

  const task = yield* tasks.wait(principal, accepted.id, 60)
  if (task.kind !== "image") return yield* Effect.die("not an image task")
  const asset = task.result?.assets[0]
  const balance = yield* wallet.balance(user.id)
  return {
    state: task.state,
    size: `${asset?.width}x${asset?.height}`,
    held: accepted.held,
    charged: task.charged,
    spent: balance.spent,
    ledgerAddsUp: balance.wallet + balance.held + balance.spent === balance.granted,
  }
})
