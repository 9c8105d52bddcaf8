import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { createNodeRedisClient, Queue, RedisConnection, Worker } from "bullmq"
import { createClient } from "redis"
import { freePort } from "../../test/support/server.ts"
import { type Peer, peerQueue } from "./peers.ts"

/** Whether this machine has a Redis server to start. */
export const hasRedis = (): boolean => spawnSync("redis-server", ["--version"]).status === 0

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false))
    socket.once("connect", () => socket.destroy())
  })

const stop = (server: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    server.once("exit", () => resolve())
    server.kill("SIGTERM")
  })

/**
 * BullMQ on a Redis server of its own, whose log is on the disk before a write is answered (`always`), or within a
 * second (`everysec`).
 */
export const bullmq = async (
  fsync: "always" | "everysec",
  concurrency: number,
  work: (payload: unknown) => void,
): Promise<Peer> => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-redis-"))
  const port = await freePort()
  const settings = { port, bind: "127.0.0.1", dir: folder, save: "", appendonly: "yes", appendfsync: fsync }
  const server = spawn(
    "redis-server",
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: "ignore" },
  )
  while (!(await answers(port))) await setTimeout(50)
  RedisConnection.clientFactory = ({ port: at = 0 }) =>
    createNodeRedisClient(createClient({ url: `redis://127.0.0.1:${at}` }))
  const connection = { host: "127.0.0.1", port }
  const queue = new Queue(peerQueue, { connection, defaultJobOptions: { removeOnComplete: true } })
  const worker = new Worker(peerQueue, async ({ data }) => work(data), { connection, concurrency })
  const told = (error: Error) => console.error(error)
  queue.on("error", told)
  worker.on("error", told)
  await worker.waitUntilReady()
  return {
    add: async (payload) => {
      await queue.add(peerQueue, payload)
    },
    close: async () => {
      await worker.close()
      await queue.close()
      await stop(server)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
