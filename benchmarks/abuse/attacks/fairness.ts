import type { Attack } from "../attack.ts"
import { agentOf, ask } from "../requests.ts"
import { shareOf, type Target } from "../target.ts"

/** Jobs that the server runs at once, by default. */
const slots = 16
/** Starts of others that one may wait for: what runs, what was claimed with it, and a round in turn. */
const startsMax = 3 * slots

const submit = async (target: Target, key: string, prompt: string, agent = agentOf(1)) => {
  const json = { model: "gen-image-2", prompt, size: "256x256" }
  return await ask(target, { path: "/v1/images/tasks", key, json, agent })
}

/** Tasks of the key that have not begun. */
const queuedOf = async (target: Target, key: string): Promise<number> => {
  let count = 0
  let after = ""
  for (;;) {
    const { text } = await ask(target, { path: `/v1/tasks?limit=100&state=queued${after}`, key })
    const { data, has_more, last_id } = JSON.parse(text)
    count += data.length
    if (has_more !== true) return count
    after = `&after=${last_id}`
  }
}

export const fairness: ReadonlyArray<Attack> = [
  {
    name: "image-queue",
    about: "300 images of one user, then one of another, which must begin within 48 starts",
    allowed: /^(202|429 too_many_tasks|503 overloaded)$/,
    send: async (target, sent) => {
      const agent = agentOf(16)
      const flood = Array.from({ length: shareOf(target, 300) }, () =>
        submit(target, target.rich.key, "a boat [slow 1s] [partial 0]", agent),
      )
      for (const answer of await Promise.all(flood)) sent.answer(answer)
      const before = await queuedOf(target, target.rich.key)
      const { text } = sent.answer(await submit(target, target.other.key, "a boat [slow 0.1s] [partial 0]"))
      const id = JSON.parse(text)["task_id"]
      const { text: task } = await ask(target, { path: `/v1/tasks/${id}?wait=25`, key: target.other.key })
      const starts = before - (await queuedOf(target, target.rich.key))
      sent.notes.push(`${starts} tasks of the first user began before the second's was final`)
      sent.expect(
        JSON.parse(task)["started_at"] !== undefined,
        "the second user's task did not begin in 25 s",
      )
      sent.expect(starts <= startsMax, `${starts} tasks of the first user went before the second user's one`)
      agent.destroy()
    },
  },
  {
    name: "too-many-tasks",
    about: "1,100 unfinished images of one user",
    allowed: /^(202|429 too_many_tasks|503 overloaded)$/,
    send: async (target, sent) => {
      const agent = agentOf(16)
      const count = shareOf(target, 1_100)
      const flood = Array.from({ length: count }, () =>
        submit(target, target.rich.key, "a boat [slow 1h]", agent),
      )
      for (const answer of await Promise.all(flood)) sent.answer(answer)
      const accepted = sent.counts["202"] ?? 0
      sent.expect(accepted <= 1_000, `${accepted} unfinished tasks of one user were accepted`)
      agent.destroy()
    },
  },
]
