/**
 * Readers who wait for one task: `?wait=60` and event streams. What each holds in memory, what they cost while nothing
 * happens, and how long after the request that ends the task the first, the middle and the last of them has its answer.
 *
 * `npm run bench -- benchmarks/readers.ts [readers] [idle seconds]`
 */
import { fork } from "node:child_process"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { cpuMillisOf, residentBytesOf } from "../test/support/processes.ts"
import { call, install, makeAccount, serve, textAt } from "../test/support/server.ts"
import { report, rounded } from "./support/report.ts"

/** What a second process opens and reads. */
interface Order {
  readonly port: number
  readonly path: string
  readonly key: string
  readonly readers: number
  readonly last: string
}

/** When each reader had the last byte that it waits for, in milliseconds since 1970. */
interface Answers {
  readonly open: number
  readonly at: ReadonlyArray<number>
  readonly failed: ReadonlyArray<string>
}

/** Connections that are being opened at once. */
const openingMax = 200
/** What an answer that a reader waits for has in it. */
const last = `"state":"failed"`
/** For garbage of the openings to go, and a job to begin. */
const settleMs = 5_000
/** A port leads to some 28,000 connections from one address. */
const addresses = 8

/** Opens readers and holds them until all have had their answer. */
const readAll = async (order: Order): Promise<Answers> => {
  const sockets: Array<Socket> = []
  const at: Array<number> = []
  const failed: Array<string> = []
  const endings: Array<Promise<unknown>> = []
  const open = async (index: number) => {
    const socket = connect({
      port: order.port,
      host: "127.0.0.1",
      localAddress: `127.0.0.${2 + (index % addresses)}`,
    })
    sockets.push(socket)
    let text = ""
    endings.push(
      new Promise<void>((resolve) => {
        const end = (fault?: string) => {
          if (fault === undefined) at.push(performance.timeOrigin + performance.now())
          else failed.push(fault)
          socket.destroy()
          resolve()
        }
        socket.on("error", (error) => end(error.message))
        socket.on("close", () => end(`closed after ${text.slice(0, 100)}`))
        socket.setEncoding("latin1").on("data", (chunk: string) => {
          text = `${text}${chunk}`.slice(-2_000)
          if (!text.includes(order.last)) return
          socket.removeAllListeners("close")
          end()
        })
      }),
    )
    await once(socket, "connect")
    socket.write(
      `GET ${order.path} HTTP/1.1\r\nhost: 127.0.0.1:${order.port}\r\nauthorization: Bearer ${order.key}\r\n\r\n`,
    )
  }
  for (let begun = 0; begun < order.readers; begun += openingMax) {
    const some = Array.from({ length: Math.min(openingMax, order.readers - begun) }, (_, n) => begun + n)
    await Promise.allSettled(some.map(open))
  }
  process.send?.("open")
  await Promise.all(endings)
  return { open: sockets.length, at, failed }
}

if (process.argv[2] === "readers") {
  process.once("message", async (order) => {
    process.send?.(await readAll(order as Order), () => process.exit())
  })
} else {
  await measureAll(Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 20))
}

async function measureAll(readers: number, idleSeconds: number) {
  const many = 100_000_000
  const installation = await install({
    channels: [{ id: "vendor", adapter: "faulty", models: { "*": "*" } }],
    limits: {
      rate_per_minute: many,
      rate_burst: many,
      connections_max: many,
      connections_per_address_max: many,
      readers_max: many,
      readers_per_key_max: many,
      image_jobs_concurrent_max: 1,
    },
  })
  const server = await serve(installation)
  const pid = server.process.pid ?? 0
  const { key } = await makeAccount(server.url, 1000)
  const resident = () => residentBytesOf(pid)
  const cpu = () => cpuMillisOf(pid)

  const submit = async (prompt: string) => {
    const json = { model: "gen-image-2", prompt, size: "64x64" }
    const { body } = await call(`${server.url}/v1/images/tasks`, { key, json })
    return textAt(body, "task_id")
  }
  // The only place is taken: what comes after it stays queued and changes when it is canceled, not before.
  await submit("a boat [slow 1h]")
  await setTimeout(settleMs)

  const measure = async (path: (id: string) => string) => {
    const id = await submit("a boat")
    const [bytesBefore, cpuBefore] = [resident(), cpu()]
    const child = fork(fileURLToPath(import.meta.url), ["readers"])
    const order: Order = { port: Number(new URL(server.url).port), path: path(id), key, readers, last }
    child.send(order)
    await once(child, "message")
    await setTimeout(settleMs)
    const [held, idleFrom, idleCpu] = [resident() - bytesBefore, performance.now(), cpu()]
    await setTimeout(idleSeconds * 1000)
    const idlePerMinute = ((cpu() - idleCpu) / (performance.now() - idleFrom)) * 60_000
    const [endedAt, endCpu] = [performance.timeOrigin + performance.now(), cpu()]
    const answered = once(child, "message")
    await call(`${server.url}/v1/tasks/${id}/cancel`, { key, method: "POST" })
    const [answers] = (await answered) as [Answers]
    if (answers.failed.length > 0) console.log(new Set(answers.failed))
    const sorted = answers.at.toSorted((a, b) => a - b)
    const after = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN) - endedAt
    return {
      readers,
      answered: answers.at.length,
      "kB of each": rounded(held / readers / 1024, 1),
      "CPU ms to open each": rounded((idleCpu - cpuBefore) / readers, 2),
      "CPU ms a minute, idle": rounded(idlePerMinute),
      "first answered after ms": rounded(after(0)),
      middle: rounded(after(0.5)),
      last: rounded(after(1)),
      "CPU ms to answer each": rounded((cpu() - endCpu) / readers, 2),
    }
  }

  const kinds = {
    "?wait=60": () => measure((id) => `/v1/tasks/${id}?wait=60`),
    "event stream": () => measure((id) => `/v1/tasks/${id}/events`),
  }
  const rows = []
  for (const [what, each] of Object.entries(kinds)) rows.push({ what, ...(await each()) })
  await server.end("SIGKILL")
  installation.remove()
  report({
    name: "readers",
    title: "Readers who wait for one task",
    rows,
    notes: [
      "One process on SQLite; the readers' process shares the machine. Limits on connections and readers are raised by setting.",
      "Memory is what the server's resident memory grew by, the sockets' own memory in the kernel aside; it holds garbage too, and event streams come second and find room that the others left.",
      `Idle is ${idleSeconds} s in which nothing happens; event streams get a comment every 15 s. The task is canceled while it is queued.`,
    ],
  })
}
