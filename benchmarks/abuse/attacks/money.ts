import { once } from "node:events"
import { readFileSync } from "node:fs"
import { createServer } from "node:https"
import { join } from "node:path"
import { root } from "../../../scripts/workspace.ts"
import { at } from "../../../test/support/server.ts"
import type { Attack } from "../attack.ts"
import { type Answer, agentOf, ask, lanes, pause } from "../requests.ts"
import { shareOf, type Target } from "../target.ts"

const body = (prompt: string) => ({ model: "gen-image-2", prompt, size: "256x256" })

const taskOf = ({ text }: Answer): string | undefined => /"task_id":"(\w+)"/.exec(text)?.[1]

const balanceOf = async (target: Target, user: string): Promise<number> => {
  const { text } = await ask(target, { path: `/admin/v1/users/${user}`, key: target.adminToken })
  const parsed: unknown = JSON.parse(text)
  return ["balance", "held", "spent"].reduce((sum, name) => sum + Number(at(parsed, name)), 0)
}

const fixture = (name: string): string => join(root, "test", "image-tasks", "fixtures", name)

/** Deliveries of one task in a few seconds that its customer may cause: the receiver may be someone else's. */
const deliveriesMax = 20

const redeliver: Attack["send"] = async (target, sent) => {
  let delivered = 0
  const receiver = createServer(
    { cert: readFileSync(fixture("receiver.cert.pem")), key: readFileSync(fixture("receiver.key.pem")) },
    (request, response) => {
      delivered += 1
      request.resume()
      response.writeHead(500).end()
    },
  ).listen(0, "127.0.0.1")
  await once(receiver, "listening")
  const address = receiver.address()
  const callbackUrl = `https://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`
  const { key } = target.rich
  const json = { ...body("a boat [partial 0]"), callback_url: callbackUrl }
  const id = taskOf(sent.answer(await ask(target, { path: "/v1/images/tasks", key, json })))
  await ask(target, { path: `/v1/tasks/${id}?wait=20`, key })
  const path = `/v1/tasks/${id}/callbacks/redeliver`
  const agent = agentOf(4)
  await lanes(4, target.seconds, async () => {
    sent.answer(await ask(target, { method: "POST", path, key, agent }))
    await pause(50)
  })
  agent.destroy()
  sent.notes.push(`${delivered} deliveries`)
  sent.expect(delivered <= deliveriesMax, `${delivered} deliveries of one callback were made`)
  receiver.closeAllConnections()
  receiver.close()
}

export const money: ReadonlyArray<Attack> = [
  {
    name: "idempotency-races",
    about: "64 submissions at once under one key, equal ones and different ones, again and again",
    allowed: /^(202|409 idempotency_(request_in_progress|key_reused)|503 overloaded)$/,
    send: async (target, sent) => {
      const agent = agentOf(64)
      const rounds = shareOf(target, 20)
      const began = performance.now()
      for (let round = 0; round < rounds; round++) {
        const same = round % 2 === 0
        const headers = { "idempotency-key": `race-${began}-${round}` }
        const calls = Array.from({ length: 64 }, (_, index) =>
          ask(target, {
            path: "/v1/images/tasks",
            key: target.rich.key,
            json: body(`a boat ${same ? "" : index} [partial 0]`),
            headers,
            agent,
          }),
        )
        const answers = await Promise.all(calls)
        for (const answer of answers) sent.answer(answer)
        const tasks = new Set(answers.filter(({ status }) => status === 202).map(taskOf))
        sent.expect(tasks.size <= 1, `one key made ${tasks.size} tasks`)
      }
      agent.destroy()
    },
  },
  {
    name: "cancel-races",
    about: "cancels at the moment when tasks begin and end, four for each task",
    allowed: /^(200|202|409 task_not_cancelable|503 overloaded)$/,
    send: async (target, sent) => {
      const agent = agentOf(32)
      const { key } = target.rich
      const race = async (index: number) => {
        const json = body(`a boat [slow ${(index % 30) + 1}ms]${index % 3 === 0 ? " [partial 0]" : ""}`)
        const id = taskOf(sent.answer(await ask(target, { path: "/v1/images/tasks", key, json, agent })))
        if (id === undefined) return
        await pause(index % 40)
        const cancel = { method: "POST", path: `/v1/tasks/${id}/cancel`, key, agent }
        for (const answer of await Promise.all([1, 2, 3, 4].map(() => ask(target, cancel))))
          sent.answer(answer)
      }
      for (let index = 0; index < shareOf(target, 200); index += 8) {
        await Promise.all(Array.from({ length: 8 }, (_, lane) => race(index + lane)))
      }
      agent.destroy()
    },
  },
  {
    name: "grant-replays",
    about: "one grant sent 30 times at once under one idempotency key, and grants past what can be counted",
    allowed: /^(201|409 idempotency_\w+|400 invalid_parameter)$/,
    send: async (target, sent) => {
      const { user } = target.other
      const before = await balanceOf(target, user)
      const path = `/admin/v1/users/${user}/grants`
      const headers = { "idempotency-key": `grant-replays-${performance.now()}` }
      const grant = { path, key: target.adminToken, headers, json: { usd: 1, reason: "once" } }
      const answers = await Promise.all(Array.from({ length: 30 }, () => ask(target, grant)))
      for (const answer of answers) sent.answer(answer)
      const once = (await balanceOf(target, user)) - before
      sent.expect(once === 500_000, `a grant of 500000 units under one key gave ${once}`)
      for (const usd of [2 ** 53, 1e300, "1e30", "9".repeat(40), -1, "NaN"]) {
        sent.answer(await ask(target, { path, key: target.adminToken, json: { usd, reason: "too much" } }))
      }
    },
  },
  {
    name: "redelivery",
    about: "redeliveries of one callback, again and again, to a receiver that fails",
    config: { network: { allow_private: ["127.0.0.1/32"] } },
    environment: { NODE_EXTRA_CA_CERTS: fixture("receiver.cert.pem") },
    allowed: /^(200|202|429 \w+)$/,
    send: redeliver,
  },
]
