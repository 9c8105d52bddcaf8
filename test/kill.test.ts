import { describe, expect, it } from "vitest"
import { faultsIn } from "./support/settled.ts"
import { stormSqlite } from "./support/storm.ts"

const kills = 8
const seed = Number(process.env["ATELIER_TEST_SEED"] ?? Date.now() % 1_000_000)

describe("contract, Running it: killed at any instant and started again", () => {
  it(`loses nothing that was accepted and charges nothing twice (${kills} kills, seed ${seed})`, {
    timeout: 300_000,
  }, async () => {
    console.log(`kill test: seed ${seed} (repeat with ATELIER_TEST_SEED=${seed})`)
    const { findings } = await stormSqlite({ kills, seed, clients: 8, answersMax: 40, startKills: 3 })
    console.log(`kill test: ${JSON.stringify({ ...findings.looked, ...findings.states })}`)
    expect(faultsIn(findings)).toEqual([])
  })
})
