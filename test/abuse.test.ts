import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Attack } from "../benchmarks/abuse/attack.ts"
import { attacks } from "../benchmarks/abuse/attacks.ts"
import { Sent } from "../benchmarks/abuse/sent.ts"
import { outcomeFaults, Stage } from "../benchmarks/abuse/stage.ts"
import type { Target } from "../benchmarks/abuse/target.ts"

/**
 * A small share of each attack of `npm run abuse`: what is answered, and what is left afterwards. What another
 * customer notices and what memory it takes is measured there.
 */
const share = 0.02
const seconds = 0.5

/** Attacks that need the same server share one. */
const servers = [
  ...Map.groupBy(attacks, ({ config, environment }) => JSON.stringify([config, environment])).values(),
]

describe.each(servers.map((each) => [each.map(({ name }) => name).join(", "), each] as const))(
  "abuse: %s",
  (_, list) => {
    let stage: Stage
    let target: Target
    beforeAll(async () => {
      stage = await Stage.open(list[0] ?? {})
      target = await stage.target(seconds, share)
    })
    afterAll(async () => {
      expect(await stage.close()).toEqual([])
    })

    it.each(list.map((attack): [string, Attack] => [attack.about, attack]))("%s", async (_about, attack) => {
      const sent = new Sent()
      await attack.send(target, sent)
      expect(outcomeFaults(attack, sent)).toEqual([])
    })

    it("leaves nothing behind", async () => {
      expect(await stage.aftermath()).toEqual([])
    })
  },
)
