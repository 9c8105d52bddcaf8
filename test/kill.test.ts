import { afterEach, describe, expect, it } from "vitest"
import { readBooks, transferFaults } from "./support/books.ts"
import { Load, type Wish } from "./support/load.ts"
import { seeded } from "./support/random.ts"
import {
  type Account,
  at,
  call,
  type Installation,
  install,
  launch,
  makeAccount,
  type Server,
  serve,
} from "./support/server.ts"

const kills = 60
/** Answers that clients get, at most, before the next kill. */
const answers_max = 40
/** So that a kill falls into different moments of a request, and of a start. */
const delay_ms_max = 30
const start_ms_max = 700
const clients = 8

const seed = Number(process.env["ATELIER_TEST_SEED"] ?? Date.now() % 1_000_000)

let installation: Installation | undefined
let server: Server | undefined

afterEach(async () => {
  await server?.end("SIGKILL")
  installation?.remove()
})

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until clients got some answers, or the server is gone. */
const awaitAnswers = async (load: Load, wanted: number, running: Server) => {
  const until = load.answers + wanted
  while (load.answers < until && running.process.exitCode === null) await pause(2)
}

const everyFinal = ["completed", "succeeded", "failed"]

const finalTask = async (url: string, { key }: Account, id: string) => {
  const answer = await call(`${url}/v1/tasks/${id}?wait=60`, { key })
  const state = at(answer.body, "state") ?? at(answer.body, "status")
  return { status: answer.status, state: String(state), body: answer.body }
}

/** As its prompt asks; a task that was interrupted very often is given up, and refunded. */
const isExpected = (wish: Wish, task: Awaited<ReturnType<typeof finalTask>> | undefined): boolean => {
  const fails = wish.kind === "image" && /fail|reject/.test(wish.prompt)
  const succeeded = task?.state === "completed" || task?.state === "succeeded"
  return fails !== succeeded || at(task?.body, "error.code") === "worker_failed"
}

const finalSteps = async (url: string, { key }: Account, id: string): Promise<number> => {
  const { body } = await call(`${url}/v1/tasks/${id}/history`, { key })
  const steps = at(body, "data")
  return Array.isArray(steps)
    ? steps.filter((step) => everyFinal.includes(String(at(step, "to")))).length
    : -1
}

describe("contract, Running it: killed at any instant and started again", () => {
  it(`loses nothing that was accepted and charges nothing twice (${kills} kills, seed ${seed})`, {
    timeout: 300_000,
  }, async () => {
    console.log(`kill test: seed ${seed} (repeat with ATELIER_TEST_SEED=${seed})`)
    const random = seeded(seed)
    const many = 1_000_000
    const home = await install({
      channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
      limits: {
        job_lease_ms: 1_000,
        rate_per_minute: many,
        rate_burst: many,
        tool_tasks_per_user_max: many,
        tool_files_per_user_max: many,
      },
    })
    installation = home
    server = await serve(home)
    const { url } = server
    const account = await makeAccount(url, 10_000)

    const load = new Load({ server, account, random: seeded(seed + 1), clients })
    for (let kill = 0; kill < kills; kill++) {
      if (random() < 0.15) {
        await pause(random() * start_ms_max)
      } else {
        await server.ready
        await awaitAnswers(load, 1 + random() * answers_max, server)
        await pause(random() * delay_ms_max)
      }
      expect(server.process.exitCode, server.output()).toBeNull()
      await server.end("SIGKILL")
      server = launch(home)
      load.server = server
    }
    await server.ready
    await load.stop()
    expect(load.faults).toEqual([])

    const accepted = load.wishes.flatMap(({ task }) => task ?? [])
    expect(accepted).toHaveLength(load.wishes.length)
    const tasks = new Map<string, Awaited<ReturnType<typeof finalTask>>>()
    for (const id of accepted) tasks.set(id, await finalTask(url, account, id))
    const unknown = [...tasks].filter(
      ([, { status, state }]) => status !== 200 || !everyFinal.includes(state),
    )
    expect(unknown).toEqual([])
    const strange = load.wishes.filter((wish) => !isExpected(wish, tasks.get(wish.task ?? "")))
    expect(strange.map(({ task, prompt }) => [prompt, tasks.get(task ?? "")])).toEqual([])
    for (const id of accepted) expect([id, await finalSteps(url, account, id)]).toEqual([id, 1])
    for (const [, { body }] of tasks) {
      const image = at(body, "result_url")
      if (typeof image === "string") expect((await fetch(image, { method: "HEAD" })).status).toBe(200)
    }
    expect(await server.end("SIGTERM")).toBe(0)

    const books = await readBooks(home)
    expect(books).toMatchObject({ wrong: [], tasks: accepted.length, unfinished: 0, jobs: 0 })
    expect(transferFaults(books.transfers)).toEqual([])
    const states = Map.groupBy([...tasks.values()], ({ state }) => state)
    console.log(
      `kill test: ${accepted.length} tasks; ${[...states].map(([state, all]) => `${all.length} ${state}`).join(", ")}`,
    )
  })
})
