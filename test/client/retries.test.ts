import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { calls, problemsOf, Suite } from "./calls.ts"
import type { FaultyProxy } from "./faultyProxy.ts"
import { openService } from "./service.ts"

let service: FaultyProxy
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

describe("a client under faults makes at most one task, and never loses it", () => {
  it.for(calls)("$name: every fault at every request", { timeout: 300_000 }, async (call) => {
    expect(await problemsOf(new Suite(service.url), call)).toEqual([])
  })
})
