import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import type { UpstreamHttp } from "../http/UpstreamHttp.ts"
import type { UpstreamRequest } from "../http/UpstreamRequest.ts"

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * A client whose running requests are counted, so that the test's clock stands still while the outside is at
 * work: `drive` lets time pass for an effect, in steps, whenever nothing is asked, until it ends. A request that
 * waits for time to pass must not be counted.
 */
export const countRequests = (
  http: UpstreamHttp["Service"],
  counts: (request: UpstreamRequest) => boolean = () => true,
) => {
  let running = 0
  const change = (by: number) =>
    Effect.sync(() => {
      running += by
    })
  const counted: UpstreamHttp["Service"] = {
    ...http,
    request: (request) =>
      counts(request)
        ? Effect.acquireUseRelease(
            change(1),
            () => http.request(request),
            () => change(-1),
          )
        : http.request(request),
  }
  const quiet = Effect.promise(async () => {
    for (let idle = 0; idle < 5; idle = running === 0 ? idle + 1 : 0) await turn()
  })
  const drive = <A, E, R>(effect: Effect.Effect<A, E, R>, stepMillis = 500) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(effect)
      yield* quiet
      while (fiber.pollUnsafe() === undefined) {
        yield* TestClock.adjust(stepMillis)
        yield* quiet
      }
      return yield* Fiber.join(fiber)
    })
  return { http: counted, drive }
}
