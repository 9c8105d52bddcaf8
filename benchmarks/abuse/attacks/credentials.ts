import type { Attack } from "../attack.ts"
import { agentOf, ask, lanes } from "../requests.ts"
import { shareOf } from "../target.ts"

const madeUp = (turn: number): string => `sk-atl-${String(turn).padStart(43, "A")}`

export const credentials: ReadonlyArray<Attack> = [
  {
    name: "wrong-keys",
    about: "made-up API keys as fast as they go, over 16 connections",
    allowed: /^(401 invalid_api_key|429 rate_limited)$/,
    send: async (target, sent) => {
      const agent = agentOf(16)
      await lanes(16, target.seconds, async (turn) => {
        sent.answer(await ask(target, { path: "/v1/models", key: madeUp(turn), agent }))
      })
      agent.destroy()
    },
  },
  {
    name: "wrong-admin-tokens",
    about: "600 made-up admin tokens",
    allowed: /^(401 invalid_api_key|429 rate_limited)$/,
    send: async (target, sent) => {
      const agent = agentOf(8)
      let turn = 0
      const count = shareOf(target, 600)
      await lanes(8, target.seconds, async () => {
        if (turn >= count) return
        turn += 1
        sent.answer(await ask(target, { path: "/admin/v1/stats", key: `wrong-token-${turn}`, agent }))
      })
      agent.destroy()
      if (target.share === 1) {
        sent.expect((sent.counts["429 rate_limited"] ?? 0) > 0, "none of the wrong tokens was slowed")
      }
    },
  },
  {
    name: "keys-at-full-speed",
    about: "one valid key without money, as fast as it goes, over 16 connections",
    allowed: /^(200|403 insufficient_balance|429 rate_limited)$/,
    send: async (target, sent) => {
      const agent = agentOf(16)
      const json = { model: "gen-image-2", prompt: "a boat", size: "256x256" }
      await lanes(16, target.seconds, async (turn) => {
        const call = turn % 2 === 0 ? { path: "/v1/models" } : { path: "/v1/images/tasks", json }
        sent.answer(await ask(target, { ...call, key: target.poor, agent }))
      })
      agent.destroy()
    },
  },
]
