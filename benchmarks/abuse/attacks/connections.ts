import { type Attack, refusals } from "../attack.ts"
import { ask, pause } from "../requests.ts"
import type { Sent } from "../sent.ts"
import { type Held, headOf, hold, outcomeOfHeld, release } from "../sockets.ts"
import { shareOf, type Target } from "../target.ts"

/** Opens this many connections, a few at a time, so that none is lost in the backlog. */
const openMany = async (count: number, open: (index: number) => Held): Promise<ReadonlyArray<Held>> => {
  const held: Array<Held> = []
  for (let index = 0; index < count; index++) {
    held.push(open(index))
    if (index % 50 === 49) await pause(20)
  }
  return held
}

/** A byte of each at a time, until the time is up. */
const dribble = async (held: ReadonlyArray<Held>, byte: string, seconds: number) => {
  const until = performance.now() + seconds * 1000
  while (performance.now() < until && held.some(({ closed }) => !closed())) {
    for (const { socket, closed } of held) if (!closed()) socket.write(byte)
    await pause(500)
  }
}

const get = (path: string, key: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n\r\n`

/** A task of the user that goes on for longer than the attack. */
const longTask = async (target: Target): Promise<string> => {
  const json = { model: "gen-image-2", prompt: "a boat [slow 1h]", size: "256x256" }
  for (;;) {
    const { text } = await ask(target, { path: "/v1/images/tasks", key: target.rich.key, json })
    const [, id] = /"task_id":"(\w+)"/.exec(text) ?? []
    if (id !== undefined) return id
    // A machine that is busy otherwise may shed it.
    await pause(200)
  }
}

/** How many of one key are open when all were asked for. */
const answered = (held: ReadonlyArray<Held>): number =>
  held.filter((each) => outcomeOfHeld(each) === "200").length

/** What no key may hold: each is a place in the server that others would need. */
const openPerKeyMax = 250

/** For an answer of a machine that is busy otherwise. */
const answerSecondsMax = 30

/** `answersAtOnce`: each is waited for until it has its answer; that a reader has none yet tells nothing. */
const many = (
  path: (task: string) => string,
  answersAtOnce: boolean,
  isOpen: (each: Held) => boolean,
): Attack["send"] => {
  return async (target, sent) => {
    const task = await longTask(target)
    const held = await openMany(shareOf(target, 500), () => hold(target, get(path(task), target.rich.key)))
    await pause(target.seconds * 1000)
    const until = performance.now() + answerSecondsMax * 1000
    const isWaiting = (): boolean => held.some((each) => outcomeOfHeld(each) === "no answer yet")
    while (answersAtOnce && isWaiting() && performance.now() < until) await pause(100)
    const open = held.filter(isOpen).length
    sent.notes.push(`${open} open at once`)
    sent.expect(open <= openPerKeyMax, `${open} of one key were open at once`)
    release(held, sent)
    await ask(target, { method: "POST", path: `/v1/tasks/${task}/cancel`, key: target.rich.key })
  }
}

/** Longer than the time that headers and bodies have to arrive. */
const slowSeconds = 24

const expectClosed = (held: ReadonlyArray<Held>, sent: Sent, share: number): void => {
  const open = held.filter(({ closed }) => !closed()).length
  sent.notes.push(`${open} of ${held.length} still open`)
  if (share === 1) sent.expect(open === 0, `${open} slow connections were open to the end`)
}

export const connections: ReadonlyArray<Attack> = [
  {
    name: "slow-bodies",
    about: "500 bodies of one key, a byte each every half second",
    seconds: slowSeconds,
    allowed: refusals,
    send: async (target, sent) => {
      const head = headOf("/v1/images/tasks", target.poor, 100_000)
      const held = await openMany(shareOf(target, 500), () => hold(target, `${head}{`))
      await dribble(held, " ", target.seconds)
      expectClosed(held, sent, target.share)
      release(held, sent)
    },
  },
  {
    name: "half-headers",
    about: "1,000 connections with half a header, a byte each every half second",
    seconds: slowSeconds,
    allowed: refusals,
    send: async (target, sent) => {
      const held = await openMany(shareOf(target, 1_000), () =>
        hold(target, "GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: "),
      )
      await dribble(held, "a", target.seconds)
      expectClosed(held, sent, target.share)
      release(held, sent)
    },
  },
  {
    name: "event-streams",
    about: "500 event streams of one key",
    allowed: /^(200|429 too_many_connections|429 rate_limited|closed|503 overloaded)$/,
    send: many(
      (task) => `/v1/tasks/${task}/events`,
      true,
      (each) => outcomeOfHeld(each) === "200" && !each.closed(),
    ),
  },
  {
    name: "waiting-readers",
    about: "500 waiting readers of one key",
    allowed: /^(200|429 too_many_connections|429 rate_limited|closed|503 overloaded|no answer yet)$/,
    send: many(
      (task) => `/v1/tasks/${task}?wait=60`,
      false,
      (each) => outcomeOfHeld(each) === "no answer yet",
    ),
  },
  {
    name: "slow-readers",
    about: "300 connections that ask for large answers and read nothing",
    allowed: /^(200|no answer yet|429 \w+|503 overloaded|closed)$/,
    send: async (target, sent) => {
      const held = await openMany(shareOf(target, 300), (index) => {
        const each = hold(target, get(index % 2 === 0 ? "/openapi.json" : "/docs", target.poor).repeat(3))
        each.socket.pause()
        return each
      })
      await pause(target.seconds * 1000)
      sent.notes.push(`${answered(held)} answered`)
      release(held, sent)
    },
  },
]
